"""``oshihiki play``: whole games over a real websocket, on an embedded lobby unless a server is configured."""

from __future__ import annotations

import asyncio
import json as json_text
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from pydantic import SecretStr
from rich.console import Console
from rich.filesize import decimal

from bot import config as configuration
from bot import wiring
from bot.config import Config
from bot.live.client import GameLostError, GameResult
from bot.live.tally import Tally
from bot.live.view import LiveView, standings
from bot.lobby import LobbyServer
from bot.progress import warm_up

PACE: Final = 0.1
"""Seconds before each answer while a person looks on."""


@dataclass(slots=True)
class Run:
    """What came of the games.

    Attributes:
        results: of the games, in order.
        records: their files, one a game.
        logs: the lobby's own logs of them, for viewers.
        tally: counts over all.
    """

    results: list[GameResult] = field(default_factory=list)
    records: list[Path] = field(default_factory=list)
    logs: list[Path] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    def fields(self) -> dict[str, Any]:
        """As ``--json`` prints it."""
        return {
            "games": len(self.results),
            **self.tally.fields(),
            "placements": [result.placement for result in self.results],
            "scores": [result.scores and result.scores[result.seat] for result in self.results],
            "records": [str(path) for path in self.records],
            "record_bytes": [path.stat().st_size for path in self.records],
            "logs": [str(path) for path in self.logs],
        }


def play(
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games to play, one after another.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Seed of the policy, and of the embedded lobby's walls.")] = None,
    policy: Annotated[str | None, typer.Option(help="Who decides: a policy's name.")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="The fast clock: 3 s an answer and 5 s a hand.")] = False,
    tonpu: Annotated[bool, typer.Option("--tonpu", help="East round only.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON and show no table.")] = False,
    config: Annotated[Path | None, typer.Option(help="Configuration file; see config.example.toml.")] = None,
    record: Annotated[Path | None, typer.Option(help="File (.jsonl) or folder for the record of each game.")] = None,
    pace: Annotated[
        float | None, typer.Option(min=0.0, max=3.0, help="Seconds to wait before each answer (0.1 at a terminal).")
    ] = None,
) -> None:
    """Play whole games over a websocket: on a lobby of our own, unless the configuration names a server.

    At a terminal the table is shown while it plays. Exit code 0: played to the end; 1: a game was lost on the way or
    an answer was late or illegal; 2: bad input.

    Examples:
      oshihiki play
      oshihiki play --games 2 --seed 7 --json
      oshihiki play --tonpu --fast --record games/
      oshihiki play --config my.toml
    """
    chosen = configuration.override(
        configuration.load(config),
        {
            "policy.seed": seed,
            "policy.name": policy,
            "game.fast": fast or None,
            "game.length": "tonpu" if tonpu else None,
            "record.folder": str(record) if record else None,
        },
    )
    key = wiring.account_key(chosen)
    close = wiring.start_logging(chosen, key)
    screen = Console(stderr=True)
    out = Console()
    watched = out.is_terminal and not json
    try:
        warm_up(screen, {chosen.policy.name, *chosen.lobby.seats})
        wait = pace if pace is not None else PACE if watched else 0.0
        run = asyncio.run(_play(chosen, key, games, out if watched else None, wait))
    finally:
        close()
    if json:
        typer.echo(json_text.dumps(run.fields()))
    else:
        _tell(out, run)
    if run.tally.illegal or run.tally.late or run.tally.failed:
        raise typer.Exit(1)


async def _play(config: Config, key: SecretStr, games: int, screen: Console | None, pace: float) -> Run:
    run = Run()
    folder = wiring.record_folder(config)
    async with _server(config, folder) as (url, lobby):
        for game in range(games):
            run.results.append(await _one_game(config, key, url, game, run, screen, pace))
            if lobby is not None:
                run.logs += (await lobby.ended(game + 1)).files
    return run


async def _one_game(
    config: Config, key: SecretStr, url: str, game: int, run: Run, screen: Console | None, pace: float
) -> GameResult:
    thinking = wiring.thinker(config, game)
    async with AsyncExitStack() as stack:
        stack.callback(thinking.close)
        keeping = stack.enter_context(wiring.record(config, game, thinking, key))
        run.records.append(keeping.path)

        def watch(names: Callable[[], Sequence[str]]) -> Sequence[LiveView]:
            return () if screen is None else (stack.enter_context(LiveView(names, screen)),)

        client = wiring.client(config, url, key, thinking, run.tally, keeping, watch, pace)
        try:
            result = await client.play()
        except GameLostError as error:
            keeping.ended(lost=str(error))
            raise
        if result is None:
            raise GameLostError("stopped before a game began")
        keeping.ended(scores=result.scores, seat=result.seat, placement=result.placement, log=result.log_id)
        return result


@asynccontextmanager
async def _server(config: Config, folder: Path) -> AsyncIterator[tuple[str, LobbyServer | None]]:
    """Where to play: the server of the configuration, or a lobby of our own for as long as it is needed."""
    if config.server.url:
        yield config.server.url, None
        return
    async with LobbyServer(wiring.embedded_lobby(config, folder)).serve() as lobby:
        yield lobby.url, lobby


def _tell(out: Console, run: Run) -> None:
    """The games for people."""
    tally = run.tally
    for number, result in enumerate(run.results, 1):
        title = f"game {number} of {len(run.results)}" if len(run.results) > 1 else "the game"
        out.print(f"{title}: place {result.placement}", style="bold", highlight=False)
        if result.scores is not None:
            out.print(standings(result.names, result.scores, result.results, result.seat))
    ms = tally.decision_ms()
    out.print(
        f"{tally.hands} hands, {tally.decisions} decisions, {tally.illegal} illegal, {tally.late} late; "
        f"a decision took {ms['p50']:.1f} ms (median), {ms['max']:.1f} ms (longest)",
        highlight=False,
        soft_wrap=True,
    )
    for name, paths in (("record", run.records), ("log", run.logs)):
        for path in paths:
            size = decimal(path.stat().st_size)
            out.print(f"{name}: {path} ({size})", highlight=False, soft_wrap=True, markup=False)
