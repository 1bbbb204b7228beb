"""Games in which the events are invented: from the answers of the seats that were asked to their next questions.

:func:`engine.rules.step_kernels.step` says what an event does, this module which event follows: whose claim counts,
when dora are turned, when a hand ends. The order of events is Tenhou's, as recordings show it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Records, allocating_kernel, allocating_part, fetch, kernel, part
from engine.rules.answer_kernels import (
    ANSWERS,
    CHI,
    FIRST_TILE,
    KAN,
    NINE,
    NUMBER,
    OPEN_KAN,
    PASS,
    PON,
    RIICHI,
    SECOND_TILE,
    THE_DRAWN,
    WIN,
    WORD_FIRST,
    WORDS,
)
from engine.rules.code_kernels import (
    ACCEPTED,
    ANKAN,
    DAIMINKAN,
    DISCARD,
    FIRST_AT,
    FROM_AT,
    KAKAN,
    SEAT_AT,
    SECOND_AT,
    THIRD_AT,
)
from engine.rules.code_kernels import CHI as CHI_CODE
from engine.rules.code_kernels import PON as PON_CODE
from engine.rules.legal_kernels import NOTHING, claims, forced_draw, own_turn
from engine.rules.random_kernels import mix, nth_bit
from engine.rules.table_kernels import CALLED, DRAWN, ENDED, IS_CLOSED_KAN
from engine.rules.table_kernels import KAN as AFTER_KAN
from engine.scoring.yaku_kernels import popcount
from engine.shanten.table_kernels import HandTables
from engine.simulator.ending_kernels import end_at_the_wall, end_in_wins, end_without_win, record_win, win_on_offer
from engine.simulator.game_kernels import FOUR_RIICHI, NINE_TERMINALS, TRIPLE_RON, GameTable
from engine.simulator.naming_kernels import holds, holds_named, lowest, pair_of
from engine.simulator.wall_kernels import deal, draw_tile, emit, shuffle, turn_dora

# -- one table ----------------------------------------------------------------------------------------------------


@allocating_part
def advance(table: GameTable, answers: NDArray[np.int64], tables: HandTables) -> None:
    """Carry a table from the answers (4) of the seats asked, all legal, to its next questions or the hand's end."""
    asked = table.asked
    table.asked = 0
    if table.phase in (DRAWN, CALLED):
        _answer_own(table, table.turn, answers[table.turn], tables)
        return
    winners = 0
    number = 0
    caller = -1
    for away in range(1, 4):
        seat = (table.turn + away) & 3
        answer = answers[seat] & NUMBER
        if not asked >> seat & 1 or answer == PASS:
            continue
        if answer == WIN:
            winners |= 1 << seat
            number += 1
        elif answer >= PON or caller < 0:  # a pon or kan counts more than a chi
            caller = seat
    if number == 3:
        end_without_win(table, TRIPLE_RON, winners, tables)
    elif number:
        win_on_offer(table, winners, tables)
    elif table.phase == AFTER_KAN:
        _finish_kan(table, tables)
    else:
        _settle_discard(table, caller, answers[caller], tables)


@allocating_part
def _answer_own(table: GameTable, seat: int, answer: int, tables: HandTables) -> None:
    number = answer & NUMBER
    if number < KAN:
        _discard(table, seat, answer, tables)
    elif number < CHI:
        kind = number - KAN
        tile = (answer >> FIRST_TILE & 255) - 1
        if tile < 0:
            tile = 4 * kind
            while not holds(table, seat, tile):
                tile += 1
        if table.counts[seat, kind] == 4:
            emit(table, ANKAN | seat << SEAT_AT | seat << FROM_AT | tile << FIRST_AT, tables)
            _finish_kan(table, tables)
            return
        giver = 0
        for at in range(table.melds[seat]):
            if table.meld_lows[seat, at] == kind:
                giver = int(table.meld_from[seat, at])
        emit(table, KAKAN | seat << SEAT_AT | giver << FROM_AT | tile << FIRST_AT, tables)
        ask_others(table, tables)
        if not table.asked:
            _finish_kan(table, tables)
    elif number == WIN:
        record_win(table, seat, seat, table.drawn, True, tables)
        end_in_wins(table, tables)
    else:
        end_without_win(table, NINE_TERMINALS, 1 << seat, tables)


