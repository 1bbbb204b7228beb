"""A game as the page lists it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from protocol.logs.formats import LogFile


@dataclass(frozen=True, slots=True)
class LogView:
    """A log as one seat saw it."""

    log: int  # number of the log in the list
    seat: int  # whose view is shown
    whole: bool  # whether the log shows the other seats too
    file: LogFile  # the log
    path: Path | None = None  # where it is kept; None: it was given


@dataclass(slots=True)
class Shown:
    """A game as the page lists it."""

    key: int  # identifies it
    account: str  # label of the account, cleaned
    record: Path | None = None  # its record; None if there is none
    over: bool = False  # whether it has ended
    end: dict[str, Any] | None = None  # points and places, once it has ended
    review: str = ""  # state of its review: empty, ``making``, ``ready`` or ``failed``
    why: Mapping[str, str] = field(default_factory=dict)  # by language, why there is no review
    page: str = ""  # name of its review; empty if there is none
    person: bool = False  # whether a person plays on the page
    view: LogView | None = None  # the log that is shown, and from which seat; None of a game that is or was played here

    @property
    def reviewable(self) -> bool:
        """Whether there is something to review."""
        return self.record is not None or self.view is not None

    def fields(self) -> dict[str, Any]:
        """The game as JSON shows it."""
        return {
            "key": self.key,
            "account": self.account,
            "over": self.over,
            "end": self.end,
            "record": self.record.name if self.record else self.view.file.name if self.view else "",
            "kept": path.stem if (path := self.record or (self.view.path if self.view else None)) else "",
            "log": self.view.log if self.view else None,
            "seat": self.view.seat if self.view else None,
            "whole": self.view is not None and self.view.whole,
            "review": self.review,
            "why": self.why,
            "page": self.page,
            "person": self.person,
        }
