"""What a learner knows: which question comes next, kept in a file from one day to the next.

When a question comes again is the scheduler's decision (FSRS, in the library ``fsrs``): after a mistake within minutes,
after a right answer in days, and each time later. The library's parameters are those of its authors.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from fsrs import Card, Rating, Scheduler

from bot.audit.measure import Grade
from bot.machine.errors import InputError
from bot.machine.outputs import Outputs
from bot.machine.small_files import read_small
from bot.machine.text import clean
from bot.practice.questions import Question

FORMAT: Final = "oshihiki-practice"
VERSION: Final = 1
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
    def of(cls, fields: Mapping[str, Any]) -> Learnt:
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
    def read(cls, path: Path, reviews: Iterable[Path] = ()) -> Learner:
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
            known = fields["format"] == FORMAT and fields["version"] == VERSION
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
            "format": FORMAT,
            "version": VERSION,
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
