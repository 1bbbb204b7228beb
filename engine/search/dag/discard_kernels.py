"""A turn's discards by the three opponents: what a hand that is asked does with them.

Example: a tenpai hand is worth 1,000 before its draw and wins 4,000 by a ron of 1m, which is four of 100 unseen tiles.
An opponent who discards like the wall does so with a chance of 0.04: before that discard the hand is worth 0.04 * 4,000
+ 0.96 * 1,000 = 1,120; before those of two such opponents 0.04 * 4,000 + 0.96 * 1,120 = 1,235.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_part, inlined_part, part
from engine.search.dag.draw_kernels import Odds, best_of
from engine.search.dag.graph_kernels import WEIGHT, Graph, index
from engine.search.dag.leaf_kernels import NEVER, RON, RON_LAST
from engine.search.dag.wait_kernels import Claims

OPPONENTS = 3
"""The one on the left, who discards last before the own draw; the one across; the one on the right."""
MOST_CLAIMS = 512
"""More than a hand can have: 34 kinds, each with a ron, a pon, a kan and three ways to chi."""


class Called(NamedTuple):
    """What others' discards lead to this turn, and scratch.

    Attributes:
        goal: uint32[calls + rons], the record that each call leads to, then those of the wins on discards, which
            stand behind the records of all hands.
        value: float32, the utility of each.
        claim: uint32, the claims of a hand that are worth a look.
        often: float32[OPPONENTS, 34 * 16], by opponent and tag of a claim, how often such a tile comes, over the share
            of one tile.
        chance: float32[OPPONENTS, 34], how often each discards the kinds that a hand claims.
        value_any, value_left: float32[34], of these kinds; ``goal_any``, ``goal_left``: uint32[34].
    """

    goal: NDArray[np.uint32]
    value: NDArray[np.float32]
    claim: NDArray[np.uint32]
    often: Array2[np.float32]
    chance: Array2[np.float32]
    value_any: NDArray[np.float32]
    value_left: NDArray[np.float32]
    goal_any: NDArray[np.uint32]
    goal_left: NDArray[np.uint32]


@allocating_part
def new_called(targets: int) -> Called:
    """Empty ones for so many calls and wins on discards."""
    return Called(
        np.empty(targets, np.uint32),
        np.empty(targets, np.float32),
        np.empty(MOST_CLAIMS, np.uint32),
        np.empty((OPPONENTS, 34 << 4), np.float32),
        np.empty((OPPONENTS, 34), np.float32),
        np.empty(34, np.float32),
        np.empty(34, np.float32),
        np.empty(34, np.uint32),
        np.empty(34, np.uint32),
    )


@part
def list_rons(
    claims: Claims, calls: int, first: int, leaf: NDArray[np.float32], called: Called, record: NDArray[np.float32]
) -> None:
    """Wins on discards as records, from ``first`` on."""
    for ron in range(len(claims.ron_link)):
        link = claims.ron_link[ron]
        called.goal[calls + ron] = first + ron
        called.value[calls + ron] = leaf[RON, link, 0]
        record[first + ron, 0] = leaf[RON, link, 0]
        record[first + ron, 1] = 1.0
        record[first + ron, 2] = 0.0
        record[first + ron, 3] = leaf[RON, link, 1]


@part
def best_calls(graph: Graph, level: int, record: NDArray[np.float32], called: Called) -> None:
    """Where each call of the nodes up to ``level`` leads to, and its utility."""
    call_start, call_link, goal, value = graph.call_start, graph.call_link, called.goal, called.value
    call = 0
    for row in range(min(level + 2, len(call_start))):
        # half of them have one link
        call = _best_calls(call_link, call_start[row, 1], call_start[row, 2], 1, record, call, goal, value)
        call = _best_calls(call_link, call_start[row, 2], call_start[row, 3], 2, record, call, goal, value)
        call = _best_calls(call_link, call_start[row, 3], call_start[row, 4], 3, record, call, goal, value)
        for degree in range(4, call_start.shape[1] - 1):
            begin, end = call_start[row, degree], call_start[row, degree + 1]
            call = _best_calls(call_link, begin, end, degree, record, call, goal, value)


@inlined_part
def _best_calls(
    links: NDArray[np.uint32],
    begin: int,
    end: int,
    degree: int,
    record: NDArray[np.float32],
    call: int,
    goal: NDArray[np.uint32],
    value: NDArray[np.float32],
) -> int:
    # calls of so many links each, from `call` on; the number of the next one
    for first in range(index(begin), index(end), index(degree)):
        best = best_of(links, first, degree, record)
        goal[call] = best
        value[call] = record[best, 0]
        call += 1
    return call


@part
def discard_turn(
    odds: Odds,
    claims: Claims,
    level: int,
    rate: Array2[np.float64],
    opponents: int,
    called: Called,
    before: NDArray[np.float32],
    record: NDArray[np.float32],
) -> None:
    """Others' discards, for the nodes up to ``level``.

    ``record`` holds what passing is worth, and becomes the worth before their discards.
    ``rate`` is how often each opponent, from the left one on, discards each kind relative to its share. ``before`` are
    the records after a call and the discard that follows, and of wins (``called``: which). The last of the
    ``opponents`` sits to the left and may be called for a chi. Most claims are worth less than passing, and passing
    is worth more the earlier the opponent: those claims are dropped at once.
    """
    asked, start, target, tag = claims.asked, claims.start, claims.target, claims.tag
    share_of, goal_of, value_of, kept_claim = odds.share, called.goal, called.value, called.claim
    often, chance, value_any, value_left = called.often, called.chance, called.value_any, called.value_left
    goal_any, goal_left = called.goal_any, called.goal_left
    never = np.float32(NEVER)
    for opponent in range(OPPONENTS):
        for code in range(34 << 4):
            often[opponent, code] = rate[opponent, code >> 4] * (code & WEIGHT)
    for item in range(claims.level[level + 1]):
        node = asked[item]
        passing = record[node, 0]
        better = 0
        for claim in range(index(start[item]), index(start[item + 1])):
            kept_claim[np.uint32(better)] = claim
            better += value_of[target[claim]] > passing
        if better == 0:
            continue
        # the best of each kind, without a branch: none of these choices can be foreseen
        share = share_of[node]
        kinds = -1
        kind_before = -1
        best_any = never
        best_left = never
        to_any = node
        to_left = node
        for place in range(better):
            claim = kept_claim[place]
            value = value_of[target[claim]]
            goal = goal_of[target[claim]]
            code = tag[claim]
            kind = code >> 4
            new = kind != kind_before
            best_any = never if new else best_any
            best_left = never if new else best_left
            kinds += new
            kind_before = kind
            more = value > best_left
            best_left = value if more else best_left
            to_left = goal if more else to_left
            more = (value > best_any) & (code & 8 != 0)
            best_any = value if more else best_any
            to_any = goal if more else to_any
            for opponent in range(OPPONENTS):
                chance[opponent, kinds] = often[opponent, code] * share
            value_any[kinds] = best_any
            value_left[kinds] = best_left
            goal_any[kinds] = to_any
            goal_left[kinds] = to_left
        figure0 = record[node, 0]
        figure1 = record[node, 1]
        figure2 = record[node, 2]
        figure3 = record[node, 3]
        for opponent in range(opponents):
            kept = np.float32(1.0)
            gain0 = np.float32(0.0)
            gain1 = np.float32(0.0)
            gain2 = np.float32(0.0)
            gain3 = np.float32(0.0)
            values, goals = (value_any, goal_any) if opponent else (value_left, goal_left)
            for this in range(kinds + 1):
                goal = goals[this]
                p = chance[opponent, this]
                p = p if values[this] > figure0 else np.float32(0.0)
                kept -= p
                gain0 += p * before[goal, 0]
                gain1 += p * before[goal, 1]
                gain2 += p * before[goal, 2]
                gain3 += p * before[goal, 3]
            figure0 = kept * figure0 + gain0
            figure1 = kept * figure1 + gain1
            figure2 = kept * figure2 + gain2
            figure3 = kept * figure3 + gain3
        record[node, 0] = figure0
        record[node, 1] = figure1
        record[node, 2] = figure2
        record[node, 3] = figure3


@part
def last_discards(
    odds: Odds,
    claims: Claims,
    level: int,
    rate: Array2[np.float64],
    opponents: int,
    calls: int,
    leaf: NDArray[np.float32],
    record: NDArray[np.float32],
) -> None:
    """The discards after the own last one, for the nodes up to ``level``: ron only; the very last of them is houtei."""
    for item in range(claims.level[level + 1] if len(claims.ron_link) else 0):
        node = claims.asked[item]
        for opponent in range(opponents):
            column = RON if opponent else RON_LAST
            passing = record[node, 0]
            kept = 1.0
            gain = 0.0
            paid = 0.0
            for claim in range(claims.start[item], claims.start[item + 1]):
                where = np.int64(claims.target[claim]) - calls
                if where < 0 or leaf[column, claims.ron_link[where], 0] <= passing:
                    continue
                link = claims.ron_link[where]
                code = np.int64(claims.tag[claim])
                p = rate[opponent, code >> 4] * (code & WEIGHT) * odds.share[node]
                kept -= p
                gain += p * leaf[column, link, 0]
                paid += p * leaf[column, link, 1]
            record[node, 0] = kept * passing + gain
            record[node, 1] = kept * record[node, 1] + 1.0 - kept
            record[node, 2] *= kept
            record[node, 3] = kept * record[node, 3] + paid
