"""Closed tenpai hands in riichi: two records more a hand, for the go-around right after it and for all later ones.

Wins are taken when they come, everything else is discarded as it is drawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import part
from engine.search.dag.graph_kernels import WEIGHT, Graph
from engine.search.dag.sweep.draw_kernels import FIGURES, Odds
from engine.search.dag.sweep.wait_kernels import Waits


@part
def list_riichi_wins(
    graph: Graph, odds: Odds, waits: Waits, leaf: NDArray[np.float32], base: int, kept: float, wins: NDArray[np.float64]
) -> None:
    """What the wins in riichi are worth, in the order of ``waits.link``: a loop over turns then reads them in line.

    ``wins`` gets five figures each: the chance to draw the tile; that times utility and points in later go-arounds,
    with ippatsu never there; and the same in the one right after the declaration, when it still is with the chance
    ``kept``. ``base`` is the column of the wins.
    """
    start, links, win_link = waits.start, waits.link, graph.win_link
    for hand in range(len(waits.ready)):
        share = odds.share[waits.ready[hand]] if waits.closed[hand] else np.float32(0.0)
        for entry in range(start[hand], start[hand + 1]):
            link = links[entry]
            p = (win_link[link] & WEIGHT) * share
            wins[entry, 0] = p
            for figure in range(2):
                wins[entry, 1 + figure] = p * leaf[base, link, figure]
                wins[entry, 3 + figure] = p * (
                    (1.0 - kept) * leaf[base, link, figure] + kept * leaf[base + 1, link, figure]
                )


@part
def sum_draws(waits: Waits, wins: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
    """What a draw brings: ``sums[new, hand]``, utility, chance to win and points; ``new``: 1 after the declaration."""
    for hand in range(len(waits.ready)):
        for figure in range(3):
            sums[0, hand, figure] = 0.0
            sums[1, hand, figure] = 0.0
        for entry in range(waits.start[hand], waits.start[hand + 1]):
            for new in range(2):
                sums[new, hand, 0] += wins[entry, 1 + 2 * new]
                sums[new, hand, 1] += wins[entry, 0]
                sums[new, hand, 2] += wins[entry, 2 + 2 * new]


@part
def riichi_turn(
    waits: Waits,
    hands: int,
    sums: NDArray[np.float64],
    often: float,
    later: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """Own draw: ``drawn[new, hand]`` becomes the record before it, ``later`` being that after it.

    Waits are drawn ``often`` times their share of the unseen tiles.
    """
    for hand in range(hands):
        if not waits.closed[hand]:
            continue
        for new in range(2):
            other = 1.0 - often * sums[new, hand, 1]
            drawn[new, hand, 0] = often * sums[new, hand, 0] + other * later[hand, 0]
            drawn[new, hand, 1] = often * sums[new, hand, 1] + other * later[hand, 1]
            drawn[new, hand, 2] = other * later[hand, 2]
            drawn[new, hand, 3] = often * sums[new, hand, 2] + other * later[hand, 3]


@part
def riichi_discards(
    waits: Waits,
    hands: int,
    last_wins: NDArray[np.float64],
    wins: NDArray[np.float64],
    rate: NDArray[np.float64],
    opponents: int,
    survive: float,
    ended: float,
    toll: NDArray[np.float32],
    drawn: NDArray[np.float32],
    fresh: NDArray[np.float32],
    later: NDArray[np.float32],
) -> None:
    """Others' discards: ``fresh`` and ``later`` become the records before them, from those of ``drawn[new]``.

    ``last_wins`` are those on the discard of the last of them, ``wins`` those on the others'; as of
    :func:`list_riichi_wins`.
    """
    for hand in range(hands):
        if not waits.closed[hand]:
            continue
        for new in range(2):
            ends = ended - toll[waits.ready[hand]]
            target = fresh if new else later
            target[hand, 0] = survive * drawn[new, hand, 0] + (1.0 - survive) * ends
            target[hand, 1] = survive * drawn[new, hand, 1]
            target[hand, 2] = survive * drawn[new, hand, 2]
            target[hand, 3] = survive * drawn[new, hand, 3]
        if waits.furiten[hand]:
            continue
        if opponents > 0:
            _riichi_discard(waits, hand, last_wins, rate, 1, fresh, later)
        if opponents > 1:
            _riichi_discard(waits, hand, wins, rate, opponents - 1, fresh, later)


@part
def _riichi_discard(
    waits: Waits,
    hand: int,
    wins: NDArray[np.float64],
    rate: NDArray[np.float64],
    opponents: int,
    fresh: NDArray[np.float32],
    later: NDArray[np.float32],
) -> None:
    # so many opponents, one after another
    hit = 0.0
    gain = 0.0
    paid = 0.0
    new_gain = 0.0
    new_paid = 0.0
    for entry in range(waits.start[hand], waits.start[hand + 1]):
        often = rate[waits.kind[entry]]
        hit += often * wins[entry, 0]
        gain += often * wins[entry, 1]
        paid += often * wins[entry, 2]
        new_gain += often * wins[entry, 3]
        new_paid += often * wins[entry, 4]
    passed = 1.0 - hit
    for _ in range(opponents):
        later[hand, 0] = passed * later[hand, 0] + gain
        later[hand, 1] = passed * later[hand, 1] + hit
        later[hand, 2] = passed * later[hand, 2]
        later[hand, 3] = passed * later[hand, 3] + paid
        fresh[hand, 0] = passed * fresh[hand, 0] + new_gain
        fresh[hand, 1] = passed * fresh[hand, 1] + hit
        fresh[hand, 2] = passed * fresh[hand, 2]
        fresh[hand, 3] = passed * fresh[hand, 3] + new_paid


@part
def choose_riichi(waits: Waits, hands: int, fresh: NDArray[np.float32], record: NDArray[np.float32]) -> None:
    """Closed tenpai nodes declare riichi where that is worth more."""
    for hand in range(hands):
        if waits.closed[hand] and fresh[hand, 0] > record[waits.ready[hand], 0]:
            for figure in range(FIGURES):
                record[waits.ready[hand], figure] = fresh[hand, figure]


@part
def note_riichi(
    waits: Waits, roots: int, hands: int, records: NDArray[np.float32], declared: NDArray[np.float32]
) -> None:
    """Put the records of the closed tenpai hands among the root's nodes into ``declared`` (by node)."""
    for hand in range(hands):
        if waits.ready[hand] >= roots:
            break
        if waits.closed[hand]:
            for figure in range(FIGURES):
                declared[waits.ready[hand], figure] = records[hand, figure]
