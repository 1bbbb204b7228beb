"""Self-play: tables at which a learner plays itself, older selves and others, and what it learns from them."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final

import numpy as np
import torch

from engine.critic.network import CriticWeights
from engine.model.rules import TONPU, Rules
from engine.networks.imitation import ImitationWeights, shipped_weights
from engine.policy.batches import LearnedPlayers, SimplePlayers
from engine.simulator.tables import BatchDecider
from engine.train.advantages import figures_of, judge
from engine.train.critic import CriticFit, CriticSettings
from engine.train.learner import Learner, LearnerSettings
from engine.train.nets import TorchCritic, TorchNetwork
from engine.train.phoenix import CheckpointError
from engine.train.played import Crew, Stock
from engine.train.sampling import Arena, SampledPlayers, joined
from engine.train.selfplay_scores import ahead_of, yardstick

_WITHOUT_END: Final = 1 << 60
"""Draws of a critic whose learning rate never falls."""
DECISIONS_A_DEAL: Final = 200
"""Decisions weighed for each deal that is played to measure the strength; they take a quarter of its time."""


@dataclass(frozen=True)
class SelfPlaySettings:
    """Settings of a run of self-play."""

    tables: int = 512  # number of tables
    decisions: int = 30_000  # decisions of the learner that are kept in one round
    threads: int = 1  # threads that play, judge and learn side by side, each at its own tables
    decay: float = 0.97  # lambda of the advantages
    certain: float = 0.95  # chance of an answer from which on there is nothing to learn
    critic_every: int = 4  # rounds after which the critic learns from one again
    critic_share: float = 0.3  # share of the draws of such a round that the critic learns from
    critic_rate: float = 3e-4  # learning rate of the critic
    critic_decay: float = 0.3  # lambda of the ends that it is fitted to; see :class:`engine.train.critic.Lookahead`
    # against_first, against_older, against_simple: share of the tables at which half of the seats belong to the first
    # weights, to an older self, and to ``simple``; at the others the learner sits in all
    against_first: float = 0.2
    against_older: float = 0.1
    against_simple: float = 0.05
    older: int = 20  # rounds after which the learner's weights become those of the older self
    learner: LearnerSettings = field(default_factory=LearnerSettings)  # how the policy learns
    rules: Rules = field(default_factory=lambda: TONPU)  # rules of all tables
    seed: int = 1  # decides everything random

    def lasting(self) -> dict[str, Any]:
        """The settings that a run keeps from beginning to end; the others may change when it goes on."""
        kept = asdict(self)
        del kept["threads"], kept["learner"]["rate"]
        return kept


class SelfPlay:
    """A run: rounds of playing, judging and learning.

    Attributes:
        learner: the weights of the policy, which learn.
        critic: the critic, which learns from the same hands.
        done: number of the learner's decisions so far, including those that are not kept.
        rounds: number of rounds so far.
    """

    def __init__(self, start: ImitationWeights, critic: CriticWeights, settings: SelfPlaySettings) -> None:
        """Begin from these weights of the policy and of the critic."""
        # a machine may have more cores than a quick run has tables
        settings = replace(settings, threads=min(settings.threads, settings.tables))
        self.settings = settings
        self._crew = Crew(settings.threads, lambda: torch.set_num_threads(1))
        self.learner = Learner(start, settings.learner, settings.seed, self._crew)
        fit = CriticSettings(critic.shape, _WITHOUT_END, decay=settings.critic_decay, rate=settings.critic_rate)
        self.critic = CriticFit(fit, critic)
        self.done = self.rounds = 0
        self._start = f"{start.digest()} {critic.digest()}"
        self._network = TorchNetwork(start)
        self._sit_down()

    def _sit_down(self) -> None:
        """Take seats at new tables; every round has new walls."""
        settings = self.settings
        self._random = np.random.default_rng((settings.seed, self.rounds))
        seeds = self._random.integers(1 << 62, size=settings.threads)
        self._judge = TorchCritic(self.critic.weights())
        network = TorchNetwork(self.learner.weights())
        self._sampled = [
            SampledPlayers(network, settings.learner.temperature, settings.certain, int(seed)) for seed in seeds
        ]
        self._older = [LearnedPlayers(self._network) for _ in seeds]
        self._arenas = [
            Arena(sampled, self._opponents(older), settings.tables // settings.threads, settings.rules, int(seed))
            for sampled, older, seed in zip(self._sampled, self._older, seeds, strict=True)
        ]

    def _opponents(self, older: LearnedPlayers) -> list[tuple[BatchDecider, float]]:
        """Who else plays, and the share of the tables at which they do."""
        settings = self.settings
        return [
            (LearnedPlayers(self._network), settings.against_first),
            (older, settings.against_older),
            (SimplePlayers(), settings.against_simple),
        ]

    def save(self, path: Path) -> None:
        """Write everything needed to go on, tables and hands in play apart; the file is complete or not written."""
        part = path.with_suffix(".part")
        kept = {
            "settings": self.settings.lasting(),
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
            if kept["settings"] != self.settings.lasting() or kept["start"] != self._start:
                raise CheckpointError(f"{path} belongs to a run with other settings or first weights; begin another")
            self.learner.restore(kept["learner"])
            self.critic.restore(kept["critic"])
            self.done, self.rounds = kept["done"], kept["rounds"]
        except (OSError, EOFError, RuntimeError, KeyError, TypeError, ValueError, UnpicklingError) as error:
            if isinstance(error, CheckpointError):
                raise
            raise CheckpointError(f"{path} is not a checkpoint of self-play ({error}); begin without it") from error
        self._sit_down()
        for older in self._older:
            older.renew(self._sampled[0].network)

    def measure(self, seeds: Iterable[int]) -> dict[str, Any]:
        """The strength of what has been learned, on walls of these seeds; see :mod:`engine.train.selfplay_scores`."""
        seeds = list(seeds)
        learned, critic = TorchNetwork(self.learner.mean_weights()), TorchCritic(self.critic.weights())
        phoenix = TorchNetwork(shipped_weights())
        decisions, temperature = DECISIONS_A_DEAL * len(seeds), self.settings.learner.temperature
        return {
            **yardstick(learned, seeds, critic, phoenix=phoenix),
            "ahead": ahead_of(self._network, learned, critic, decisions, temperature, self.settings.seed),
        }

    def round(self, clock: Callable[[], float]) -> dict[str, Any]:
        """Play, judge and learn once; returns the figures of the round, and the seconds of ``clock`` of each part."""
        settings = self.settings
        began = clock()
        decisions = Stock(settings.decisions)
        played = self._crew.each(lambda thread: self._arenas[thread].play(decisions))
        at_play = clock()
        judged = self._crew.each(lambda thread: judge(played[thread], self._judge, settings.decay))
        for arena, each in zip(self._arenas, judged, strict=True):
            arena.left = each.left
        at_judge = clock()
        choices = joined([each.choices for each in judged])
        lesson = self.learner.learn(choices, np.concatenate([each.advantages for each in judged]), self._random)
        if self.rounds % settings.critic_every == 0:
            for each in judged:
                self.critic.follow(each.recordings, settings.critic_share, self._random)
            self._judge = TorchCritic(self.critic.weights())
        network = TorchNetwork(self.learner.weights())
        for sampled in self._sampled:
            sampled.network = network
        self.done += sum(each.asked for each in played)
        self.rounds += 1
        if self.rounds % settings.older == 0:
            for older in self._older:
                older.renew(network)
        seconds = {"play": at_play - began, "judge": at_judge - at_play, "learn": clock() - at_judge}
        return {
            "round": self.rounds,
            "decisions": self.done,
            "learned": len(choices.answers),
            **figures_of(judged),
            **{name: round(value, 6) for name, value in vars(lesson).items()},
            "seconds": {name: round(value, 1) for name, value in seconds.items()},
        }
