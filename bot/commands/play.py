"""``oshihiki play``: whole games over a real websocket, in an embedded lobby unless a server is configured."""

from __future__ import annotations

import asyncio
import json as json_text
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.filesize import decimal
from rich.status import Status

from bot import config as configuration
from bot import results, wiring
from bot.accounts import read_accounts
from bot.commands.options import ConfigFile, PolicyName, Tonpu, WatchPort
from bot.config import Config
from bot.deciding.person import HUMAN, Person
from bot.errors import TERMINATED, InputError
from bot.live.hand_lines import HandLines
from bot.live.player import Watcher
from bot.live.screen import LiveView
from bot.live.stop import stop_on_sigterm
from bot.live.view import standings
from bot.outlet import console, standard_error, standard_output
from bot.players import PlayerSpec, needs_of
from bot.progress import warm_up
from bot.season import Season, Sitting

if TYPE_CHECKING:
    from bot.watch.feed import Stage

PACE: Final = 0.1
"""Seconds before each answer while somebody watches in the terminal."""
PAGE_PACE: Final = 0.5
"""Seconds before each answer while somebody may watch the live page."""
PERSON_SECONDS: Final = 60.0
"""Seconds that a person has for each answer in the embedded lobby."""
SHOWN: Final = 10
"""Number of games at the end of a run that are listed one by one."""


