"""The plain estimate: genbutsu, suji, walls and honours by count, as rates counted on recorded games."""

from __future__ import annotations

import numpy as np

from engine.model.tiles import KINDS
from engine.opponents.danger import Danger
from engine.opponents.danger_tables import danger_tables, suji_classes
from engine.opponents.facts import mask_array, opponents, unseen34
from engine.opponents.genbutsu import genbutsu_masks
from engine.state import GameState


class SujiEstimator:
    """Chance to be tenpai by stance, melds and turn; chance of the wait by the kind's class; both from tables."""

    name = "suji"

    def __init__(self) -> None:
        self._tables = danger_tables()

    def estimate(self, state: GameState) -> Danger:
        """See :class:`~engine.opponents.danger.DangerEstimator`."""
        tables = self._tables
        unseen = unseen34(state)
        safe = genbutsu_masks(state)
        p_tenpai = np.zeros(4, np.float32)
        p_wait, p_deal_in, loss = (np.zeros((4, KINDS), np.float32) for _ in range(3))
        for each in opponents(state):
            seat, stance = each.seat, each.stance
            p_tenpai[seat] = tables.tenpai[stance, each.called, each.turn]
            classes, live = suji_classes(unseen, safe[seat], each.yakuhai)
            waits = tables.wait[stance, live, classes] * p_tenpai[seat]
            known = mask_array(safe[seat])
            p_wait[seat] = np.where(known, tables.genbutsu_wait[stance] * p_tenpai[seat], waits)
            p_deal_in[seat] = np.where(known, 0.0, waits * tables.ron[stance])
            loss[seat] = tables.losses(state, each)
        return Danger(p_tenpai, p_wait, p_deal_in, loss)