@allocating_part
def _discard(table: GameTable, seat: int, answer: int, tables: HandTables) -> None:
    number = answer & NUMBER
    riichi = number >= RIICHI
    look = number - RIICHI if riichi else number
    tile = (answer >> FIRST_TILE & 255) - 1
    tsumogiri = look == THE_DRAWN
    if tsumogiri:
        tile = table.drawn
    elif tile < 0:
        tile = 36 * (look - 34) + 16 if look >= 34 else lowest(table, seat, look, False, table.drawn)
    turn_dora(table, 0, tables)
    flags = int(tsumogiri) | int(riichi) << 1
    emit(table, DISCARD | seat << SEAT_AT | tile << FIRST_AT | flags << SECOND_AT, tables)
    ask_others(table, tables)
    if not table.asked:
        _settle_discard(table, -1, PASS, tables)


@allocating_part
def ask_others(table: GameTable, tables: HandTables) -> None:
    """Ask whoever may claim the tile on offer."""
    forced = forced_draw(table)
    asked = 0
    for away in range(1, 4):
        seat = (table.turn + away) & 3
        if claims(table, seat, forced, table.legal[seat], tables):
            asked |= 1 << seat
    table.asked = asked


@allocating_part
def _finish_kan(table: GameTable, tables: HandTables) -> None:
    """Turn the dora owed for earlier kans, and the own one of a closed kan, and draw."""
    seat = table.turn
    closed = table.meld_kinds[seat, table.melds[seat] - 1] == IS_CLOSED_KAN and table.offered < 0
    turn_dora(table, 0 if closed else 1, tables)
    draw_tile(table, seat, tables)


@allocating_part
def _settle_discard(table: GameTable, caller: int, answer: int, tables: HandTables) -> None:
    """What follows a discard that nobody won on: a call of ``caller``, if it is a seat, an aborted hand, or a draw."""
    giver = table.turn
    if table.declared >= 0:
        emit(table, ACCEPTED | giver << SEAT_AT, tables)
    if caller >= 0:
        _take_call(table, caller, answer, tables)
        return
    forced = forced_draw(table)
    if forced != NOTHING:
        end_without_win(table, FOUR_RIICHI - 1 + forced, 15 if forced == 1 else 0, tables)
    elif table.wall == 0:
        end_at_the_wall(table, tables)
    else:
        draw_tile(table, (giver + 1) & 3, tables)


@allocating_part
def _take_call(table: GameTable, seat: int, answer: int, tables: HandTables) -> None:
    number = answer & NUMBER
    giver = table.turn
    code = seat << SEAT_AT | giver << FROM_AT | table.offered << FIRST_AT
    if number == OPEN_KAN:
        kind = table.offered >> 2
        low = 4 * kind + int(table.offered == 4 * kind)
        high = low + 1 + int(table.offered == low + 1)
        emit(table, DAIMINKAN | code | low << SECOND_AT | high << THIRD_AT, tables)
        _finish_kan(table, tables)
        return
    first = (answer >> FIRST_TILE & 255) - 1
    second = (answer >> SECOND_TILE & 255) - 1
    pair = pair_of(table, seat, number, first, second)
    what = CHI_CODE if number < PON else PON_CODE
    emit(table, what | code | (pair & 255) << SECOND_AT | (pair >> 8) << THIRD_AT, tables)
    own_turn(table, table.legal[seat], tables)
    table.asked = 1 << seat


# -- many tables ---------------------------------------------------------------------------------------------------


@part
def _word_of(number: int) -> int:
    """The bit set in which an answer stands."""
    word = 0
    while word < WORDS - 1 and number >= WORD_FIRST[word + 1]:
        word += 1
    return word


class Questions(NamedTuple):
    """Who has to answer, and what is legal: question i is asked of ``seats[i]`` at ``tables[i]``.

    Attributes:
        tables, seats: (n,); the questions of a table stand side by side.
        legal: (n, WORDS), the legal answers, see :mod:`engine.rules.answer_kernels`.
    """

    tables: NDArray[np.int64]
    seats: NDArray[np.int64]
    legal: Array2[np.int64]


