"""A learner at the simulator's tables: it draws its answers from its chances, and keeps what it was asked."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.critic.choices import DiscardValues
from engine.imitation.batch_kernels import answer_forced, choose, fill_asked
from engine.imitation.layout_kernels import A_KANS, A_RIICHI, GLOBALS, PLANES, QUESTION
from engine.imitation.network import Network
from engine.policy.phoenix import PLAYERS
from engine.policy.settings import PhoenixSettings
from engine.rules.table_kernels import CALLED, DRAWN
from engine.shanten.tables import hand_tables
from engine.simulator.play_kernels import Questions
from engine.simulator.tables import Games, Ints

CANDIDATES: Final = 5
"""Discards of a decision that are valued at most, the one that was drawn among them."""
COUNTS_FROM: Final = 0.05
TRUST: Final = 0.8
"""Final places from which on the difference between two values counts, and how much of it: in 1,200 positions that were
played on, differences above came true by 0.82 ± 0.11 (they are deal-ins), those below by -0.17 ± 0.33."""
_LEAST: Final = float(np.log(0.02))
"""Logarithm of the chance below which a discard that was not drawn is not valued."""


class Choices(NamedTuple):
    """Decisions that were drawn.

    Attributes:
        planes, numbers, questions: what the network was asked, see :class:`engine.imitation.network.Network`.
        answers: (n,), the answer drawn, a number of :mod:`engine.imitation.layout_kernels`.
        logs: (n,), the logarithm of its chance.
        hands: (n,), a number of the hand; ``seats``: who decided.
        events: (n,), how many events had happened in the hand.
        own: (n,), whether it was the own turn.
        candidates: (n, CANDIDATES), answers that were valued, discards with and without riichi; -1: none.
        chances: (n, CANDIDATES), the logarithms of their chances.
        values: (n, CANDIDATES), by how much the expected final place will have risen after each, all hands known.
    """

    planes: NDArray[np.uint8]
    numbers: NDArray[np.uint8]
    questions: NDArray[np.int64]
    answers: NDArray[np.int64]
    logs: NDArray[np.float32]
    hands: NDArray[np.int64]
    seats: NDArray[np.int64]
    events: NDArray[np.int64]
    own: NDArray[np.bool_]
    candidates: NDArray[np.int64]
    chances: NDArray[np.float32]
    values: NDArray[np.float32]

    def where(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Choices:
        """Some of them."""
        return Choices._make(each[rows] for each in self)


def joined(parts: list[Choices]) -> Choices:
    """Several as one."""
    return Choices._make(np.concatenate(each) for each in zip(*parts, strict=True))


def gains_of(choices: Choices) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(n,) mean value of the candidates, and (n, CANDIDATES) by how much each lowers the final place from there.

    Only differences that come true count, and as much of them as does; see :data:`COUNTS_FROM`.
    """
    some = choices.candidates >= 0
    weights = np.where(some, np.exp(choices.chances), 0.0)
    mean = (weights * choices.values).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-6)
    lower = np.where(some, mean[:, None] - choices.values, 0.0)
    gains = np.where(np.abs(lower) > COUNTS_FROM, TRUST * lower, 0.0)
    return mean.astype(np.float32), gains.astype(np.float32)


def tempered(logs: NDArray[np.float32], temperature: float) -> NDArray[np.float32]:
    """Logarithms of chances, sharper the lower the temperature; row by row."""
    found = logs / temperature
    found -= found.max(axis=1, keepdims=True)
    found -= np.log(np.exp(found).sum(axis=1, keepdims=True))
    return found


