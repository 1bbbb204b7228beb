"""Self-play: tables at which a learner plays itself, older selves and others, and what it learns from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from engine.critic.choices import DiscardValues
from engine.critic.network import Critic, CriticWeights
from engine.critic.outcomes import expected_places
from engine.imitation.network import Weights, shipped_weights
from engine.model.rules import TONPU, Rules
from engine.policy.batches import PhoenixPlayers, SimplePlayers
from engine.simulator.tables import BatchDecider, Tables
from engine.train.advantages import advantages_of, course_of, moments_of
from engine.train.critic import CriticFit
from engine.train.critic import Settings as CriticSettings
from engine.train.learner import Learner, LearnerSettings
from engine.train.phoenix import CheckpointError
from engine.train.played import play_on, recordings_of, what_follows
from engine.train.recordings import Recordings
from engine.train.sampling import Choices, SampledPlayers, gains_of, joined
from engine.train.selfplay_scores import yardstick
from engine.train.torch_networks import TorchCritic, TorchNetwork
from engine.train.worths import hands_to_come

_WITHOUT_END: Final = 1 << 60
"""Draws of a critic whose learning rate never falls."""
STAGES: Final = (56, 42, 28, 14, 0)
"""Tiles in the wall, at least, by which it is shown how much the critic explains."""


class Arena:
    """Tables that never stand still: hand after hand, game after game.

    Attributes:
        tables: the tables.
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
        self._learner = learner
        self._players = [learner, *(other for other, _ in others)]
        self._sitting = np.zeros((tables, 4), np.int64)
        at = 0
        for number, (_, share) in enumerate(others, 1):
            for table in range(at, at + round(share * tables)):
                self._sitting[table, [table % 4, (table + 1 + table // 4 % 3) % 4]] = number
            at += round(share * tables)

    def play(self, decisions: int) -> Played:
        """Go on until the learner has made so many decisions that are kept; the hands that ended on the way."""
        before, kept = self._learner.asked, 0
        choices: list[Choices] = []
        ended: list[NDArray[Any]] = []
        numbers: list[NDArray[np.int64]] = []
        while kept < decisions:
            over = play_on(self.tables, self._players, self._sitting)
            taken = self._learner.taken()
            if taken is not None:
                choices.append(taken)
                kept += len(taken.answers)
            if len(over):
                games = np.asarray(self.tables.games)
                ended.append(games[over])
                numbers.append(self._learner.numbers_of(over))
                done = over[games["over"][over] != 0]
                if len(done):
                    self.tables.restart(done)
        return Played(joined(choices), np.concatenate(ended), np.concatenate(numbers), self._learner.asked - before)


@dataclass
class Played:
    """What was played.

    Attributes:
        choices: decisions of the learner, also in hands that have not ended.
        ended: tables whose hands ended, as they stood then.
        numbers: (hands,), the numbers of those hands.
        asked: decisions of the learner, those too that are not kept.
    """

    choices: Choices
    ended: NDArray[Any]
    numbers: NDArray[np.int64]
    asked: int


@dataclass
class Judged:
    """Decisions with their advantages.

    Attributes:
        choices: the decisions.
        advantages: (n,), by how much each lowered the expected final place of who made it.
        recordings: the hands that were played, for the critic to learn from.
        figures: what was seen on the way: how much of the spread the critic explains, by tiles in the wall.
        left: decisions of hands that have not ended.
    """

    choices: Choices
    advantages: NDArray[np.float32]
    recordings: Recordings
    figures: dict[str, Any]
    left: Choices


def judge(played: Played, critic: Critic, decay: float) -> Judged:
    """The advantages of the decisions in hands that have ended."""
    recordings = recordings_of(played.ended)
    brought = expected_places(what_follows(played.ended)) - expected_places(hands_to_come(recordings.kyoku))
    course = course_of(recordings, critic)
    changes = advantages_of(course, brought, decay)
    order = np.argsort(played.numbers)
    place = np.searchsorted(played.numbers, played.choices.hands, sorter=order)
    found = order[np.minimum(place, len(order) - 1)]
    over = played.numbers[found] == played.choices.hands
    choices = played.choices.where(over)
    rows = moments_of(course, found[over], choices.events, choices.own)
    mine = -changes[rows, choices.seats]
    # of discards that were valued only what the values do not say is left, which keeps the mean as it was
    slot = np.argmax(choices.candidates == choices.answers[:, None], axis=1)
    valued = np.flatnonzero(choices.candidates[np.arange(len(slot)), slot] == choices.answers)
    mean, gains = gains_of(choices)
    after, seats = rows[valued] + 1, choices.seats[valued]
    came = course.values[after, seats] + changes[after, seats]
    mine[valued] = mean[valued] - came - gains[valued, slot[valued]]
    figures = {
        "hands": len(recordings.kyoku),
        "explained": _explained(brought[course.hands], course.values, course.walls),
        "spread": round(float(mine.std()), 4),
        "valued": round(len(valued) / max(len(slot), 1), 4),
        "spread_of_gains": round(float(gains[valued].std()), 4),
        "spread_of_results": round(float(brought.std()), 4),
    }
    return Judged(choices, mine.astype(np.float32), recordings, figures, played.choices.where(~over))


def _explained(brought: NDArray[np.float32], values: NDArray[np.float32], walls: NDArray[np.int64]) -> dict[str, float]:
    """Share of the spread of what hands brought that the values explain, by tiles in the wall."""
    shares = {}
    below = np.inf
    for least in STAGES:
        here = (walls >= least) & (walls < below)
        below = least
        if here.any():
            error = float(((brought[here] - values[here]) ** 2).mean())
            shares[str(least)] = round(1.0 - error / float((brought[here] ** 2).mean()), 4)
    return shares


@dataclass(frozen=True)
class SelfPlaySettings:
    """Settings of a run.

    Attributes:
        tables: number of tables.
        decisions: of the learner, kept, in one round.
        decay: lambda of the advantages.
        certain: chance of an answer from which on there is nothing to learn.
        critic_share: share of the draws of a round that the critic learns from.
        critic_rate: its learning rate.
        against_first, against_older, against_simple: share of the tables at which half of the seats belong to the first
            weights, to an older self, and to ``simple``; at the others the learner sits in all.
        older: rounds after which the learner's weights become those of the older self.
        learner: how the policy learns.
        rules: of all tables.
        seed: of everything random.
    """

    tables: int = 512
    decisions: int = 30_000
    decay: float = 0.95
    certain: float = 0.98
    critic_share: float = 0.1
    critic_rate: float = 3e-4
    against_first: float = 0.3
    against_older: float = 0.15
    against_simple: float = 0.05
    older: int = 20
    learner: LearnerSettings = field(default_factory=LearnerSettings)
    rules: Rules = field(default_factory=lambda: TONPU)
    seed: int = 1


class SelfPlay:
    """A run: rounds of playing, judging and learning.

    Attributes:
        learner: the weights that learn.
        critic: the critic, which learns along.
        done: decisions of the learner so far, those too that are not kept.
        rounds: rounds so far.
    """

    def __init__(self, start: Weights, critic: CriticWeights, settings: SelfPlaySettings) -> None:
        """Begin from the weights of the policy and of the critic."""
        self.settings = settings
        self.learner = Learner(start, settings.learner, settings.seed)
        self.critic = CriticFit(CriticSettings(critic.shape, draws=_WITHOUT_END, rate=settings.critic_rate), critic)
        self.done = self.rounds = 0
        self._start = f"{start.digest()} {critic.digest()}"
        self._random = np.random.default_rng(settings.seed)
        self._network = TorchNetwork(start)
        self._older = PhoenixPlayers(network=self._network)
        self._sit_down()

    def _sit_down(self) -> None:
        """Take seats at new tables; every round has walls of its own."""
        settings = self.settings
        self._random = np.random.default_rng((settings.seed, self.rounds))
        seed = int(self._random.integers(1 << 62))
        temperature = settings.learner.temperature
        self._judge = DiscardValues(TorchCritic(self.critic.weights()))
        self._sampled = SampledPlayers(
            TorchNetwork(self.learner.weights()), temperature, settings.certain, seed, self._judge
        )
        others: list[tuple[BatchDecider, float]] = [
            (PhoenixPlayers(network=self._network), settings.against_first),
            (self._older, settings.against_older),
            (SimplePlayers(), settings.against_simple),
        ]
        self._arena = Arena(self._sampled, others, settings.tables, settings.rules, seed)
        self._left: Choices | None = None

    def save(self, path: Path) -> None:
        """Write everything needed to go on, tables and hands in play apart; the file is complete or not written."""
        part = path.with_suffix(".part")
        kept = {
            "settings": asdict(self.settings),
            "start": self._start,
            "learner": self.learner.state(),
            "critic": self.critic.state(),
            "done": self.done,
            "rounds": self.rounds,
        }
        torch.save(kept, part)
        part.replace(path)

    def restore(self, path: Path) -> None:
        """Go on from the file of :meth:`save`; hands that were in play are dealt anew.

        Raises:
            CheckpointError: it cannot be read, or belongs to another run.
        """
        try:
            kept: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
            if kept["settings"] != asdict(self.settings) or kept["start"] != self._start:
                raise CheckpointError(f"{path} belongs to a run with other settings or first weights; begin another")
            self.learner.restore(kept["learner"])
            self.critic.restore(kept["critic"])
            self.done, self.rounds = kept["done"], kept["rounds"]
        except (OSError, EOFError, RuntimeError, KeyError, TypeError, ValueError, UnpicklingError) as error:
            if isinstance(error, CheckpointError):
                raise
            raise CheckpointError(f"{path} is not a checkpoint of self-play ({error}); begin without it") from error
        self._sit_down()
        self._older.renew(self._sampled.network)

    def measure(self, seeds: Iterable[int]) -> dict[str, Any]:
        """The yardstick of what has been learned; see :func:`engine.train.selfplay_scores.yardstick`."""
        learned, critic = TorchNetwork(self.learner.mean_weights()), TorchCritic(self.critic.weights())
        return yardstick(learned, seeds, critic, phoenix=TorchNetwork(shipped_weights()))

    def round(self, clock: Callable[[], float]) -> dict[str, Any]:
        """Play, judge and learn once; what was seen, and the seconds of ``clock`` that each took."""
        settings = self.settings
        began = clock()
        played = self._arena.play(settings.decisions)
        if self._left is not None:
            played.choices = joined([self._left, played.choices])
        at_play = clock()
        judged = judge(played, self._judge.critic, settings.decay)
        self._left = judged.left
        at_judge = clock()
        lesson = self.learner.learn(judged.choices, judged.advantages, self._random)
        self.critic.follow(judged.recordings, settings.critic_share, self._random)
        self._sampled.network = TorchNetwork(self.learner.weights())
        self._judge.critic = TorchCritic(self.critic.weights())
        self.done += played.asked
        self.rounds += 1
        if self.rounds % settings.older == 0:
            self._older.renew(self._sampled.network)
        seconds = {"play": at_play - began, "judge": at_judge - at_play, "learn": clock() - at_judge}
        return {
            "round": self.rounds,
            "decisions": self.done,
            "learned": len(judged.choices.answers),
            **judged.figures,
            **{name: round(value, 5) for name, value in vars(lesson).items()},
            "seconds": {name: round(value, 1) for name, value in seconds.items()},
        }
