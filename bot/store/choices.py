"""What a user has chosen on the page, remembered from one day to the next: opponents, clock, language, who one is."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.store.database import store_of


class Choices(BaseModel):
    """The choices; each has the value with which a new user begins."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    against: str = "value"  # policy of the opponents
    length: str = "tonpu"
    clock: str = "slow"
    name: str = ""  # the name that the person plays under; empty: none
    hints: bool = False
    pace: Literal["slow", "normal", "instant"] = "normal"  # how fast acts of other players follow each other
    sound: bool = False  # whether turns, calls, riichi and wins are heard
    sort: bool = True  # whether the tiles of the hand are kept in order
    lang: Literal["", "en", "ja"] = ""  # language of the pages; empty: the browser's
    theme: Literal["", "light", "dark"] = ""  # colours of the pages; empty: the browser's
    # names under which the person plays; empty: not said
    me: Annotated[list[Annotated[str, Field(min_length=1, max_length=24)]], Field(max_length=20)] = []
    everyone: bool = False  # whether results, practice and habits are of all players, and not of the person alone

    def changed(self, changes: dict[str, Any]) -> Self | None:
        """The choices with some changed; None if a value is none that can be chosen."""
        try:
            return self.model_validate(self.model_dump() | changes)
        except ValidationError:
            return None


def read(folder: Path) -> Choices:
    """What was chosen last; a choice that there is no more is the first one again.

    Args:
        folder: where records are kept.

    Raises:
        InputError: the store cannot be read.
    """
    with store_of(folder).reading() as database:
        rows = database.execute("SELECT name, value FROM choices").fetchall()
    found = Choices()
    for name, value in rows:
        found = found.changed({name: json.loads(value)}) or found
    return found


def keep(folder: Path, changes: dict[str, Any]) -> None:
    """Remember changes, by the names of the choices.

    Args:
        folder: where records are kept.
        changes: the new values.

    Raises:
        InputError: they cannot be written.
    """
    with store_of(folder).writing() as database:
        rows = [(name, json.dumps(value)) for name, value in changes.items()]
        database.executemany("INSERT OR REPLACE INTO choices VALUES (?, ?)", rows)
