"""The inputs of the network: the meaning of each number, the inputs of a state, and a hash of their meaning."""

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
from engine.shanten.tables import hand_tables
from engine.state import GameState
from engine.tables import short_hash

Bytes = NDArray[np.uint8]

_OWN: Final = (
    *(("held, one or more", 1), ("two or more", 1), ("three or more", 1), ("four", 1)),
    *(("the red five is held", 1), ("just drawn", 1), ("on offer", 1), ("copies not visible", 4), ("times dora", 1)),
    *(
        ("a red five nobody has shown", 1),
        ("may be discarded", 1),
        ("may be discarded with riichi", 1),
        ("may be made a kan", 1),
    ),
    *(("that kan leaves the hand as near", 1), ("discarding it leaves the hand nearest", 1), ("one further", 1)),
    *(("unseen tiles that then bring it nearer", 20), ("kinds of them", 8), ("tenpai then, and furiten", 1)),
    *(("brings the hand nearer after one of its best discards", 1), ("own wind", 1), ("wind of the round", 1)),
    *(("points of a ron on the tenpai then, of 100", 80), ("points of it with riichi", 80)),
)
_SEAT: Final = (
    *(("copies in its melds", 2), ("called by it", 1), ("copies in its river", 2)),
    *(("how recent the last from the hand, of 24", 24), ("the last tsumogiri", 24), ("how early the first, of 24", 24)),
    *(("riichi was declared with it", 1), ("discarded right after a chi or pon", 1)),
)
_OPPONENT: Final = (
    ("cannot be won on now", 1),
    ("ways to wait for it with two sides", 16),
    ("how lately it passed", 5),
)
PLANES: Final[tuple[tuple[str, int], ...]] = (
    *_OWN,
    *((f"{seat}: {name}", of) for seat in ("self", "right", "across", "left") for name, of in _SEAT),
    *((f"{seat}: {name}", of) for seat in ("right", "across", "left") for name, of in _OPPONENT),
)
"""The numbers for each kind, and what each is divided by."""

_CALL: Final = (
    ("possible", 1),
    ("brings the hand nearer", 1),
    ("leaves it", 1),
    ("ukeire then", 20),
    ("tenpai then", 1),
    ("points of a ron then, of 100", 80),
)
_OTHER: Final = (
    *(("riichi", 1), ("double riichi", 1), ("ippatsu", 1), ("discards since", 12), ("open melds", 4), ("melds", 4)),
    *(("dora in its melds", 3), ("yakuhai in them", 1), ("one suit alone in them", 1), ("discards", 18)),
    *(("tsumogiri at the end", 8), ("discards from the hand", 14), ("deals", 1)),
)
NUMBERS: Final[tuple[tuple[str, int], ...]] = (
    *((f"played by {who}", 1) for who in ("somebody", "the upper-dan room", "the phoenix room", "the program")),
    *((f"asked {when}", 1) for when in ("after a draw", "after a call", "about another's tile")),
    *((f"shanten {number}", 1) for number in range(8)),
    *(("seven pairs' shanten + 1", 7), ("thirteen orphans' shanten + 1", 14), ("no melds", 1), ("most ukeire", 20)),
    *((f"{call}: {name}", of) for call in ("chi low", "chi middle", "chi high", "pon", "kan") for name, of in _CALL),
    *(("wall", 70), ("wall below 4", 1), ("below 12", 1), ("below 24", 1), ("below 48", 1)),
    *(("east round", 1), ("south round", 1), ("west round", 1), ("hands to the last", 8), ("last hand or later", 1)),
    *(("east-only game", 1), ("honba", 4), ("riichi sticks", 4)),
    *((f"seat wind {wind}", 1) for wind in "ESWN"),
    *(("own points above 25 000, of 400", 32), ("the right's above", 32), ("across's", 32), ("the left's", 32)),
    *((f"place {place}", 1) for place in range(1, 5)),
    *(("points to the next above, of 400", 20), ("to the next below", 20)),
    *(
        ("dora held", 3),
        ("dora in own melds", 3),
        ("own melds", 4),
        ("hand is open", 1),
        ("in riichi", 1),
        ("pairs", 4),
    ),
    *(("kinds of terminals and honours", 9), ("own discards", 18), ("indicators", 4), ("dora not visible", 4)),
    *((f"{seat}: {name}", of) for seat in ("right", "across", "left") for name, of in _OTHER),
    *((f"offered by the {seat}", 1) for seat in ("right", "across", "left")),
)
"""The numbers for the whole table, and what each is divided by."""

PLANE_SCALES: Final = np.array([1.0 / of for _, of in PLANES], np.float32)
NUMBER_SCALES: Final = np.array([1.0 / of for _, of in NUMBERS], np.float32)
NUMBER_ZEROS: Final = np.zeros(kernels.GLOBALS, np.float32)
NUMBER_ZEROS[kernels.G_SCORES : kernels.G_SCORES + 4] = kernels.CENTRE
"""What is subtracted from each number before it is scaled."""


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
    if state.drawn is not None:
        question[kernels.Q_DRAWN] = state.drawn >> 2
    for action in legal:
        if action.kind in _COLUMNS:
            question[_COLUMNS[action.kind]] |= 1 << (action.tile >> 2)
        elif action.kind in {ActionKind.CHI, ActionKind.PON, ActionKind.DAIMINKAN}:
            question[kernels.Q_CALLS] |= 1 << call_of(action)
        elif action.kind is ActionKind.NINE_TERMINALS:
            question[kernels.Q_NINE] = 1
        elif action.kind is ActionKind.PASS:
            question[kernels.Q_OFFERED], question[kernels.Q_DRAWN] = state.offered >> 2, -1
            question[kernels.Q_GIVER] = relative(state.turn, state.seat)
    return question


def inputs_of(state: GameState, legal: Sequence[Action], who: int) -> Inputs:
    """The inputs for a state and its legal answers; ``who`` is a WHO_ number of the layout."""
    question = question_of(state, legal, who)
    planes = np.empty((34, kernels.PLANES), np.uint8)
    numbers = np.empty(kernels.GLOBALS, np.uint8)
    fill_inputs(state.as_table(), question[None], hand_tables(), planes[None], numbers[None])
    return Inputs(planes, numbers, question)


@cache
def inputs_hash() -> str:
    """Sixteen hex digits over the names and scales above; they change when a name or a scale does."""
    text = "\n".join(f"{name} / {of}" for name, of in (*PLANES, *NUMBERS))
    return short_hash(f"{_MEANING} {text}".encode())


_MEANING: Final = 1
"""To be raised when the kernel changes the meaning of a number but not its name."""
