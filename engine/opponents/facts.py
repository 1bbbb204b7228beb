"""What anyone can see of an opponent, in the form that the tables use."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.seats import others, seat_wind34
from engine.model.tiles import CHUN, DORA_AFTER, HAKU, HONOURS, KINDS, RED_FIVES
from engine.opponents.view_kernels import CLOSED, OPEN, RIICHI
from engine.state import GameState

STANCES: Final = ("riichi", "open", "closed")
"""Names of the stances ``RIICHI``, ``OPEN`` and ``CLOSED``."""

FLUSH_SHARE: Final = 6
"""A suit of which at most one in this many discards is seems to be collected. A guess; ``mj1`` depends on it."""

LAST_TURN: Final = 18
"""Later turns are counted as this one."""


class Opponent(NamedTuple):
    """One opponent, as anyone can see it.

    Attributes:
        seat: absolute seat.
        stance: ``RIICHI``, ``OPEN`` or ``CLOSED``.
        called: number of melds other than closed kans, 0-4.
        turn: number of discards, 0 to ``LAST_TURN``.
        dealer: whether it is the dealer.
        ippatsu: whether a win now would be ippatsu.
        dora_seen: dora and red fives in its melds.
        yakuhai: bit set of the ``tile34`` whose triplet is a yaku for it.
    """

    seat: int
    stance: int
    called: int
    turn: int
    dealer: bool
    ippatsu: bool
    dora_seen: int
    yakuhai: int


def opponents(state: GameState) -> tuple[Opponent, ...]:
    """The other three players, by absolute seat."""
    return tuple([_opponent(state, seat) for seat in others(state.seat)])


def flush_suit(state: GameState, seat: int) -> int | None:
    """The suit (0-2) that an open hand seems to collect: the only suit in its melds, and rare in its river; or None."""
    suits = {meld.tile34 // 9 for meld in state.melds[seat] if meld.tile34 < HONOURS}
    if len(suits) != 1:
        return None
    (suit,) = suits
    river = state.rivers[seat]
    in_suit = sum([tile.tile // 36 == suit for tile in river])
    return suit if in_suit * FLUSH_SHARE <= len(river) else None


def unseen34(state: GameState) -> NDArray[np.int64]:
    """(34,) copies of each kind that the viewer does not see."""
    return 4 - np.array(state.visible)


def dora_mask(state: GameState) -> int:
    """Bit set of the ``tile34`` that are dora."""
    mask = 0
    for indicator in state.dora_indicators:
        mask |= 1 << DORA_AFTER[indicator >> 2]
    return mask


def mask_array(mask: int) -> NDArray[np.bool_]:
    """(34,) flags from a bit set of ``tile34``."""
    found: NDArray[np.bool_] = (mask >> _KINDS & 1).astype(bool)
    return found


_KINDS: Final = np.arange(KINDS)


def _opponent(state: GameState, seat: int) -> Opponent:
    melds = state.melds[seat]
    called = sum([meld.called is not None for meld in melds])
    dora = 0
    if melds:
        wanted = [DORA_AFTER[indicator >> 2] for indicator in state.dora_indicators]
        for meld in melds:
            for tile in meld.tiles:
                dora += wanted.count(tile >> 2) + (state.rules.red_fives and tile in RED_FIVES)
    winds = 1 << seat_wind34(seat, state.dealer) | 1 << state.round_wind
    return Opponent(
        seat,
        RIICHI if state.has_declared(seat) else OPEN if called else CLOSED,
        called,
        min(len(state.rivers[seat]), LAST_TURN),
        seat == state.dealer,
        state.ippatsu[seat],
        dora,
        winds | (1 << CHUN + 1) - (1 << HAKU),
    )