def play(
    games: Annotated[
        int, typer.Option("--games", "-n", min=0, help="Number of games of each account; 0: until stopped.")
    ] = 1,
    seed: Annotated[int | None, typer.Option(help="Seed of the policy, and of the embedded lobby's walls.")] = None,
    policy: PolicyName = None,
    fast: Annotated[bool, typer.Option("--fast", help="Use the fast clock: 3 s per answer and 5 s per hand.")] = False,
    tonpu: Tonpu = False,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON, and do not show the table.")] = False,
    config: ConfigFile = None,
    record: Annotated[Path | None, typer.Option(help="File (.jsonl) or folder for the record of each game.")] = None,
    pace: Annotated[
        float | None,
        typer.Option(min=0.0, max=3.0, help="Seconds before each answer (0.1 at a terminal, 0.5 with --watch)."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show the tables on a page; print its link.")] = False,
    port: WatchPort = 0,
    against: Annotated[str, typer.Option(help="Policy of the other three players in the embedded lobby.")] = "",
) -> None:
    """Play whole games over a websocket, in an embedded lobby unless the configuration names a server.

    On a terminal the table is shown during play or, with several accounts, a status line; otherwise one line for each
    hand. With --watch a page of this machine shows it, and stays until Ctrl-C. With --policy human you play yourself,
    in the terminal or, with --watch, on the page. A lost connection is reopened and the game resumed. SIGTERM stops
    after the game; a second SIGTERM, or SIGINT, stops at once. The result of each game is kept for `oshihiki stats`.

    Exit code 0: played to the end, or stopped after a game; 1: a game was lost, or an answer was late or illegal; 2:
    bad input; 130 and 143: stopped at once.

    Examples:
      oshihiki play
      oshihiki play --watch --games 0
      oshihiki play --policy human --watch --against value
      oshihiki play --games 2 --seed 7 --json
      oshihiki play --tonpu --fast --record games/
      oshihiki play --config my.toml --games 0
    """
    human = policy == HUMAN
    settings = configuration.load(config)
    chosen = configuration.override(
        settings,
        {
            "policy.seed": seed,
            "policy.name": None if human else policy,
            "game.fast": fast or None,
            "game.length": "tonpu" if tonpu else None,
            "record.folder": str(record) if record else None,
            "lobby.seats": (against,) * 3 if against else None,
            "lobby.action": PERSON_SECONDS if human and not settings.server.url and not fast else None,
            "clock.bank_share": 1.0 if human else None,
        },
    )
    shows = _Shows(console(standard_output()), json=json, page=watch, port=port, person=Person() if human else None)
    stopped, season = _run(chosen, games, pace, shows)
    if stopped:
        raise typer.Exit(TERMINATED)
    tally = season.tally
    late = 0 if human else tally.late
    if tally.illegal or late or tally.failed or season.lost:
        raise typer.Exit(1)


@dataclass(slots=True)
class _Shows:
    """How the games are shown, and to whom.

    Attributes:
        out: where the table is shown.
        json: whether nothing but JSON is printed.
        page: whether there is a live page.
        port: port of the page.
        person: the person who plays; None if the policy plays.
        stage: what the page shows; None without a page.
        single: whether one account plays.
    """

    out: Console
    json: bool = False
    page: bool = False
    port: int = 0
    person: Person | None = None
    stage: Stage | None = None
    single: bool = True

    def check(self, accounts: int) -> None:
        """Check that a person can sit down.

        Raises:
            InputError: nobody can.
        """
        self.single = accounts == 1
        if self.person is None:
            return
        if not self.single:
            raise InputError(f"--policy {HUMAN}: {accounts} accounts are configured; a person plays one")
        if not self.page and (self.json or not self.out.is_terminal):
            raise InputError(f"--policy {HUMAN}: nobody can be asked here; use a terminal, or --watch")

    @property
    def table(self) -> bool:
        """Whether the terminal shows the table."""
        return self.out.is_terminal and not self.json and not self.page and self.single

    @property
    def pace(self) -> float:
        """Seconds before each answer, unless they are given."""
        return 0.0 if self.person else PAGE_PACE if self.page else PACE if self.table else 0.0

    def watchers(self, sitting: Sitting) -> Sequence[Watcher]:
        """Those who watch a game."""
        found: list[Watcher] = []
        if self.stage is not None:
            stage = self.stage
            feed = stage.open(sitting.account, sitting.names, sitting.record)
            sitting.stack.callback(stage.close, feed)
            found.append(feed)
            if self.person is not None:
                self.person.askers[:] = [feed]
        if self.table:
            view = sitting.stack.enter_context(LiveView(sitting.names, self.out))
            found.append(view)
            if self.person is not None:
                self.person.askers[:] = [view]
        elif not self.json and not self.out.is_terminal:
            found.append(HandLines(sitting.names, self.out, "" if self.single else sitting.account))
        return found


def _run(chosen: Config, games: int, pace: float | None, shows: _Shows) -> tuple[bool, Season]:
    """Play the games and show their results. Returns whether a second SIGTERM stopped them at once, and the season."""
    accounts = read_accounts(chosen)
    shows.check(len(accounts))
    close = wiring.start_logging(chosen, accounts)
    screen = console(standard_error())
    season = Season(chosen, accounts, games, shows.pace if pace is None else pace, shows.watchers, shows.person)
    stopped = False
    try:
        warm_up(screen, needs_of((wiring.player(chosen), *map(PlayerSpec.parse, chosen.lobby.seats))))
        note = wiring.caution(chosen)
        if note:
            screen.print(f"oshihiki: {note}", style="yellow", markup=False, highlight=False)
        asyncio.run(_play(season, screen, shows))
    except asyncio.CancelledError:
        stopped = True
    finally:
        close()
        if shows.json:
            standard_output().write(f"{json_text.dumps(season.fields())}\n")
        else:
            _show(shows.out, season)
    return stopped, season


async def _play(season: Season, screen: Console, shows: _Shows) -> None:
    async with AsyncExitStack() as stack:
        stop = stack.enter_context(stop_on_sigterm(lambda text: screen.print(f"oshihiki: {text}", highlight=False)))
        if shows.page:
            from bot.watch.serving import page_of  # noqa: PLC0415 - play starts faster without it

            folder = wiring.record_folder(season.config)
            server = await stack.enter_async_context(page_of(lambda: results.read(folder), shows.port))
            shows.stage = server.stage
            screen.print(f"watch: {server.link}", highlight=False, soft_wrap=True, markup=False)
        if not shows.table and screen.is_terminal and not shows.json:
            line = stack.enter_context(Status(season.status(), console=screen))
            telling = asyncio.create_task(_tell_status(season, line))
            stack.callback(telling.cancel)
        await season.play(stop)
        if shows.page and screen.is_terminal and not stop.is_set():
            screen.print("The games are over. The page stays until Ctrl-C.", highlight=False)
            await stop.wait()


async def _tell_status(season: Season, line: Status) -> None:
    while True:
        await asyncio.sleep(1.0)
        line.update(season.status())


def _show(out: Console, season: Season) -> None:
    """Print the games for people; after an interruption, what was kept of them."""
    tally = season.tally
    shown = season.results[-SHOWN:]
    for number, result in enumerate(shown, len(season.results) - len(shown) + 1):
        title = f"game {number} of {len(season.results)}" if len(season.results) > 1 else "the game"
        out.print(f"{title}: place {result.placement or 'unknown'}", style="bold", highlight=False)
        if result.scores is not None:
            own = "this bot" if season.person is None else "you"
            out.print(standings(result.names, result.scores, result.results, result.seat, own))
    if len(season.results) > 1:
        out.print(season.status(), highlight=False)
    if tally.decisions:
        ms = tally.decision_ms()
        out.print(
            f"{tally.hands} hands, {tally.decisions} decisions, {tally.illegal} illegal, {tally.late} late; "
            f"a decision took {ms['p50']:.1f} ms (median), {ms['max']:.1f} ms (longest)",
            highlight=False,
            soft_wrap=True,
        )
    for name, paths in (("record", season.records[-SHOWN:]), ("log", season.logs[-2 * SHOWN :])):
        for path in paths:
            if path.exists():
                size = decimal(path.stat().st_size)
                out.print(f"{name}: {path} ({size})", highlight=False, soft_wrap=True, markup=False)
