"""Public facts about an opponent as the danger tables use them, and the kinds that it cannot win on."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.seats import four, others
from engine.model.tiles import HONOURS, KINDS
from engine.opponents.danger_kernels import LAST_TURN, facts_of_seat
from engine.rules.view_kernels import safe_for_all
from engine.state import GameState

Masks4 = tuple[int, int, int, int]


def genbutsu_masks(state: GameState) -> Masks4:
    """By seat, the bit set of ``tile34`` on which it would be furiten if they were its waits.

    These are its own discards for the whole hand; what others discarded since its last discard, because it passed them;
    and everything that was discarded since its riichi. After a snapshot only its own discards are known.
    """
    return four(safe_for_all(state.as_table()))


STANCES: Final = ("riichi", "open", "closed")
"""Names of the stances ``RIICHI``, ``OPEN`` and ``CLOSED``."""

FLUSH_SHARE: Final = 6
"""A suit of which at most one in this many discards is seems to be collected. A guess; ``mj1`` depends on it."""


class Opponent(NamedTuple):
    """One opponent, as anyone can see it."""

    seat: int  # absolute seat
    stance: int  # ``RIICHI``, ``OPEN`` or ``CLOSED``
    called: int  # number of melds other than closed kans, 0-4
    turn: int  # number of discards, 0 to ``LAST_TURN``
    dealer: bool  # whether it is the dealer
    ippatsu: bool  # whether a win now would be ippatsu
    dora_seen: int  # dora and red fives in its melds
    yakuhai: int  # bit set of the ``tile34`` whose triplet is a yaku for it


def opponents(state: GameState) -> tuple[Opponent, ...]:
    """The other three players, by absolute seat."""
    table, found = state.as_table(), []
    for seat in others(state.seat):
        stance, called, discards, ippatsu, dora_seen, yakuhai = facts_of_seat(table, seat)
        turn, dealer = min(discards, LAST_TURN), seat == state.dealer
        found.append(Opponent(seat, stance, called, turn, dealer, ippatsu, dora_seen, yakuhai))
    return tuple(found)


def flush_suit(state: GameState, seat: int) -> int | None:
    """The suit (0-2) that an open hand seems to collect, or None; see :func:`suit_collected`."""
    return suit_collected([meld.tile34 for meld in state.melds[seat]], [tile.tile >> 2 for tile in state.rivers[seat]])


def suit_collected(melds: Sequence[int], river: Sequence[int]) -> int | None:
    """The only suit (0-2) among the kinds of some melds, if it is rare among those of a river; or None."""
    suits = {kind // 9 for kind in melds if kind < HONOURS}
    if len(suits) != 1:
        return None
    (suit,) = suits
    in_suit = sum([kind // 9 == suit for kind in river])
    return suit if in_suit * FLUSH_SHARE <= len(river) else None


def unseen34(state: GameState) -> NDArray[np.int64]:
    """(34,) copies of each kind that the viewer does not see."""
    return 4 - np.array(state.visible)


def kinds_of(masks: int | NDArray[np.int64]) -> NDArray[np.bool_]:
    """(…, 34) flags from bit sets of ``tile34``."""
    found: NDArray[np.bool_] = np.asarray(masks)[..., None] >> _KINDS & 1 > 0
    return found


_KINDS: Final = np.arange(KINDS)