class SampledPlayers:
    """Answers as the network's chances say, at a temperature; what it decided is kept until :meth:`taken`."""

    name = "learner"

    def __init__(
        self, network: Network, temperature: float, certain: float, seed: int, judge: DiscardValues | None = None
    ) -> None:
        """Sit down.

        Args:
            network: what says the chances.
            temperature: below 1 likely answers become likelier.
            certain: chance of an answer from which on a decision is not kept: there is nothing to learn from it.
            seed: of the draws.
            judge: values the discards that were likely; None: none is valued.
        """
        self.network = network
        self.judge = judge
        self._temperature = temperature
        self._certain = np.log(certain)
        self._random = np.random.default_rng(seed)
        self._who = PLAYERS[PhoenixSettings().imitates]
        self._hands = np.zeros(0, np.int64)
        self._dealt = 0
        self._kept: list[Choices] = []
        self.asked = 0

    def start_kyoku(self, tables: Ints) -> None:
        """Give each new hand a number of its own."""
        more = int(tables.max(initial=-1)) + 1 - len(self._hands)
        if more > 0:
            self._hands = np.concatenate([self._hands, np.zeros(more, np.int64)])
        self._hands[tables] = self._dealt + np.arange(len(tables))
        self._dealt += len(tables)

    def numbers_of(self, tables: Ints) -> Ints:
        """The numbers of the hands in play at these tables."""
        return self._hands[tables].copy()

    def taken(self) -> Choices | None:
        """What was decided since the last time; None if nothing."""
        kept, self._kept = self._kept, []
        return joined(kept) if kept else None

    def answer_all(self, games: Games, asked: Questions) -> Ints:
        """An answer for each question."""
        answers = np.empty(len(asked.tables), np.int64)
        rest = np.empty(len(asked.tables), np.int64)
        rest = rest[: answer_forced(asked, answers, rest)]
        if not len(rest):
            return answers
        planes = np.empty((len(rest), 34, PLANES), np.uint8)
        numbers = np.empty((len(rest), GLOBALS), np.uint8)
        questions = np.empty((len(rest), QUESTION), np.int64)
        fill_asked(games, asked, rest, self._who, hand_tables(), planes, numbers, questions)
        logs, reds = self.network.log_chances(planes, numbers, questions)
        logs = tempered(logs, self._temperature)
        drawn = np.argmax(logs + self._random.gumbel(size=logs.shape).astype(np.float32), axis=1)
        rows = np.arange(len(rest))
        chosen = logs[rows, drawn]
        only = np.full_like(logs, -np.inf)
        only[rows, drawn] = 0.0
        choose(games, asked, rest, only, reds, answers)
        self.asked += len(rest)
        keep = logs.max(axis=1) < self._certain
        tables, seats = asked.tables[rest[keep]], asked.seats[rest[keep]]
        phases = np.asarray(games)["phase"][tables]
        own = (phases == DRAWN) | (phases == CALLED)
        candidates = _candidates(logs[keep], drawn[keep], own)
        values = np.zeros(candidates.shape, np.float32)
        if self.judge is not None:
            at, slot = np.nonzero(candidates >= 0)
            riichi, kinds = np.divmod(candidates[at, slot], A_RIICHI)
            values[at, slot] = self.judge.places(games, tables[at], seats[at], kinds, riichi)
        self._kept.append(
            Choices(
                planes[keep],
                numbers[keep],
                questions[keep],
                drawn[keep],
                chosen[keep],
                self._hands[tables],
                seats,
                np.asarray(games)["logged"][tables].astype(np.int64),
                own,
                candidates,
                np.take_along_axis(logs[keep], np.maximum(candidates, 0), 1),
                values,
            )
        )
        return answers


def _candidates(logs: NDArray[np.float32], drawn: Ints, own: NDArray[np.bool_]) -> Ints:
    """(n, CANDIDATES): the likely discards where a discard was drawn in the own turn; -1 where there is none."""
    discards = logs[:, :A_KANS]
    found = np.argsort(-discards, axis=1)[:, :CANDIDATES]
    found[np.take_along_axis(discards, found, 1) < _LEAST] = -1
    chosen = own & (drawn < A_KANS)
    missing = chosen & ~(found == drawn[:, None]).any(axis=1)
    found[missing, -1] = drawn[missing]
    found[~chosen | ((found >= 0).sum(axis=1) < 2)] = -1
    return found
