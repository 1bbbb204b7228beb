"""A learner's knowledge of the questions of practice, from one day to the next.

When a question comes again is the scheduler's decision (FSRS, in the library ``fsrs``): after a mistake within minutes,
after a right answer in days, and each time later. The library's parameters are those of its authors.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final

from fsrs import Card, Rating, Scheduler, State

from bot.machine.errors import InputError
from bot.review.measure import Grade
from bot.review.questions import Question
from bot.store import cards
from bot.store.cards import STABILITY, Asked
from bot.store.database import shown, store_of

AHEAD: Final = timedelta(minutes=20)
"""How much earlier than due a question may come, if nothing else is left to ask: missed ones are due in minutes."""
RATINGS: Final = {
    Grade.BEST: Rating.Good,
    Grade.EQUAL: Rating.Good,
    Grade.INACCURACY: Rating.Hard,
    Grade.MISTAKE: Rating.Again,
    Grade.BLUNDER: Rating.Again,
}


def answered(known: Asked | None, scheduler: Scheduler, grade: Grade, now: datetime) -> Asked:
    """A question after another answer; None: it was never asked.

    Raises:
        InputError: the clock is so far off that the schedule ends before it.
    """
    card = Card() if known is None else Card(**{**dict(known.card), "state": State(known.card.state)})
    try:
        card, _ = scheduler.review_card(card, RATINGS[grade], now)
    except OverflowError:
        raise InputError(f"the clock says {now:%Y-%m-%d}, for which no schedule is kept; set the clock") from None
    if card.stability is not None:
        card.stability = min(card.stability, STABILITY[1])  # what is written can be read
    asked, missed = (known.asked, known.missed) if known is not None else (0, 0)
    missed += RATINGS[grade] is Rating.Again
    return Asked.model_validate_json(json.dumps({"card": card.to_dict(), "asked": asked + 1, "missed": missed}))


@dataclass(slots=True)
class Learner:
    """A learner, whose answers are kept in the store of a folder, each as it is given.

    Several programs may keep answers there: each is added to what the store holds at that moment.
    """

    folder: Path  # the folder, that of the reviews
    # by its key, every question that was asked, as far as the store has been read or written
    learnt: Mapping[str, Asked] = field(default_factory=dict)
    damaged: list[str] = field(default_factory=list)  # what of it could not be read, a sentence each
    _scheduler: Scheduler = field(default_factory=lambda: Scheduler(enable_fuzzing=False))

    def refresh(self) -> None:
        """Take what the store holds now.

        Raises:
            InputError: it cannot be read.
        """
        with store_of(self.folder).reading() as database:
            self._take(database)

    def check(self) -> None:
        """Take what the store holds, and find out before the first answer whether it can be written.

        Raises:
            InputError: it cannot be read or written.
        """
        with store_of(self.folder).writing() as database:
            self._take(database)

    def answer(self, key: str, grade: Grade, now: datetime | None = None) -> datetime:
        """Keep an answer; returns when the question is due again.

        Raises:
            InputError: it cannot be kept; it does not count then.
        """
        with store_of(self.folder).writing() as database:
            self._take(database)
            after = answered(self.learnt.get(key), self._scheduler, grade, now or datetime.now(UTC))
            cards.put(database, key, after)
        self.learnt = {**self.learnt, key: after}
        return after.card.due

    def _take(self, database: Connection) -> None:
        damaged: list[str] = []
        self.learnt, self.damaged = cards.read(database, damaged), damaged

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
        soon = [one for one in asked if timedelta(0) < self.learnt[one.key].card.due - now <= AHEAD]
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
            "state": shown(store_of(self.folder).path),
        }
