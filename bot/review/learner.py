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
from typing import Annotated, Any, Final, Literal, Self

from fsrs import Card, Rating, Scheduler, State
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from bot.machine.errors import InputError, writing_trouble
from bot.machine.files import locked_folder, read_small
from bot.machine.outputs import Outputs
from bot.machine.text import clean
from bot.machine.values import first_fault
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
_STABILITY: Final = (1e-3, 1e9)
"""Days after which a card is recalled nine times of ten: the least of the scheduler, and what no schedule reaches."""


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
    try:
        return _File.model_validate_json(read_small(path, where, MOST)).learnt()
    except ValidationError as error:
        raise _unreadable(where, error) from None


def _unreadable(where: str, error: ValidationError) -> InputError:
    """The error of a file in which something is wrong."""
    if any(fault["loc"] == ("version",) and fault["type"] == "less_than_equal" for fault in error.errors()):
        return InputError(
            f"{where}: was written by a later version of Oshihiki (this one reads version {VERSION} of the file); "
            "update it, or name another file"
        )
    mended = "mend it, or delete it to begin anew"
    if len(place := error.errors()[0]["loc"]) > 1 and place[0] == "questions":
        mended = "mend it there, or delete the whole entry of this question to be asked it anew"
    return InputError(f"{where}: is not a practice state, or is damaged: {first_fault(error)}; {mended}")


def _in_utc(time: datetime) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise ValueError("the time is beyond the calendar in UTC") from None


class _Checked(BaseModel):
    """A part of the file: it has these fields and no others, each of its own type."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


Count = Annotated[int, Field(ge=0, le=10**9)]
"""A count; the maximum is far beyond any."""
Time = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class _Card(_Checked):
    card_id: Annotated[int, Field(ge=0, le=1 << 62)]
    state: Annotated[int, Field(ge=min(State), le=max(State))]
    step: Count | None
    stability: Annotated[float, Field(ge=_STABILITY[0], le=_STABILITY[1])] | None
    difficulty: Annotated[float, Field(ge=1.0, le=10.0)] | None  # the scheduler's own bounds
    due: Time
    last_review: Time | None

    @model_validator(mode="after")
    def _has_what_its_state_needs(self) -> Self:
        needed = ["step"] * (self.state != State.Review) + ["stability", "difficulty"] * (self.state != State.Learning)
        for name in needed:
            if getattr(self, name) is None:
                raise ValueError(f"a card in state {self.state} has no {name}")
        return self


class _Question(_Checked):
    card: _Card
    asked: Count
    missed: Count

    @model_validator(mode="after")
    def _was_asked(self) -> Self:
        if self.missed > self.asked:
            raise ValueError(f"missed {self.missed} times of {self.asked}")
        return self


class _File(_Checked):
    format: Literal["oshihiki-practice"]
    version: Annotated[int, Field(ge=1, le=VERSION)]
    questions: dict[str, _Question]

    def learnt(self) -> dict[str, Learnt]:
        """What the file holds: the inverse of :meth:`Learnt.fields`, for each question."""
        return {
            key: Learnt(Card(**{**dict(one.card), "state": State(one.card.state)}), one.asked, one.missed)
            for key, one in self.questions.items()
        }
