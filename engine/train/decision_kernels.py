"""Recorded decisions of all four seats as rows to learn from: what a seat knew, might do, and did.

A row is a turn of the seat's own or another's tile that it could call. What is left out: decisions in which the
hand was won (wins are always taken), those whose answer nobody knows because another claimed first, and those with
one answer.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, allocating_part, part
from engine.networks import imitation_layout_kernels as layout
from engine.networks.imitation_input_kernels import fill_question, write_inputs_of
from engine.rules import code_kernels as codes
from engine.rules.answer_kernels import WORDS
from engine.rules.legal_kernels import NOTHING, claims, own_turn
from engine.rules.moment_kernels import K_FIRST_EVENT, Games, Moment, Moments, play_hand
from engine.rules.random_kernels import mix
from engine.rules.table_kernels import CALLED, DISCARDED, DRAWN, WAS_RIICHI, holds_red, is_red
from engine.shanten.table_kernels import HandTables

D_HAND, D_EVENT, D_SEAT, D_WHO, D_ANSWER, D_RED = range(6)
"""Columns of ``Decisions.info``: row of the recordings' ``kyoku``; number of the event in the hand; the seat; who
plays it; the answer, an A_ number; whether of a kind with both fives the red one went, -1 where there was no choice."""
DECISION_INFO = 6


class Decisions(NamedTuple):
    """Rows side by side; n of them.

    Attributes:
        planes: (n, 34, PLANES) uint8.
        numbers: (n, GLOBALS) uint8.
        questions: (n, QUESTION) int64.
        info: (n, DECISION_INFO) int32, see the D_ names.
    """

    planes: Array3[np.uint8]
    numbers: Array2[np.uint8]
    questions: Array2[np.int64]
    info: Array2[np.int32]


@allocating_kernel()
def collect_decisions(
    games: Games,
    which: NDArray[np.int64],
    who: Array2[np.int64],
    keep: Array2[np.int64],
    seed: int,
    tables: Records[HandTables],
    moments: Moments,
    rows: Decisions,
) -> tuple[int, int]:
    """Play hands and write rows until the rows are full or the hands are through.

    Args:
        games: the recordings.
        which: rows of ``kyoku`` to play, in this order.
        who: (hands, 4) WHO_ numbers by seat.
        keep: (4, 2) of 1 000 000 decisions so many are kept: a row for each WHO_ number, own turns and answers.
        seed: of the choice.
        tables: the tables of hands.
        moments: room for those of one hand.
        rows: where to write.

    Returns:
        How many rows were written, and how many hands were played whole.
    """
    n = 0
    full = len(rows.planes) - 300  # no hand has more decisions than that
    question = np.empty(layout.QUESTION, np.int64)
    legal = np.empty(WORDS, np.int64)
    own = 1 << codes.DISCARD | 1 << codes.ANKAN | 1 << codes.KAKAN | 1 << codes.NO_WIN
    for done in range(len(which)):
        if n > full:
            return n, done
        hand = which[done]
        for at in range(play_hand(games, hand, own, 1 << codes.DISCARD, tables[0], moments, 0)):
            moment = moments.records[at]
            if moment.phase == DISCARDED:
                following = _following(games, moment)
                n = _write_answers(moment, following, who[hand], keep, seed, question, legal, tables[0], rows, n)
            elif moment.phase in (DRAWN, CALLED):
                random = mix(seed, (hand << 10) + moment.number)
                player = who[hand, moment.turn]
                if random % 1000000 < keep[player, 0]:
                    own_turn(moment, legal, tables[0])
                    fill_question(moment, moment.turn, legal, player, question)
                    answer, red = _own_answer(moment, question)
                    if answer >= 0 and _choices(question) > 1:
                        _write_row(moment, moment.turn, moment.number, question, answer, red, tables[0], rows, n)
                        n += 1
    return n, len(which)


@part
def _choices(question: NDArray[np.int64]) -> int:
    """Answers there are, at most two counted."""
    found = int(question[layout.Q_NINE] != 0)
    for column in (layout.Q_DISCARDS, layout.Q_KANS, layout.Q_RIICHI):
        mask = question[column]
        found += int(mask != 0) + int(mask & (mask - 1) != 0)
    return found


@allocating_part
def _write_row(
    moment: Moment,
    seat: int,
    number: int,
    question: NDArray[np.int64],
    answer: int,
    red: int,
    tables: HandTables,
    rows: Decisions,
    n: int,
) -> None:
    write_inputs_of(moment, seat, question, tables, rows.planes[n], rows.numbers[n])
    rows.questions[n] = question
    info = rows.info[n]
    info[D_HAND], info[D_EVENT], info[D_SEAT], info[D_WHO] = moment.row, number, seat, question[layout.Q_WHO]
    info[D_ANSWER], info[D_RED] = answer, red


@part
def _own_answer(moment: Moment, question: NDArray[np.int64]) -> tuple[int, int]:
    """What a seat did in its own turn.

    Returns:
        The answer, an A_ number, or -1 where it is not to be learned from; the choice of a red five, see D_RED.
    """
    code = moment.code
    what = code & codes.TYPE
    seat = moment.turn
    tile = code >> codes.FIRST_AT & 255
    kind = tile >> 2
    if what == codes.NO_WIN:
        return (layout.A_NINE if question[layout.Q_NINE] else -1), -1
    if what != codes.DISCARD:
        return (layout.A_KANS + kind if question[layout.Q_KANS] >> kind & 1 else -1), -1
    red = -1
    if kind < 27 and kind % 9 == 4 and moment.counts[seat, kind] > 1 and not moment.riichi[seat]:
        red = int(is_red(moment, tile)) if holds_red(moment, seat, kind // 9) else -1
    if code >> codes.SECOND_AT & WAS_RIICHI:
        return (layout.A_RIICHI + kind if question[layout.Q_RIICHI] >> kind & 1 else -1), red
    return (kind if question[layout.Q_DISCARDS] >> kind & 1 else -1), red


@part
def _call_of(code: int) -> int:
    """The CALL_ answer that a recorded call is."""
    what = code & codes.TYPE
    if what == codes.PON:
        return layout.CALL_PON
    if what == codes.DAIMINKAN:
        return layout.CALL_KAN
    called = (code >> codes.FIRST_AT & 255) >> 2
    low = min(called, (code >> codes.SECOND_AT & 255) >> 2, (code >> codes.THIRD_AT & 255) >> 2)
    return layout.CALL_LOW + called - low


@part
def _following(games: Games, moment: Moment) -> int:
    """The event that answers the discard just made: the next but for an accepted riichi and a new indicator."""
    at = games.kyoku[moment.row, K_FIRST_EVENT] + moment.number
    while games.events[at] & codes.TYPE in (codes.ACCEPTED, codes.NEW_DORA):
        at += 1
    return int(games.events[at])


@allocating_part
def _write_answers(
    moment: Moment,
    following: int,
    who: NDArray[np.int64],
    keep: Array2[np.int64],
    seed: int,
    question: NDArray[np.int64],
    legal: NDArray[np.int64],
    tables: HandTables,
    rows: Decisions,
    n: int,
) -> int:
    """Write a row for each seat that could call the discard just made; how many rows there are then."""
    what = following & codes.TYPE
    called = what in (codes.CHI, codes.PON, codes.DAIMINKAN)
    if what != codes.DRAW and not called:
        return n
    number = moment.number - 1  # of the discard
    random = mix(seed, (moment.row << 10) + number)
    for away in range(1, 4):
        seat = (moment.turn + away) & 3
        player = who[seat]
        random = mix(random, away)
        if random % 1000000 >= keep[player, 1] or not claims(moment, seat, NOTHING, legal, tables):
            continue
        fill_question(moment, seat, legal, player, question)
        calls = question[layout.Q_CALLS]
        if not calls:
            continue
        answer = layout.A_PASS
        if called and following >> codes.SEAT_AT & 3 == seat:
            call = _call_of(following)
            if not calls >> call & 1:
                continue
            answer = layout.A_CALLS + call
        elif called and not (what == codes.CHI and calls >> layout.CALL_PON & 3):
            continue  # it may have called in vain
        _write_row(moment, seat, number, question, answer, -1, tables, rows, n)
        n += 1
    return n
