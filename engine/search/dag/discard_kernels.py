"""A turn's discards by the three opponents: what a hand that is asked does with them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.search.dag.draw_kernels import Odds
from engine.search.dag.graph_kernels import NODE_AT, WEIGHT, Graph
from engine.search.dag.leaf_kernels import NEVER, RON, RON_LAST
from engine.search.dag.wait_kernels import Claims

MOST_CLAIMS = 512
"""More than a hand can have: 34 kinds, each with a ron, a pon, a kan and three ways to chi."""


@kernel
def best_calls(
    graph: Graph,
    level: int,
    record: NDArray[np.float32],
    called: NDArray[np.int32],
    claim_value: NDArray[np.float32],
) -> None:
    """The node that each call of the nodes up to ``level`` leads to, and its utility."""
    call_start, call_link = graph.call_start, graph.call_link
    for call in range(graph.call_level[min(level + 2, len(graph.call_level) - 1)]):
        best = call_link[call_start[call]] >> NODE_AT
        top = record[best, 0]
        for at in range(call_start[call] + 1, call_start[call + 1]):
            node = call_link[at] >> NODE_AT
            value = record[node, 0]
            best = node if value > top else best
            top = max(top, value)
        called[call] = best
        claim_value[call] = top


@kernel
def discard_turn(
    odds: Odds,
    claims: Claims,
    end: int,
    rate: NDArray[np.float64],
    opponents: int,
    called: NDArray[np.int32],
    claim_value: NDArray[np.float32],
    leaf: NDArray[np.float32],
    before: NDArray[np.float32],
    record: NDArray[np.float32],
) -> None:
    """Others' discards, for the nodes below ``end``.

    ``record`` holds what passing is worth, and becomes the worth before their discards.
    ``before`` are the records after a call and the discard that follows (``called``: which). The last of the
    ``opponents`` sits to the left and may be called for a chi. Most claims are worth less than passing, and passing
    is worth more the earlier the opponent: those claims are dropped at once.
    """
    asked, start, target, tag = claims.asked, claims.start, claims.target, claims.tag
    share_of, ron_link = odds.share, claims.ron_link
    calls = len(called)
    kept_claim = np.empty(MOST_CLAIMS, np.int64)
    chance = np.empty(34, np.float32)
    value_any = np.empty(34, np.float32)
    value_left = np.empty(34, np.float32)
    where_any = np.empty(34, np.int32)
    where_left = np.empty(34, np.int32)
    for item in range(len(asked)):
        node = asked[item]
        if node >= end:
            break
        passing = record[node, 0]
        better = 0
        for claim in range(start[item], start[item + 1]):
            kept_claim[better] = claim
            better += claim_value[target[claim]] > passing
        if better == 0:
            continue
        kinds = 0
        kind_before = -1
        for place in range(better):
            where = target[kept_claim[place]]
            value = claim_value[where]
            code = int(tag[kept_claim[place]])
            kind = code >> 4
            if kind != kind_before:
                chance[kinds] = rate[kind] * (code & WEIGHT)
                value_any[kinds] = NEVER
                value_left[kinds] = NEVER
                kinds += 1
                kind_before = kind
            if value > value_left[kinds - 1]:
                value_left[kinds - 1] = value
                where_left[kinds - 1] = where
            if code & 8 and value > value_any[kinds - 1]:
                value_any[kinds - 1] = value
                where_any[kinds - 1] = where
        share = share_of[node]
        for opponent in range(opponents):
            kept = np.float32(1.0)
            gain0 = np.float32(0.0)
            gain1 = np.float32(0.0)
            gain2 = np.float32(0.0)
            gain3 = np.float32(0.0)
            for this in range(kinds):
                value = value_any[this] if opponent else value_left[this]
                if value <= passing:
                    continue
                where = where_any[this] if opponent else where_left[this]
                p = chance[this] * share
                kept -= p
                gain0 += p * value
                if where < calls:
                    goal = called[where]
                    gain1 += p * before[goal, 1]
                    gain2 += p * before[goal, 2]
                    gain3 += p * before[goal, 3]
                else:
                    gain1 += p
                    gain3 += p * leaf[RON, ron_link[where - calls], 1]
            passing = kept * passing + gain0
            record[node, 0] = passing
            record[node, 1] = kept * record[node, 1] + gain1
            record[node, 2] = kept * record[node, 2] + gain2
            record[node, 3] = kept * record[node, 3] + gain3


@kernel
def last_discards(
    odds: Odds,
    claims: Claims,
    end: int,
    rate: NDArray[np.float64],
    opponents: int,
    calls: int,
    leaf: NDArray[np.float32],
    record: NDArray[np.float32],
) -> None:
    """The discards after the own last one, for the nodes below ``end``: ron only; the very last of them is houtei."""
    for item in range(len(claims.asked)):
        node = claims.asked[item]
        if node >= end:
            break
        for opponent in range(opponents):
            column = RON if opponent else RON_LAST
            passing = record[node, 0]
            kept = 1.0
            gain = 0.0
            paid = 0.0
            for claim in range(claims.start[item], claims.start[item + 1]):
                where = claims.target[claim] - calls
                if where < 0 or leaf[column, claims.ron_link[where], 0] <= passing:
                    continue
                link = claims.ron_link[where]
                code = np.int64(claims.tag[claim])
                p = rate[code >> 4] * (code & WEIGHT) * odds.share[node]
                kept -= p
                gain += p * leaf[column, link, 0]
                paid += p * leaf[column, link, 1]
            record[node, 0] = kept * passing + gain
            record[node, 1] = kept * record[node, 1] + 1.0 - kept
            record[node, 2] *= kept
            record[node, 3] = kept * record[node, 3] + paid
