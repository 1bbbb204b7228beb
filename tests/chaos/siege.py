"""A lobby under attack by hostile clients, while the games of four honest ones go on."""

import asyncio
import contextlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.deciding.ask import Outcome
from bot.deciding.thinker import Thinker
from bot.machine.gate import route
from bot.play.client import Client, GameLostError
from bot.play.clock import ClockTracker
from bot.play.player import Player
from bot.play.tally import Tally, Times
from engine.model.events import Discard, Event
from engine.model.rules import TONPU
from engine.policy.decision import Decision
from engine.policy.registry import POLICIES, make_policy
from engine.state import GameState
from protocol.tenhou.game_type import GameType
from protocol.tenhou.session import Login, Session
from tests.chaos.besiegers import SECONDS_OF_GRACE

KEYS: Final = tuple(f"ID0000000{number}-honest0{number}" for number in range(1, 5))
ROOM: Final = "7777"
"""Lobby number of the honest clients' table."""
MOST_MEMORY: Final = 500.0
"""Memory in MiB that the lobby may use."""
MOST_THREADS: Final = 3 * 64 + 8
"""Number of threads that it may have: one for each built-in player of ``lobby.tables`` tables, and a few."""
_PYTHON: Final = (sys.executable, "-c")
ROOT: Final = Path(__file__).parents[2]
TABLE: Final = GameType(TONPU, people=True)


@dataclass(slots=True)
class Siege:
    """The outcome of a siege.

    Attributes:
        begun, ended: number of games of the four honest clients that started and ended.
        tally: what these clients counted.
        trips: times from an honest client's decision to discard until the lobby announces the discard.
        late, illegal: number of such answers of honest clients, as counted by the lobby.
        memory, threads: memory and threads of the lobby, second by second.
        attacks: numbers of attacks by kind.
        why: reasons of failures.
    """

    begun: int = 0
    ended: int = 0
    tally: Tally = field(default_factory=Tally)
    trips: Times = field(default_factory=Times)
    late: int = 0
    illegal: int = 0
    memory: list[float] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    attacks: Counter[str] = field(default_factory=Counter)
    why: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        """The requirements that were not met."""
        found = list(self.why)
        if self.ended < self.begun or not self.begun:
            found.append(f"{self.begun - self.ended} of {self.begun} honest games did not end")
        wrong = self.late + self.illegal + self.tally.late + self.tally.failed + self.tally.illegal
        if wrong:
            found.append(f"{wrong} answers of honest clients were late or illegal")
        if max(self.memory, default=0.0) > MOST_MEMORY:
            found.append(f"the lobby occupied {max(self.memory):.0f} MiB")
        if max(self.threads, default=0) > MOST_THREADS:
            found.append(f"the lobby had {max(self.threads)} threads")
        return found

    def fields(self) -> dict[str, Any]:
        """The figures as JSON shows them."""
        return {
            "honest_games": self.begun,
            "ended": self.ended,
            "hands": self.tally.hands // len(KEYS),
            "late": self.late + self.tally.late,
            "illegal": self.illegal + self.tally.illegal + self.tally.failed,
            "drops": self.tally.drops,
            "prompts": self.trips.count,
            "round_trip_ms": self.trips.ms(),
            "memory_mb": {"first": self.memory[0], "most": max(self.memory), "last": self.memory[-1]},
            "threads": {"most": max(self.threads), "last": self.threads[-1]},
            "attacks": dict(sorted(self.attacks.items())),
            "load": round(os.getloadavg()[0], 2),
        }


