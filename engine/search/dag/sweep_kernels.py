"""The recurrences over the turns, backwards, for all nodes at once.

``record`` is float32[nodes, 4]: utility, P(win), P(tenpai at the end), points times P(win), of having discarded into
the node with ``d`` own draws left; the policy looks at the first only, the others follow it. One turn more:

1. every 14-tile node takes its best discard and pushes that record, times the weight of each link, to the nodes from
   which a draw leads there: the same links serve both directions, and their records are still in the cache;
2. complete 14-tile nodes do so link by link, since the win is worth more or less with the tile that completes it;
3. calls take their best discard;
4. the discards of the three opponents, one after another, where a node has something to call or to win on;
5. closed tenpai hands compare with a riichi, kept as two more records: later in riichi, and just declared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.search.dag.exchange_kernels import SLOT_BITS
from engine.search.dag.leaf_kernels import (
    NEVER,
    RIICHI_RON,
    RIICHI_TSUMO,
    RON,
    RON_LAST,
    TSUMO,
    TSUMO_LAST,
)
from engine.search.dag.link_kernels import WEIGHT_BITS

WEIGHT = (1 << WEIGHT_BITS) - 1
FIGURES = 4


@kernel
def list_waits(
    nodes: int,
    win_start: NDArray[np.int32],
    win_link: NDArray[np.int32],
    complete: NDArray[np.bool_],
    win_melds: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Tenpai nodes with their wins.

    Returns:
        ready: int32[n], the nodes, ascending.
        ready_start, ready_link: ready hand i has the wins ``ready_link[ready_start[i]:ready_start[i + 1]]``.
        closed: bool[n], no meld was called in the search.
    """
    place = np.zeros(nodes + 1, np.int32)
    total = 0
    for win in range(len(complete)):
        if complete[win]:
            for link in range(win_start[win], win_start[win + 1]):
                place[win_link[link] >> WEIGHT_BITS] += 1
                total += 1
    number = 0
    for node in range(nodes):
        if place[node]:
            number += 1
    ready = np.empty(number, np.int32)
    ready_start = np.empty(number + 1, np.int32)
    ready_link = np.empty(total, np.int32)
    closed = np.empty(number, np.bool_)
    number = 0
    total = 0
    for node in range(nodes):
        if place[node]:
            ready[number] = node
            ready_start[number] = total
            total += place[node]
            place[node] = number
            number += 1
    ready_start[number] = total
    filled = ready_start[:number].copy()
    for win in range(len(complete)):
        if complete[win]:
            for link in range(win_start[win], win_start[win + 1]):
                hand = place[win_link[link] >> WEIGHT_BITS]
                ready_link[filled[hand]] = link
                filled[hand] += 1
                closed[hand] = win_melds[win] == 0
    return ready, ready_start, ready_link, closed


@kernel
def mark_furiten(
    river: int,
    stride: NDArray[np.int32],
    node_out: NDArray[np.int16],
    out_packed: NDArray[np.int64],
    win_kind: NDArray[np.int8],
    ready: NDArray[np.int32],
    ready_start: NDArray[np.int32],
    ready_link: NDArray[np.int32],
) -> NDArray[np.bool_]:
    """Which tenpai nodes wait on a tile of the own river, or of what they discarded on the way."""
    shift_of = np.full(34, -1, np.int64)
    used = 0
    for kind in range(34):
        if stride[kind]:
            shift_of[kind] = SLOT_BITS * used
            used += 1
    furiten = np.zeros(len(ready), np.bool_)
    for hand in range(len(ready)):
        packed = out_packed[node_out[ready[hand]]]
        for entry in range(ready_start[hand], ready_start[hand + 1]):
            kind = int(win_kind[ready_link[entry]])
            if (river >> kind) & 1 or (shift_of[kind] >= 0 and (packed >> shift_of[kind]) & 7):
                furiten[hand] = True
    return furiten


