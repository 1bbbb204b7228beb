"""``oshihiki practice``: positions of one's own costly decisions as questions, on a page of this machine."""

import asyncio
import json as json_text
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.commands.browser import show_running
from bot.commands.options import WatchPort
from bot.machine.errors import InputError, Trouble
from bot.machine.inputs import passed_over_fields, passed_over_note
from bot.machine.outlet import error_screen, print_error, say
from bot.machine.stop import run_until_stopped
from bot.machine.text import plural
from bot.page.loopback import kept_key, listen
from bot.page.running import running
from bot.page.server import PageServer
from bot.review.learner import Learner
from bot.review.measure import Grade
from bot.review.practice import Practising
from bot.review.questions import Question, read_questions
from bot.store.database import data_folder
from bot.store.importing import bring_in
from bot.wording.languages import Lang

ROUND: Final = 20
"""Number of questions in a round, unless another is named."""


class Least(StrEnum):
    """The lowest grade that is asked about."""

    INACCURACY = Grade.INACCURACY.value
    MISTAKE = Grade.MISTAKE.value
    BLUNDER = Grade.BLUNDER.value


def practice(
    reviews: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Folders that oshihiki audit -o wrote.")],
    grade: Annotated[Least, typer.Option(help="Lowest grade that is asked about.")] = Least.MISTAKE,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Number of questions in a round.")] = ROUND,
    lang: Annotated[Lang, typer.Option(help="Language of the page.")] = Lang.EN,
    port: WatchPort = None,
    json: Annotated[bool, typer.Option("--json", help="Print how far you are as JSON, and ask nothing.")] = False,
) -> None:
    """Practise the positions that cost you most: answer by a click, see the ranking and the reasons, until Ctrl-C.

    The questions are the mistakes and blunders of a review of many games. What was missed comes again within minutes,
    what was right after days, then later each time (FSRS); the costliest positions come first. Every answer is kept at
    once in the first folder, and the same command goes on from there.

    Examples:
      oshihiki audit games/ --seat Tanaka -o review/
      oshihiki practice review/
      oshihiki practice review/ --grade inaccuracy --count 50
      oshihiki practice review/ --json
    """
    questions, passed_over = read_questions(reviews, Grade(grade.value))
    learner = _learner(reviews[0], answers=not json)
    if json:
        fields = {**learner.summary(questions), "passed_over": passed_over_fields(passed_over)}
        typer.echo(json_text.dumps(fields, ensure_ascii=False))
        return
    if passed_over:
        say(error_screen(), passed_over_note(passed_over), "dim")
    for sentence in learner.damaged:
        print_error(sentence)
    usual = (grade, count, port, len(reviews)) == (Least.MISTAKE, ROUND, None, 1)
    found = running(reviews[0].expanduser(), kept_key(data_folder())) if usual else None
    if found is not None:
        show_running("practice", found, f"practice/?lang={lang}", error_screen(), start=True)
        return
    run_until_stopped(_practise(questions, learner, count, lang, port))
    summary = learner.summary(questions)
    typer.echo(
        f"{plural(summary['asked'], 'answer')} so far, {summary['missed']} missed; "
        f"{plural(summary['questions'], 'position')}: {summary['new']} new, {summary['due']} due; "
        f"kept in {summary['state']}"
    )


def _learner(folder: Path, *, answers: bool) -> Learner:
    """Who practises the reviews of a folder, with what is kept of earlier answers.

    Args:
        folder: the folder.
        answers: whether answers will be given, so that it must be possible to keep them.

    Raises:
        InputError: what is kept cannot be read, or answers cannot be kept.
    """
    learner = Learner(folder)
    try:
        bring_in(folder)
        if answers:
            learner.check()
        else:
            learner.refresh()
    except InputError as error:
        if error.trouble is not Trouble.NO_RIGHT:
            raise
        why = f"{error}; answers are kept there: copy the folder to a place that you may write, and practise there"
        raise InputError(why, error.trouble, error.source) from None
    return learner


async def _practise(questions: list[Question], learner: Learner, count: int, lang: Lang, port: int | None) -> None:
    listening = listen(port)
    screen = error_screen()
    place = Practising(lambda: questions, learner, count, lang)
    async with PageServer({"": place}, listening, kept_key(data_folder())).serve() as server:
        say(screen, f"practice: {server.link}")
        screen.print(f"{plural(len(questions), 'position')}; Ctrl-C ends", style="dim", highlight=False)
        await asyncio.Event().wait()
