"""The inputs of the imitating network: those of a state, their scales, and a hash of their meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.imitation import layout_kernels as kernels
from engine.imitation.input_kernels import fill_inputs
from engine.imitation.layout_kernels import A_CALLS, A_DISCARDS, A_KANS, A_NINE, A_PASS, A_RIICHI
from engine.model.actions import Action, ActionKind
from engine.model.seats import relative
from engine.network.trunk import Scales
from engine.opponents.view import view_of
from engine.shanten.tables import hand_tables
from engine.state import GameState
from engine.tables import short_hash

Bytes = NDArray[np.uint8]

PLANES: Final = kernels.KINDS.meanings
"""The numbers for each kind, and what each is divided by."""
NUMBERS: Final = kernels.WHOLE.meanings
"""The numbers for the whole table, and what each is divided by."""
SCALES: Final = Scales(kernels.KINDS, kernels.WHOLE)


class Inputs(NamedTuple):
    """The inputs of one decision.

    Attributes:
        planes: (34, PLANES) uint8, the numbers for each kind.
        numbers: (GLOBALS,) uint8, the numbers for the whole table.
        question: (QUESTION,) int64, see the Q_ names of the layout.
    """

    planes: Bytes
    numbers: Bytes
    question: NDArray[np.int64]


_COLUMNS: Final = {
    ActionKind.DISCARD: kernels.Q_DISCARDS,
    ActionKind.RIICHI: kernels.Q_RIICHI,
    ActionKind.ANKAN: kernels.Q_KANS,
    ActionKind.KAKAN: kernels.Q_KANS,
}


def call_of(action: Action) -> int:
    """The CALL_ number of a chi, pon or open kan."""
    if action.kind is ActionKind.PON:
        return kernels.CALL_PON
    if action.kind is ActionKind.DAIMINKAN:
        return kernels.CALL_KAN
    return kernels.CALL_LOW + sum(tile >> 2 < action.tile >> 2 for tile in action.own)


def answer_of(action: Action) -> int:
    """The A_ number of an answer other than a win."""
    kind = action.kind
    if kind is ActionKind.PASS:
        return A_PASS
    if kind is ActionKind.NINE_TERMINALS:
        return A_NINE
    if kind in _FIRST:
        return _FIRST[kind] + (action.tile >> 2)
    return A_CALLS + call_of(action)


_FIRST: Final = {
    ActionKind.DISCARD: A_DISCARDS,
    ActionKind.RIICHI: A_RIICHI,
    ActionKind.ANKAN: A_KANS,
    ActionKind.KAKAN: A_KANS,
}


def question_of(state: GameState, legal: Sequence[Action], who: int) -> NDArray[np.int64]:
    """The question to the seat as the Q_ numbers, without wins."""
    question = np.zeros(kernels.QUESTION, np.int64)
    question[kernels.Q_DRAWN] = question[kernels.Q_OFFERED] = -1
    question[kernels.Q_WHO] = who
    if any(action.kind is ActionKind.PASS for action in legal):
        question[kernels.Q_OFFERED] = state.offered >> 2
        question[kernels.Q_GIVER] = relative(state.turn, state.seat)
    elif state.drawn is not None:
        question[kernels.Q_DRAWN] = state.drawn >> 2
    for action in legal:
        if action.kind in _COLUMNS:
            question[_COLUMNS[action.kind]] |= 1 << (action.tile >> 2)
        elif action.kind in {ActionKind.CHI, ActionKind.PON, ActionKind.DAIMINKAN}:
            question[kernels.Q_CALLS] |= 1 << call_of(action)
        elif action.kind is ActionKind.NINE_TERMINALS:
            question[kernels.Q_NINE] = 1
    return question


def inputs_of(state: GameState, legal: Sequence[Action], who: int) -> Inputs:
    """The inputs for a state and its legal answers; ``who`` is a WHO_ number of the layout."""
    question = question_of(state, legal, who)
    planes = np.empty((34, kernels.PLANES), np.uint8)
    numbers = np.empty(kernels.GLOBALS, np.uint8)
    fill_inputs(view_of(state), question[None], hand_tables(), planes[None], numbers[None])
    return Inputs(planes, numbers, question)


@cache
def inputs_hash() -> str:
    """Sixteen hex digits over the names and scales of the layout; they change when a name or a scale does."""
    text = "\n".join(f"{name} / {of}" for name, of in (*PLANES, *NUMBERS))
    return short_hash(f"{_MEANING} {text}".encode())


_MEANING: Final = 1
"""To be raised when the kernel changes the meaning of a number but not its name."""