@kernel
def sort_options(
    nodes: int,
    option_node: NDArray[np.int32],
    option_call: NDArray[np.int32],
    option_tag: NDArray[np.int16],
    win_link: NDArray[np.int32],
    win_kind: NDArray[np.int8],
    ready: NDArray[np.int32],
    ready_start: NDArray[np.int32],
    ready_link: NDArray[np.int32],
    furiten: NDArray[np.bool_],
    ron: bool,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int16]]:
    """What a node can do with others' discards: calls, and wins as ``-1 - link``; by node, then by tile.

    Returns:
        asked: int32[n], the nodes with an option, ascending.
        asked_start, target, tag: node i's options; the tag is ``kind << 4 | from anyone << 3 | weight``.
    """
    start = np.zeros(nodes + 2, np.int32)
    for option in range(len(option_node)):
        start[option_node[option] + 2] += 1
    total = len(option_node)
    if ron:
        for hand in range(len(ready)):
            if not furiten[hand]:
                start[ready[hand] + 2] += ready_start[hand + 1] - ready_start[hand]
                total += ready_start[hand + 1] - ready_start[hand]
    number = 0
    for node in range(nodes):
        number += start[node + 2] > 0
        start[node + 2] += start[node + 1]
    target = np.empty(total, np.int32)
    tag = np.empty(total, np.int16)
    for option in range(len(option_node)):
        at = start[option_node[option] + 1]
        start[option_node[option] + 1] += 1
        target[at] = option_call[option]
        tag[at] = option_tag[option]
    if ron:
        for hand in range(len(ready)):
            if furiten[hand]:
                continue
            at = start[ready[hand] + 1]
            for entry in range(ready_start[hand], ready_start[hand + 1]):
                link = ready_link[entry]
                target[at] = -1 - link
                tag[at] = np.int64(win_kind[link]) << 4 | 8 | (win_link[link] & WEIGHT)
                at += 1
            start[ready[hand] + 1] = at
    asked = np.empty(number, np.int32)
    asked_start = np.empty(number + 1, np.int32)
    number = 0
    for node in range(nodes):
        first, last = start[node], start[node + 1]
        if first == last:
            continue
        asked[number] = node
        asked_start[number] = first
        number += 1
        for at in range(first + 1, last):
            this_target = target[at]
            this_tag = tag[at]
            back = at
            while back > first and tag[back - 1] >> 4 > this_tag >> 4:
                target[back] = target[back - 1]
                tag[back] = tag[back - 1]
                back -= 1
            target[back] = this_target
            tag[back] = this_tag
    asked_start[number] = total
    return asked, asked_start, target, tag


@kernel
def sum_weights(
    nodes: int,
    draw_link: NDArray[np.int32],
    win_link: NDArray[np.int32],
) -> NDArray[np.float32]:
    """How many unseen tiles lead from each node to some 14-tile node; the others are thrown again."""
    weights = np.zeros(nodes, np.float32)
    for at in range(len(draw_link)):
        weights[draw_link[at] >> WEIGHT_BITS] += draw_link[at] & WEIGHT
    for at in range(len(win_link)):
        weights[win_link[at] >> WEIGHT_BITS] += win_link[at] & WEIGHT
    return weights


