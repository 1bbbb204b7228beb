"""A danger estimator in forty lines: a tile is safe if its player has discarded it, and safer beside such tiles."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from oshihiki import Danger, GameState

KINDS = 34
"""Number of kinds of tile."""
HONOURS = 27
"""The first honour."""
TENPAI = 0.25
"""Chance that a player without riichi is tenpai."""
WAIT = 0.06
"""Chance that a tenpai hand waits for any one tile about which nothing is known."""
NEAR = 0.5
"""Factor on that chance for each discard of the player that is three apart in the same suit (suji)."""
LOSS = 5_000.0
"""Points that a deal-in costs."""


class Neighbours:
    """Knows discards and suji alone."""

    name = "neighbours"
    digests: Mapping[str, str] = {}

    def estimate(self, state: GameState) -> Danger:
        """See :class:`~oshihiki.DangerEstimator`."""
        tenpai, waits, loss = np.zeros(4, np.float32), np.zeros((4, KINDS), np.float32), np.zeros((4, KINDS))
        for seat in {0, 1, 2, 3} - {state.seat}:
            ready = 1.0 if state.riichi[seat] else TENPAI
            tenpai[seat] = ready
            discarded = {tile.tile >> 2 for tile in state.rivers[seat]}
            for kind in range(KINDS):
                suji = [kind + step for step in (-3, 3) if kind < HONOURS and (kind + step) // 9 == kind // 9]
                near = sum(neighbour in discarded for neighbour in suji)
                waits[seat, kind] = 0.0 if kind in discarded else ready * WAIT * math.pow(NEAR, near)
            loss[seat] = LOSS + 300.0 * state.honba
        return Danger(tenpai, waits, waits, loss.astype(np.float32))
