"""The questions of practice, made of costly decisions, and what a learner knows of them from one day to the next.

When a question comes again is the scheduler's decision (FSRS, in the library ``fsrs``): after a mistake within minutes,
after a right answer in days, and each time later. The library's parameters are those of its authors.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from fsrs import Card, Rating, Scheduler

from bot.audit.fields import FORMAT, VERSION
from bot.audit.many import DATA, REPORTS
from bot.audit.measure import Grade, grade_of
from bot.audit.report import player_names, shown_candidate
from bot.audit.verdicts import Verdict
from bot.audit.wording import Wording
from bot.machine.errors import InputError
from bot.machine.files import read_small
from bot.machine.outputs import Outputs
from bot.machine.text import brief, clean
from bot.wording.languages import Lang

Fields = Mapping[str, Any]
LARGEST: Final = 1 << 26
"""Bytes of the largest file of a game that is read; that of a long hanchan has 0.3 MB."""
STATE_FORMAT: Final = "oshihiki-practice"
STATE_VERSION: Final = 1
STATE: Final = "practice.json"
"""Name of the file beside a review."""
MOST: Final = 1 << 26
"""Bytes of the largest file that is read; a thousand questions need 0.4 MB."""
AHEAD: Final = timedelta(minutes=20)
"""How much earlier than due a question may come, if nothing else is left to ask: missed ones are due in minutes."""
RATINGS: Final = {
    Grade.BEST: Rating.Good,
    Grade.EQUAL: Rating.Good,
    Grade.INACCURACY: Rating.Hard,
    Grade.MISTAKE: Rating.Again,
    Grade.BLUNDER: Rating.Again,
}


@dataclass(frozen=True, slots=True)
class Question:
    """One decision that cost something.

    Attributes:
        key: the game and the number of the decision, the same in every review of that game.
        row: the decision, as an audit's fields have it.
        game: the fields of its game.
        page: the game's page in the review; None if there is none.
    """

    key: str
    row: Fields
    game: Fields
    page: Path | None

    @property
    def loss(self) -> float:
        """What was lost."""
        return float(self.row["loss"])

    @property
    def choices(self) -> list[Fields]:
        """The answers that may be given: those that were evaluated, in an order that gives nothing away."""
        return sorted(
            (one["action"] for one in self.row["candidates"]), key=lambda one: json.dumps(one, sort_keys=True)
        )

    def asked(self, lang: Lang) -> dict[str, Any]:
        """What the page shows before the answer: the position, and the answers that may be given."""
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
        """What the page shows after an answer: its grade, the ranking, the reasons, and what was played."""
        wording = Wording.of(self.game["policy"], lang)
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
            "grounds": [wording.ground(each) for each in row["grounds"]],
            "game": wording.action(self.row["played"], "did"),
            "game_grade": self.row["grade"],
            "game_loss": self.loss,
            "played_so": row["played"] == self.row["played"],
            "page": "" if self.page is None else f"{self.page.name}#d{self.row['number']}",
        }

    def judged(self, action: Fields) -> dict[str, Any]:
        """The decision as if this answer had been played."""
        best, mine = self.row["candidates"][0], next(one for one in self.row["candidates"] if one["action"] == action)
        score, other = (one["value"] + one.get("lean", 0.0) for one in (best, mine))
        lost = min(best["value"] - mine["value"], score - other)  # as Candidate.lead says
        if mine is best:
            verdict, grade, loss = Verdict.SAME, Grade.BEST, 0.0
        elif lost <= self.row["noise"]:
            verdict, grade, loss = Verdict.EQUAL, Grade.EQUAL, 0.0
        else:
            verdict, grade, loss = Verdict.DIFFERS, grade_of(lost, self.game["policy"]["unit"], self.row["noise"]), lost
        return {**self.row, "played": action, "verdict": verdict.value, "grade": grade.value, "loss": loss}


def read_questions(folders: Sequence[Path], least: Grade) -> list[Question]:
    """The questions of some reviews, the costliest first; a game that is in several of them is asked about once.

    Args:
        folders: folders that ``oshihiki audit GAMES -o FOLDER`` wrote.
        least: the lowest grade of mistakes that are asked about.

    Raises:
        InputError: a folder is no review or damaged, or there is nothing to ask.
    """
    grades = list(Grade)[list(Grade).index(least) :]
    found: dict[str, Question] = {}
    for folder in folders:
        for file in _files(folder):
            for question in _read(file):
                if question.row["grade"] in grades:
                    found.setdefault(question.key, question)
    if not found:
        smaller = "" if least is Grade.INACCURACY else ", or ask for smaller ones with --grade inaccuracy"
        where = ", ".join(clean(str(each)) for each in folders)
        raise InputError(f"there is no {least.value} to practise in {where}; review more games{smaller}")
    return sorted(found.values(), key=lambda one: -one.loss)


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
            f"{clean(str(folder))}: is no folder of reviews; "
            "make one with: oshihiki audit GAMES --seat-name NAME -o FOLDER"
        )
    return files


def _read(file: Path) -> Iterator[Question]:
    """The questions of one game; a game without the player has none."""
    where = clean(str(file))
    try:
        fields = json.loads(read_small(file, where, LARGEST))
        if not fields:
            return
        known = fields["format"] == FORMAT and fields["version"] == VERSION
        page = file.parent.parent / REPORTS / f"{file.stem}.html"
        rows = fields["differences"] if known else ()
        questions = [
            Question(f"{fields['game']}:{row['number']}", row, fields, page if page.is_file() else None) for row in rows
        ]
        for question in questions:  # whatever is missing is found now
            question.asked(Lang.EN)
            question.answered(0, Lang.EN)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, StopIteration) as error:
        raise InputError(
            f"{where}: is damaged ({brief(str(error) or type(error).__name__, 80)}); "
            "delete it and run oshihiki audit with the same folder again"
        ) from None
    if not known:
        raise InputError(f"{where}: was written by another version; run oshihiki audit with the same folder again")
    yield from questions


@dataclass(slots=True)
class Learnt:
    """A question that was asked.

    Attributes:
        card: its place in the schedule.
        asked, missed: how often it was asked, and missed.
    """

    card: Card
    asked: int = 0
    missed: int = 0

    def fields(self) -> dict[str, Any]:
        """As the file keeps it."""
        return {"card": self.card.to_dict(), "asked": self.asked, "missed": self.missed}

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Learnt":
        """The inverse of :meth:`fields`."""
        return cls(Card.from_dict(fields["card"]), int(fields["asked"]), int(fields["missed"]))


@dataclass(slots=True)
class Learner:
    """A learner, whose file is written after each answer.

    Attributes:
        path: the file.
        outputs: writes it, other than over the files of a review.
        learnt: by its key, every question that was asked.
    """

    path: Path
    outputs: Outputs
    learnt: dict[str, Learnt] = field(default_factory=dict)
    _scheduler: Scheduler = field(default_factory=lambda: Scheduler(enable_fuzzing=False))

    @classmethod
    def read(cls, path: Path, reviews: Iterable[Path] = ()) -> "Learner":
        """The learner of a file; a new one if there is no file yet.

        Args:
            path: the file.
            reviews: files that it must not be.

        Raises:
            InputError: it cannot be read, is no such file, or is one of the reviews.
        """
        outputs = Outputs("--state", reviews)
        outputs.refuse_inputs(path)
        if not path.exists():
            return cls(path, outputs)
        where = f"--state {clean(str(path))}"
        text = read_small(path, where, MOST)
        try:
            fields = json.loads(text)
            known = fields["format"] == STATE_FORMAT and fields["version"] == STATE_VERSION
            learnt = {str(key): Learnt.of(one) for key, one in fields["questions"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            known = False
        if not known:
            raise InputError(
                f"{where}: is not a practice state, or is damaged; name another file, or delete it to begin anew"
            )
        return cls(path, outputs, learnt)

    def save(self) -> None:
        """Write the file.

        Raises:
            InputError: it cannot be written.
        """
        fields = {
            "format": STATE_FORMAT,
            "version": STATE_VERSION,
            "questions": {key: one.fields() for key, one in self.learnt.items()},
        }
        self.outputs.write(self.path, json.dumps(fields, indent=1))

    def answer(self, key: str, grade: Grade, now: datetime | None = None) -> datetime:
        """Note an answer; returns when the question is due again."""
        known = self.learnt.setdefault(key, Learnt(Card()))
        known.card, _ = self._scheduler.review_card(known.card, RATINGS[grade], now or datetime.now(UTC))
        known.asked += 1
        known.missed += RATINGS[grade] is Rating.Again
        self.save()
        return known.card.due

    def next(self, questions: Sequence[Question], last: str = "", now: datetime | None = None) -> Question | None:
        """The question to ask: one that is due, else a new one, the costliest first, else one that is due soon.

        Args:
            questions: all of them, in the order in which new ones come.
            last: key of the question just asked, which does not come twice in a row if there is another.
            now: the time.
        """
        now = now or datetime.now(UTC)
        asked = sorted(
            (one for one in questions if one.key in self.learnt), key=lambda one: self.learnt[one.key].card.due
        )
        due = [one for one in asked if self.learnt[one.key].card.due <= now]
        new = [one for one in questions if one.key not in self.learnt]
        soon = [one for one in asked if now < self.learnt[one.key].card.due <= now + AHEAD]
        found = [*due, *new, *soon]
        return next((one for one in found if one.key != last), found[0] if found else None)

    def summary(self, questions: Sequence[Question], now: datetime | None = None) -> dict[str, Any]:
        """How far the learner is."""
        now = now or datetime.now(UTC)
        known = [self.learnt[one.key] for one in questions if one.key in self.learnt]
        later = sorted(one.card.due for one in known if one.card.due > now)
        return {
            "questions": len(questions),
            "new": len(questions) - len(known),
            "due": sum(one.card.due <= now for one in known),
            "asked": sum(one.asked for one in known),
            "missed": sum(one.missed for one in known),
            "next_due": later[0].isoformat(timespec="seconds") if later else None,
            "state": clean(str(self.path)),
        }
