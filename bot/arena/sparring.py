"""Players of any kind at one table without sockets, with timing: the work of the arena's processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from bot.deciding.ask import Outcome, ask
from bot.live.tally import Times
from bot.players import PlayerSpec
from engine.arena.duplicate import play_deal
from engine.arena.match import Game
from engine.arena.seat_stats import SeatStats
from engine.model.actions import Action
from engine.model.budget import Budget
from engine.model.events import Event
from engine.model.rules import Rules
from engine.policy.decision import JSON, Decider, Decision, Listener
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


@dataclass(frozen=True, slots=True)
class Sparring:
    """What is needed to play a deal, in any process.

    Attributes:
        players: four players; in the n-th game of a deal each sits n seats further.
        rules: rules of the table.
        nodes: bound of each decision's search; None: the policy's own.
        logs: folder for the games' logs, or None.
    """

    players: tuple[PlayerSpec, PlayerSpec, PlayerSpec, PlayerSpec]
    rules: Rules
    nodes: int | None = None
    logs: Path | None = None

    @property
    def names(self) -> list[str]:
        """The players as they were named."""
        return [player.text for player in self.players]


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal that was played; see :func:`~engine.arena.duplicate.play_deal`.

    Attributes:
        seed: seed of the walls.
        stats: ``[player][game]``.
        times: times of each player's decisions.
        failed: how often the fallback answered for each player.
    """

    seed: int
    stats: tuple[tuple[SeatStats, ...], ...]
    times: tuple[Times, ...]
    failed: tuple[Counter[Outcome], ...]

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> Deal:
        """The inverse of :meth:`fields`."""
        return cls(
            seed=int(line["seed"]),
            stats=tuple(tuple(SeatStats(**game) for game in games) for games in line["stats"]),
            times=tuple(map(Times.of, line["times"])),
            failed=tuple(Counter({Outcome(why): count for why, count in each.items()}) for each in line["failed"]),
        )

    def fields(self) -> dict[str, Any]:
        """The deal as JSON takes it."""
        return {
            "seed": self.seed,
            "stats": [[asdict(game) for game in games] for games in self.stats],
            "times": [times.fields() for times in self.times],
            "failed": [{why.value: count for why, count in sorted(each.items())} for each in self.failed],
        }


def spar(seed: int, order: Sparring) -> Deal:
    """Play one deal."""
    times = tuple(Times() for _ in order.players)
    failed: tuple[Counter[Outcome], ...] = tuple(Counter() for _ in order.players)
    with ExitStack() as stack:

        def seats(game: int) -> list[Watched]:
            del game
            sitting = []
            for number, player in enumerate(order.players):
                one = Watched(player.make(seed), times[number], failed[number])
                stack.callback(one.close)
                sitting.append(one)
            return sitting

        def keep(number: int, game: Game) -> None:
            if order.logs is not None:
                path = order.logs / f"{seed}-{number}.xml"
                path.write_text(write_log(GameLog(game.events), "mjlog"), encoding="utf-8")

        stats = play_deal(seats, order.rules, seed, Budget(nodes=order.nodes), keep)
    return Deal(seed, stats, times, failed)
