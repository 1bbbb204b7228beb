"""The recurrences over the turns, backwards, for all nodes at once.

``record`` is float32[nodes + kans + rons, 4]: utility, P(win), P(tenpai at the end), points times P(win), of having
discarded into the node with ``left`` own draws to come; the policy looks at the first only, the others follow it.
Behind the nodes stand those with a kan, right before the dead wall's tile, then wins on discards. One turn more:

1. every 14-tile node takes its best and hands it to the nodes from which a draw leads there (``draw_kernels``);
2. calls take their best discard, and the three opponents discard one after another, where a node has something to
   call or to win on (``discard_kernels``);
3. closed tenpai hands compare with a riichi (``riichi_kernels``).

A node of level k takes k draws or calls to reach: with fewer than k turns gone it is left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, allocating_part, part
from engine.search.dag.graph_kernels import Graph
from engine.search.dag.leaves.leaf_kernels import NEVER, RIICHI_RON, RIICHI_TSUMO, Table
from engine.search.dag.sweep.discard_kernels import best_calls, discard_turn, last_discards, list_rons, new_called
from engine.search.dag.sweep.draw_kernels import FIGURES, Odds, close_turn, draw_turn, give_up, kan_turn
from engine.search.dag.sweep.riichi_kernels import (
    choose_riichi,
    list_riichi_wins,
    note_riichi,
    riichi_discards,
    riichi_turn,
    sum_draws,
)
from engine.search.dag.sweep.wait_kernels import Claims, Waits


class Course(NamedTuple):
    """How the turns go.

    Attributes:
        draws: turns to sweep.
        turns: those with others' discards: one fewer than ``draws`` after a kan at the root.
        opponents: how many of them discard between the root and the own draw.
        tail: how many discard after the own last discard.
        levels_besides: levels that kans of the root's own tiles may skip.
        riichi: closed tenpai hands have records in riichi.
        in_riichi: the root is in riichi; ``first_round``: with ippatsu.
        rate, wait_draws, survive, ended, terminal, fold: see :class:`engine.search.dag.model.Turns`.
        kept_ron, kept_tsumo: its ``ippatsu_kept``.
    """

    draws: int
    turns: int
    opponents: int
    tail: int
    levels_besides: int
    riichi: bool
    in_riichi: bool
    first_round: bool
    rate: Array3[np.float64]
    wait_draws: NDArray[np.float64]
    survive: Array2[np.float64]
    ended: Array2[np.float64]
    terminal: NDArray[np.float64]
    fold: NDArray[np.float64]
    kept_ron: float
    kept_tsumo: float


@allocating_part
def sweep_turns(
    graph: Graph,
    waits: Waits,
    claims: Claims,
    odds: Odds,
    table: Table,
    leaf: NDArray[np.float32],
    course: Course,
    toll: NDArray[np.float32],
    plain: Array3[np.float32],
    declared: Array3[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """All turns; ``toll`` is what each node has paid for its discards, and is off its records.

    Fills ``plain[left, root node]`` and ``declared`` (with a riichi now, or in riichi), and ``drawn``, the first node's
    record right before the last of the draws.
    """
    nodes = len(graph.node_out)
    kans = len(graph.kan_node)
    roots = graph.variant_start[1]
    levels = len(graph.level_node) - 1
    draws, tail = course.draws, course.tail
    calls = graph.calls
    rons = len(claims.ron_link)
    record = np.zeros((nodes + kans + rons, FIGURES), np.float32)
    other = np.zeros((nodes + kans + rons, FIGURES), np.float32)
    hands = len(waits.ready)
    later = np.zeros((hands, FIGURES), np.float32)
    fresh = np.full((hands, FIGURES), np.float32(NEVER))
    riichi_drawn = np.zeros((2, hands, FIGURES), np.float32)
    entries = len(waits.link) if course.riichi else 0
    drawn_wins = np.empty((2, entries, 5))
    fed_wins = np.empty((2, entries, 5))
    sums = np.empty((2, 2, hands, 3))
    if course.riichi:
        for late in range(2):
            list_riichi_wins(graph, odds, waits, leaf, RIICHI_TSUMO + late, course.kept_tsumo, drawn_wins[late])
            sum_draws(waits, drawn_wins[late], sums[late])
            if table.ron:
                list_riichi_wins(graph, odds, waits, leaf, RIICHI_RON + late, course.kept_ron, fed_wins[late])
    more = np.empty((kans, FIGURES), np.float32)
    called = new_called(calls + rons)
    list_rons(claims, calls, nodes + kans, leaf, called, record)
    list_rons(claims, calls, nodes + kans, leaf, called, other)
    _at_the_end(waits, course.terminal, toll, nodes, kans, record, other, riichi_drawn)
    for left in range(draws + 1):
        level = min(levels - 1, draws - left + course.levels_besides)
        end = graph.level_node[level + 1]
        while hands and waits.ready[hands - 1] >= end:
            hands -= 1
        asking = tail if left == 0 else 3
        if left and left == draws:
            asking = course.opponents
        lives_riichi = 1.0
        if left:
            # by the last tile of the wall, or, after a kan at the root, by the dead wall's
            last = (left == 1 and tail == 0) or left > course.turns
            draw_turn(graph, odds, leaf, last, level, record, other)
            if len(graph.kan_order):
                kan_turn(graph, odds, leaf, last, level, left > 1, more, record, other)
            if course.riichi:
                riichi_turn(waits, hands, sums[1 if last else 0], course.wait_draws[left], later, riichi_drawn)
            if left == draws:
                for figure in range(FIGURES):
                    drawn[figure] = odds.share[0] * other[0, figure]
                    if course.in_riichi and len(waits.ready) and waits.ready[0] == 0:
                        drawn[figure] = riichi_drawn[0, 0, figure]
            if left > course.turns:
                return
            lives = course.survive[0, left] ** (asking / 3.0)
            lives_riichi = course.survive[1, left] ** (asking / 3.0)
            close_turn(graph, odds, level, lives, course.ended[0, left], toll, other)
            best_calls(graph, level, record, called)
            discard_turn(odds, claims, level, course.rate[0, left], asking, called, record, other)
            swapped = record
            record = other
            other = swapped
        else:
            last_discards(odds, claims, level, course.rate[0, 0], tail, calls, leaf, record)
        for node in range(roots):
            for figure in range(FIGURES):
                plain[left, node, figure] = record[node, figure]
        if course.riichi:
            riichi_discards(
                waits, hands, fed_wins[0 if left else 1], fed_wins[0], course.rate[1, left],
                asking if table.ron else 0, lives_riichi, course.ended[1, left], toll, riichi_drawn, fresh, later,
            )  # fmt: skip
            if left and not course.in_riichi:
                choose_riichi(waits, hands, fresh, record)
            if left and (course.first_round or not course.in_riichi):
                note_riichi(waits, roots, hands, fresh, declared[left])
            elif course.in_riichi:
                note_riichi(waits, roots, hands, later, declared[left])
        if course.fold[left] > NEVER:
            give_up(end, course.fold[left], toll, record)


@part
def _at_the_end(
    waits: Waits,
    terminal: NDArray[np.float64],
    toll: NDArray[np.float32],
    nodes: int,
    kans: int,
    record: NDArray[np.float32],
    other: NDArray[np.float32],
    riichi_drawn: NDArray[np.float32],
) -> None:
    # the records of the exhaustive draw
    for node in range(nodes):
        record[node, 0] = terminal[0] - toll[node]
    for hand in range(len(waits.ready)):
        node = waits.ready[hand]
        record[node, 0] = terminal[1] - toll[node]
        record[node, 2] = 1.0
        riichi_drawn[0, hand, 0] = terminal[2] - toll[node]
        riichi_drawn[0, hand, 2] = 1.0
    for kan in range(nodes, nodes + kans):
        record[kan, 0] = NEVER
        other[kan, 0] = NEVER
