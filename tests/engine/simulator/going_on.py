"""Tables of the simulator that are dealt and played on."""

from __future__ import annotations

import numpy as np

from engine.model.rules import TONPU
from engine.simulator.play_kernels import answer_randomly
from engine.simulator.tables import Tables


def dealt(number=8, seed=3, rules=TONPU):
    tables = Tables(number, rules, seed=seed)
    tables.deal()
    return tables


def go_on(tables, rounds, seed=0):
    """Play on with random answers, new games wherever one ends."""
    for number in range(rounds):
        tables.deal()
        asked = tables.questions()
        answers = np.empty(len(asked.tables), np.int64)
        answer_randomly(asked, seed + number, answers)
        tables.answer(answers)
        tables.restart(np.flatnonzero(tables.over))
    return tables


def as_bytes(tables):
    return np.asarray(tables.games).tobytes()
