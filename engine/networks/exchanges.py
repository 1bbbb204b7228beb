"""Symmetries of the rules: exchanged suits, exchanged dragons, and reversed ranks of a suit.

A policy that knows this would answer alike before and after an exchange. A fit on exchanged decisions teaches it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.networks import imitation_layout_kernels as layout
from engine.networks.imitation_layout_kernels import A_CALLS, CALL_HIGH, CALL_LOW, CALL_NUMBERS, G_CALLS

_LOW_NUMBERS, _HIGH_NUMBERS = (
    range(G_CALLS + call * CALL_NUMBERS, G_CALLS + (call + 1) * CALL_NUMBERS) for call in (CALL_LOW, CALL_HIGH)
)
_OF_KINDS: Final = (layout.Q_DISCARDS, layout.Q_RIICHI, layout.Q_KANS)
"""Columns of a question that hold a bit for each kind."""


@dataclass(frozen=True)
class Exchange:
    """An exchange of kinds.

    Reversed ranks are alike by the rules, except in the order of dora, which the network does not see, and in the
    yakuman of green tiles. A chi of the lowest tile becomes one of the highest.
    """

    suits: tuple[int, ...] = (0, 1, 2)  # which suit becomes the first, the second and the third
    dragons: tuple[int, ...] = (0, 1, 2)  # which dragon becomes the first, the second and the third
    mirrored: bool = False  # whether 1 becomes 9, 2 becomes 8, and so on

    @classmethod
    def drawn(cls, random: np.random.Generator) -> "Exchange":
        """One of all, each as likely as any other."""
        mirrored = bool(random.integers(2))
        suits, dragons = random.permutation(3), random.permutation(3)
        return cls(tuple(suits.tolist()), tuple(dragons.tolist()), mirrored)

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """(34,): which kind becomes each kind."""
        ranks = np.arange(9)[::-1] if self.mirrored else np.arange(9)
        suits = [9 * suit + ranks for suit in self.suits]
        return np.concatenate([*suits, np.arange(27, 31), 31 + np.array(self.dragons)])

    @cached_property
    def becomes(self) -> NDArray[np.int64]:
        """(34,): what each kind becomes."""
        return np.argsort(self.kinds)

    @cached_property
    def answers(self) -> NDArray[np.int64]:
        """(ANSWERS,): what each answer becomes."""
        found = np.arange(layout.ANSWERS)
        found[:A_CALLS] = found[:A_CALLS] // 34 * 34 + self.becomes[found[:A_CALLS] % 34]
        if self.mirrored:
            low, high = A_CALLS + CALL_LOW, A_CALLS + CALL_HIGH
            found[[low, high]] = high, low
        return found

    def inputs(
        self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8], questions: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]:
        """The inputs of n decisions after the exchange, as :meth:`Network.log_chances` takes them."""
        planes = planes[:, self.kinds]
        numbers, questions = numbers.copy(), questions.copy()
        for column in _OF_KINDS:
            questions[:, column] = _moved(questions[:, column], self.becomes)
        for column in (layout.Q_DRAWN, layout.Q_OFFERED):
            kinds = questions[:, column]
            questions[:, column] = np.where(kinds >= 0, self.becomes[np.maximum(kinds, 0)], kinds)
        if self.mirrored:
            numbers[:, [*_LOW_NUMBERS, *_HIGH_NUMBERS]] = numbers[:, [*_HIGH_NUMBERS, *_LOW_NUMBERS]]
            calls = np.arange(layout.CALLS)
            calls[[CALL_LOW, CALL_HIGH]] = CALL_HIGH, CALL_LOW
            questions[:, layout.Q_CALLS] = _moved(questions[:, layout.Q_CALLS], calls)
        return planes, numbers, questions


def _moved(masks: NDArray[np.int64], to: NDArray[np.int64]) -> NDArray[np.int64]:
    """Bit sets whose bits move to other places."""
    found: NDArray[np.int64] = ((masks[:, None] >> np.arange(len(to)) & 1) << to).sum(axis=1)
    return found
