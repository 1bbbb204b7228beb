"""The recurrences over the turns, backwards, for all nodes at once; those of hands in riichi have two records more.

``record`` is float32[nodes + kans + rons, 4]: utility, P(win), P(tenpai at the end), points times P(win), of having
discarded into the node with ``left`` own draws to come; the policy looks at the first only, the others follow it.
Behind the nodes stand those with a kan, right before the dead wall's tile, then wins on discards. One turn more:

1. every 14-tile node takes its best and hands it to the nodes from which a draw leads there (``draw_kernels``);
2. calls take their best discard, and the three opponents discard one after another, where a node has something to
   call or to win on (``discard_kernels``);
3. closed tenpai hands compare with a riichi: two records more a hand, for the go-around right after it and for all
   later ones. Wins are taken when they come, everything else is discarded as it is drawn.

A node of level k takes k draws or calls to reach: with fewer than k turns gone it is left out.

Example: a hand waits on eight of 100 tiles, a win brings 8,000, and the others do nothing. With no draw left it is
worth its tenpai payment, say 1,000; with one left 0.08 * 8,000 + 0.92 * 1,000 = 1,560; with two 0.08 * 8,000 + 0.92 *
1,560 = 2,075. If the root has three draws left, a hand of level 2 is left out while more than one of them is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Array4, allocating_part, part
from engine.search.dag.discard_kernels import best_calls, discard_turn, last_discards, list_rons, new_called
from engine.search.dag.draw_kernels import FIGURES, Odds, close_turn, draw_turn, give_up, kan_turn
from engine.search.dag.graph_kernels import WEIGHT, Graph
from engine.search.dag.leaf_kernels import NEVER, RIICHI_RON, RIICHI_TSUMO, Table
from engine.search.dag.wait_kernels import Claims, Waits


@part
def list_riichi_wins(
    graph: Graph,
    odds: Odds,
    waits: Waits,
    kinds: NDArray[np.float64],
    leaf: NDArray[np.float32],
    base: int,
    kept: float,
    wins: NDArray[np.float64],
) -> None:
    """What the wins in riichi are worth, in the order of ``waits.link``: a loop over turns then reads them in line.

    ``kinds``: how often each kind comes, relative to its share of the unseen tiles.

    ``wins`` gets five figures each: the chance to draw the tile; that times utility and points in later go-arounds,
    with ippatsu never there; and the same in the one right after the declaration, when it still is with the chance
    ``kept``. ``base`` is the column of the wins.
    """
    start, links, win_link = waits.start, waits.link, graph.win_link
    for hand in range(len(waits.ready)):
        share = odds.share[waits.ready[hand]] if waits.closed[hand] else np.float32(0.0)
        for entry in range(start[hand], start[hand + 1]):
            link = links[entry]
            p = (win_link[link] & WEIGHT) * share * kinds[waits.kind[entry]]
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


class Locked(NamedTuple):
    """The records of the tenpai hands in riichi, at one moment of a turn.

    Attributes:
        drawn: ``[new, hand]``, before the own draw; ``new``: 1 in the go-around right after the declaration.
        fresh: before the others' discards right after the declaration.
        later: before those of any other turn.
    """

    drawn: NDArray[np.float32]
    fresh: NDArray[np.float32]
    later: NDArray[np.float32]


@part
def riichi_discards(
    waits: Waits,
    hands: int,
    last_wins: NDArray[np.float64],
    wins: NDArray[np.float64],
    rate: Array2[np.float64],
    opponents: int,
    survive: float,
    ended: float,
    toll: NDArray[np.float32],
    locked: Locked,
) -> None:
    """Others' discards: ``fresh`` and ``later`` become the records before them, from those of ``drawn[new]``.

    ``last_wins`` are those on the discard of the last of them, ``wins`` those on the others'; as of
    :func:`list_riichi_wins`.
    """
    drawn, fresh, later = locked.drawn, locked.fresh, locked.later
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
        for opponent in range(opponents):
            _riichi_discard(waits, hand, wins if opponent else last_wins, rate, opponent, fresh, later)


@part
def _riichi_discard(
    waits: Waits,
    hand: int,
    wins: NDArray[np.float64],
    rate: Array2[np.float64],
    opponent: int,
    fresh: NDArray[np.float32],
    later: NDArray[np.float32],
) -> None:
    # one opponent's discard
    hit = 0.0
    gain = 0.0
    paid = 0.0
    new_gain = 0.0
    new_paid = 0.0
    for entry in range(waits.start[hand], waits.start[hand + 1]):
        often = rate[opponent, waits.kind[entry]]
        hit += often * wins[entry, 0]
        gain += often * wins[entry, 1]
        paid += often * wins[entry, 2]
        new_gain += often * wins[entry, 3]
        new_paid += often * wins[entry, 4]
    passed = 1.0 - hit
    later[hand, 0] = passed * later[hand, 0] + gain
    later[hand, 1] = passed * later[hand, 1] + hit
    later[hand, 2] = passed * later[hand, 2]
    later[hand, 3] = passed * later[hand, 3] + paid
    fresh[hand, 0] = passed * fresh[hand, 0] + new_gain
    fresh[hand, 1] = passed * fresh[hand, 1] + hit
    fresh[hand, 2] = passed * fresh[hand, 2]
    fresh[hand, 3] = passed * fresh[hand, 3] + new_paid


@part
def choose_riichi(
    waits: Waits, silent: int, hands: int, fresh: NDArray[np.float32], record: NDArray[np.float32]
) -> None:
    """Closed tenpai nodes declare riichi where that is worth more, but for the first ``silent`` nodes."""
    for hand in range(hands):
        if waits.closed[hand] and waits.ready[hand] >= silent and fresh[hand, 0] > record[waits.ready[hand], 0]:
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
        stays_silent: a hand that the root's discard leaves tenpai and silent declares no riichi until it has changed.
        rate, draw_kinds, draw_scale, survive, ended, terminal, fold: see :class:`engine.search.dag.model.Turns`.
        kept_ron, kept_tsumo: its ``ippatsu_kept``.
    """

    draws: int
    turns: int
    opponents: int
    tail: int
    levels_besides: int
    riichi: bool
    in_riichi: bool
    stays_silent: bool
    first_round: bool
    rate: Array4[np.float64]
    draw_kinds: Array2[np.float64]
    draw_scale: Array2[np.float64]
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
    alike = np.ones(34)
    if course.riichi:
        for late in range(2):
            list_riichi_wins(
                graph, odds, waits, course.draw_kinds[1], leaf, RIICHI_TSUMO + late, course.kept_tsumo, drawn_wins[late]
            )
            sum_draws(waits, drawn_wins[late], sums[late])
            if table.ron:
                list_riichi_wins(graph, odds, waits, alike, leaf, RIICHI_RON + late, course.kept_ron, fed_wins[late])
    more = np.empty((kans, FIGURES), np.float32)
    called = new_called(calls + rons)
    list_rons(claims, calls, nodes + kans, leaf, called, record)
    list_rons(claims, calls, nodes + kans, leaf, called, other)
    _at_the_end(waits, course, toll, nodes, kans, record, other, riichi_drawn)
    for left in range(draws + 1):
        level = min(levels - 1, draws - left + course.levels_besides)
        end = graph.level_node[level + 1]
        while hands and waits.ready[hands - 1] >= end:
            hands -= 1
        asking = tail if left == 0 else 3
        if left and left == draws:
            asking = course.opponents
        lives_riichi = course.survive[1, min(left, course.turns)] ** (asking / 3.0)  # a kan's own draw has no turn
        if left:
            # by the last tile of the wall, or, after a kan at the root, by the dead wall's
            last = (left == 1 and tail == 0) or left > course.turns
            scale = course.draw_scale[0, left]
            draw_turn(graph, odds, scale, leaf, last, level, record, other)
            if len(graph.kan_order):
                kan_turn(graph, odds, scale, leaf, last, level, left > 1, more, record, other)
            if course.riichi:
                riichi_turn(waits, hands, sums[1 if last else 0], course.draw_scale[1, left], later, riichi_drawn)
            if left == draws:
                for figure in range(FIGURES):
                    drawn[figure] = odds.share[0] * np.float32(scale) * other[0, figure]
                    if course.in_riichi and len(waits.ready) and waits.ready[0] == 0:
                        drawn[figure] = riichi_drawn[0, 0, figure]
            if left > course.turns:
                return
            lives = course.survive[0, left] ** (asking / 3.0)
            close_turn(graph, odds, scale, level, lives, course.ended[0, left], toll, other)
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
                asking if table.ron else 0, lives_riichi, course.ended[1, left], toll,
                Locked(riichi_drawn, fresh, later),
            )  # fmt: skip
            if left and not course.in_riichi:
                choose_riichi(waits, roots if course.stays_silent else 0, hands, fresh, record)
            if left and (course.first_round or not course.in_riichi):
                note_riichi(waits, roots, hands, fresh, declared[left])
            elif course.in_riichi:
                note_riichi(waits, roots, hands, later, declared[left])
        if course.fold[left] > NEVER:
            give_up(end, course.fold[left], toll, record)


@part
def _at_the_end(
    waits: Waits,
    course: Course,
    toll: NDArray[np.float32],
    nodes: int,
    kans: int,
    record: NDArray[np.float32],
    other: NDArray[np.float32],
    riichi_drawn: NDArray[np.float32],
) -> None:
    # the records of the exhaustive draw, unless one of those who discard after the last own discard ends the hand
    # before it; in riichi that is added with the others' discards
    lives = course.survive[0, 0] ** (course.tail / 3.0)
    lost = (1.0 - lives) * course.ended[0, 0]
    for node in range(nodes):
        record[node, 0] = lives * course.terminal[0] + lost - toll[node]
    for hand in range(len(waits.ready)):
        node = waits.ready[hand]
        record[node, 0] = lives * course.terminal[1] + lost - toll[node]
        record[node, 2] = lives
        riichi_drawn[0, hand, 0] = course.terminal[2] - toll[node]
        riichi_drawn[0, hand, 2] = 1.0
    for kan in range(nodes, nodes + kans):
        record[kan, 0] = NEVER
        other[kan, 0] = NEVER