@part
def _ask(table: GameTable, place: int, asked: Questions, at: int) -> int:
    """Write a table's questions from row ``at`` on; the row after them."""
    for seat in range(4):
        if table.asked >> seat & 1:
            asked.tables[at] = place
            asked.seats[at] = seat
            for word in range(WORDS):
                asked.legal[at, word] = table.legal[seat, word]
            at += 1
    return at


@kernel("simulator", seconds=0.3)
def list_questions(games: Records[GameTable], asked: Questions) -> int:
    """Write the questions of all tables; how many there are."""
    found = 0
    for place in range(len(games)):
        found = _ask(games[place], place, asked, found)
    return found


@kernel("research", seconds=0.3)
def fill_masks(asked: Questions, masks: Array2[np.bool_]) -> None:
    """Write (n, ANSWERS) which answers are legal."""
    for at in range(len(masks)):
        for word in range(WORDS):
            first = WORD_FIRST[word]
            last = WORD_FIRST[word + 1] if word + 1 < WORDS else ANSWERS
            for number in range(first, last):
                masks[at, number] = asked.legal[at, word] >> (number - first) & 1 != 0


@kernel("simulator", seconds=0.4)
def first_illegal(games: Records[GameTable], asked: Questions, answers: NDArray[np.int64]) -> int:
    """The number of the first question whose answer is not legal, or -1."""
    for at in range(len(answers)):
        number = answers[at] & NUMBER
        if answers[at] < 0 or answers[at] >> 24 or number > NINE:
            return at
        word = _word_of(number)
        if not asked.legal[at, word] >> (number - WORD_FIRST[word]) & 1:
            return at
        if answers[at] > NUMBER and not holds_named(games[asked.tables[at]], asked.seats[at], answers[at]):
            return at
    return -1


@kernel("simulator", seconds=0.4)
def shuffle_all(games: Records[GameTable], which: NDArray[np.int64]) -> None:
    """Let some tables shuffle their tiles, each with its own generator."""
    for place in which:
        shuffle(games[place])


@allocating_kernel("simulator", seconds=17.0)
def play_on(
    games: Records[GameTable],
    dealt: NDArray[np.int64],
    answered: Questions,
    answers: NDArray[np.int64],
    asked: Questions,
    at: int,
    ended: NDArray[np.int64],
    tables: Records[HandTables],
) -> tuple[int, int]:
    """Deal at some tables, and carry others from their answers to their next questions or to the end of the hand.

    Both in one kernel, because most of what each calls is the other's too, and would be compiled twice.

    Args:
        games: the tables.
        dealt: the tables at which a hand is dealt, from the tiles as they lie.
        answered: the questions that are answered; all of a table.
        answers: legal answers to them.
        asked: where to write the questions that follow, from row ``at`` on.
        at: see above.
        ended: where to write the tables whose hands ended.
        tables: of shanten and scoring.

    Returns:
        The row after the last question, and the number of tables whose hands ended.
    """
    for place in dealt:
        deal(games[place], tables[0])
        at = _ask(games[place], place, asked, at)
    given = np.zeros(4, np.int64)
    over = 0
    row = 0
    while row < len(answers):
        place = answered.tables[row]
        table = games[place]
        while row < len(answers) and answered.tables[row] == place:
            given[answered.seats[row]] = answers[row]
            row += 1
        if row < len(answers):
            fetch(games, answered.tables[row])
        advance(table, given, tables[0])
        at = _ask(table, place, asked, at)
        if table.phase == ENDED:
            ended[over] = place
            over += 1
    return at, over


@kernel("simulator", seconds=0.4)
def answer_randomly(asked: Questions, seed: int, answers: NDArray[np.int64]) -> None:
    """Write a random legal answer to each question, each as likely; it depends on seed, table and seat."""
    for at in range(len(answers)):
        number = 0
        for word in range(WORDS):
            number += popcount(asked.legal[at, word])
        pick = mix(seed, asked.tables[at] << 2 | asked.seats[at]) % number
        for word in range(WORDS):
            here = popcount(asked.legal[at, word])
            if pick < here:
                answers[at] = WORD_FIRST[word] + nth_bit(asked.legal[at, word], pick)
                break
            pick -= here
