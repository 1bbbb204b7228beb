"""Games of four of our clients in a lobby, with faults on the way there."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import structlog

from bot.config import LobbySettings
from bot.deciding.thinker import Thinker
from bot.lobby import LobbyConfig, LobbyServer, TableResult
from bot.lobby.settings import Limits
from bot.machine.gate import route
from bot.play.client import Client, GameLostError
from bot.play.clock import ClockTracker
from bot.play.patience import Manner, Patience
from bot.play.player import Player
from bot.play.tally import Tally
from engine.model.actions import CALLS, PASS, Action, ActionKind
from engine.model.events import Call, Event, Win
from engine.policy.decision import Budget, Decider, Decision
from engine.policy.registry import make_policy
from engine.state import GameState
from protocol.tenhou.game_type import Clock, GameType
from protocol.tenhou.session import GUEST, Login, Session
from tests.faults.plan import FaultPlan
from tests.faults.proxy import FaultProxy

log = structlog.get_logger()
NAMES: Final = ("Anna", "Boris", "Clara", GUEST)
"""Three accounts, which return by name, and a guest, which returns by the ``gpid`` of its GO message."""
MARGIN: Final = 0.2
CLOCK: Final = Clock(4.0, 2.0)
"""Clock of the lobby: long compared with the time of an answer, short compared with a run."""
PATIENCE: Final = Patience(
    open=20.0,
    login=2.0,
    waiting=8.0,
    seated=3.0,
    playing=8.0,
    echo=1.0,
    pong=2.0,
    beat=0.5,
    first_retry=0.01,
    longest_retry=0.5,
    give_up=120.0,
)
STUCK: Final = 180.0
"""Seconds after which a game that has not ended counts as stuck, if the process has had ``WORKED`` seconds of processor
time meanwhile."""
WORKED: Final = 30.0
"""Seconds of processor time; see :data:`STUCK`."""
STARVED: Final = 900.0
"""Seconds after which it counts as stuck in any case: on a busy machine a slow game is not stuck."""
KEPT: Final = 16
"""Number of finished games that the lobby remembers; each holds all its events."""
_LIMITS: Final = Limits(burst=1_000, rate=500.0, nonsense=1_000)
"""Keep-alive messages are twenty times as frequent here as at Tenhou, and late messages of a disconnected client must
not count as nonsense."""


class Anything(Decider):
    """Chooses a kind of action at random, then one of that kind, so calls are far more frequent than in play."""

    name = "anything"

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Choose at random."""
        kinds: dict[ActionKind, list[Action]] = {}
        for action in legal:
            kinds.setdefault(action.kind, []).append(action)
        kind = self._rng.choice(sorted(kinds))
        return Decision(self._rng.choice(kinds[kind]), mode="forced")


class Claimer(Anything):
    """Calls whenever it can, by chi alone or by anything else, so that claims of higher rank often meet one by chi.

    Attributes:
        overridden: number of times that another seat took what it had called.
    """

    name = "claimer"

    def __init__(self, seed: int = 0, *, chi: bool) -> None:
        super().__init__(seed)
        self.overridden = 0
        self._chi = chi
        self._called = False

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Call if possible, else choose at random."""
        wanted = [action for action in legal if action.kind in CALLS and (action.kind is ActionKind.CHI) is self._chi]
        self._called = bool(wanted)
        if PASS not in legal:
            return super().decide(state, legal, budget)
        return Decision(wanted[0] if wanted else PASS, mode="forced")

    def hear(self, event: Event, seat: int) -> None:
        """Count what another seat took."""
        self.overridden += self._called and isinstance(event, Call | Win) and event.seat != seat
        self._called = False

    def close(self) -> None:
        """Nothing has to be closed."""


Policies = tuple[Callable[[int], Decider], ...]
POLICIES: Final[Policies] = (
    partial(make_policy, "simple"),
    Anything,
    partial(make_policy, "tsumogiri"),
    Anything,
)
CLAIMERS: Final[Policies] = (partial(Claimer, chi=True), partial(Claimer, chi=False)) * 2
"""Players whose chi calls often meet a claim of higher priority."""
OVERRIDE: Final = "override"
"""A scripted fault: another seat claims, with priority, a tile that the client has called."""


@dataclass(slots=True)
class Trial:
    """The outcome of games.

    Attributes:
        games: number of games started.
        stuck: number of games that did not end in time.
        lost: number of clients that gave up their game.
        crashed: number of those that failed without a reason of their own.
        broken: number of trials of processes in which a promise did not hold.
        illegal: number of illegal answers, as counted by the lobby and by the clients.
        late: number of late answers, as counted by the lobby.
        injected: number of faults by kind, and of overridden claims.
        tally: sums of what the clients counted.
        why: reasons of the first failures.
    """

    games: int = 0
    stuck: int = 0
    lost: int = 0
    crashed: int = 0
    broken: int = 0
    illegal: int = 0
    late: int = 0
    injected: Counter[str] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)
    why: list[str] = field(default_factory=list)

    def went_wrong(self, what: str) -> None:
        """Record the reason of a failure."""
        if len(self.why) < 20:
            self.why.append(what)

    def saw(self, result: TableResult) -> None:
        """Count a finished game from the lobby's result."""
        for seat in result.clients:
            tally = result.tallies[seat]
            self.late += tally.late
            self.illegal += len(tally.illegal)
            for what in tally.illegal:
                self.went_wrong(f"illegal: {what}")

    def add(self, other: "Trial") -> None:
        """Add another outcome to this one."""
        self.games += other.games
        self.stuck += other.stuck
        self.lost += other.lost
        self.crashed += other.crashed
        self.broken += other.broken
        self.illegal += other.illegal
        self.late += other.late
        self.injected += other.injected
        self.tally.add(other.tally)
        for what in other.why:
            self.went_wrong(what)

    @property
    def gone(self) -> int:
        """Number of games lost, and of lost connections after which the client did not resume or learn the result."""
        return self.lost + max(self.tally.drops - self.tally.resumed - self.tally.ended - self.lost, 0)


