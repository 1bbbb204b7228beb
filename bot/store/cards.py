"""The questions of practice that were asked: how often, how often in vain, and when each comes again."""

from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import to_json

from bot.machine.errors import InputError
from bot.machine.files import read_small
from bot.machine.text import brief
from bot.machine.values import first_fault

STABILITY: Final = (1e-3, 1e9)
"""Days after which a card is recalled nine times of ten: the least of the scheduler, and what no schedule reaches."""
_LEARNING, _REVIEW = 1, 2
"""Numbers of the scheduler's states; the third is learning again."""


def _in_utc(time: datetime) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise ValueError("the time is beyond the calendar in UTC") from None


class _Checked(BaseModel):
    """A value of these fields and no others, each of its own type."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)


_Count = Annotated[int, Field(ge=0, le=10**9)]
_Time = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class Card(_Checked):
    """The place of a question in the schedule, with the scheduler's names."""

    card_id: Annotated[int, Field(ge=0, le=1 << 62)]
    state: Annotated[int, Field(ge=1, le=3)]
    step: _Count | None
    stability: Annotated[float, Field(ge=STABILITY[0], le=STABILITY[1])] | None
    difficulty: Annotated[float, Field(ge=1.0, le=10.0)] | None  # the scheduler's own bounds
    due: _Time
    last_review: _Time | None

    @model_validator(mode="after")
    def _has_what_its_state_needs(self) -> Self:
        needed = ["step"] * (self.state != _REVIEW) + ["stability", "difficulty"] * (self.state != _LEARNING)
        for name in needed:
            if getattr(self, name) is None:
                raise ValueError(f"a card in state {self.state} has no {name}")
        return self


class Asked(_Checked):
    """A question that was asked."""

    card: Card
    asked: _Count
    missed: _Count

    @model_validator(mode="after")
    def _was_asked(self) -> Self:
        if self.missed > self.asked:
            raise ValueError(f"missed {self.missed} times of {self.asked}")
        return self


def read(database: Connection, damaged: list[str]) -> dict[str, Asked]:
    """Every question that was asked, by its key.

    Args:
        database: a connection to the store.
        damaged: takes a sentence for each row that cannot be read; its question counts as new.
    """
    found = {}
    for key, asked, missed, card in database.execute("SELECT key, asked, missed, card FROM cards ORDER BY key"):
        try:
            found[key] = Asked(card=Card.model_validate_json(card), asked=asked, missed=missed)
        except ValidationError as error:
            why = first_fault(error)
            damaged.append(f"what was learnt of the question {brief(key, 80)} is damaged ({why}); it is asked anew")
    return found


def put(database: Connection, key: str, one: Asked) -> None:
    """Keep a question that was asked, in place of what was kept of it."""
    row = (key, one.asked, one.missed, one.card.model_dump_json())
    database.execute("INSERT OR REPLACE INTO cards (key, asked, missed, card) VALUES (?, ?, ?, ?)", row)


# -- the file of earlier versions --------------------------------------------------------------------------------------

PRACTICE: Final = "practice.json"
"""Name of the file in which earlier versions kept the questions that were asked, beside a review."""
_MOST: Final = 1 << 26
"""Bytes of the largest file that is read; a thousand questions need 0.4 MB."""


class _File(_Checked):
    format: Literal["oshihiki-practice"]
    version: Literal[1]
    questions: dict[str, object]


def bring_in(database: Connection, path: Path, left_out: list[str]) -> int:
    """Add the questions of a file that were not asked since; returns their number.

    Args:
        database: the store.
        path: the file.
        left_out: takes a sentence for each question that is damaged, or for the file.
    """
    try:
        file = _File.model_validate_json(read_small(path, PRACTICE, _MOST))
    except ValidationError as error:
        left_out.append(f"is no file of answers of practice: {first_fault(error)}")
        return 0
    except InputError as error:
        left_out.append(str(error))
        return 0
    known, count = read(database, []), 0
    for key, fields in file.questions.items():
        try:
            one = Asked.model_validate_json(to_json(fields))
        except ValidationError as error:
            left_out.append(f"the question {brief(key, 80)}: {first_fault(error)}")
            continue
        if key not in known or known[key].asked < one.asked:
            put(database, key, one)
            count += 1
    return count
