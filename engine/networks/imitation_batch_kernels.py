"""The imitating network at the tables of the simulator: its inputs for many questions, and answers from its outputs."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, kernel, part
from engine.networks import imitation_layout_kernels as layout
from engine.networks.imitation_input_kernels import fill_question, write_inputs_of
from engine.rules import answer_kernels as answer
from engine.rules.random_kernels import nth_bit
from engine.rules.table_kernels import Table, is_red
from engine.scoring.yaku_kernels import popcount
from engine.shanten.table_kernels import HandTables
from engine.simulator.game_kernels import GameTable
from engine.simulator.play_kernels import Questions

RED, PLAIN = 1, 2


@kernel("prior in batches", "simple in batches", seconds=0.4)
def answer_forced(asked: Questions, answers: NDArray[np.int64], rest: NDArray[np.int64]) -> int:
    """Answer what needs no weighing: a win, or the only legal answer. Writes the numbers of the other questions.

    Returns:
        How many others there are.
    """
    left = 0
    for at in range(len(answers)):
        if asked.legal[at, answer.OTHERS_WORD] >> (answer.WIN - answer.CHI) & 1:
            answers[at] = answer.WIN
            continue
        number = 0
        for word in range(answer.WORDS):
            bits = asked.legal[at, word]
            number += popcount(bits)
            if bits:
                answers[at] = answer.WORD_FIRST[word] + nth_bit(bits, 0)
        if number > 1:
            rest[left] = at
            left += 1
    return left


@allocating_kernel("prior in batches", seconds=9.0)
def fill_asked(
    games: Records[GameTable],
    asked: Questions,
    rest: NDArray[np.int64],
    who: int,
    tables: Records[HandTables],
    planes: Array3[np.uint8],
    numbers: Array2[np.uint8],
    questions: Array2[np.int64],
) -> None:
    """Fill the network's inputs for some of the questions.

    Args:
        games: the tables.
        asked: all questions.
        rest: which of them.
        who: who is imitated, a WHO_ number of the layout.
        tables: of shanten and scoring.
        planes: (n, 34, PLANES), see :func:`engine.networks.imitation_input_kernels.fill_inputs`.
        numbers: (n, GLOBALS).
        questions: (n, QUESTION).
    """
    for at in range(len(rest)):
        table = games[asked.tables[rest[at]]]
        seat = asked.seats[rest[at]]
        fill_question(table, seat, asked.legal[rest[at]], who, questions[at])
        write_inputs_of(table, seat, questions[at], tables[0], planes[at], numbers[at])


@allocating_kernel("prior in batches", seconds=1.0)
def choose(
    games: Records[GameTable],
    asked: Questions,
    rest: NDArray[np.int64],
    logs: Array2[np.float32],
    reds: Array2[np.float32],
    answers: NDArray[np.int64],
) -> None:
    """Write the likeliest answer to some of the questions, as the policy ``phoenix`` chooses it.

    Args:
        games: the tables.
        asked: all questions.
        rest: which of them the network was asked.
        logs: (n, ANSWERS) logarithm of the chance of each answer, see :class:`engine.networks.imitation.Network`.
        reds: (n, 34) log-odds that a discarded five is the red one.
        answers: where to write.
    """
    for at in range(len(rest)):
        row = rest[at]
        table = games[asked.tables[row]]
        best = -1.0
        for number in range(logs.shape[1]):
            if logs[at, number] == -np.inf:
                continue
            chance = float(np.exp(logs[at, number]))
            if number < layout.A_KANS:
                word = answer.DISCARDS_WORD if number < layout.A_RIICHI else answer.RIICHI_WORD
                kind = number % 34
                looks = _looks(table, asked.legal[row, word], kind)
                share = 1.0
                if looks == RED | PLAIN:
                    share = 1.0 / (1.0 + np.exp(-float(reds[at, kind])))
                for look_of in (RED, PLAIN):
                    value = chance * (share if look_of == RED or looks != RED | PLAIN else 1.0 - share)
                    if looks & look_of and value > best:
                        best = value
                        first = answer.DISCARD if number < layout.A_RIICHI else answer.RIICHI
                        answers[row] = first + _discard_of(table, asked.legal[row, word], kind, look_of == RED)
            elif chance > best:
                best = chance
                answers[row] = _other_answer(number, asked.legal[row, answer.OTHERS_WORD])


@part
def _looks(table: Table, word: int, kind: int) -> int:
    """Whether the red five and a plain tile of a kind may be discarded, as bits RED and PLAIN."""
    found = (word >> kind & 1) * PLAIN
    if kind < 27 and kind % 9 == 4 and word >> (34 + kind // 9) & 1:
        found |= RED
    if word >> answer.THE_DRAWN & 1 and table.drawn >> 2 == kind:
        found |= RED if is_red(table, table.drawn) else PLAIN
    return found


@part
def _discard_of(table: Table, word: int, kind: int, red: bool) -> int:
    """The discard of a look: the tile just drawn if it looks so."""
    if word >> answer.THE_DRAWN & 1 and table.drawn >> 2 == kind and is_red(table, table.drawn) == red:
        return answer.THE_DRAWN
    return 34 + kind // 9 if red else kind


@part
def _other_answer(number: int, others: int) -> int:
    """The answer that is neither a discard nor riichi; a call uses a red five of one's own where it can."""
    if number < layout.A_CALLS:
        return answer.KAN + number - layout.A_KANS
    if number == layout.A_PASS:
        return answer.PASS
    if number == layout.A_NINE:
        return answer.NINE
    call = number - layout.A_CALLS
    if call == layout.CALL_KAN:
        return answer.OPEN_KAN
    first = answer.PON if call == layout.CALL_PON else answer.CHI + 2 * call
    return first + (others >> (first + 1 - answer.CHI) & 1)
