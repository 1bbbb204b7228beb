"""The evaluator ``montecarlo`` of the FLOW paper: the mean points of random playouts after each action.

Every action is played out over the same random walls, so that luck cancels in the differences. The playouts follow
:mod:`engine.papers.flow.playout_kernels`; equal positions have equal walls. Riichi is an action of its own, and
what it costs and gains is part of its playouts. It considers neither calls nor what the others do, except that they
discard winning tiles: in each go-around one tile is offered besides the one drawn, which makes a win twice as likely
(``RON``).
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.papers.flow import MonteCarloSettings
from engine.papers.flow import playout_kernels as kernels
from engine.papers.flow.handscore import suit_scores
from engine.search.evaluator import Choice, Evaluation, Stakes, Worth
from engine.search.position import Position
from engine.search.tiles import circumstances, discard_choices, may_declare_riichi, seed_of
from engine.shanten import standard_shanten

BATCH: Final = 8
"""Walls between two looks at the clock. A guess; no answer depends on it."""
NEARER: Final = 2
"""Seven pairs and thirteen orphans are aimed at where they are so much nearer than four sets and a pair. A guess."""


class MonteCarlo:
    """See the module."""

    name = "montecarlo"
    digests: Mapping[str, str] = {}

    def __init__(self, settings: MonteCarloSettings) -> None:
        self._settings = settings

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :class:`~engine.search.evaluator.Evaluator`; the stakes are ignored, ``nodes`` bounds the playouts."""
        del stakes
        budget = budget or Budget()
        choices = discard_choices(position) if position.to_discard else [Choice(ActionKind.PASS)]
        most = self._settings.walls
        if budget.nodes is not None:
            most = max(1, min(most, budget.nodes // len(choices)))
        play, table = _playout(position, choices), circumstances(position)
        walls = 0
        while walls < most and not (walls and budget.expired()):
            batch = min(BATCH, most - walls)
            kernels.play_out(play, table, batch, suit_scores())
            walls += batch
        found = []
        for choice, (wins, points) in zip(choices, play.sums.tolist(), strict=True):
            found.append(Worth(choice, points / walls, p_win=wins / walls))
        found.sort(key=lambda worth: -worth.value)
        return Evaluation(
            self.name, tuple(found), shanten=position.shanten, nodes=walls * len(choices), complete=walls == most
        )


def _playout(position: Position, choices: list[Choice]) -> kernels.Playout:
    """The arguments of the kernel. A hand that may declare riichi now does so by the choice, not within a playout."""
    later = kernels.WHEN_TENPAI if may_declare_riichi(position) else kernels.SILENT
    tenpai = {choice.tile34 for choice in choices if choice.kind is ActionKind.RIICHI}
    riichi = [
        kernels.NOW if choice.kind is ActionKind.RIICHI else kernels.SILENT if choice.tile34 in tenpai else later
        for choice in choices
    ]
    standard = standard_shanten(position.counts, len(position.melds))
    return kernels.Playout(
        np.array(position.counts, np.int64), np.array([seed_of(position)], np.uint64),
        np.repeat(np.arange(34), position.unseen), position.draws_left, position.river_mask,
        position.shanten <= standard - NEARER, len(position.melds),
        np.array([choice.tile34 for choice in choices], np.int64), np.array(riichi, np.int64), np.empty(34, np.uint8),
        np.zeros((len(choices), kernels.SUMS)),
    )  # fmt: skip
