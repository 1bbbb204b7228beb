"""Answers of the policy ``simple`` at many tables of the simulator at once."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Records, allocating_kernel
from engine.opponents.danger_kernels import DangerFigures
from engine.policy.simple.answer_kernels import answer
from engine.policy.simple.sight_kernels import Option, Sight
from engine.rules.answer_kernels import WORDS
from engine.rules.table_kernels import look
from engine.shanten.table_kernels import HandTables
from engine.simulator.game_kernels import GameTable
from engine.simulator.play_kernels import Questions


@allocating_kernel("simple in batches", seconds=12.0)
def answer_simply(
    games: Records[GameTable],
    asked: Questions,
    rest: NDArray[np.int64],
    folded: Array2[np.bool_],
    limits: NDArray[np.int64],
    figures: Records[DangerFigures],
    hands: Records[HandTables],
    sights: Records[Sight],
    options: Records[Option],
    answers: NDArray[np.int64],
) -> None:
    """Write the answers of the policy ``simple`` to some of the questions.

    Args:
        games: the tables.
        asked: the questions of all tables.
        rest: the rows of ``asked`` to answer.
        folded: whether the hand has folded, by table and seat; updated.
        limits: the push/fold table.
        figures: the danger tables, one record.
        hands: the shanten and scoring tables, one record.
        sights: scratch space for what a seat sees, one record.
        options: scratch space, as :func:`engine.policy.simple.answer_kernels.answer_question` needs it.
        answers: answers by row of ``asked``; written.
    """
    sight = sights[0]
    for row in rest:
        place, seat = asked.tables[row], asked.seats[row]
        for word in range(WORDS):
            sight.legal[word] = asked.legal[row, word]
        sight.folded = int(folded[place, seat])
        look(games[place], seat)
        answers[row] = answer(games[place], False, limits, figures[0], hands[0], sight, options)
        folded[place, seat] = sight.folded != 0
