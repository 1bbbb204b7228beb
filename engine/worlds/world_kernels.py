"""Hidden tiles put on tables of the simulator, which then stand as if they had been dealt so."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, allocating_part
from engine.rules.legal_kernels import own_turn
from engine.rules.table_kernels import CALLED, DRAWN, stance_of, take
from engine.shanten.shanten_kernels import hand_shanten
from engine.shanten.table_kernels import HandTables
from engine.simulator.game_kernels import GameTable
from engine.simulator.play_kernels import ask_others
from engine.simulator.position_kernels import hold_anew, is_covered
from engine.simulator.wall_kernels import mix_up


@allocating_kernel("worlds", seconds=6.0)
def fill_worlds(
    games: Records[GameTable],
    viewer: int,
    unseen: NDArray[np.uint8],
    hidden: Array3[np.uint8],
    odds: NDArray[np.float32],
    weights: NDArray[np.float32],
    tables: Records[HandTables],
) -> None:
    """Put hands and a wall on tables that show what one seat sees, and ask whoever has to answer.

    Args:
        games: the tables; each shuffles for itself.
        viewer: the seat.
        unseen: the tiles that it has not seen, ``tile136``.
        hidden: (n, 3, 34), how many of each kind the others hold, counted from the one on the right.
        odds: (3,), by stance, what a hand that is tenpai weighs beside one that is not.
        weights: (n,) is filled: the product of these; 0 if somebody in riichi is not tenpai, or has passed a tile that
            it could win on.
        tables: of shanten and scoring.
    """
    for at in range(len(games)):
        weights[at] = _fill(games[at], viewer, unseen, hidden[at], odds, tables[0])


@allocating_kernel("worlds", seconds=2.0)
def fill_tenpai(hands: Array2[np.uint8], tables: Records[HandTables], makes: Array2[np.bool_]) -> None:
    """Fill ``makes`` (n, 34): with which kinds the hands (n, 34), a tile short of 13 - 3k, are tenpai."""
    for at in range(len(hands)):
        tiles = 0
        for kind in range(34):
            tiles += int(hands[at, kind])
        for kind in range(34):
            if hands[at, kind] < 4:
                hands[at, kind] += 1
                makes[at, kind] = hand_shanten(hands[at], (12 - tiles) // 3, tables[0]) == 0
                hands[at, kind] -= 1


@allocating_part
def _fill(
    table: GameTable,
    viewer: int,
    unseen: NDArray[np.uint8],
    hidden: Array2[np.uint8],
    odds: NDArray[np.float32],
    tables: HandTables,
) -> float:
    mixed = unseen.copy()
    mix_up(table, mixed, len(mixed))
    wanted = hidden.copy()
    place = 0
    for tile in mixed:
        kind = tile >> 2
        away = 0
        while away < 3 and wanted[away, kind] == 0:
            away += 1
        if away < 3:
            wanted[away, kind] -= 1
            take(table, (viewer + 1 + away) & 3, int(tile))
            continue
        while place < 136 and not is_covered(table, place):
            place += 1
        table.tiles[place] = tile
        place += 1
    weight = 1.0
    for away in range(1, 4):
        seat = (viewer + away) & 3
        hold_anew(table, seat, tables)
        if table.waits[seat]:
            weight *= odds[stance_of(table, seat)]
        if (table.riichi[seat] or table.declared == seat) and (not table.waits[seat] or table.furiten_riichi[seat]):
            weight = 0.0
    if table.phase in (DRAWN, CALLED):
        own_turn(table, table.legal[viewer], tables)
        table.asked = 1 << viewer
    else:
        ask_others(table, tables)
    return weight
