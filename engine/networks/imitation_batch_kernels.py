"""The imitating network at the tables of the simulator: which questions are for it, and its inputs for them."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, kernel
from engine.networks.imitation_input_kernels import fill_question, write_inputs_of
from engine.rules import answer_kernels as answer
from engine.rules.random_kernels import nth_bit
from engine.scoring.yaku_kernels import popcount
from engine.shanten.table_kernels import HandTables
from engine.simulator.game_kernels import GameTable
from engine.simulator.play_kernels import Questions


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
