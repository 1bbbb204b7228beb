"""A turn's own draw, for all hands at once: each 14-tile node takes its best and hands it to where a draw came from.

The same links serve both directions: what may be discarded, and from which hands the 14 tiles are drawn; so a node's
best record is pushed to those hands while they are still in the cache.

Example: a tenpai hand does not see 100 tiles, and of 1m and 4m, its waits, four each are among them. A win brings
8,000; the other 92 tiles are discarded again, after which the hand is worth 1,000. The sum is (100 - 8) * 1,000 + 4 *
8,000 + 4 * 8,000 = 156,000; times the share of one tile, 1/100, the draw is worth 1,560.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, inlined_part, part
from engine.search.dag.graph_kernels import KIND_AND_WEIGHT, KIND_AT, NODE_AT, WEIGHT, Graph, index
from engine.search.dag.leaf_kernels import TSUMO, TSUMO_LAST
from engine.search.dag.meld_kernels import tiles_besides
from engine.search.dag.row_kernels import tiles_of

FIGURES = 4
"""Of a record: utility, P(win), P(tenpai at the end), points times P(win)."""


class Odds(NamedTuple):
    """Tiles still to be drawn, by node.

    Attributes:
        left: float32[nodes], number of unseen tiles.
        share: float32[nodes], 1 / that.
        useful: float32[nodes], how many of them lead to another hand, each counted as ``often`` as its kind is drawn.
        often: float32[35 << KIND_AT], by the kind and weight of a link, the number of tiles that it counts for: its
            weight times how often the kind is drawn relative to its share.
    """

    left: NDArray[np.float32]
    share: NDArray[np.float32]
    useful: NDArray[np.float32]
    often: NDArray[np.float32]


@allocating_part
def count_draws(
    graph: Graph, held: NDArray[np.int8], root_pons: int, unseen_total: int, kinds: NDArray[np.float64]
) -> Odds:
    """The odds of each node; ``kinds``: how often each kind is drawn, relative to its share of the unseen tiles."""
    nodes = len(graph.node_out)
    often = np.zeros(35 << KIND_AT, np.float32)
    for kind in range(34):
        for weight in range(WEIGHT + 1):
            often[kind << KIND_AT | weight] = kinds[kind] * weight
    odds = Odds(np.empty(nodes, np.float32), np.empty(nodes, np.float32), np.zeros(nodes, np.float32), often)
    _fill_odds(graph, held, root_pons, unseen_total, odds)
    return odds


@part
def _fill_odds(
    graph: Graph,
    held: NDArray[np.int8],
    root_pons: int,
    unseen_total: int,
    odds: Odds,
) -> None:
    share, useful, often = odds.share, odds.useful, odds.often
    for variant in range(len(graph.variant_key)):
        left = unseen_total - tiles_of(graph.variant_key[variant])
        besides = 0
        if graph.variant_melds[variant]:
            besides = tiles_besides(graph.variant_melds[variant], held, root_pons)
        while besides:
            besides &= besides - 1
            left -= 1
        for node in range(graph.variant_start[variant], graph.variant_start[variant + 1]):
            share[node] = np.float32(1.0) / np.float32(max(1, left))
            odds.left[node] = left
    draw_link, win_link = graph.draw_link, graph.win_link
    for at in range(len(draw_link)):
        useful[draw_link[at] >> NODE_AT] += often[draw_link[at] & KIND_AND_WEIGHT]
    for at in range(len(win_link)):
        useful[win_link[at] >> NODE_AT] += often[win_link[at] & KIND_AND_WEIGHT]


@part
def draw_turn(
    graph: Graph,
    odds: Odds,
    scale: float,
    leaf: NDArray[np.float32],
    last: bool,
    level: int,
    record: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """Own draw of the nodes up to ``level``, but for kans; ``last``: it is the last tile of the wall.

    ``drawn`` becomes the sum over the tiles drawn of the record after it, ``record`` being that after the discard that
    follows, except for the factor ``scale`` on every tile that leads to another hand: the sum is divided by it.
    """
    left, useful, often = odds.left, odds.useful, odds.often
    per_scale = np.float32(1.0 / scale)
    for node in range(graph.level_node[level + 1]):
        again = left[node] * per_scale - useful[node]
        drawn[node, 0] = again * record[node, 0]
        drawn[node, 1] = again * record[node, 1]
        drawn[node, 2] = again * record[node, 2]
        drawn[node, 3] = again * record[node, 3]
    draw_start, draw_link = graph.draw_start, graph.draw_link
    for row in range(min(level + 2, len(draw_start))):
        # with a number of links that is known when this is compiled there is no loop over them
        _hand_on(draw_link, often, draw_start[row, 2], draw_start[row, 3], 2, record, drawn)
        _hand_on(draw_link, often, draw_start[row, 3], draw_start[row, 4], 3, record, drawn)
        _hand_on(draw_link, often, draw_start[row, 4], draw_start[row, 5], 4, record, drawn)
        _hand_on(draw_link, often, draw_start[row, 5], draw_start[row, 6], 5, record, drawn)
        for degree in range(6, draw_start.shape[1] - 1):
            _hand_on(draw_link, often, draw_start[row, degree], draw_start[row, degree + 1], degree, record, drawn)
    column = TSUMO_LAST if last else TSUMO
    win_start, win_link, win_late = graph.win_start, graph.win_link, graph.win_late
    for item in range(graph.win_level[min(level + 2, len(graph.win_level) - 1)]):
        if not win_late[item]:
            best = best_of(win_link, index(win_start[item]), win_start[item + 1] - win_start[item], record)
            push_wins(win_link, often, win_start[item], win_start[item + 1], leaf, column, best, record, drawn)


@inlined_part
def _hand_on(
    links: NDArray[np.uint32],
    often: NDArray[np.float32],
    begin: int,
    end: int,
    degree: int,
    record: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    # nodes of so many links each: the best of each is handed on to all of them
    for first in range(index(begin), index(end), index(degree)):
        best = best_of(links, first, degree, record)
        top = record[best, 0]
        win = record[best, 1]
        ready = record[best, 2]
        points = record[best, 3]
        for at in range(first, first + index(degree)):
            link = links[at]
            node = link >> NODE_AT
            weight = often[index(link & KIND_AND_WEIGHT)]
            drawn[node, 0] += weight * top
            drawn[node, 1] += weight * win
            drawn[node, 2] += weight * ready
            drawn[node, 3] += weight * points


@inlined_part
def best_of(links: NDArray[np.uint32], first: int, number: int, record: NDArray[np.float32]) -> int:
    """The node that the best of so many links leads to, the first of equals."""
    best = links[first] >> NODE_AT
    top = record[best, 0]
    for at in range(first + np.uint64(1), first + index(number)):
        node = links[at] >> NODE_AT
        value = record[node, 0]
        best = node if value > top else best
        top = max(top, value)
    return np.int64(best)  # type: ignore[return-value]  # one integer type for the kernels


@part
def push_wins(
    win_link: NDArray[np.uint32],
    often: NDArray[np.float32],
    first: int,
    last: int,
    leaf: NDArray[np.float32],
    column: int,
    best: int,
    record: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """A special node hands on its best, link by link: the win is worth more or less with the tile that completes it."""
    top = record[best, 0]
    win = record[best, 1]
    ready = record[best, 2]
    points = record[best, 3]
    for at in range(first, last):
        link = win_link[at]
        node = link >> NODE_AT
        weight = often[index(link & KIND_AND_WEIGHT)]
        value = leaf[column, at, 0]
        if value > top:
            drawn[node, 0] += weight * value
            drawn[node, 1] += weight
            drawn[node, 3] += weight * leaf[column, at, 1]
        else:
            drawn[node, 0] += weight * top
            drawn[node, 1] += weight * win
            drawn[node, 2] += weight * ready
            drawn[node, 3] += weight * points


@part
def kan_turn(
    graph: Graph,
    odds: Odds,
    scale: float,
    leaf: NDArray[np.float32],
    last: bool,
    level: int,
    allowed: bool,
    more: NDArray[np.float32],
    record: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """The special nodes with kans, which draw again in the same turn: those with most kans first.

    The records of ``kan_node``, right before the dead wall's tile is drawn, are put behind those of the nodes in
    ``record``, if a kan is ``allowed`` this turn; a win by that tile is worth a han more (``more`` is scratch).
    """
    nodes = len(graph.node_out)
    win_start, win_link, kan_start, kan_made = graph.win_start, graph.win_link, graph.kan_start, graph.kan_made
    kan_order, kan_depth, kan_node, kan_count = graph.kan_order, graph.kan_depth, graph.kan_node, graph.kan_count
    kan_number, share, often = graph.kan_number, odds.share, odds.often
    column = TSUMO_LAST if last else TSUMO
    factor = np.float32(scale)
    for kan in range(len(kan_node)):
        for figure in range(FIGURES):
            more[kan, figure] = 0.0
    done = 0
    end = graph.win_level[min(level + 2, len(graph.win_level) - 1)]
    for place in range(len(kan_order) + 1):
        # hands with more kans than this one has are complete now
        depth = kan_depth[place] if place < len(kan_order) else -1
        while done < len(kan_node) and kan_count[done] > depth:
            if allowed:
                node = kan_node[done]
                for figure in range(FIGURES):
                    record[nodes + done, figure] = share[node] * factor * (drawn[node, figure] + more[done, figure])
            done += 1
        if depth < 0:
            break
        item = kan_order[place]
        if item >= end:
            continue
        first, behind = win_start[item], win_start[item + 1]
        best = best_of(win_link, index(first), behind - first, record)
        for entry in range(kan_start[item], kan_start[item + 1]):
            made = nodes + kan_made[entry]
            if record[made, 0] > record[best, 0]:
                best = made
        push_wins(win_link, often, first, behind, leaf, column, best, record, drawn)
        if depth == 0:
            continue
        for at in range(first, behind):
            link = win_link[at]
            kan = kan_number[link >> NODE_AT]
            weight = often[index(link & KIND_AND_WEIGHT)]
            rinshan = leaf[TSUMO_LAST, at, 0]
            if rinshan <= record[best, 0]:
                continue
            plain = leaf[column, at, 0]
            wins = plain > record[best, 0]
            more[kan, 0] += weight * (rinshan - max(plain, record[best, 0]))
            more[kan, 1] += weight * (np.float32(1.0) - (np.float32(1.0) if wins else record[best, 1]))
            more[kan, 2] -= weight * (np.float32(0.0) if wins else record[best, 2])
            more[kan, 3] += weight * (leaf[TSUMO_LAST, at, 1] - (leaf[column, at, 1] if wins else record[best, 3]))


@part
def close_turn(
    graph: Graph,
    odds: Odds,
    scale: float,
    level: int,
    survive: float,
    ended: float,
    toll: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """From sums over tiles, which lack the factor ``scale``, to records.

    Others may end the hand first. What was paid for discards, ``toll``, is paid.
    """
    lost = np.float32((1.0 - survive) * ended)
    ends = np.float32(1.0 - survive)
    factor = np.float32(scale * survive)
    share_of = odds.share
    for node in range(graph.level_node[level + 1]):
        share = share_of[node] * factor
        drawn[node, 0] = share * drawn[node, 0] + (lost - ends * toll[node])
        drawn[node, 1] *= share
        drawn[node, 2] *= share
        drawn[node, 3] *= share


@part
def give_up(end: int, fold: float, toll: NDArray[np.float32], record: NDArray[np.float32]) -> None:
    """Hands (the nodes below ``end``) that are worth less than giving up are given up."""
    for node in range(end):
        worth = np.float32(fold) - toll[node]
        if worth > record[node, 0]:
            record[node, 0] = worth
            record[node, 1] = 0.0
            record[node, 2] = 0.0
            record[node, 3] = 0.0
