"""Recorded decisions of all four seats as rows to learn from: what a seat knew, might do, and did.

A row is a turn of the seat's own or another's tile that it could call. What is left out: decisions in which the
hand was won (wins are always taken), those whose answer nobody knows because another claimed first, and those with
one answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, allocating_kernel, allocating_part, part
from engine.model.tiles import TERMINALS_AND_HONOURS
from engine.opponents.view_kernels import F_IPPATSU, F_RIICHI, F_SCORES, F_WALL, M_KIND, M_LOW
from engine.prior.answer_kernels import A_CALLS, A_KANS, A_NINE, A_PASS, A_RIICHI
from engine.prior.input_kernels import fill_inputs
from engine.prior.layout_kernels import (
    CALL_HIGH,
    CALL_KAN,
    CALL_LOW,
    CALL_MIDDLE,
    CALL_PON,
    Q_CALLS,
    Q_DISCARDS,
    Q_DRAWN,
    Q_GIVER,
    Q_KANS,
    Q_NINE,
    Q_OFFERED,
    Q_RIICHI,
    Q_WHO,
    QUESTION,
)
from engine.shanten.shanten_kernels import NOT_HELD, TILES_OK, neighbour_shanten
from engine.train.event_kernels import (
    ACCEPTED,
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAW,
    FIRST_AT,
    KAKAN,
    NEW_DORA,
    NO_WIN,
    PON,
    SECOND_AT,
    THIRD_AT,
    TYPE,
)
from engine.train.event_kernels import SEAT_AT as SEAT_BITS
from engine.train.moment_kernels import AFTER_KAN, UNINTERRUPTED, Table, deal, look, step
from engine.train.sample_kernels import mix

_OUTER = np.array(TERMINALS_AND_HONOURS, np.int64)

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


@allocating_kernel
def collect_decisions(
    table: Table,
    which: NDArray[np.int64],
    kyoku: Array2[np.int32],
    hands: Array3[np.uint8],
    events: NDArray[np.uint32],
    who: NDArray[np.int64],
    keep: NDArray[np.int64],
    seed: int,
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    rows: Decisions,
) -> tuple[int, int]:
    """Play hands and write rows until the rows are full or the hands are through.

    Args:
        table: any; it is cleared.
        which: rows of ``kyoku`` to play, in this order.
        kyoku: of the recordings.
        hands: of the recordings.
        events: of the recordings.
        who: (hands, 4) WHO_ numbers by seat.
        keep: (4, 2) of 1 000 000 decisions so many are kept: a row for each WHO_ number, own turns and answers.
        seed: of the choice.
        words: table of shanten and scoring.
        merge: table of shanten.
        firsts: table of scoring.
        readings: table of scoring.
        rows: where to write.

    Returns:
        How many rows were written, and how many hands were played whole.
    """
    n = 0
    full = len(rows.planes) - 300  # no hand has more decisions than that
    question = np.empty(QUESTION, np.int64)
    for done in range(len(which)):
        if n > full:
            return n, done
        hand = which[done]
        deal(table, kyoku[hand], hands[hand], words, merge)
        first = kyoku[hand, 6]
        last = first + kyoku[hand, 7]
        before = 0
        for code_at in range(first, last):
            code = int(events[code_at])
            what = code & TYPE
            seat = code >> SEAT_BITS & 3
            number = code_at - first
            random = mix(seed, (hand << 10) + number)
            if what in (DISCARD, ANKAN, KAKAN) or (what == NO_WIN and before & TYPE == DRAW):
                if what == NO_WIN:
                    seat = before >> SEAT_BITS & 3
                player = who[hand, seat]
                if random % 1000000 < keep[player, 0]:
                    answer, red = _own_answer(table, code, before, seat, question, words, merge)
                    if answer >= 0 and _choices(question) > 1:
                        question[Q_WHO] = player
                        _write(
                            table, seat, question, answer, red, hand, number, words, merge, firsts, readings, rows, n
                        )
                        n += 1
            step(table, code, words, merge)
            if what == DISCARD and code_at + 1 < last:
                n = _answers(
                    table,
                    code,
                    events,
                    code_at,
                    last,
                    who[hand],
                    keep,
                    random,
                    question,
                    words,
                    merge,
                    firsts,
                    readings,
                    rows,
                    n,
                    hand,
                    number,
                )
            if what not in (NEW_DORA, ACCEPTED):
                before = code
    return n, len(which)


@part
def _choices(question: NDArray[np.int64]) -> int:
    """Answers there are, at most two counted."""
    found = int(question[Q_NINE] != 0)
    for column in (Q_DISCARDS, Q_KANS, Q_RIICHI):
        mask = question[column]
        found += int(mask != 0) + int(mask & (mask - 1) != 0)
    return found


@allocating_part
def _write(
    table: Table,
    seat: int,
    question: NDArray[np.int64],
    answer: int,
    red: int,
    hand: int,
    number: int,
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    rows: Decisions,
    n: int,
) -> None:
    look(table, seat)
    fill_inputs(table.shared, question, words, merge, firsts, readings, rows.planes[n], rows.numbers[n])
    rows.questions[n] = question
    info = rows.info[n]
    info[D_HAND], info[D_EVENT], info[D_SEAT], info[D_WHO] = hand, number, seat, question[Q_WHO]
    info[D_ANSWER], info[D_RED] = answer, red


@part
def kuikae_of(code: int) -> int:
    """Bit set of the kinds that may not be discarded after a chi or pon."""
    called = (code >> FIRST_AT & 255) >> 2
    mask = 1 << called
    if code & TYPE == CHI:
        low = min(called, (code >> SECOND_AT & 255) >> 2, (code >> THIRD_AT & 255) >> 2)
        if called == low and low % 9 < 6:
            mask |= 1 << (low + 3)
        elif called == low + 2 and low % 9 > 0:
            mask |= 1 << (low - 1)
    return mask


@part
def _is_closed(table: Table, seat: int) -> bool:
    for at in range(table.shared.meld_counts[seat]):
        if table.shared.melds[seat, at, M_KIND] != 3:
            return False
    return True


@part
def _kans_made(table: Table) -> int:
    made = 0
    for seat in range(4):
        for at in range(table.shared.meld_counts[seat]):
            made += table.shared.melds[seat, at, M_KIND] >= 2
    return made


@allocating_part
def _own_answer(
    table: Table,
    code: int,
    before: int,
    seat: int,
    question: NDArray[np.int64],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
) -> tuple[int, int]:
    """Fill ``question`` for a seat about to do what ``code`` says.

    Returns:
        The answer, an A_ number, or -1 where it is not to be learned from; the choice of a red five, see D_RED.
    """
    counts = table.counts[seat]
    facts = table.shared.facts
    question[:] = 0
    question[Q_OFFERED] = -1
    question[Q_DRAWN] = -1
    drawn = before & TYPE == DRAW
    held = 0
    for kind in range(34):
        held |= int(counts[kind] > 0) << kind
    if drawn:
        tile = before >> FIRST_AT & 255
        question[Q_DRAWN] = tile >> 2
        _after_draw(table, seat, tile >> 2, held, question, words, merge)
    elif before & TYPE in (CHI, PON):
        allowed = held & ~kuikae_of(before)
        question[Q_DISCARDS] = allowed or held
    else:
        return -1, -1
    what = code & TYPE
    kind = (code >> FIRST_AT & 255) >> 2
    if what == NO_WIN:
        return (A_NINE if question[Q_NINE] else -1), -1
    if what != DISCARD:
        return (A_KANS + kind if question[Q_KANS] >> kind & 1 else -1), -1
    red = -1
    if kind < 27 and kind % 9 == 4 and counts[kind] > 1 and table.reds[seat, kind // 9] and not facts[F_RIICHI + seat]:
        red = int((code >> FIRST_AT & 255) in (16, 52, 88))
    if (code >> SECOND_AT & 255) & 2:
        return (A_RIICHI + kind if question[Q_RIICHI] >> kind & 1 else -1), red
    return (kind if question[Q_DISCARDS] >> kind & 1 else -1), red


@allocating_part
def _after_draw(
    table: Table,
    seat: int,
    drawn: int,
    held: int,
    question: NDArray[np.int64],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
) -> None:
    """What may be done after a draw."""
    counts = table.counts[seat]
    facts = table.shared.facts
    melds = table.shared.meld_counts[seat]
    after = np.empty(35, np.int8)
    may_kan = facts[F_WALL] > 0 and _kans_made(table) < 4
    if facts[F_RIICHI + seat]:
        question[Q_DISCARDS] = 1 << drawn
        if may_kan and counts[drawn] == 4:
            counts[drawn] = 0
            waits = 0
            if neighbour_shanten(counts, melds + 1, 1, words, merge, after) == TILES_OK and after[34] == 0:
                for kind in range(34):
                    waits |= int(after[kind] == -1) << kind
            counts[drawn] = 4
            if waits == table.waits[seat]:
                question[Q_KANS] = 1 << drawn
        return
    question[Q_DISCARDS] = held
    if may_kan:
        for kind in range(34):
            if counts[kind] == 4:
                question[Q_KANS] |= 1 << kind
        for at in range(melds):
            meld = table.shared.melds[seat, at]
            if meld[M_KIND] == 1 and counts[int(meld[M_LOW])]:
                question[Q_KANS] |= 1 << int(meld[M_LOW])
    if facts[F_WALL] >= 4 and facts[F_SCORES + seat] >= 1000 and _is_closed(table, seat):
        if neighbour_shanten(counts, melds, -1, words, merge, after) == TILES_OK:
            for kind in range(34):
                if after[kind] == 0 and after[kind] != NOT_HELD:
                    question[Q_RIICHI] |= 1 << kind
    if table.state[UNINTERRUPTED] and table.shared.lengths[seat] == 0 and not table.state[AFTER_KAN]:
        kinds = 0
        for kind in _OUTER:
            kinds += counts[kind] > 0
        question[Q_NINE] = int(kinds >= 9)


@allocating_part
def calls_of(table: Table, seat: int, giver: int, kind: int) -> int:
    """Bit set of the CALL_ answers that a seat has to a discard."""
    counts = table.counts[seat]
    calls = 0
    if counts[kind] >= 2:
        calls |= 1 << CALL_PON
        if counts[kind] == 3 and _kans_made(table) < 4:
            calls |= 1 << CALL_KAN
    if kind < 27 and seat == (giver + 1) & 3:
        number = kind % 9
        for call, one, other in ((CALL_LOW, 1, 2), (CALL_MIDDLE, -1, 1), (CALL_HIGH, -2, -1)):
            if number + one < 0 or number + other > 8 or not counts[kind + one] or not counts[kind + other]:
                continue
            forbidden = 1 << kind
            if call == CALL_LOW and number < 6:
                forbidden |= 1 << (kind + 3)
            elif call == CALL_HIGH and number > 2:
                forbidden |= 1 << (kind - 3)
            for left in range(34):
                rest = int(counts[left]) - int(left == kind + one) - int(left == kind + other)
                if rest > 0 and not forbidden >> left & 1:
                    calls |= 1 << call
                    break
    return calls


@part
def _call_of(code: int) -> int:
    """The CALL_ answer that a recorded call is."""
    what = code & TYPE
    if what == PON:
        return CALL_PON
    if what == DAIMINKAN:
        return CALL_KAN
    called = (code >> FIRST_AT & 255) >> 2
    low = min(called, (code >> SECOND_AT & 255) >> 2, (code >> THIRD_AT & 255) >> 2)
    return CALL_LOW + called - low


@allocating_part
def _answers(
    table: Table,
    code: int,
    events: NDArray[np.uint32],
    code_at: int,
    last: int,
    who: NDArray[np.int64],
    keep: NDArray[np.int64],
    random: int,
    question: NDArray[np.int64],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    rows: Decisions,
    n: int,
    hand: int,
    number: int,
) -> int:
    """Rows of the seats that could call the discard just made; how many rows there are then."""
    facts = table.shared.facts
    giver = code >> SEAT_BITS & 3
    kind = (code >> FIRST_AT & 255) >> 2
    if facts[F_WALL] == 0:
        return n
    following = 0
    for at in range(code_at + 1, last):
        following = int(events[at])
        if following & TYPE not in (ACCEPTED, NEW_DORA):
            break
    what = following & TYPE
    caller = following >> SEAT_BITS & 3
    called = what in (CHI, PON, DAIMINKAN)
    if what != DRAW and not called:
        return n
    declared = (code >> SECOND_AT & 255) & 2 != 0
    if declared:  # not accepted yet, and as good as accepted for whoever is asked
        facts[F_RIICHI + giver] = 1
        facts[F_IPPATSU + giver] = 1
    for away in range(1, 4):
        seat = (giver + away) & 3
        player = who[seat]
        random = mix(random, away)
        if facts[F_RIICHI + seat] or random % 1000000 >= keep[player, 1]:
            continue
        calls = calls_of(table, seat, giver, kind)
        if not calls:
            continue
        answer = A_PASS
        if called and caller == seat:
            call = _call_of(following)
            if not calls >> call & 1:
                continue
            answer = A_CALLS + call
        elif called and not (what == CHI and calls >> CALL_PON & 3):
            continue  # it may have called in vain
        question[:] = 0
        question[Q_DRAWN] = -1
        question[Q_OFFERED] = kind
        question[Q_GIVER] = (giver - seat) & 3
        question[Q_CALLS] = calls
        question[Q_WHO] = player
        _write(table, seat, question, answer, -1, hand, number, words, merge, firsts, readings, rows, n)
        n += 1
    if declared:
        facts[F_RIICHI + giver] = 0
        facts[F_IPPATSU + giver] = 0
    return n
