"""Playouts of one hand: each action is played out over the same random walls.

In each go-around one tile is offered for a ron, and one is drawn. The hand discards what keeps it nearest to four sets
and a pair, of equal discards the one that leaves the highest hand score; a closed hand declares riichi as soon as it is
tenpai. Seven pairs and thirteen orphans are aimed at only where the caller says so: a player that takes whatever is
nearest ends up in seven pairs far too often, because every hand is near them and few ever get there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, inlined_part, kernel, part
from engine.model.rules import RIICHI_STICK
from engine.papers.flow.score_kernels import DORA, discard_change
from engine.rules.random_kernels import next_random
from engine.scoring.yaku_kernels import WIN_RIICHI, WIN_TSUMO
from engine.search.win_kernels import Circumstances, win_points
from engine.shanten.shanten_kernels import hand_words, row_word, shanten_of_words, standard_of_words, with_suit
from engine.shanten.table_kernels import HandTables

WINS, POINTS = range(2)
SUMS = 2
"""What is summed over the playouts of an action."""
SILENT, WHEN_TENPAI, NOW = range(3)
"""When a playout declares riichi: never, as soon as it is tenpai after a draw, with the first discard."""


class Playout(NamedTuple):
    """The hand, the actions to play out, room to work in, and the answer.

    Attributes:
        root: concealed tiles before the discard.
        random: uint64[1], state of the random numbers.
        wall: the unseen tiles; each wall is made of the last one.
        draws: own draws left.
        river: kinds on which a ron is furiten, as bits.
        any_form: whether seven pairs and thirteen orphans are aimed at.
        melds: number of melds.
        discards: kind discarded by each action, -1 for none.
        riichi: when each action declares riichi, see SILENT.
        counts: tiles of the hand that is played.
        sums: (actions, SUMS) the answer.
    """

    root: NDArray[np.int64]
    random: NDArray[np.uint64]
    wall: NDArray[np.int64]
    draws: int
    river: int
    any_form: bool
    melds: int
    discards: NDArray[np.int64]
    riichi: NDArray[np.int64]
    counts: NDArray[np.uint8]
    sums: Array2[np.float64]


@kernel("montecarlo", seconds=6.0)
def play_out(play: Playout, table: Circumstances, walls: int, scores: NDArray[np.int16]) -> None:
    """Play every action out over so many walls, and add the results to ``play.sums``."""
    tiles = len(play.wall)
    used = min(2 * play.draws, tiles)
    for _ in range(walls):
        for place in range(used):
            other = place + next_random(play.random, tiles - place)
            kind = play.wall[other]
            play.wall[other] = play.wall[place]
            play.wall[place] = kind
        for action in range(len(play.discards)):
            points = play_action(play, table, action, used // 2, scores)
            play.sums[action, WINS] += points > 0
            play.sums[action, POINTS] += points


@part
def play_action(play: Playout, table: Circumstances, action: int, draws: int, scores: NDArray[np.int16]) -> int:
    """Points gained by one action on the wall as it lies."""
    tables = table.tables[0]
    for kind in range(34):
        play.counts[kind] = play.root[kind]
    river = play.river
    if play.discards[action] >= 0:
        play.counts[play.discards[action]] -= 1
        river |= 1 << play.discards[action]
    declared = play.riichi[action] == NOW
    waits = waits_of(play, tables)
    for turn in range(draws):
        more = WIN_RIICHI if declared else 0
        offered = play.wall[2 * turn]
        if waits >> offered & 1 and not waits & river:
            points = points_with(play, table, offered, more)
            if points:
                return points
        drawn = play.wall[2 * turn + 1]
        if waits >> drawn & 1:
            points = points_with(play, table, drawn, more | WIN_TSUMO)
            if points:
                return points
        if declared:
            river |= 1 << drawn
            continue
        play.counts[drawn] += 1
        discard = best_discard(play, table, scores, tables)
        play.counts[discard] -= 1
        river |= 1 << discard
        if discard != drawn:
            waits = waits_of(play, tables)
        declared = waits != 0 and play.riichi[action] == WHEN_TENPAI and turn + 1 < draws
    return -RIICHI_STICK if declared else 0


@part
def points_with(play: Playout, table: Circumstances, tile: int, more: int) -> int:
    """Points of a win on a tile; 0 without a yaku."""
    play.counts[tile] += 1
    points = win_points(play.counts, tile, more, table)
    play.counts[tile] -= 1
    return points


@part
def away_of(play: Playout, man: int, pin: int, sou: int, honours: int, tables: HandTables) -> int:
    """Shanten to the forms that are aimed at."""
    if play.any_form:
        return shanten_of_words(man, pin, sou, honours, play.melds, tables)
    return standard_of_words(man, pin, sou, honours, 4 - play.melds, tables)


@inlined_part
def away_changed(play: Playout, suit: int, man: int, pin: int, sou: int, honours: int, tables: HandTables) -> int:
    """:func:`away_of` the hand of ``play`` when all words but that of ``suit`` are known."""
    word = row_word(play.counts, suit, tables)
    man, pin, sou, honours = with_suit(suit, word, man, pin, sou, honours)
    return away_of(play, man, pin, sou, honours, tables)


@part
def waits_of(play: Playout, tables: HandTables) -> int:
    """The kinds that complete the hand, as bits."""
    man, pin, sou, honours = hand_words(play.counts, tables)
    if away_of(play, man, pin, sou, honours, tables) != 0:
        return 0
    waits = 0
    for kind in range(34):
        if play.counts[kind] == 4:
            continue
        play.counts[kind] += 1
        away = away_changed(play, kind // 9, man, pin, sou, honours, tables)
        play.counts[kind] -= 1
        waits |= int(away == -1) << kind
    return waits


@part
def best_discard(play: Playout, table: Circumstances, scores: NDArray[np.int16], tables: HandTables) -> int:
    """The discard that leaves the hand nearest to a win, of equal ones that with the highest hand score."""
    man, pin, sou, honours = hand_words(play.counts, tables)
    best = -1
    nearest = 99
    highest = 0
    for kind in range(34):
        if play.counts[kind] == 0:
            continue
        play.counts[kind] -= 1
        away = away_changed(play, kind // 9, man, pin, sou, honours, tables)
        play.counts[kind] += 1
        if away > nearest:
            continue
        score = discard_change(play.counts, kind, scores) - DORA * table.dora[kind]
        if away < nearest or score > highest:
            best = kind
            nearest = away
            highest = score
    return best
