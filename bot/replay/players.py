"""Players of a game by their names, as people type them."""

import unicodedata
from collections.abc import Sequence

from bot.machine.text import brief
from protocol.errors import LogError


def seats_of(names: Sequence[str], wanted: str) -> list[int]:
    """The seats of the players of that name; where nobody is called exactly so, whatever its case and width."""
    exactly = [seat for seat, name in enumerate(names) if name == wanted]
    return exactly or [seat for seat, name in enumerate(names) if _folded(name) == _folded(wanted)]


def seat_of(names: Sequence[str], wanted: str, source: str) -> int | None:
    """The seat of the player of that name; None if nobody bears it.

    Raises:
        LogError: several do; the message names their seats.
    """
    found = seats_of(names, wanted)
    if len(found) > 1:
        seats = f"{', '.join(map(str, found[:-1]))} and {found[-1]}"
        raise LogError(f"the players of seats {seats} are named {brief(wanted, 24)!r}; choose one with --seat", source)
    return found[0] if found else None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()
