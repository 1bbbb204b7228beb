"""A learner's knowledge of the questions of practice, from one day to the next, and the file that keeps it.

When a question comes again is the scheduler's decision (FSRS, in the library ``fsrs``): after a mistake within minutes,
after a right answer in days, and each time later. The library's parameters are those of its authors.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from fsrs import Card, Rating, Scheduler, State

from bot.machine.errors import InputError, writing_trouble
from bot.machine.files import locked_folder, read_small
from bot.machine.outputs import Outputs
from bot.machine.text import brief, clean
from bot.review.measure import Grade
from bot.review.questions import Question

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
_COUNT: Final = 10**9
"""Maximum of a count, far beyond any."""
_STABILITY: Final = (1e-3, 1e9)
"""Days after which a card is recalled nine times of ten: the least of the scheduler, and what no schedule reaches."""
_DIFFICULTY: Final = (1.0, 10.0)
"""The scheduler's own bounds."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """A question that was asked."""

    card: Card  # its place in the schedule
    # asked, missed: how often it was asked, and missed
    asked: int = 0
    missed: int = 0

    def answered(self, scheduler: Scheduler, grade: Grade, now: datetime) -> "Learnt":
        """The knowledge after another answer.

        Raises:
            InputError: the clock is so far off that the schedule ends before it.
        """
        try:
            card, _ = scheduler.review_card(self.card, RATINGS[grade], now)
        except OverflowError:
            raise InputError(f"the clock says {now:%Y-%m-%d}, for which no schedule is kept; set the clock") from None
        if card.stability is not None:
            card.stability = min(card.stability, _STABILITY[1])  # what is written can be read
        return Learnt(card, self.asked + 1, self.missed + (RATINGS[grade] is Rating.Again))

    def fields(self) -> dict[str, Any]:
        """As the file keeps it."""
        return {"card": self.card.to_dict(), "asked": self.asked, "missed": self.missed}


