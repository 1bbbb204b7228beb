"""How a simulated hand ends: who won what, what is paid, and which hand follows."""

from engine._jit import allocating_part, part
from engine.model.bounds import HONBA
from engine.rules.code_kernels import FROM_AT, NO_WIN, SEAT_AT
from engine.rules.code_kernels import WIN as WIN_CODE
from engine.rules.course_kernels import OVER, next_kyoku, settle_sticks
from engine.rules.table_kernels import is_nagashi, is_red
from engine.rules.win_kernels import base_of, win_answer
from engine.scoring.payment_kernels import (
    liable_seat,
    pay_nagashi,
    pay_noten,
    pay_win,
    result_tenths,
    total_points,
)
from engine.scoring.win_kernels import YAKU_BITS
from engine.shanten.table_kernels import HandTables
from engine.simulator.game_kernels import EXHAUSTIVE, NAGASHI, RON, TSUMO, GameTable
from engine.simulator.wall_kernels import emit, ura_of

MOST_HONBA = HONBA.high
"""Where they stop being counted."""


@allocating_part
def win_on_offer(table: GameTable, winners: int, tables: HandTables) -> None:
    """End the hand with the winners, a bit set, on the tile on offer."""
    giver = table.turn
    table.declared = -1  # a riichi whose discard is won on is not paid
    for away in range(1, 4):
        seat = (giver + away) & 3
        if winners >> seat & 1:
            record_win(table, seat, giver, table.offered, False, tables)
    end_in_wins(table, tables)


@allocating_part
def record_win(table: GameTable, seat: int, giver: int, tile: int, tsumo: bool, tables: HandTables) -> None:
    """Score a win and what it pays; the first winner on a tile gets honba and sticks."""
    at = table.wins
    ura = ura_of(table) if table.riichi[seat] else 0
    answer, bonus, flags, is_open = win_answer(table, seat, tile >> 2, is_red(table, tile), tsumo, ura, tables)
    base = base_of(answer, is_open, bonus, table.kiriage != 0)
    pao = liable_seat(
        answer & YAKU_BITS,
        table.melds[seat],
        table.meld_kinds[seat],
        table.meld_lows[seat],
        table.meld_from[seat],
        giver,
    )
    first = at == 0
    deltas = table.win_deltas[at]
    pay_win(
        base, seat, giver, table.dealer, table.honba if first else 0, table.sticks if first else 0, pao,
        table.honba_points, deltas,
    )  # fmt: skip
    table.win_seats[at], table.win_froms[at], table.win_tiles[at] = seat, giver, tile
    table.win_answers[at], table.win_bonuses[at], table.win_flags[at] = answer, bonus, flags
    table.win_points[at] = total_points(base, seat == table.dealer, tsumo)
    table.win_paos[at] = pao
    for other in range(4):
        table.deltas[other] += deltas[other]
    table.wins += 1


@allocating_part
def end_in_wins(table: GameTable, tables: HandTables) -> None:
    """End the hand with the wins that have been recorded."""
    for at in range(table.wins):
        emit(table, WIN_CODE | table.win_seats[at] << SEAT_AT | table.win_froms[at] << FROM_AT, tables)
    dealer_won = False
    for at in range(table.wins):
        dealer_won |= table.win_seats[at] == table.dealer
    table.ending = TSUMO if table.win_seats[0] == table.win_froms[0] else RON
    for seat in range(4):
        table.scores[seat] += table.deltas[seat]
    table.sticks = 0
    _go_on(table, dealer_won, False, False)


@allocating_part
def end_without_win(table: GameTable, ending: int, shown: int, tables: HandTables) -> None:
    """Abort the hand; ``shown``: bit set of the seats that show theirs."""
    table.ending = ending
    table.shown = shown
    emit(table, NO_WIN, tables)
    _go_on(table, True, True, True)


@allocating_part
def end_at_the_wall(table: GameTable, tables: HandTables) -> None:
    """End the hand because the wall is empty."""
    tenpai = 0
    nagashi = 0
    for seat in range(4):
        tenpai |= int(table.waits[seat] != 0) << seat
        nagashi |= int(is_nagashi(table, seat)) << seat
    if nagashi:
        pay_nagashi(nagashi, table.dealer, table.deltas)
    else:
        pay_noten(tenpai, table.deltas)
    table.ending = NAGASHI if nagashi else EXHAUSTIVE
    table.shown = tenpai
    emit(table, NO_WIN, tables)
    for seat in range(4):
        table.scores[seat] += table.deltas[seat]
    _go_on(table, tenpai >> table.dealer & 1 != 0, True, False)


@part
def _go_on(table: GameTable, dealer_stays: bool, drawn: bool, aborted: bool) -> None:
    """Name the next hand, or end the game; :func:`deal` deals it."""
    table.asked = 0
    kyoku = next_kyoku(table.last_kyoku, table.return_points, table.kyoku, table.scores, dealer_stays, aborted)
    table.next_honba = min(table.honba + 1, MOST_HONBA) if dealer_stays or drawn else 0
    table.next_kyoku = kyoku
    if kyoku == OVER:
        settle_sticks(table.scores, table.sticks)
        result_tenths(table.scores, table.uma, table.return_points, False, table.results)
        table.over = 1
