"""Questions about one hand or one meld that both the events and the legal actions need."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.melds import Meld, MeldKind
from engine.model.seats import SEATS
from engine.model.tiles import HONOURS, TILES
from engine.shanten import discard_shanten
from engine.shanten import waits as find_waits
from engine.state.seat_view import SeatView


def own_waits(counts: Sequence[int], melds: Sequence[Meld]) -> tuple[int, ...]:
    """The ``tile34`` that complete a hand before its draw, ascending.

    A kind of which four are concealed is never a wait. Copies in melds do not matter: at Tenhou a hand that waits for a
    tile of which it holds three in a pon and one in a run is tenpai and is paid.
    """
    return find_waits(counts, len(melds))


def riichi_discards(counts: Sequence[int], melds: Sequence[Meld]) -> list[int]:
    """The ``tile34`` whose discard leaves a hand of 14 - 3k tiles tenpai, ascending."""
    return [kind for kind, shanten in enumerate(discard_shanten(counts, len(melds))) if shanten == 0]


def waits_survive_kan(state: SeatView, kind: int) -> bool:
    """Whether the viewer, in riichi, may make a closed kan of ``kind``: of the tile drawn, with unchanged waits."""
    drawn = state.drawn
    if drawn is None or drawn >> 2 != kind or state.counts[kind] != 4:
        return False
    kan = Meld(MeldKind.ANKAN, tuple(range(4 * kind, 4 * kind + 4)), None, state.seat)
    return own_waits(_less(state.counts, kind, 4), [*state.melds[state.seat], kan]) == state.waits


def is_meld(meld: Meld, seat: int) -> bool:
    """Whether the meld is well formed for absolute ``seat``."""
    tiles, kind = meld.tiles, meld.kind
    if not all(0 <= tile < TILES for tile in tiles) or list(tiles) != sorted(set(tiles)) or meld.from_seat not in SEATS:
        return False
    if (meld.called is None or meld.from_seat == seat) != (kind is MeldKind.ANKAN):
        return False
    if meld.called is not None and meld.called not in tiles:
        return False
    kinds = [tile >> 2 for tile in tiles]
    if kind is MeldKind.CHI:
        low = kinds[0]
        return kinds == [low, low + 1, low + 2] and low < HONOURS and low % 9 < 7
    if len(tiles) != (3 if kind is MeldKind.PON else 4) or len(set(kinds)) != 1:
        return False
    return kind is not MeldKind.KAKAN or (meld.added in tiles and meld.added != meld.called)


def _less(counts: Sequence[int], kind: int, number: int) -> list[int]:
    rest = list(counts)
    rest[kind] -= number
    return rest
