"""The imitating network: its inputs, its shape, its outputs in numpy, and the weights that are shipped.

On the trunk of :mod:`engine.networks.trunk`, three outputs are read at every kind (discard it, riichi with it, a kan of
it), those of calls at the offered kind, and the others from the whole table.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.actions import Action, ActionKind
from engine.model.tiles import KINDS, RED_FIVES, TILE34, TILE37
from engine.networks import imitation_layout_kernels as layout
from engine.networks.imitation_input_kernels import ask_viewer, fill_inputs
from engine.networks.trunk import Floats, Scales, Trunk, TrunkShape
from engine.networks.weights import NetworkWeights
from engine.rules import answer_kernels as answer
from engine.rules.answers import number_of, words_of
from engine.shanten.tables import hand_tables
from engine.state import GameState
from engine.tables import ShippedFile, WeightsError, short_hash

Bytes = NDArray[np.uint8]

PLANES: Final = layout.KINDS.meanings
"""The numbers for each kind, and what each is divided by."""
NUMBERS: Final = layout.WHOLE.meanings
"""The numbers for the whole table, and what each is divided by."""
SCALES: Final = Scales(layout.KINDS, layout.WHOLE)
AT_KIND: Final = 9
"""Number of outputs at a kind: discard, riichi, kan, its red five, and the CALL_ answers if it is offered."""
TAIL: Final = 7
"""Number of outputs from the whole table: passing, nine terminals, and an amount for each CALL_ answer."""


class Inputs(NamedTuple):
    """The inputs of one decision."""

    planes: Bytes  # (34, PLANES) uint8, the numbers for each kind
    numbers: Bytes  # (GLOBALS,) uint8, the numbers for the whole table
    question: NDArray[np.int64]  # (QUESTION,) int64, see the Q_ names of the layout


def _output_of() -> NDArray[np.int64]:
    """(122,): the A_ number of each answer of :mod:`engine.rules.answer_kernels`, -1 for a win and the tile drawn."""
    found = np.full(answer.ANSWERS, -1, np.int64)
    kinds = np.array([*range(KINDS), *(tile >> 2 for tile in RED_FIVES)])  # of each look
    found[answer.DISCARD : answer.THE_DRAWN] = layout.A_DISCARDS + kinds
    found[answer.RIICHI : answer.RIICHI + answer.THE_DRAWN] = layout.A_RIICHI + kinds
    found[answer.KAN : answer.CHI] = layout.A_KANS + np.arange(KINDS)
    found[answer.CHI : answer.OPEN_KAN] = layout.A_CALLS + np.repeat(np.arange(layout.CALL_KAN), 2)
    found[answer.OPEN_KAN] = layout.A_CALLS + layout.CALL_KAN
    found[answer.PASS], found[answer.NINE] = layout.A_PASS, layout.A_NINE
    return found


OUTPUT_OF: Final = _output_of()
"""The network's output for each answer, whether or not a tile is a red five."""


_RED: Final = np.zeros(answer.ANSWERS, np.bool_)
"""Which answers discard a red five, where that is not the tile just drawn."""
for _first in (answer.DISCARD, answer.RIICHI):
    _RED[_first + KINDS : _first + answer.THE_DRAWN] = True
_BITS: Final = [np.arange(end - first) for first, end in pairwise((*answer.WORD_FIRST, answer.ANSWERS))]
"""The bits of each word of legal answers."""
_WITH_RED: Final = np.arange(answer.CHI + 1, answer.OPEN_KAN, 2)
"""The calls with a red five of one's own, each of which follows that without."""


