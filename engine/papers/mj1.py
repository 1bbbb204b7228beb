"""MJ1: what opponents would wait on if their hands were random, estimated from thousands of deals.

After kackytw's account of Totsugeki Tohoku's method: tenpai hands are dealt from the unseen tiles, melds stay as they
are, and hands that would wait on genbutsu are rejected. Hands that seem to collect a suit are dealt other tiles less
often, by a factor counted on recordings.
"""

from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import HONOURS, KINDS
from engine.opponents.danger import Danger
from engine.opponents.danger_tables import danger_tables, tables_digest
from engine.opponents.facts import Masks4, Opponent, flush_suit, genbutsu_masks, opponents, unseen34
from engine.papers.mj1_kernels import deal_worlds
from engine.state import GameState

WORLDS: Final = 2_000
"""Tables dealt for one estimate; the standard error of a chance of 5% is then half a percentage point."""
TRACE: Final = 0.02
"""Number of hands that are added for every kind, so that a wait that was never dealt is not impossible. A guess."""
ENOUGH: Final = 50
"""With fewer valid hands than this, the plain table is used for the opponent. A guess."""


class Mj1Estimator:
    """Waits from random hands; tenpai, yaku and points from the tables. Equal views get equal hands."""

    name = "mj1"

    def __init__(self, worlds: int = WORLDS) -> None:
        self._tables = danger_tables()
        self.digests = {"danger": tables_digest()}
        self.worlds = worlds

    def estimate(self, state: GameState) -> Danger:
        """See :class:`~engine.opponents.danger.DangerEstimator`."""
        tables = self._tables
        unseen = unseen34(state)
        safe = genbutsu_masks(state)
        found = opponents(state)
        bias = np.stack([self._bias(state, each) for each in found])
        sets = np.array([4 - len(state.melds[each.seat]) for each in found])
        allowed = [safe[each.seat] for each in found]
        waits, hands = wait_shares(unseen, sets, allowed, bias, self.worlds, _seed(state, safe))
        for row, (each, counted) in enumerate(zip(found, hands.tolist(), strict=True)):
            if counted < ENOUGH:
                waits[row] = tables.plain_waits(unseen, safe[each.seat], each)
        return tables.danger(state, found, safe, waits)

    def _bias(self, state: GameState, each: Opponent) -> NDArray[np.float64]:
        bias = np.ones(KINDS)
        suit = flush_suit(state, each.seat) if each.called else None
        if suit is not None:
            bias[(suit != _SUITS) & (_SUITS != HONOURS // 9)] = self._tables.flush[each.called]
        return bias


def wait_shares(
    unseen: NDArray[np.int64],
    sets: NDArray[np.int64],
    safe: list[int],
    bias: NDArray[np.float64],
    worlds: int,
    seed: int,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Deal random tenpai hands to n opponents.

    Args:
        unseen: (34,) copies that the viewer does not see.
        sets: (n,) number of concealed sets, 0-4.
        safe: bit sets of kinds that no hand may wait on.
        bias: (n, 34) weight of each kind besides the number of ways, the same for a whole suit or for the honours.
        worlds: number of deals.
        seed: seed of the deals, not 0.

    Returns:
        (n, 34) share of the hands that wait on each kind, with a trace for kinds without any, and (n,) number of hands.
    """
    counted = np.zeros((len(sets), KINDS), np.int64)
    hands = np.zeros(len(sets), np.int64)
    deal_worlds(unseen, sets, np.array(safe, np.int64), bias, worlds, np.uint64(seed), counted, hands)
    return (counted + TRACE) / (hands + 1)[:, None], hands


def _seed(state: GameState, safe: Masks4) -> int:
    """A seed that depends on what is visible."""
    seen = f"{state.seat} {state.wall_left} {state.visible} {safe}"
    return int.from_bytes(blake2b(seen.encode(), digest_size=8).digest()) | 1


_SUITS: Final = np.arange(KINDS) // 9
