"""The questions of practice, made of costly decisions."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bot.logs.sources import PassedOver
from bot.machine.errors import InputError
from bot.machine.files import read_small
from bot.machine.inputs import passed_over_note
from bot.machine.text import clean
from bot.page.table import WrittenAction
from bot.review.document import Candidate, Decision, Judged, Kept, naming_damage, read_review
from bot.review.kept import page_of
from bot.review.measure import Grade, grade_of
from bot.review.report import player_names
from bot.review.shown import shown_decision
from bot.review.verdicts import Category, Verdict
from bot.review.wording import Wording
from bot.store import reviews as store
from bot.wording.languages import Lang


@dataclass(frozen=True, slots=True)
class Question:
    """One decision that cost something."""

    key: str  # the game and the number of the decision, the same in every review of that game
    row: Decision  # the decision, as its review has it
    game: Kept  # the review of its game
    page: str  # name of the game's page in the review; empty if there is none
    # that page in a language; raises OSError, ValueError or InputError if it cannot be read
    read_page: Callable[[Lang], str]

    @property
    def loss(self) -> float:
        """The loss."""
        return self.row["loss"] or 0.0

    @property
    def choices(self) -> list[WrittenAction]:
        """The answers that may be given: those that were evaluated, in an order that gives nothing away."""
        return sorted(
            (one["action"] for one in self.row["candidates"]), key=lambda one: json.dumps(one, sort_keys=True)
        )

    def asked(self, lang: Lang) -> dict[str, Any]:
        """The question on the page: the position, and the answers that may be given."""
        wording = Wording.of(self.game["policy"], lang)
        hand = self.game["hands"][self.row["hand"]]
        return {
            "key": self.key,
            "names": player_names(self.game, wording),
            "hand": {"name": wording.hand(hand["name"]), "honba": hand["honba"], "dealer": hand["dealer"]},
            "turn": self.row["turn"],
            "own_turn": self.row["own_turn"],
            "table": self.row["table"],
            "choices": self.choices,
        }

    def answered(self, choice: int, lang: Lang) -> dict[str, Any]:
        """The page after an answer: its grade, the ranking, the reasons, and the action played in the game."""
        wording = Wording.of(self.game["policy"], lang, practising=True)
        row = self.judged(self.choices[choice])
        return {
            "key": self.key,
            "row": shown_decision(row, {lang: wording}),
            "decimals": wording.scale.decimals,
            "unit": wording.unit(self.game["policy"]["unit"]),
            "game": wording.action(self.row["played"] or self.row["chosen"], "did"),
            "game_grade": self.row["grade"],
            "game_loss": self.loss,
            "played_so": row["played"] == self.row["played"],
            "page": self.page and f"{self.page}?lang={lang}#d{self.row['number']}",
        }

    def judged(self, action: WrittenAction) -> Decision:
        """The decision as if this answer had been played."""
        if action == self.row["played"]:
            return self.row
        mine = next(one for one in self.row["candidates"] if one["action"] == action)
        judged = mine["judged"] if "judged" in mine else self._graded(mine)
        found: Decision = {**self.row, "played": action, **judged}
        found.pop("clauses", None)  # of what was played
        return found

    def _graded(self, mine: Candidate) -> Judged:
        """How another answer than that of the game compares in a review of version 7: only its loss and grade."""
        best, noise = self.row["candidates"][0], self.row["noise"]
        lost = best["value"] - mine["value"]
        if mine is best:
            verdict, grade, loss = Verdict.SAME, Grade.BEST, 0.0
        elif lost <= noise:
            verdict, grade, loss = Verdict.EQUAL, Grade.EQUAL, 0.0
        else:
            verdict, grade, loss = Verdict.DIFFERS, grade_of(lost, self.game["policy"]["unit"], noise), lost
        return {
            "verdict": verdict.value,
            "grade": grade.value,
            "category": Category.DISCARD.value,
            "loss": loss,
            "disputed": None,
            "questions": {},
        }


def read_questions(folders: Sequence[Path], least: Grade) -> tuple[list[Question], list[PassedOver]]:
    """The questions of some reviews, the costliest first, and the reviews that cannot be read.

    A game that is in several reviews is asked about once.

    Args:
        folders: folders that ``oshihiki audit GAMES -o FOLDER`` wrote, or ``oshihiki open`` keeps reviews in.
        least: the lowest grade of mistakes that are asked about.

    Raises:
        InputError: a folder is no review, no review of it can be read, or there is nothing to ask.
    """
    grades = list(Grade)[list(Grade).index(least) :]
    found: dict[str, Question] = {}
    passed_over: list[PassedOver] = []
    reviews = [one for folder in folders for one in _reviews(folder)]
    for where, read in reviews:
        try:
            for question in read():
                if question.row["grade"] in grades:
                    found.setdefault(question.key, question)
        except InputError as error:
            passed_over.append(PassedOver(where, str(error).removeprefix(f"{where}: ")))
    if len(passed_over) == len(reviews):
        raise InputError(f"no review can be read; {passed_over_note(passed_over)}")
    if not found:
        smaller = "" if least is Grade.INACCURACY else ", or ask for smaller ones with --grade inaccuracy"
        where = ", ".join(clean(str(each)) for each in folders)
        note = f"; {passed_over_note(passed_over)}" if passed_over else ""
        raise InputError(f"there is no {least.value} to practise in {where}; review more games{smaller}{note}")
    return sorted(found.values(), key=lambda one: -one.loss), passed_over


def _reviews(folder: Path) -> Sequence[tuple[str, Callable[[], Sequence[Question]]]]:
    """Each review of a folder: how messages name it, and what reads its questions."""
    try:
        files = sorted(file for file in (folder / store.DATA).iterdir() if file.suffix == ".json")
    except OSError:
        files = []
    named = {file.stem for file in files}
    found = [(clean(str(file)), partial(_of_file, file)) for file in files]
    found += [
        (clean(name), partial(_of_store, folder, name, has_page=head.page))
        for name, head in store.heads(folder).items()
        if name not in named
    ]
    if not found:
        raise InputError(
            f"{clean(str(folder))}: is no folder of reviews; make one with: oshihiki audit GAMES --seat NAME -o FOLDER"
        )
    return found


def _of_file(file: Path) -> list[Question]:
    """The questions of a review that ``oshihiki audit -o`` wrote.

    Raises:
        InputError: the file is damaged, or of another version.
    """
    page = file.parent.parent / store.PAGES / f"{file.stem}.html"
    where = clean(str(file))
    fields = read_review(where, read_small(file, where, store.LARGEST))

    def read(_lang: Lang) -> str:  # it was written in one language
        return page.read_text(encoding="utf-8")

    return questions_of(where, fields, page.name if page.is_file() else "", read)


def _of_store(folder: Path, name: str, *, has_page: bool) -> list[Question]:
    """The questions of a review that is kept in the store.

    Raises:
        InputError: it is damaged, or of another version.
    """
    fields = read_review(clean(name), store.text(folder, name, "fields"))
    return questions_of(clean(name), fields, f"{name}.html" if has_page else "", partial(page_of, folder, name))


def questions_of(where: str, fields: Kept | None, page: str, read_page: Callable[[Lang], str]) -> list[Question]:
    """The questions of one game of a review; a game without the player has none.

    Args:
        where: how messages name the review.
        fields: the review; None of a game without the player.
        page: name of its page; empty if it has none.
        read_page: the page in a language.

    Raises:
        InputError: the review is damaged.
    """
    if fields is None:
        return []
    with naming_damage(where):
        rows = fields["differences"]
        questions = [Question(f"{fields['game']}:{row['number']}", row, fields, page, read_page) for row in rows]
        wording = Wording.of(fields["policy"], Lang.EN)
        for question in questions:  # whatever is missing is found now
            question.asked(Lang.EN)
            question.answered(0, Lang.EN)
            for action in question.choices:
                wording.action(action, "did")
    return questions
