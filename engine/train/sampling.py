"""A learner at the simulator's tables: it draws its answers from its chances, and keeps what it was asked.

The tables never stand still, so that many questions come at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import Rules
from engine.networks.imitation import Network
from engine.networks.imitation_batch_kernels import answer_forced, choose, fill_asked
from engine.networks.imitation_layout_kernels import GLOBALS, PLANES, QUESTION
from engine.policy.phoenix import LEARNED_FROM, PLAYERS
from engine.rules.table_kernels import CALLED, DRAWN
from engine.shanten.tables import hand_tables
from engine.simulator.play_kernels import Questions
from engine.simulator.tables import BatchDecider, Games, Ints, Tables
from engine.train.played import Stock, play_on

MOST: Final = 5.0
"""Ratio of two chances of an answer beyond which it counts no more when weights are compared by what was drawn."""


class Choices(NamedTuple):
    """Decisions that were drawn."""

    # planes, numbers, questions: what the network was asked, see :class:`engine.networks.imitation.Network`
    planes: NDArray[np.uint8]
    numbers: NDArray[np.uint8]
    questions: NDArray[np.int64]
    answers: NDArray[np.int64]  # (n,), the answer drawn, a number of :mod:`engine.networks.imitation_layout_kernels`
    logs: NDArray[np.float32]  # (n,), the logarithm of its chance
    hands: NDArray[np.int64]  # (n,), a number of the hand; ``seats``: who decided
    seats: NDArray[np.int64]
    events: NDArray[np.int64]  # (n,), how many events had happened in the hand
    own: NDArray[np.bool_]  # (n,), whether it was the own turn

    def where(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "Choices":
        """Some of them."""
        return Choices._make(each[rows] for each in self)


def joined(parts: list[Choices]) -> Choices:
    """Several as one."""
    return Choices._make(np.concatenate(each) for each in zip(*parts, strict=True))


def tempered(logs: NDArray[np.float32], temperature: float) -> NDArray[np.float32]:
    """Logarithms of chances, sharper the lower the temperature; row by row."""
    found = logs / temperature
    found -= found.max(axis=1, keepdims=True)
    found -= np.log(np.exp(found).sum(axis=1, keepdims=True))
    return found


class SampledPlayers:
    """Answers as the network's chances say, at a temperature; what it decided is kept until :meth:`taken`."""

    name = "learner"

    def __init__(self, network: Network, temperature: float, certain: float, seed: int) -> None:
        """Sit down.

        Args:
            network: what says the chances.
            temperature: below 1 likely answers become likelier.
            certain: chance of an answer from which on a decision is not kept: there is nothing to learn from it.
            seed: of the draws.
        """
        self.network = network
        self._temperature = temperature
        self._certain = np.log(certain)
        self._random = np.random.default_rng(seed)
        self._who = PLAYERS[LEARNED_FROM.imitates]
        self._hands = np.zeros(0, np.int64)
        self._dealt = 0
        self._kept: list[Choices] = []
        self.asked = 0

    def start_kyoku(self, tables: Ints) -> None:
        """Give each new hand its number."""
        more = int(tables.max(initial=-1)) + 1 - len(self._hands)
        if more > 0:
            self._hands = np.concatenate([self._hands, np.zeros(more, np.int64)])
        self._hands[tables] = self._dealt + np.arange(len(tables))
        self._dealt += len(tables)

    def numbers_of(self, tables: Ints) -> Ints:
        """The numbers of the hands in play at these tables."""
        return self._hands[tables].copy()

    def taken(self) -> Choices | None:
        """The decisions since the last call; None if there were none."""
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
            )
        )
        return answers


class Arena:
    """Tables that never stand still: hand after hand, game after game.

    Attributes:
        tables: the tables.
        left: decisions of the learner in hands that have not ended.
    """

    def __init__(
        self,
        learner: SampledPlayers,
        others: Sequence[tuple[BatchDecider, float]],
        tables: int,
        rules: Rules,
        seed: int,
    ) -> None:
        """Seat the players.

        Args:
            learner: sits in all seats of some tables, and in half of the seats of the others.
            others: opponents with the share of the tables at which each sits.
            tables: number of tables.
            rules: of all tables.
            seed: of the walls.
        """
        self.tables = Tables(tables, rules, seed=seed)
        self.left: Choices | None = None
        self._learner = learner
        self._players = [learner, *(other for other, _ in others)]
        self._sitting = np.zeros((tables, 4), np.int64)
        at = 0
        for number, (_, share) in enumerate(others, 1):
            for table in range(at, at + round(share * tables)):
                self._sitting[table, [table % 4, (table + 1 + table // 4 % 3) % 4]] = number
            at += round(share * tables)

    def play(self, decisions: Stock) -> "SampledPlay":
        """Go on until the learner has made all decisions in stock that are kept; the hands that ended on the way."""
        before = self._learner.asked
        choices: list[Choices] = [] if self.left is None else [self.left]
        ended: list[NDArray[Any]] = []
        numbers: list[NDArray[np.int64]] = []
        while decisions.left > 0 or not ended:
            over = play_on(self.tables, self._players, self._sitting)
            taken = self._learner.taken()
            if taken is not None:
                choices.append(taken)
                decisions.take(len(taken.answers))
            if len(over):
                games = np.asarray(self.tables.games)
                ended.append(games[over])
                numbers.append(self._learner.numbers_of(over))
                done = over[games["over"][over] != 0]
                if len(done):
                    self.tables.restart(done)
        return SampledPlay(
            joined(choices), np.concatenate(ended), np.concatenate(numbers), self._learner.asked - before
        )


@dataclass
class SampledPlay:
    """The hands and decisions that were played."""

    choices: Choices  # decisions of the learner in these hands and in others that have not ended
    ended: NDArray[Any]  # tables whose hands ended, as they stood then
    numbers: NDArray[np.int64]  # (hands,), the numbers of those hands
    asked: int  # decisions of the learner, those too that are not kept