def answer_chances(
    logs: Floats, reds: Floats, legal: NDArray[np.int64], drawn: NDArray[np.int64], red_fives: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """(n, 122): the chance of each answer, as :mod:`engine.rules.answer_kernels` numbers them; -1 of those left out.

    The discards of a plain and of a red five share the chance of their kind. Left out are answers that are not legal
    and, of those that look the same to the network, all but one: of like copies the drawn one is discarded, and a call
    uses the red five.

    Args:
        logs: (n, ANSWERS), as :meth:`Network.log_chances` gives them.
        reds: (n, 34), likewise.
        legal: (n, 4) bit sets of the legal answers, without wins.
        drawn: (n,) the tile just drawn, -1 for none.
        red_fives: (n,) whether the table has red fives.
    """
    n = len(logs)
    allowed = np.concatenate([legal[:, at, None] >> bits & 1 for at, bits in enumerate(_BITS)], axis=1) > 0
    output, red = np.tile(OUTPUT_OF, (n, 1)), np.tile(_RED, (n, 1))
    look = np.where(red_fives, np.array(TILE37)[drawn], np.array(TILE34)[drawn])
    for first, outputs in ((answer.DISCARD, layout.A_DISCARDS), (answer.RIICHI, layout.A_RIICHI)):
        output[:, first + answer.THE_DRAWN] = outputs + drawn // 4
        red[:, first + answer.THE_DRAWN] = look >= KINDS
        allowed[np.arange(n), first + look] &= ~allowed[:, first + answer.THE_DRAWN]
    allowed[:, _WITH_RED - 1] &= ~allowed[:, _WITH_RED]
    row, number = np.nonzero(allowed)
    at, is_red = output[row, number], red[row, number]
    looks = np.zeros((2, n, layout.ANSWERS), np.bool_)
    looks[is_red.astype(np.intp), row, at] = True
    share = 1.0 / (1.0 + np.exp(-reds[row, at % KINDS].astype(np.float64)))
    shares = np.where(looks[0, row, at] & looks[1, row, at], np.where(is_red, share, 1.0 - share), 1.0)
    found = np.full((n, answer.ANSWERS), -1.0)
    found[row, number] = np.exp(logs[row, at]) * shares
    return found


def answer_of(action: Action) -> int:
    """The A_ number of an answer other than a win."""
    return int(OUTPUT_OF[number_of(action, None) & answer.NUMBER])


def inputs_of(state: GameState, legal: Sequence[Action], who: int) -> Inputs:
    """The inputs for a state and its legal answers; ``who`` is a WHO_ number of the layout."""
    question = np.empty(layout.QUESTION, np.int64)
    table = state.as_table()
    answers = words_of(number_of(action, state.drawn, state.rules.red_fives) & answer.NUMBER for action in legal)
    ask_viewer(table, np.array(answers, np.int64), who, question)
    return Inputs(*_filled(state, question), question)


def view_inputs(state: GameState) -> tuple[Bytes, Bytes]:
    """Planes and numbers for a state whose seat only looks and is asked nothing."""
    return _filled(state, _NOTHING)


_NOTHING: Final = np.zeros(layout.QUESTION, np.int64)
_NOTHING[[layout.Q_DRAWN, layout.Q_OFFERED]] = -1


def _filled(state: GameState, question: NDArray[np.int64]) -> tuple[Bytes, Bytes]:
    planes = np.empty((34, layout.PLANES), np.uint8)
    numbers = np.empty(layout.GLOBALS, np.uint8)
    fill_inputs(state.as_table(), question[None], hand_tables(), planes[None], numbers[None])
    return planes, numbers


@cache
def inputs_hash() -> str:
    """Sixteen hex digits over the names and scales of the layout; they change when a name or a scale does."""
    text = "\n".join(f"{name} / {of}" for name, of in (*PLANES, *NUMBERS))
    return short_hash(f"{_MEANING} {text}".encode())


_MEANING: Final = 1
"""To be raised when the kernel changes the meaning of a number but not its name."""


@dataclass(frozen=True)
class Shape(TrunkShape):
    """Widths of the network."""

    channels: int = 64
    blocks: int = 6
    summary: int = 64

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The trunk's, then those of the outputs."""
        return self.of_trunk(layout.PLANES, layout.GLOBALS) | {
            "tail": (TAIL, self.summary),
            "tail_bias": (TAIL,),
            "answer": (AT_KIND, self.channels),
            "answer_bias": (AT_KIND,),
        }


def legal_answers(questions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n, ANSWERS): which answers each question allows."""
    kinds = np.arange(34)
    legal = np.zeros((len(questions), layout.ANSWERS), np.bool_)
    legal[:, : layout.A_RIICHI] = questions[:, layout.Q_DISCARDS, None] >> kinds & 1
    legal[:, layout.A_RIICHI : layout.A_KANS] = questions[:, layout.Q_RIICHI, None] >> kinds & 1
    legal[:, layout.A_KANS : layout.A_CALLS] = questions[:, layout.Q_KANS, None] >> kinds & 1
    legal[:, layout.A_CALLS : layout.A_PASS] = questions[:, layout.Q_CALLS, None] >> np.arange(layout.CALLS) & 1
    legal[:, layout.A_PASS] = questions[:, layout.Q_OFFERED] >= 0
    legal[:, layout.A_NINE] = questions[:, layout.Q_NINE]
    return legal


class Network(Trunk):
    """Fitted weights, arranged for the forward pass; see the module."""

    scales = SCALES

    def log_chances(
        self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8], questions: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """Logarithm of each answer's chance for n decisions, and log-odds that a discarded five is the red one.

        Args:
            planes: (n, 34, PLANES).
            numbers: (n, GLOBALS).
            questions: (n, QUESTION).

        Returns:
            (n, ANSWERS), minus infinity where an answer is not legal; (n, 34).
        """
        answers = np.empty((len(planes), layout.ANSWERS), np.float32)
        reds = np.empty((len(planes), 34), np.float32)
        for at in range(0, len(planes), self.at_once):
            some = slice(at, at + self.at_once)
            self._logits(planes[some], numbers[some], questions[some, layout.Q_OFFERED], answers[some], reds[some])
        answers[~legal_answers(questions)] = -np.inf
        answers -= answers.max(axis=1, keepdims=True)
        answers -= np.log(np.exp(answers).sum(axis=1, keepdims=True))
        return answers, reds

    def of_state(self, state: GameState, legal: Sequence[Action], who: int) -> tuple[Floats, Floats]:
        """The outputs for one decision, from a state and its legal answers; ``who`` is a WHO_ number."""
        inputs = inputs_of(state, legal, who)
        logs, reds = self.log_chances(inputs.planes[None], inputs.numbers[None], inputs.question[None])
        return logs[0], reds[0]

    def _logits(
        self,
        planes: NDArray[np.uint8],
        numbers: NDArray[np.uint8],
        offered: NDArray[np.int64],
        answers: Floats,
        reds: Floats,
    ) -> None:
        w, n = self._w, len(planes)
        rows = self.rows(planes, numbers)
        tail = self.summary(rows) @ w["tail"] + w["tail_bias"]
        kinds = self.at_kinds(rows, "answer") + w["answer_bias"]
        answers[:, : layout.A_CALLS] = kinds[:, :, :3].transpose(0, 2, 1).reshape(n, layout.A_CALLS)
        answers[:, layout.A_CALLS : layout.A_PASS] = kinds[np.arange(n), offered, 4:] + tail[:, 2:]
        answers[:, layout.A_PASS :] = tail[:, :2]
        reds[:] = kinds[:, :, 3]


FILES: Final = {
    "phoenix": ShippedFile("engine.networks", "phoenix.npz", "oshihiki train phoenix LOG... --out {}"),
    "phoenix-large": ShippedFile(
        "engine.networks",
        "phoenix-large.npz",
        "oshihiki train phoenix LOG... --start-from phoenix.npz --channels 128 --blocks 8 --rate 2.5e-4 --out {}",
    ),
    "programs-large": ShippedFile(
        "engine.networks",
        "programs-large.npz",
        "oshihiki train phoenix LOG... --imitate programs --start-from phoenix-large.npz --rate 4e-4 --out {}",
    ),
}
"""The weights that are shipped: what imitates, what does so with more weights, and what these became by imitating
strong programs above all."""


@dataclass(frozen=True)
class ImitationWeights(NetworkWeights[Shape]):
    """A fitted network."""

    FILE = FILES["phoenix"]
    SHAPE = Shape
    inputs_now = staticmethod(inputs_hash)

    def network(self) -> Network:
        """The network with these weights."""
        return Network(self.shape, self.arrays())


def shipped_weights(name: str = "phoenix") -> ImitationWeights:
    """The weights shipped with the package under a name of :data:`FILES`.

    Raises:
        WeightsError: see :meth:`ImitationWeights.read`; also when the file is missing.
    """
    return _weights(name)


@cache
def _weights(name: str) -> ImitationWeights:
    return FILES[name].load(ImitationWeights.read)


def shipped_network(name: str = "phoenix") -> Network:
    """The network with :func:`shipped_weights`."""
    return _network(name)


@cache
def _network(name: str) -> Network:
    return _weights(name).network()


def warm_up() -> None:
    """Ask the network once, so that the next answer is quick; without its weights do nothing."""
    with suppress(WeightsError):  # the policies that use it say so, or refuse to play
        shipped_network().of_state(GameState(0), (Action(ActionKind.DISCARD, 0),), layout.WHO_PHOENIX)
