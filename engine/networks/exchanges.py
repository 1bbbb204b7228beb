"""Symmetries of the rules: exchanged suits, exchanged dragons, and reversed ranks of a suit.

A policy that knows this would answer alike before and after an exchange. The network nearly does, so that a fit on
exchanged decisions teaches more, and the mean over its answers to exchanged questions is a little better than one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.networks import imitation_layout_kernels as layout
from engine.networks.imitation import Network
from engine.networks.imitation_layout_kernels import A_CALLS, CALL_HIGH, CALL_LOW, CALL_NUMBERS, G_CALLS
from engine.networks.trunk import Floats

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


_ORDERS: Final = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
VIEWS: Final[Mapping[str, tuple[Exchange, ...]]] = {
    "one": (Exchange(),),
    "mirror": (Exchange(), Exchange(mirrored=True)),
    "suits": tuple(Exchange(suits) for suits in _ORDERS),
    "all": tuple(Exchange(suits, mirrored=mirrored) for mirrored in (False, True) for suits in _ORDERS),
}
"""The exchanges over which a mean is taken, by name: none, the mirror image, the orders of the suits, or both."""


class MeanNetwork(Network):
    """The mean chances of a network over exchanges of the kinds, each of which it is asked.

    The log-odds of red fives are a mean of log-odds.
    """

    def __init__(self, network: Network, exchanges: tuple[Exchange, ...]) -> None:
        self._network, self._exchanges = network, exchanges
        self.at_once = network.at_once

    def log_chances(
        self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8], questions: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """See :meth:`Network.log_chances`."""
        parts = [each.inputs(planes, numbers, questions) for each in self._exchanges]
        logs, reds = self._network.log_chances(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
        n = len(planes)
        chances = np.zeros((n, layout.ANSWERS), np.float32)
        odds = np.zeros((n, 34), np.float32)
        for at, each in enumerate(self._exchanges):
            rows = slice(at * n, (at + 1) * n)
            chances += np.exp(logs[rows][:, each.answers])
            odds += reds[rows][:, each.becomes]
        chances /= np.float32(len(parts))
        odds /= np.float32(len(parts))
        with np.errstate(divide="ignore"):
            return np.log(chances), odds