@kernel
def draw_turn(
    level_node: NDArray[np.int32],
    unseen_total: int,
    weights: NDArray[np.float32],
    degree_start: NDArray[np.int32],
    draw_link: NDArray[np.int32],
    win_start: NDArray[np.int32],
    win_link: NDArray[np.int32],
    leaf: NDArray[np.float32],
    last: bool,
    record: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """Own draw: ``drawn`` becomes the record before it, ``record`` being that after the discard that follows."""
    for level in range(len(level_node) - 1):
        total = np.float32(unseen_total - level)
        for node in range(level_node[level], level_node[level + 1]):
            thrown = total - weights[node]
            drawn[node, 0] = thrown * record[node, 0]
            drawn[node, 1] = thrown * record[node, 1]
            drawn[node, 2] = thrown * record[node, 2]
            drawn[node, 3] = thrown * record[node, 3]
    for degree in range(2, len(degree_start) - 1):
        for first in range(degree_start[degree], degree_start[degree + 1], degree):
            best = draw_link[first] >> WEIGHT_BITS
            top = record[best, 0]
            for at in range(first + 1, first + degree):
                node = draw_link[at] >> WEIGHT_BITS
                value = record[node, 0]
                best = node if value > top else best
                top = max(top, value)
            win = record[best, 1]
            ready = record[best, 2]
            points = record[best, 3]
            for at in range(first, first + degree):
                link = draw_link[at]
                node = link >> WEIGHT_BITS
                weight = np.float32(link & WEIGHT)
                drawn[node, 0] += weight * top
                drawn[node, 1] += weight * win
                drawn[node, 2] += weight * ready
                drawn[node, 3] += weight * points
    column = TSUMO_LAST if last else TSUMO
    for item in range(len(win_start) - 1):
        first = win_start[item]
        end = win_start[item + 1]
        best = win_link[first] >> WEIGHT_BITS
        top = record[best, 0]
        for at in range(first + 1, end):
            node = win_link[at] >> WEIGHT_BITS
            value = record[node, 0]
            if value > top:
                top = value
                best = node
        for at in range(first, end):
            link = win_link[at]
            node = link >> WEIGHT_BITS
            weight = np.float32(link & WEIGHT)
            value = leaf[at, column, 0]
            if value > top:
                drawn[node, 0] += weight * value
                drawn[node, 1] += weight
                drawn[node, 3] += weight * leaf[at, column, 1]
            else:
                drawn[node, 0] += weight * top
                drawn[node, 1] += weight * record[best, 1]
                drawn[node, 2] += weight * record[best, 2]
                drawn[node, 3] += weight * record[best, 3]
    for level in range(len(level_node) - 1):
        share = np.float32(1.0) / np.float32(max(1, unseen_total - level))
        for node in range(level_node[level], level_node[level + 1]):
            drawn[node, 0] *= share
            drawn[node, 1] *= share
            drawn[node, 2] *= share
            drawn[node, 3] *= share


@kernel
def best_calls(
    call_start: NDArray[np.int32],
    call_node: NDArray[np.int32],
    record: NDArray[np.float32],
    called: NDArray[np.int32],
    call_value: NDArray[np.float32],
) -> None:
    """The node each call leads to, and its utility."""
    for call in range(len(call_start) - 1):
        best = call_node[call_start[call]]
        top = record[best, 0]
        for at in range(call_start[call] + 1, call_start[call + 1]):
            node = call_node[at]
            value = record[node, 0]
            if value > top:
                top = value
                best = node
        called[call] = best
        call_value[call] = top


@kernel
def survive_turn(drawn: NDArray[np.float32], survive: float, ended: float, toll: NDArray[np.float32]) -> None:
    """Others may end the hand before the own draw; what was paid for discards is paid."""
    kept = np.float32(survive)
    lost = np.float32((1.0 - survive) * ended)
    share = np.float32(1.0 - survive)
    for node in range(len(drawn)):
        drawn[node, 0] = kept * drawn[node, 0] + lost - share * toll[node]
        drawn[node, 1] *= kept
        drawn[node, 2] *= kept
        drawn[node, 3] *= kept


@kernel
def discard_turn(
    level_node: NDArray[np.int32],
    unseen_total: int,
    rate: NDArray[np.float64],
    opponents: int,
    asked: NDArray[np.int32],
    asked_start: NDArray[np.int32],
    target: NDArray[np.int32],
    tag: NDArray[np.int16],
    called: NDArray[np.int32],
    call_value: NDArray[np.float32],
    leaf: NDArray[np.float32],
    before: NDArray[np.float32],
    record: NDArray[np.float32],
) -> None:
    """Others' discards: ``record`` holds what passing is worth, and becomes the worth before their discards.

    ``before`` are the records after a call and the discard that follows (``called``: which). The last of the
    ``opponents`` sits to the left and may be called for a chi. Most options are worth less than passing, and passing
    is worth more the earlier the opponent: those options are dropped at once.
    """
    chance = np.empty(34, np.float32)
    value_any = np.empty(34, np.float32)
    value_left = np.empty(34, np.float32)
    where_any = np.empty(34, np.int32)
    where_left = np.empty(34, np.int32)
    level = 0
    for item in range(len(asked)):
        node = asked[item]
        passing = record[node, 0]
        kinds = 0
        kind_before = -1
        for option in range(asked_start[item], asked_start[item + 1]):
            where = target[option]
            value = call_value[where] if where >= 0 else leaf[-1 - where, RON, 0]
            if value <= passing:
                continue
            code = int(tag[option])
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
        if kinds == 0:
            continue
        while node >= level_node[level + 1]:
            level += 1
        share = np.float32(1.0) / np.float32(max(1, unseen_total - level))
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
                if where >= 0:
                    goal = called[where]
                    gain1 += p * before[goal, 1]
                    gain2 += p * before[goal, 2]
                    gain3 += p * before[goal, 3]
                else:
                    gain1 += p
                    gain3 += p * leaf[-1 - where, RON, 1]
            passing = kept * passing + gain0
            record[node, 0] = passing
            record[node, 1] = kept * record[node, 1] + gain1
            record[node, 2] = kept * record[node, 2] + gain2
            record[node, 3] = kept * record[node, 3] + gain3


@kernel
def last_discards(
    level_node: NDArray[np.int32],
    unseen_total: int,
    rate: NDArray[np.float64],
    opponents: int,
    asked: NDArray[np.int32],
    asked_start: NDArray[np.int32],
    target: NDArray[np.int32],
    tag: NDArray[np.int16],
    leaf: NDArray[np.float32],
    record: NDArray[np.float32],
) -> None:
    """The discards after the own last one: ron only; the very last of them is houtei."""
    level = 0
    for item in range(len(asked)):
        node = asked[item]
        while node >= level_node[level + 1]:
            level += 1
        total = max(1, unseen_total - level)
        for opponent in range(opponents):
            column = RON if opponent else RON_LAST
            passing = record[node, 0]
            kept = 1.0
            gain = 0.0
            paid = 0.0
            for option in range(asked_start[item], asked_start[item + 1]):
                link = -1 - target[option]
                if link < 0 or leaf[link, column, 0] <= passing:
                    continue
                code = np.int64(tag[option])
                p = rate[code >> 4] * (code & WEIGHT) / total
                kept -= p
                gain += p * leaf[link, column, 0]
                paid += p * leaf[link, column, 1]
            record[node, 0] = kept * passing + gain
            record[node, 1] = kept * record[node, 1] + 1.0 - kept
            record[node, 2] *= kept
            record[node, 3] = kept * record[node, 3] + paid


@kernel
def riichi_turn(
    level_node: NDArray[np.int32],
    unseen_total: int,
    rate: NDArray[np.float64],
    survive: float,
    ended: float,
    kept_ron: float,
    kept_tsumo: float,
    draws: int,
    terminal: float,
    tail: int,
    ready: NDArray[np.int32],
    ready_start: NDArray[np.int32],
    ready_link: NDArray[np.int32],
    closed: NDArray[np.bool_],
    furiten: NDArray[np.bool_],
    ron: bool,
    win_link: NDArray[np.int32],
    win_kind: NDArray[np.int8],
    leaf: NDArray[np.float32],
    toll: NDArray[np.float32],
    later: NDArray[np.float32],
    fresh: NDArray[np.float32],
) -> None:
    """Closed tenpai hands in riichi with ``draws`` own draws left: ``later`` [hands, 4] in place, ``fresh`` likewise.

    ``later`` holds the records with one draw less. Wins are taken when they come; the hand does not change.
    """
    level = 0
    for hand in range(len(ready)):
        if not closed[hand]:
            continue
        while ready[hand] >= level_node[level + 1]:
            level += 1
        total = max(1, unseen_total - level)
        paid_before = toll[ready[hand]]
        for new in range(2):
            # the record before the own draw
            if draws == 0:
                if new:
                    continue
                value, win, tenpai, points = terminal - paid_before, 0.0, 1.0, 0.0
            else:
                value = 0.0
                win = 0.0
                points = 0.0
                kept = kept_tsumo if new else 0.0
                base = RIICHI_TSUMO + (1 if draws == 1 and tail == 0 else 0)
                for entry in range(ready_start[hand], ready_start[hand + 1]):
                    link = ready_link[entry]
                    p = (win_link[link] & WEIGHT) / total
                    value += p * ((1.0 - kept) * leaf[link, base, 0] + kept * leaf[link, base + 1, 0])
                    points += p * ((1.0 - kept) * leaf[link, base, 1] + kept * leaf[link, base + 1, 1])
                    win += p
                other = 1.0 - win
                value += other * later[hand, 0]
                points += other * later[hand, 3]
                tenpai = other * later[hand, 2]
                win += other * later[hand, 1]
                value = survive * value + (1.0 - survive) * (ended - paid_before)
                win *= survive
                tenpai *= survive
                points *= survive
            if ron and not furiten[hand]:
                kept = kept_ron if new else 0.0
                for opponent in range(tail if draws == 0 else 3):
                    base = RIICHI_RON + (1 if draws == 0 and opponent == 0 else 0)
                    hit = 0.0
                    gain = 0.0
                    paid = 0.0
                    for entry in range(ready_start[hand], ready_start[hand + 1]):
                        link = ready_link[entry]
                        p = rate[win_kind[link]] * (win_link[link] & WEIGHT) / total
                        gain += p * ((1.0 - kept) * leaf[link, base, 0] + kept * leaf[link, base + 1, 0])
                        paid += p * ((1.0 - kept) * leaf[link, base, 1] + kept * leaf[link, base + 1, 1])
                        hit += p
                    value = (1.0 - hit) * value + gain
                    points = (1.0 - hit) * points + paid
                    win = (1.0 - hit) * win + hit
                    tenpai *= 1.0 - hit
            if new:
                fresh[hand, 0] = value
                fresh[hand, 1] = win
                fresh[hand, 2] = tenpai
                fresh[hand, 3] = points
            else:
                # `fresh` of this turn still needs the old record: keep the new one aside until then
                next0, next1, next2, next3 = value, win, tenpai, points
        later[hand, 0] = next0
        later[hand, 1] = next1
        later[hand, 2] = next2
        later[hand, 3] = next3


@kernel
def choose_riichi(
    ready: NDArray[np.int32],
    closed: NDArray[np.bool_],
    fresh: NDArray[np.float32],
    record: NDArray[np.float32],
) -> None:
    """Closed tenpai nodes declare riichi where that is worth more."""
    for hand in range(len(ready)):
        if closed[hand] and fresh[hand, 0] > record[ready[hand], 0]:
            record[ready[hand]] = fresh[hand]


@kernel
def give_up(fold: float, toll: NDArray[np.float32], record: NDArray[np.float32]) -> None:
    """Hands worth less than giving up are given up."""
    for node in range(len(record)):
        worth = np.float32(fold) - toll[node]
        if worth > record[node, 0]:
            record[node, 0] = worth
            record[node, 1] = 0.0
            record[node, 2] = 0.0
            record[node, 3] = 0.0


@kernel
def sweep_turns(
    level_node: NDArray[np.int32],
    unseen_total: int,
    draws: int,
    turns: int,
    tail: int,
    opponents: int,
    calls: bool,
    ron: bool,
    riichi: bool,
    rate: NDArray[np.float64],
    survive: NDArray[np.float64],
    ended: NDArray[np.float64],
    terminal: NDArray[np.float64],
    fold: NDArray[np.float64],
    toll: NDArray[np.float32],
    kept_ron: float,
    kept_tsumo: float,
    weights: NDArray[np.float32],
    degree_start: NDArray[np.int32],
    draw_link: NDArray[np.int32],
    win_start: NDArray[np.int32],
    win_link: NDArray[np.int32],
    win_kind: NDArray[np.int8],
    leaf: NDArray[np.float32],
    call_start: NDArray[np.int32],
    call_node: NDArray[np.int32],
    ready: NDArray[np.int32],
    ready_start: NDArray[np.int32],
    ready_link: NDArray[np.int32],
    closed: NDArray[np.bool_],
    furiten: NDArray[np.bool_],
    asked: NDArray[np.int32],
    asked_start: NDArray[np.int32],
    target: NDArray[np.int32],
    tag: NDArray[np.int16],
    plain: NDArray[np.float32],
    declared: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """All turns: ``draws`` of them, ``turns`` with others' discards (a kan at the root has one draw more).

    Fills ``plain[left, root node]`` and ``declared`` (with a riichi now), and ``drawn``, the first node's record
    right before the last of the draws.
    """
    nodes = level_node[len(level_node) - 1]
    roots = level_node[1]
    record = np.zeros((nodes, FIGURES), np.float32)
    other = np.zeros((nodes, FIGURES), np.float32)
    later = np.zeros((len(ready), FIGURES), np.float32)
    fresh = np.full((len(ready), FIGURES), np.float32(NEVER))
    called = np.empty(len(call_start) - 1, np.int32)
    call_value = np.empty(len(call_start) - 1, np.float32)
    for node in range(nodes):
        record[node, 0] = terminal[0] - toll[node]
    for hand in range(len(ready)):
        record[ready[hand], 0] = terminal[1] - toll[ready[hand]]
        record[ready[hand], 2] = 1.0
    for left in range(draws + 1):
        if left:
            draw_turn(
                level_node,
                unseen_total,
                weights,
                degree_start,
                draw_link,
                win_start,
                win_link,
                leaf,
                left == 1 and tail == 0,
                record,
                other,
            )
            for figure in range(FIGURES):
                drawn[figure] = other[0, figure]
            if left > turns:
                return
            if calls:
                best_calls(call_start, call_node, record, called, call_value)
            asking = opponents if left == draws else 3
            if survive[0, left] < 1.0:
                survive_turn(other, survive[0, left] ** (asking / 3.0), ended[0, left], toll)
            if calls or ron:
                discard_turn(
                    level_node,
                    unseen_total,
                    rate[0, left],
                    asking,
                    asked,
                    asked_start,
                    target,
                    tag,
                    called,
                    call_value,
                    leaf,
                    record,
                    other,
                )
            swapped = record
            record = other
            other = swapped
        elif ron:
            last_discards(level_node, unseen_total, rate[0, 0], tail, asked, asked_start, target, tag, leaf, record)
        plain[left] = record[:roots]
        if riichi:
            riichi_turn(
                level_node,
                unseen_total,
                rate[1, left],
                survive[1, left],
                ended[1, left],
                kept_ron,
                kept_tsumo,
                left,
                terminal[2],
                tail,
                ready,
                ready_start,
                ready_link,
                closed,
                furiten,
                ron,
                win_link,
                win_kind,
                leaf,
                toll,
                later,
                fresh,
            )
            if left:
                choose_riichi(ready, closed, fresh, record)
                for hand in range(len(ready)):
                    if ready[hand] >= roots:
                        break
                    if closed[hand]:
                        declared[left, ready[hand]] = fresh[hand]
        if fold[left] > NEVER:
            give_up(fold[left], toll, record)
