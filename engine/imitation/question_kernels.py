"""What a seat may do, as the question that the imitating network is asked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import part
from engine.imitation.layout_kernels import (
    CALL_KAN,
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
)
from engine.rules.answer_kernels import (
    CHI,
    DISCARDS_WORD,
    KANS_WORD,
    NINE,
    OPEN_KAN,
    OTHERS_WORD,
    PASS,
    RIICHI_WORD,
    THE_DRAWN,
)
from engine.rules.table_kernels import Table


@part
def fill_question(table: Table, seat: int, legal: NDArray[np.int64], who: int, question: NDArray[np.int64]) -> None:
    """Fill ``question`` (QUESTION) from a seat's legal answers; wins, which are no question, are left out.

    Args:
        table: the table.
        seat: who is asked.
        legal: its four bit sets, see :mod:`engine.rules.answer_kernels`.
        who: a WHO_ number of the layout.
        question: where to write.
    """
    question[:] = 0
    question[Q_WHO] = who
    question[Q_DRAWN] = -1
    question[Q_OFFERED] = -1
    others = int(legal[OTHERS_WORD])
    if others >> (PASS - CHI) & 1:
        question[Q_OFFERED] = table.offered >> 2
        question[Q_GIVER] = (table.turn - seat) & 3
        for call in range(CALL_PON + 1):  # each is two answers, without and with a red five
            question[Q_CALLS] |= int(others >> 2 * call & 3 != 0) << call
        question[Q_CALLS] |= (others >> (OPEN_KAN - CHI) & 1) << CALL_KAN
        return
    if table.drawn >= 0:
        question[Q_DRAWN] = table.drawn >> 2
    question[Q_DISCARDS] = _kinds(legal[DISCARDS_WORD], table.drawn)
    question[Q_RIICHI] = _kinds(legal[RIICHI_WORD], table.drawn)
    question[Q_KANS] = legal[KANS_WORD]
    question[Q_NINE] = others >> (NINE - CHI) & 1


@part
def _kinds(looks: int, drawn: int) -> int:
    """Bit set of the kinds of some looks, ``tile37``, and of the tile just drawn."""
    kinds = looks & (1 << 34) - 1
    for suit in range(3):
        kinds |= (looks >> (34 + suit) & 1) << (9 * suit + 4)
    return kinds | (looks >> THE_DRAWN & 1) << (drawn >> 2)