class _Stopwatch:
    """A watcher of one game that measures the time until own discards are announced."""

    def __init__(self, trips: Times) -> None:
        self._trips = trips
        self._since: float | None = None

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Start at the decision to discard."""
        del state, outcome
        self._since = time.monotonic() if decision.action.tile >= 0 else None

    def happened(self, state: GameState, event: Event) -> None:
        """Stop when it is announced."""
        if self._since is not None and isinstance(event, Discard) and event.seat == state.seat:
            self._trips.add(time.monotonic() - self._since)
            self._since = None

    def noted(self, said: Mapping[str, str]) -> None:
        """Ignore it."""


async def besiege(seconds: float, clients: int, seed: int, table: GameType) -> Siege:
    """Run a lobby as a process, hostile clients as another, and honest clients here.

    Args:
        seconds: duration; running games are then played to their end.
        clients: number of hostile clients.
        seed: seed of the attacks and of the players.
        table: game type of the honest clients' table, against people.
    """
    siege = Siege()
    async with _lobby(siege) as (url, pid):
        watching = asyncio.create_task(_watch(pid, siege))
        source = f"from tests.chaos.besiegers import main; main({url!r}, {clients}, {seconds}, {seed})"
        hostile = await asyncio.create_subprocess_exec(
            *_PYTHON, source, stdout=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL, cwd=ROOT
        )
        try:
            await _play_games(siege, url, time.monotonic() + seconds, seed, table)
            out, _ = await asyncio.wait_for(hostile.communicate(), seconds + SECONDS_OF_GRACE)
            siege.attacks.update(json.loads(out))
        finally:
            if hostile.returncode is None:
                hostile.kill()
            watching.cancel()
    return siege


@contextlib.asynccontextmanager
async def _lobby(siege: Siege) -> AsyncIterator[tuple[str, int]]:
    source = "from bot.cli import program; program()"
    process = await asyncio.create_subprocess_exec(
        *_PYTHON, source, "lobby", "--port", "0", "--json", stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, stdin=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    lines = process.stdout
    if lines is None:
        raise RuntimeError("the lobby has no output")
    url = json.loads(await lines.readline())["url"]

    async def count() -> None:
        async for line in lines:
            game = json.loads(line)
            if not any(name.startswith("ⓝ") or name in POLICIES for name in game["names"]):  # four honest clients
                siege.late += game["late"]
                siege.illegal += game["illegal"]

    counting = asyncio.create_task(count())
    try:
        yield url, process.pid
    finally:
        if process.returncode is None:
            process.terminate()
        else:
            siege.why.append(f"the lobby ended with exit code {process.returncode}")
        await process.wait()
        await counting


async def _watch(pid: int, siege: Siege) -> None:
    """Record the lobby's memory and threads each second."""
    while True:
        status = memory_and_threads(pid)
        if status is not None:
            siege.memory.append(status[0])
            siege.threads.append(status[1])
        await asyncio.sleep(1.0)


def memory_and_threads(pid: int) -> tuple[float, int] | None:
    """Resident memory of a process in MiB, and its number of threads; None if the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        memory = int(status.partition("VmRSS:")[2].split()[0]) / 1024
        return round(memory, 1), int(status.partition("Threads:")[2].split()[0])
    except (OSError, IndexError, ValueError):
        return None


async def _play_games(siege: Siege, url: str, until: float, seed: int, table: GameType) -> None:
    while time.monotonic() < until:
        siege.begun += 1
        ends = await asyncio.gather(
            *(_play(siege, url, key, seed + siege.begun, table) for key in KEYS), return_exceptions=True
        )
        lost = [end for end in ends if isinstance(end, BaseException)]
        siege.ended += not lost
        siege.why += [f"game {siege.begun}: {error}" for error in lost]
        for error in lost:
            if not isinstance(error, GameLostError):
                raise error


async def _play(siege: Siege, url: str, key: str, seed: int, table: GameType) -> None:
    thinker, tally = Thinker(make_policy("simple", seed)), Tally()
    player = Player(thinker, ClockTracker(table.clock), tally)
    player.watchers = (_Stopwatch(siege.trips),)
    try:
        await Client(route(url), Session(Login(table.code, key, ROOM)), player).play()
    finally:
        siege.tally.add(tally)
        thinker.close()
