"""Tables of the simulator played on to the end of their hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.model.actions import Action
from engine.rules.answers import number_of
from engine.rules.table_kernels import DRAWN
from engine.simulator.game_kernels import GameTable
from engine.simulator.tables import BatchDecider, Tables


def answer_number(table: GameTable, action: Action) -> int:
    """The number of an action at a table."""
    return number_of(action, int(table.drawn) if table.phase == DRAWN else None, bool(table.red_fives))


def play_out(tables: Tables, first: Sequence[Mapping[int, Action]], player: BatchDecider) -> None:
    """Play the hands at all tables to their end.

    Args:
        tables: the tables; all are asked something.
        first: for each table, answers by seat to be given now instead of the player's.
        player: who plays on all seats.

    Raises:
        AnswerError: an answer of ``first`` is not legal.
    """
    asked = tables.questions()
    answers = player.answer_all(tables.games, asked)
    for row, (at, seat) in enumerate(zip(asked.tables.tolist(), asked.seats.tolist(), strict=True)):
        if seat in first[at]:
            answers[row] = answer_number(tables.games[at], first[at][seat])
    tables.answer(answers)
    while len((asked := tables.questions()).tables):
        tables.answer(player.answer_all(tables.games, asked))


def copies(worlds: Tables, number: int) -> Tables:
    """So many times the same tables, one set after the other."""
    found = Tables(number * len(worlds), worlds.rules)
    np.asarray(found.games)[:] = np.tile(np.asarray(worlds.games), number)
    found.look_again()
    return found
