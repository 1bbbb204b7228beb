"""The plain estimate: genbutsu, suji, walls and honours by count, as rates counted on recorded games."""

from __future__ import annotations

import numpy as np

from engine.opponents.danger import Danger
from engine.opponents.danger_tables import danger_tables, tables_digest
from engine.opponents.facts import opponents, unseen34
from engine.opponents.genbutsu import genbutsu_masks
from engine.state import GameState


class SujiEstimator:
    """Tenpai by stance, melds and turn, and waits by the kind's class, both from tables."""

    name = "suji"

    def __init__(self) -> None:
        self._tables = danger_tables()
        self.digests = {"danger": tables_digest()}

    def estimate(self, state: GameState) -> Danger:
        """See :class:`~engine.opponents.danger.DangerEstimator`."""
        unseen = unseen34(state)
        safe = genbutsu_masks(state)
        found = opponents(state)
        waits = np.stack([self._tables.plain_waits(unseen, safe[each.seat], each) for each in found])
        return self._tables.danger(state, found, safe, waits)