@dataclass(slots=True)
class Learner:
    """A learner, whose file is written after each answer.

    Several programs may write one file: each answer is added to what the file holds at that moment.
    """

    path: Path  # the file
    outputs: Outputs  # writes it, other than over the files of a review
    # by its key, every question that was asked, as far as the file has been read or written
    learnt: Mapping[str, Learnt] = field(default_factory=dict)
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
        return cls(path, outputs, _read(path) or {})

    def save(self) -> None:
        """Write the file as it is, so that a place that cannot be written is known before the first answer.

        Raises:
            InputError: it cannot be read or written.
        """
        with self._alone():
            self._keep(self._newest())

    def refresh(self) -> None:
        """Take what the file holds now.

        Raises:
            InputError: it cannot be read.
        """
        self.learnt = self._newest()

    def answer(self, key: str, grade: Grade, now: datetime | None = None) -> datetime:
        """Keep an answer; returns when the question is due again.

        Raises:
            InputError: it cannot be kept; it does not count then.
        """
        with self._alone():
            newest = self._newest()
            known = newest.get(key) or Learnt(Card())
            after = known.answered(self._scheduler, grade, now or datetime.now(UTC))
            self._keep({**newest, key: after})
        return after.card.due

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other programs from writing the file meanwhile."""
        try:
            folder = self.path.resolve().parent
            folder.mkdir(parents=True, exist_ok=True)
            with locked_folder(folder):
                yield
        except (OSError, RuntimeError) as error:  # RuntimeError: links that lead in a circle
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            why = f"{_where(self.path)}: cannot be written: {reason}"
            raise InputError(why, writing_trouble(error), clean(self.path.name)) from None

    def _newest(self) -> Mapping[str, Learnt]:
        """The present contents of the file; if somebody has deleted it, the last ones."""
        found = _read(self.path)
        return self.learnt if found is None else found

    def _keep(self, learnt: Mapping[str, Learnt]) -> None:
        fields = {
            "format": FORMAT,
            "version": VERSION,
            "questions": {key: one.fields() for key, one in learnt.items()},
        }
        self.outputs.write(self.path, json.dumps(fields, indent=1, allow_nan=False))
        self.learnt = learnt

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
            "state": clean(str(self.path)),
        }


# -- the file ----------------------------------------------------------------------------------------------------------


def _where(path: Path) -> str:
    return clean(str(path))


def _read(path: Path) -> dict[str, Learnt] | None:
    """The contents of a file; None if there is none.

    Raises:
        InputError: it cannot be read, or is not such a file; the message says where, and how to mend it.
    """
    where = _where(path)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"{where}: cannot be read: {reason}") from None
    text = read_small(path, where, MOST)
    no_state = f"{where}: is not a practice state, or is damaged"
    anew = "mend it, or delete it to begin anew"
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{no_state}: line {error.lineno}, column {error.colno}: {error.msg}; {anew}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, or lists within lists
        raise InputError(f"{no_state}; {anew}") from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise InputError(f"{no_state}; {anew}")
    version = fields.get("version")
    if type(version) is int and version > VERSION:
        raise InputError(
            f"{where}: was written by a later version of Oshihiki (version {version} of the file; "
            f"this one reads {VERSION}); update it, or name another file"
        )
    try:
        top = _Part(fields, "").only("format", "version", "questions")
        top.whole("version", VERSION, VERSION)
        questions = top.part("questions")
    except _WrongError as error:
        raise InputError(f"{no_state}: {error}; {anew}") from None
    try:
        return {key: _learnt(questions.part(key)) for key in questions.fields}
    except _WrongError as error:
        raise InputError(
            f"{no_state}: {error}; mend it there, or delete the whole entry of this question to be asked it anew"
        ) from None


class _WrongError(ValueError):
    """Something in the file is wrong; the message says where and what."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the file, whose fields are checked as they are read."""

    fields: Mapping[str, Any]  # its fields
    place: str  # where it stands in the file

    def wrong(self, name: str, expected: str) -> _WrongError:
        """The error that a field is not what is expected."""
        return _WrongError(f"{self._at(name)} is {_shown(self.fields[name])}, not {expected}")

    def _at(self, name: str) -> str:
        if not name.isidentifier():
            return f'{self.place}["{brief(name, 80)}"]'
        return f"{self.place}.{name}" if self.place else name

    def only(self, *names: str) -> "_Part":
        """This part, if it has these fields and no others."""
        for name in names:
            if name not in self.fields:
                raise _WrongError(f"{self._at(name)} is missing")
        for name in self.fields:
            if name not in names:
                raise _WrongError(f"{self._at(name)} is unknown to this version")
        return self

    def part(self, name: str) -> "_Part":
        """A field that is an object."""
        found = self.fields[name]
        if not isinstance(found, dict):
            raise self.wrong(name, "an object")
        return _Part(found, self._at(name))

    def whole(self, name: str, least: int, most: int) -> int:
        """A field that is a whole number."""
        found = self.fields[name]
        if type(found) is not int or not least <= found <= most:
            raise self.wrong(name, f"a whole number from {least:,} to {most:,}")
        return found

    def number(self, name: str, bounds: tuple[float, float]) -> float:
        """A field that is a number."""
        found = self.fields[name]
        least, most = bounds
        if type(found) not in {int, float} or not least <= found <= most:
            raise self.wrong(name, f"a number from {least:g} to {most:g}")
        return float(found)

    def time(self, name: str) -> datetime:
        """A field that is a point in time."""
        found = self.fields[name]
        try:
            time = datetime.fromisoformat(found)
            if time.tzinfo is None:
                raise self.wrong(name, f"a time with its zone, such as {time.isoformat()}+00:00")
            return time.astimezone(UTC)
        except (TypeError, OverflowError):
            pass
        except ValueError as error:
            if isinstance(error, _WrongError):
                raise
        raise self.wrong(name, "a time such as 2026-01-01T12:00:00+00:00")


def _shown(value: object) -> str:
    """A value as JSON shows it, cut where it is long."""
    try:
        return brief(json.dumps(value), 40)
    except ValueError:  # a whole number of more digits than are written
        return "too large a number"


def _learnt(part: _Part) -> Learnt:
    """The inverse of :meth:`Learnt.fields`."""
    part.only("card", "asked", "missed")
    asked = part.whole("asked", 0, _COUNT)
    return Learnt(_card(part.part("card")), asked, part.whole("missed", 0, asked))


def _card(part: _Part) -> Card:
    part.only("card_id", "state", "step", "stability", "difficulty", "due", "last_review")
    state = State(part.whole("state", min(State), max(State)))
    given = {name for name in ("step", "stability", "difficulty", "last_review") if part.fields[name] is not None}
    needed = {
        State.Learning: {"step"},
        State.Review: {"stability", "difficulty"},
        State.Relearning: {"step", "stability", "difficulty"},
    }[state]
    for name in sorted(needed - given):
        raise part.wrong(name, f"what a card in state {state.value} needs")
    return Card(
        part.whole("card_id", 0, 1 << 62),
        state,
        part.whole("step", 0, _COUNT) if "step" in given else None,
        part.number("stability", _STABILITY) if "stability" in given else None,
        part.number("difficulty", _DIFFICULTY) if "difficulty" in given else None,
        part.time("due"),
        part.time("last_review") if "last_review" in given else None,
    )
