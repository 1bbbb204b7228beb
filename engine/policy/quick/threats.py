"""The opponents who may win on our discard, according to the plain danger tables.

The figures come from :mod:`engine.opponents.danger_tables`. Closed hands without riichi are not counted as threats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.opponents.danger_tables import danger_tables
from engine.opponents.facts import Opponent, mask_array
from engine.opponents.genbutsu import Masks4
from engine.opponents.view_kernels import CLOSED, RIICHI
from engine.state import GameState


@dataclass(frozen=True, slots=True)
class Threat:
    """An opponent who may win on our discard.

    Attributes:
        seat: absolute seat.
        riichi: whether the opponent is in riichi.
        tenpai: chance that the opponent is tenpai, 0-1.
        loss: by ``tile34``, mean points of a deal-in, including honba.
        safe: by ``tile34``, whether the opponent cannot win on it: its own discards, and the tiles passed since its
            riichi.
        deal_in: by ``tile34``, chance that the tile, discarded now, deals in, 0-1.
    """

    seat: int
    riichi: bool
    tenpai: float
    loss: tuple[float, ...]
    safe: tuple[bool, ...]
    deal_in: tuple[float, ...]


def threats(
    state: GameState, opponents: Iterable[Opponent], masks: Masks4, unseen34: Sequence[int]
) -> tuple[Threat, ...]:
    """Every opponent in riichi or with open melds, those in riichi first.

    Args:
        state: the viewer's state.
        opponents: public facts of the opponents.
        masks: their genbutsu, see :func:`engine.opponents.genbutsu.genbutsu_masks`.
        unseen34: by ``tile34``, number of copies that the viewer does not see.
    """
    tables = danger_tables()
    unseen = np.array(unseen34, np.int64)
    found = []
    for each in opponents:
        if each.stance == CLOSED:
            continue
        safe = mask_array(masks[each.seat])
        tenpai = float(tables.tenpai[each.stance, each.called, each.turn])
        chances = tables.plain_waits(unseen, masks[each.seat], each) * (tenpai * tables.ron[each.stance])
        found.append(
            Threat(
                each.seat,
                each.stance == RIICHI,
                tenpai,
                tuple(tables.losses(state, each).tolist()),
                tuple(safe.tolist()),
                tuple(np.where(safe, 0.0, chances).tolist()),
            )
        )
    return tuple(sorted(found, key=lambda threat: not threat.riichi))


def total_danger(found: Sequence[Threat], tile34: int) -> tuple[float, float]:
    """(chance that the tile deals in to any of the threats, mean points lost if it does)."""
    passes = 1.0
    expected = 0.0
    for threat in found:
        chance = threat.deal_in[tile34]
        passes *= 1.0 - chance
        expected += chance * threat.loss[tile34]
    chance = 1.0 - passes
    return chance, expected / chance if chance else 0.0
