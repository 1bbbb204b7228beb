"""``oshihiki bench watch``: the time of a decision while browsers watch, against the time while nobody does."""

import asyncio
import json as json_text
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import typer
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from bot.audit.examine import JUDGE
from bot.commands.options import JsonFigures, print_figures
from bot.config import Config, build
from bot.deciding.ask import Outcome
from bot.deciding.players import PlayerSpec, needs_of
from bot.live.player import Watcher
from bot.machine import logs
from bot.machine.outlet import error_screen, output_screen
from bot.play import results
from bot.play.accounts import read_accounts
from bot.play.season import Season, Sitting, Watch
from bot.runs.preparation import warm_up
from bot.watch.server import page_of
from engine.model.events import Event
from engine.policy.decision import Decision
from engine.state import GameState

Figures = dict[str, Any]

_READ: Final = "import sys; from bot.lab.bench.watch import read; read(sys.argv[1], int(sys.argv[2]))"


def bench_watch(
    policy: Annotated[str, typer.Option(help="Name of the policy that decides.")] = JUDGE,
    against: Annotated[str, typer.Option(help="Policy of the other three players.")] = "simple",
    watchers: Annotated[int, typer.Option(min=1, max=16, help="Number of browsers that watch.")] = 3,
    rounds: Annotated[int, typer.Option(min=1, help="Number of times that the game is played each way.")] = 3,
    pace: Annotated[
        float, typer.Option(min=0.0, max=3.0, help="Seconds before each answer; `play --watch` waits 0.5.")
    ] = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the walls and of the policy.")] = 0,
    json: JsonFigures = False,
) -> None:
    """Measure what the live page costs: the same east-only game with and without watchers, in turn.

    The watchers are connections of another process, which read everything. The shortest time of each decision over all
    rounds counts. With --pace 0 the page words a decision while the next one is being made.

    Examples:
      oshihiki bench watch
      oshihiki bench watch --policy simple --rounds 1 --json
    """
    with tempfile.TemporaryDirectory(prefix="oshihiki-bench-") as folder:
        config = build(
            {
                "policy": {"name": policy, "seed": seed},
                "game": {"length": "tonpu"},
                "lobby": {"seats": [against] * 3},
                "record": {"folder": folder},
            },
            "bench watch",
        )
        warm_up(error_screen(), needs_of(map(PlayerSpec.parse, (policy, against))))
        with logs.only_errors():
            figures = asyncio.run(_compare(config, watchers, rounds, pace))
    print_figures({"part": "watch", "policy": policy, **figures}, _show, json=json)


def _show(figures: Figures) -> None:
    out = output_screen()
    out.print(f"policy {figures['policy']}, {figures['watchers']} watchers")
    out.print(f"{figures['decisions']} decisions, the fastest of {figures['rounds']} rounds each way")
    for name in ("median", "mean", "p99"):
        without, watched = figures["without_ms"][name], figures["watched_ms"][name]
        out.print(f"  {name:<6} {without:9,.2f} ms without, {watched:9,.2f} ms watched: ratio {figures['ratio'][name]}")


class _Times:
    """A watcher that keeps the shortest time, in milliseconds, of each decision over all rounds.

    Other programs on the machine only ever add to a time, so the shortest one says most about our own.
    """

    def __init__(self) -> None:
        self.ms: dict[tuple[object, ...], float] = {}

    def happened(self, state: GameState, event: Event) -> None:
        """Ignore an event."""

    def decided(self, state: GameState, decision: Decision, _outcome: Outcome) -> None:
        """Keep the time of a decision."""
        discarded = tuple(map(len, state.rivers))
        key = (state.place(), discarded, state.offered, tuple(state.hand), decision.nodes)
        self.ms[key] = min(1000 * decision.elapsed, self.ms.get(key, float("inf")))

    def noted(self, text: str) -> None:
        """Ignore a message."""


async def _compare(config: Config, watchers: int, rounds: int, pace: float) -> Figures:
    without, watched = _Times(), _Times()
    messages = late = 0
    await _play(config, 0.0, lambda _: ())  # loads what the first game loads
    for _ in range(rounds):
        late += await _play(config, pace, lambda _: (without,))
        async with (
            page_of(partial(results.read, Path(config.record.folder))) as server,
            _reading(server.link, watchers),
        ):

            def watch(sitting: Sitting) -> Sequence[Watcher]:
                return (watched, server.stage.open(sitting.account, sitting.names, sitting.record))

            late += await _play(config, pace, watch)
            messages = sum(map(len, server.stage.history.games.values()))
    both = without.ms.keys() & watched.ms.keys()  # a search that the clock ends may be another one in each round
    before, after = (_summary([times.ms[key] for key in both]) for times in (without, watched))
    return {
        "watchers": watchers,
        "rounds": rounds,
        "pace": pace,
        "decisions": len(both),
        "messages": messages,
        "late": late,
        "without_ms": before,
        "watched_ms": after,
        "ratio": {name: round(after[name] / before[name], 3) for name in before if before[name]},
    }


async def _play(config: Config, pace: float, watch: Watch) -> int:
    """Play the game; the number of late answers."""
    season = Season(config, read_accounts(config), pace=pace, watch=watch)
    await season.play()
    return season.tally.late


def _summary(ms: Sequence[float]) -> dict[str, float]:
    found = sorted(ms)
    return {
        "median": round(statistics.median(found), 3),
        "mean": round(statistics.fmean(found), 3),
        "p99": round(found[int(0.99 * (len(found) - 1))], 3),
    }


@asynccontextmanager
async def _reading(link: str, watchers: int) -> AsyncIterator[None]:
    """Another process watches until the block ends; it is connected when the block begins."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", _READ, link, str(watchers), stdout=asyncio.subprocess.PIPE
    )
    try:
        if process.stdout is not None:
            await process.stdout.readline()
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def read(link: str, watchers: int) -> None:
    """Read everything that a page is sent, over several connections, until it ends. Prints a line once connected."""
    asyncio.run(_read(link, watchers))


async def _read(link: str, watchers: int) -> None:
    parts = urlsplit(link)
    address = f"ws://{parts.netloc}{parts.path}live"
    lines = [
        await connect(address, origin=Origin(f"http://{parts.netloc}"), proxy=None, max_size=None)
        for _ in range(watchers)
    ]
    print("connected", flush=True)  # noqa: T201 - read by the process that started this one
    await asyncio.gather(*map(_drain, lines))


async def _drain(line: Any) -> None:
    try:
        async for message in line:
            json_text.loads(message)
    except ConnectionClosed:
        return
