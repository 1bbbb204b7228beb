"""Who may win on our discard, by the plain table.

The figures are those of the plain table, :mod:`engine.opponents.danger_tables`; closed hands without a riichi are no
threat here.
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
    """A player who may win on our discard.

    Attributes:
        seat: absolute.
        riichi: has declared.
        tenpai: chance to be tenpai, 0-1.
        loss: by ``tile34``, mean points of a deal-in, honba included.
        safe: by ``tile34``, cannot be won on: its own discards, and what passed it since its riichi.
        deal_in: by ``tile34``, chance 0-1 that the tile is won on now.
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
    """Every opponent in riichi or with open melds, riichi first.

    Args:
        state: the viewer's.
        opponents: what anyone can see of them.
        masks: their genbutsu, see :func:`engine.opponents.genbutsu.genbutsu_masks`.
        unseen34: copies of each kind that the viewer does not see.
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
    """(chance that the tile deals in to anyone, mean points lost if it does) over all threats."""
    passes = 1.0
    expected = 0.0
    for threat in found:
        chance = threat.deal_in[tile34]
        passes *= 1.0 - chance
        expected += chance * threat.loss[tile34]
    chance = 1.0 - passes
    return chance, expected / chance if chance else 0.0
