"""Closed tenpai hands in riichi: two records more a hand, for the go-around right after it and for all later ones.

Wins are taken when they come, everything else drawn is thrown.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import inner
from engine.search.dag.draw_kernels import FIGURES, Odds
from engine.search.dag.graph_kernels import KIND, KIND_AT, WEIGHT, Graph
from engine.search.dag.leaf_kernels import RIICHI_RON
from engine.search.dag.wait_kernels import Waits


@inner
def riichi_draw(
    graph: Graph,
    odds: Odds,
    waits: Waits,
    hands: int,
    leaf: NDArray[np.float32],
    base: int,
    kept: float,
    sums: NDArray[np.float64],
) -> None:
    """What a draw brings the first ``hands`` tenpai hands: ``sums[new, hand]``, utility, chance to win and points.

    ``new`` is 1 right after the declaration, when ippatsu is still there with the chance ``kept``; ``base`` is the
    column of the wins. It is the same each turn but the last one.
    """
    start, links, win_link = waits.start, waits.link, graph.win_link
    for hand in range(hands):
        if not waits.closed[hand]:
            continue
        share = odds.share[waits.ready[hand]]
        for new in range(2):
            quick = kept if new else 0.0
            value = 0.0
            win = 0.0
            points = 0.0
            for entry in range(start[hand], start[hand + 1]):
                link = links[entry]
                p = (win_link[link] & WEIGHT) * share
                value += p * ((1.0 - quick) * leaf[base, link, 0] + quick * leaf[base + 1, link, 0])
                points += p * ((1.0 - quick) * leaf[base, link, 1] + quick * leaf[base + 1, link, 1])
                win += p
            sums[new, hand, 0] = value
            sums[new, hand, 1] = win
            sums[new, hand, 2] = points


@inner
def riichi_turn(
    waits: Waits, hands: int, sums: NDArray[np.float64], later: NDArray[np.float32], drawn: NDArray[np.float32]
) -> None:
    """Own draw: ``drawn[new, hand]`` becomes the record before it, ``later`` being that after it."""
    for hand in range(hands):
        if not waits.closed[hand]:
            continue
        for new in range(2):
            other = 1.0 - sums[new, hand, 1]
            drawn[new, hand, 0] = sums[new, hand, 0] + other * later[hand, 0]
            drawn[new, hand, 1] = sums[new, hand, 1] + other * later[hand, 1]
            drawn[new, hand, 2] = other * later[hand, 2]
            drawn[new, hand, 3] = sums[new, hand, 2] + other * later[hand, 3]


@inner
def riichi_discards(
    graph: Graph,
    odds: Odds,
    waits: Waits,
    hands: int,
    leaf: NDArray[np.float32],
    rate: NDArray[np.float64],
    opponents: int,
    houtei: bool,
    kept: float,
    survive: float,
    ended: float,
    toll: NDArray[np.float32],
    drawn: NDArray[np.float32],
    fresh: NDArray[np.float32],
    later: NDArray[np.float32],
) -> None:
    """Others' discards: ``fresh`` and ``later`` become the records before them, from those of ``drawn[new]``.

    ``houtei``: the last of them is that of the wall.
    """
    start, links, win_link = waits.start, waits.link, graph.win_link
    for hand in range(hands):
        if not waits.closed[hand]:
            continue
        share = odds.share[waits.ready[hand]]
        asking = 0 if waits.furiten[hand] else opponents
        for new in range(2):
            value = survive * drawn[new, hand, 0] + (1.0 - survive) * (ended - toll[waits.ready[hand]])
            win = survive * drawn[new, hand, 1]
            tenpai = survive * drawn[new, hand, 2]
            points = survive * drawn[new, hand, 3]
            quick = kept if new else 0.0
            hit = 0.0
            gain = 0.0
            paid = 0.0
            for opponent in range(asking):
                # all the same but for the last discard of the wall
                if opponent == 0 or (opponent == 1 and houtei):
                    base = RIICHI_RON + (1 if houtei and opponent == 0 else 0)
                    hit = 0.0
                    gain = 0.0
                    paid = 0.0
                    for entry in range(start[hand], start[hand + 1]):
                        link = links[entry]
                        packed = win_link[link]
                        p = rate[(packed >> KIND_AT) & KIND] * (packed & WEIGHT) * share
                        gain += p * ((1.0 - quick) * leaf[base, link, 0] + quick * leaf[base + 1, link, 0])
                        paid += p * ((1.0 - quick) * leaf[base, link, 1] + quick * leaf[base + 1, link, 1])
                        hit += p
                value = (1.0 - hit) * value + gain
                points = (1.0 - hit) * points + paid
                win = (1.0 - hit) * win + hit
                tenpai *= 1.0 - hit
            target = fresh if new else later
            target[hand, 0] = value
            target[hand, 1] = win
            target[hand, 2] = tenpai
            target[hand, 3] = points


@inner
def choose_riichi(waits: Waits, hands: int, fresh: NDArray[np.float32], record: NDArray[np.float32]) -> None:
    """Closed tenpai nodes declare riichi where that is worth more."""
    for hand in range(hands):
        if waits.closed[hand] and fresh[hand, 0] > record[waits.ready[hand], 0]:
            for figure in range(FIGURES):
                record[waits.ready[hand], figure] = fresh[hand, figure]


@inner
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
