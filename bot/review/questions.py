"""The questions of practice, made of costly decisions."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.deciding.fields import parts_of_today
from bot.logs.sources import PassedOver
from bot.machine.errors import InputError
from bot.machine.files import read_kept_json
from bot.machine.inputs import passed_over_note
from bot.machine.text import brief, clean
from bot.review.fields import FORMAT, READ
from bot.review.many import DATA, LARGEST, REPORTS
from bot.review.measure import Grade, grade_of
from bot.review.report import player_names, shown_candidate
from bot.review.verdicts import Category, Verdict
from bot.review.wording import Wording
from bot.wording.languages import Lang

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """One decision that cost something."""

    key: str  # the game and the number of the decision, the same in every review of that game
    row: Fields  # the decision, as an audit's fields have it
    game: Fields  # the fields of its game
    page: Path | None  # the game's page in the review; None if there is none

    @property
    def loss(self) -> float:
        """The loss."""
        return float(self.row["loss"])

    @property
    def choices(self) -> list[Fields]:
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
            "grade": row["grade"],
            "loss": row["loss"] or 0.0,
            "row": {name: row[name] for name in ("played", "chosen", "own_turn", "noise", "table", "truth")}
            | {"candidates": [shown_candidate(one, wording) for one in row["candidates"]], "points": ""},
            "decimals": wording.decimals,
            "unit": wording.unit(self.game["policy"]["unit"]),
            "say": wording.decision(row),
            "grounds": wording.grounds(row["grounds"]),
            "game": wording.action(self.row["played"], "did"),
            "game_grade": self.row["grade"],
            "game_loss": self.loss,
            "played_so": row["played"] == self.row["played"],
            "page": "" if self.page is None else f"{self.page.name}#d{self.row['number']}",
        }

    def judged(self, action: Fields) -> dict[str, Any]:
        """The decision as if this answer had been played."""
        mine = next(one for one in self.row["candidates"] if one["action"] == action)
        return {**self.row, "played": action, **(mine["judged"] if "judged" in mine else self._graded(mine))}

    def _graded(self, mine: Fields) -> Fields:
        """How an answer compares in a review of version 7: only its loss and grade, unless it is that of the game."""
        if mine["action"] == self.row["played"]:
            return {}
        best, noise = self.row["candidates"][0], self.row["noise"]
        lost = best["value"] - mine["value"]
        if mine is best:
            verdict, grade, loss = Verdict.SAME, Grade.BEST, 0.0
        elif lost <= noise:
            verdict, grade, loss = Verdict.EQUAL, Grade.EQUAL, 0.0
        else:
            verdict, grade, loss = Verdict.DIFFERS, grade_of(lost, self.game["policy"]["unit"], noise), lost
        unknown: Fields = {"category": Category.DISCARD.value, "disputed": None, "questions": {}}
        return {"verdict": verdict.value, "grade": grade.value, "loss": loss, **unknown}


def read_questions(folders: Sequence[Path], least: Grade) -> tuple[list[Question], list[PassedOver]]:
    """The questions of some reviews, the costliest first, and the files that cannot be read.

    A game that is in several reviews is asked about once.

    Args:
        folders: folders that ``oshihiki audit GAMES -o FOLDER`` wrote.
        least: the lowest grade of mistakes that are asked about.

    Raises:
        InputError: a folder is no review, no file of it can be read, or there is nothing to ask.
    """
    grades = list(Grade)[list(Grade).index(least) :]
    found: dict[str, Question] = {}
    passed_over: list[PassedOver] = []
    files = review_files(folders)
    for file in files:
        try:
            for question in questions_of(file):
                if question.row["grade"] in grades:
                    found.setdefault(question.key, question)
        except InputError as error:
            where = clean(str(file))
            passed_over.append(PassedOver(where, str(error).removeprefix(f"{where}: ")))
    if len(passed_over) == len(files):
        raise InputError(f"no review can be read; {passed_over_note(passed_over)}")
    if not found:
        smaller = "" if least is Grade.INACCURACY else ", or ask for smaller ones with --grade inaccuracy"
        where = ", ".join(clean(str(each)) for each in folders)
        note = f"; {passed_over_note(passed_over)}" if passed_over else ""
        raise InputError(f"there is no {least.value} to practise in {where}; review more games{smaller}{note}")
    return sorted(found.values(), key=lambda one: -one.loss), passed_over


def review_files(folders: Sequence[Path]) -> list[Path]:
    """The files of the games of some reviews."""
    return [file for folder in folders for file in _files(folder)]


def _files(folder: Path) -> list[Path]:
    data = folder / DATA
    try:
        files = sorted(file for file in data.iterdir() if file.suffix == ".json")
    except OSError:
        files = []
    if not files:
        raise InputError(
            f"{clean(str(folder))}: is no folder of reviews; make one with: oshihiki audit GAMES --seat NAME -o FOLDER"
        )
    return files


def questions_of(file: Path) -> Iterator[Question]:
    """The questions of one game of a review; a game without the player has none.

    Raises:
        InputError: the file is damaged, or of another version.
    """
    where = clean(str(file))
    try:
        fields = read_kept_json(file, where, LARGEST)
        if not fields:
            return
        known = fields["format"] == FORMAT and fields["version"] in READ
        page = file.parent.parent / REPORTS / f"{file.stem}.html"
        rows = fields["differences"] if known else ()
        for candidate in (one for row in rows for one in row["candidates"] if "parts" in one):
            candidate["parts"] = parts_of_today(candidate["parts"])
        questions = [
            Question(f"{fields['game']}:{row['number']}", row, fields, page if page.is_file() else None) for row in rows
        ]
        for question in questions:  # whatever is missing is found now
            wording = Wording.of(fields["policy"], Lang.EN)
            question.asked(Lang.EN)
            question.answered(0, Lang.EN)
            for action in question.choices:
                wording.decision(question.judged(action))
    except (
        ArithmeticError,
        ValueError,
        TypeError,
        AttributeError,
        LookupError,
        RecursionError,
        StopIteration,
    ) as error:
        raise InputError(
            f"{where}: is damaged; delete it and run oshihiki audit with the same folder again: "
            f"{brief(str(error) or type(error).__name__, 80)}"
        ) from None
    if not known:
        raise InputError(f"{where}: was written by another version; run oshihiki audit with the same folder again")
    yield from questions
