"""Players of any kind at one table without sockets, with timing: the work of the arena's processes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from bot.deciding.ask import Outcome, ask
from bot.deciding.players import PlayerSpec, needs_of
from bot.machine.files import replace_file
from bot.play.tally import Times
from engine.arena.duplicate import play_deals, seat_of
from engine.arena.match import Game
from engine.arena.seat_stats import SeatStats
from engine.critic.luck import luck_of
from engine.model.actions import Action
from engine.model.budget import Budget
from engine.model.events import Event
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.policy.decision import JSON, Decider, Decision, Listener
from engine.simulator.play_kernels import Questions
from engine.simulator.tables import BatchDecider, Games, Ints
from engine.state import GameState
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog


class Watched(Decider):
    """A player whose decisions are timed. Where it fails or breaks the rules, the fallback answers and this is counted.

    Attributes:
        times: time of every decision.
        failed: number of decisions made by the fallback, by reason.
    """

    def __init__(self, inner: Decider, times: Times, failed: Counter[Outcome]) -> None:
        self._inner = inner
        self.name = inner.name
        self._listener = inner if isinstance(inner, Listener) else None
        self.warning = inner.warning
        self.times = times
        self.failed = failed

    def settings(self) -> Mapping[str, JSON]:
        """The player's settings."""
        return self._inner.settings()

    def start_kyoku(self) -> None:
        """Pass the start of a hand on."""
        self._inner.start_kyoku()

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """The player's answer, or the fallback's."""
        began = perf_counter()
        thought = ask(self._inner, state, legal, budget)
        self.times.add(perf_counter() - began)
        if thought.outcome is not Outcome.DECIDED:
            self.failed[thought.outcome] += 1
        return thought.decision

    def hear(self, event: Event, seat: int) -> None:
        """Pass an event on to a player that listens."""
        if self._listener is not None:
            self._listener.hear(event, seat)

    def close(self) -> None:
        """Close a player that listens."""
        if self._listener is not None:
            self._listener.close()


class WatchedBatch:
    """A player in batches whose time is shared out among the questions that it answered together."""

    def __init__(self, inner: BatchDecider, times: Sequence[Times]) -> None:
        """Watch ``inner``; ``times`` receive those of each table."""
        self._inner = inner
        self.name = inner.name
        self._times = times

    def start_kyoku(self, tables: Ints) -> None:
        """Pass the start of a hand on."""
        self._inner.start_kyoku(tables)

    def answer_all(self, games: Games, asked: Questions) -> Ints:
        """The player's answers."""
        began = perf_counter()
        answers = self._inner.answer_all(games, asked)
        each = (perf_counter() - began) / len(answers)
        for table in asked.tables.tolist():
            self._times[table].add(each)
        return answers


@dataclass(frozen=True, slots=True)
class Sparring:
    """The settings needed to play a deal, in any process."""

    # four players; in the n-th game of a deal each sits n seats further
    players: tuple[PlayerSpec, PlayerSpec, PlayerSpec, PlayerSpec]
    rules: Rules  # rules of the table
    nodes: int | None = None  # bound of each decision's search; None: the policy's own
    logs: Path | None = None  # folder for the games' logs, or None
    luck: bool = False  # whether the luck of the games is counted

    @property
    def names(self) -> list[str]:
        """The players as they were named."""
        return [player.text for player in self.players]

    @property
    def at_once(self) -> int:
        """Number of deals to be played side by side: the more questions are answered together, the faster it goes.

        Where a player decides one by one, most of the time is its own: deals side by side gain little, and would all
        end together.
        """
        return 32 if all(player.batched for player in self.players) else 1

    @property
    def needs(self) -> set[str]:
        """Names of the warm-up steps that a deal requires."""
        own = {"simulator", "critic"} if self.luck else {"simulator"}
        return {*own, *needs_of(self.players), *(need for one in self.players for need in one.batch_needs)}


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal that was played; see :func:`~engine.arena.duplicate.play_deals`."""

    seed: int  # seed of the walls
    stats: tuple[tuple[SeatStats, ...], ...]  # ``[player][game]``
    times: tuple[Times, ...]  # times of each player's decisions
    failed: tuple[Counter[Outcome], ...]  # how often the fallback answered for each player


def log_name(seed: int, game: int) -> str:
    """Name of the file of a deal's n-th game in the folder for logs."""
    return f"{seed}-{game}.xml"


def spar(seeds: Sequence[int], order: Sparring) -> Iterator[Deal]:
    """Play some deals side by side; yield each as it ends."""
    times = {seed: tuple(Times() for _ in order.players) for seed in seeds}
    failed: dict[int, tuple[Counter[Outcome], ...]] = {seed: tuple(Counter() for _ in order.players) for seed in seeds}
    together = {
        number: WatchedBatch(player.in_batches(), [times[seed][number] for seed in seeds for _ in SEATS])
        for number, player in enumerate(order.players)
        if player.batched
    }
    with ExitStack() as stack:

        def sitting(seed: int) -> list[Watched | WatchedBatch]:
            players: list[Watched | WatchedBatch] = []
            for number, player in enumerate(order.players):
                if number in together:
                    players.append(together[number])
                else:
                    one = Watched(player.make(seed), times[seed][number], failed[seed][number])
                    stack.callback(one.close)
                    players.append(one)
            return players

        def keep(seed: int, number: int, game: Game) -> None:
            if order.logs is not None:
                replace_file(order.logs / log_name(seed, number), write_log(GameLog(game.events), "mjlog").encode())
            if order.luck:
                lucks[seed, number] = luck_of(game.events).sum(axis=0)

        lucks: dict[tuple[int, int], NDArray[np.float64]] = {}
        for seed, stats in play_deals(sitting, order.rules, seeds, Budget(nodes=order.nodes), keep):
            for number in SEATS if order.luck else ():
                luck = lucks.pop((seed, number))
                for player, games in enumerate(stats):
                    points, places = luck[seat_of(player, number)].tolist()
                    games[number].point_luck, games[number].place_luck = points, places
            yield Deal(seed, stats, times[seed], failed[seed])