def lobby_for(seed: int) -> LobbyServer:
    """A lobby with the clock of trials, which remembers only the latest games."""
    return LobbyServer(
        LobbyConfig(
            LobbySettings(
                port=0,
                seats=("tsumogiri", "tsumogiri", "tsumogiri"),
                action=CLOCK.action,
                bank=CLOCK.bank,
                fast_action=CLOCK.action,
                fast_bank=CLOCK.bank,
                openings=100_000.0,
                tables_each=64,
            ),
            seed=seed,
            patience=1.0,
            confirm=1.0,
            ready=2.0,
            limits=_LIMITS,
            keep=KEPT,
        )
    )


@asynccontextmanager
async def behind_faults(seed: int, plan: FaultPlan) -> AsyncIterator[tuple[LobbyServer, FaultProxy]]:
    """A lobby for trials, and the proxy through which clients reach it."""
    async with lobby_for(seed).serve() as lobby, FaultProxy(lobby.url, plan).serve() as proxy:
        yield lobby, proxy


async def play_alone(
    trial: Trial, plan: FaultPlan, seed: int, game_type: GameType, policies: Policies = POLICIES
) -> None:
    """Play one game in a lobby of its own and add its outcome to ``trial``."""
    async with behind_faults(seed, plan) as (lobby, proxy):
        await play_on(trial, proxy.url, seed, game_type, policies=policies)
        for result in lobby.results:
            trial.saw(result)
        trial.injected += proxy.injected


async def play_on(
    trial: Trial, url: str, seed: int, game_type: GameType, room: int = 0, policies: Policies = POLICIES
) -> None:
    """Let four clients play one game and add its outcome to ``trial``.

    Args:
        trial: the sums.
        url: address of the lobby.
        seed: seed of the players and of the jitter.
        game_type: game type of the table, against people.
        room: number of the private lobby, so that concurrent games do not mix; 0 is the public one.
        policies: makers of the players, called with a seed.
    """
    trial.games += 1
    deciders = [make(seed + number) for number, make in enumerate(policies)]
    thinkers = [Thinker(decider) for decider in deciders]
    tallies = [Tally() for _ in NAMES]
    playing = [
        asyncio.create_task(
            Client(
                route(url),
                Session(Login(game_type.code, name if name == GUEST else f"{name}{room or ''}", str(room))),
                Player(thinker, ClockTracker(CLOCK, MARGIN), tally),
                manner=Manner(patience=PATIENCE, rng=random.Random(seed)),
            ).play()
        )
        for name, thinker, tally in zip(NAMES, thinkers, tallies, strict=True)
    ]
    done, waiting = await _wait_for_the_end(playing)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    if waiting:
        trial.stuck += 1
        trial.went_wrong(f"seed {seed}: {len(waiting)} clients are stuck")
    _see_how_they_ended(trial, seed, list(done))
    for thinker in thinkers:
        thinker.close()
    trial.injected[OVERRIDE] += sum(getattr(decider, "overridden", 0) for decider in deciders)
    for tally in tallies:
        trial.illegal += tally.illegal + tally.failed
        trial.tally.add(tally)


async def _wait_for_the_end(
    playing: Sequence[asyncio.Task[object]],
) -> tuple[set[asyncio.Task[object]], set[asyncio.Task[object]]]:
    """Wait until all have ended or are stuck; returns those that have ended, and the others."""
    began, worked = time.monotonic(), time.process_time()
    limit = STUCK
    while True:
        done, waiting = await asyncio.wait(playing, timeout=max(began + limit - time.monotonic(), 0.0))
        slow = time.process_time() - worked < WORKED
        if not waiting or limit == STARVED or not slow:
            return done, waiting
        limit = min(limit + STUCK, STARVED)


def _see_how_they_ended(trial: Trial, seed: int, done: Sequence[asyncio.Task[object]]) -> None:
    for task in done:
        error = task.exception()
        if error is None:
            continue
        trial.lost += 1
        trial.went_wrong(f"seed {seed}: {type(error).__name__}: {error}")
        if not isinstance(error, GameLostError):
            trial.crashed += 1
            log.error("a client crashed", seed=seed, exc_info=error)
