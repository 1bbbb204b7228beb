"""Open and closed melds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class MeldKind(IntEnum):
    """What a meld is. ``DAIMINKAN`` is a kan of a discard, ``KAKAN`` one added to a pon, ``ANKAN`` closed."""

    CHI = 0
    PON = 1
    DAIMINKAN = 2
    ANKAN = 3
    KAKAN = 4

    @property
    def is_kan(self) -> bool:
        """Four tiles."""
        return self >= MeldKind.DAIMINKAN


@dataclass(frozen=True, slots=True)
class Meld:
    """One meld of a player.

    Attributes:
        kind: what it is.
        tiles: its ``tile136`` ascending, three or four.
        called: the ``tile136`` taken from a discard; of a kakan that of its pon; None for an ankan.
        from_seat: the absolute seat it was called from; the owner's own for an ankan.
        added: the ``tile136`` with which a kan was declared: of a kakan the tile added to its pon, of an ankan the
            copy that was named (any of the four, None where the source does not say); else None.
    """

    kind: MeldKind
    tiles: tuple[int, ...]
    called: int | None
    from_seat: int
    added: int | None = None

    @property
    def tile34(self) -> int:
        """Its kind; of a chi the lowest."""
        return self.tiles[0] >> 2

    @property
    def own_tiles(self) -> tuple[int, ...]:
        """The tiles that came from the owner's hand, a kakan's added tile included."""
        return tuple(tile for tile in self.tiles if tile != self.called)
