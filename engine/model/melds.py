"""Open and closed melds."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from engine.model.tiles import HONOURS, KUIKAE, TILES, format_tiles


class MeldKind(IntEnum):
    """The kinds of meld. ``DAIMINKAN`` is a kan of a discard, ``KAKAN`` one added to a pon, ``ANKAN`` closed."""

    CHI = 0
    PON = 1
    DAIMINKAN = 2
    ANKAN = 3
    KAKAN = 4

    @property
    def is_kan(self) -> bool:
        """Whether it is a kan, a meld of four tiles."""
        return self >= MeldKind.DAIMINKAN


@dataclass(frozen=True, slots=True)
class Meld:
    """One meld of a player.

    Attributes:
        kind: the kind of meld.
        tiles: its ``tile136`` ascending, three or four.
        called: the ``tile136`` called from a discard; for a kakan that of its pon; None for an ankan.
        from_seat: the absolute seat it was called from; for an ankan the owner's.
        added: the ``tile136`` with which a kan was declared: for a kakan the tile added to its pon, for an ankan the
            copy that was named (any of the four, None if the source does not say); otherwise None.
    """

    kind: MeldKind
    tiles: tuple[int, ...]
    called: int | None
    from_seat: int
    added: int | None = None

    @property
    def tile34(self) -> int:
        """The kind of its tiles; for a chi the lowest."""
        return self.tiles[0] >> 2

    @property
    def own_tiles(self) -> tuple[int, ...]:
        """The tiles that came from the owner's hand, including the tile added to a kakan."""
        return tuple(tile for tile in self.tiles if tile != self.called)

    @property
    def is_possible(self) -> bool:
        """Whether its tiles exist and form one of its kind; whom it was called from is not looked at."""
        tiles, kind, called = self.tiles, self.kind, self.called
        if not all(0 <= tile < TILES for tile in tiles) or list(tiles) != sorted(set(tiles)):
            return False
        if (called is None) != (kind is MeldKind.ANKAN) or (called is not None and called not in tiles):
            return False
        kinds = [tile >> 2 for tile in tiles]
        if kind is MeldKind.CHI:
            low = kinds[0]
            return kinds == [low, low + 1, low + 2] and low < HONOURS and low % 9 < 7
        if len(tiles) != (3 if kind is MeldKind.PON else 4) or len(set(kinds)) != 1:
            return False
        return kind is not MeldKind.KAKAN or (self.added in tiles and self.added != called)


def format_meld(meld: Meld, red_fives: bool = True) -> str:
    """Text of a meld: ``'555z'``; a closed kan stands in brackets, ``'[1111m]'``."""
    text = format_tiles(meld.tiles, red_fives)
    return f"[{text}]" if meld.kind is MeldKind.ANKAN else text


def kuikae_mask(called34: int, own34: Sequence[int]) -> int:
    """Bit set of the ``tile34`` that may not be discarded after a chi or pon.

    These are the called kind and, after a chi at one end of a run, the kind that would extend it at the other end.

    Args:
        called34: the called kind.
        own34: the two kinds from the hand that complete the meld.
    """
    if called34 in own34:
        return 1 << called34
    return KUIKAE[called34][sum([kind < called34 for kind in own34])]


def kuikae_after(meld: Meld) -> int:
    """:func:`kuikae_mask` of a meld; a closed kan forbids nothing."""
    if meld.called is None:
        return 0
    return kuikae_mask(meld.called >> 2, [tile >> 2 for tile in meld.own_tiles])
