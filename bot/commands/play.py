"""``oshihiki play``: whole games over a real websocket, in an embedded lobby unless a server is configured."""

import asyncio
import json as json_text
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich import box
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from bot import config as configuration
from bot.commands import names
from bot.commands.browser import show_page
from bot.commands.options import WHO, ConfigFile, JsonFigures, Tonpu, WatchPort, command_lines, path_word, program_word
from bot.config import Config, Policy
from bot.deciding.ask import Outcome
from bot.deciding.person import HUMAN, Person
from bot.deciding.players import PlayerSpec, needs_of
from bot.machine.errors import TERMINATED, InputError
from bot.machine.outlet import console, error_screen, print_error, standard_output
from bot.machine.preparation import warm_up
from bot.machine.stop import run, stop_on_sigterm
from bot.machine.text import brief, plural
from bot.play import wiring
from bot.play.accounts import read_accounts
from bot.play.player import Watcher
from bot.play.season import Season, Sitting
from bot.store import played
from bot.store.importing import bring_in
from bot.wording.events import event_words, naming
from bot.wording.languages import plain
from engine.model.events import EndGame, Event, Ryuukyoku, StartGame, StartKyoku, Win
from engine.model.seats import by_score
from engine.policy.decision import Decision
from engine.state import GameState

if TYPE_CHECKING:
    from bot.watch.feed import Stage


PACE: Final = 0.5
"""Seconds before each answer while somebody may watch the live page."""
SHOWN: Final = 10
"""Number of games at the end of a run that are listed one by one."""


def play(
    games: Annotated[
        int, typer.Option("--games", "-n", min=0, help="Number of games of each account; 0: until stopped.")
    ] = 1,
    seed: Annotated[int | None, typer.Option(help="Seed of the policy, and of the embedded lobby's walls.")] = None,
    policy: Annotated[str | None, typer.Option(help=WHO, autocompletion=names.players)] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Use the fast clock: 3 s per answer and 5 s per hand.")] = False,
    tonpu: Tonpu = False,
    json: JsonFigures = False,
    config: ConfigFile = None,
    record: Annotated[Path | None, typer.Option(help="File (.jsonl) or folder for the record of each game.")] = None,
    pace: Annotated[
        float | None,
        typer.Option(min=0.0, max=3.0, help="Seconds before each answer (0.5 with --watch)."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show the tables on a page; print its link.")] = False,
    port: WatchPort = None,
    against: Annotated[
        str,
        typer.Option(
            help="Policy of the other three players in the embedded lobby.",
            autocompletion=names.policies,
        ),
    ] = "",
    name: Annotated[str, typer.Option(help="Your name at the table, with --policy human.")] = "",
) -> None:
    """Play whole games over a websocket, in an embedded lobby unless the configuration names a server.

    One line is printed for each hand. With --watch a page of this machine shows the tables, and stays until Ctrl-C.
    With --policy human you play yourself, on that page. A lost connection is reopened and the game resumed. SIGTERM
    stops after the game; a second SIGTERM, or SIGINT, stops at once. The result of each game is kept for `oshihiki
    stats`.

    Exit code 0: played to the end, or stopped after a game; 1: a game was lost, an answer was late or illegal, or the
    policy failed; 2: bad input; 130 and 143: stopped at once.

    Examples:
      oshihiki play
      oshihiki play --watch --games 0
      oshihiki play --policy human --against value --name Anna
      oshihiki play --games 2 --seed 7 --json
      oshihiki play --tonpu --fast --record games/
      oshihiki play --config my.toml --games 0
    """
    human = policy == HUMAN
    settings = configuration.load(config)
    if name and not human:
        raise InputError(f"--name: is for a person who plays; add --policy {HUMAN}")
    if name and settings.server.url:
        raise InputError("--name: the configured server names its players; this is for games without a server")
    if name and not wiring.is_name(name):
        raise InputError(f"--name: must have 1 to {wiring.NAME_LENGTH} printable characters")
    chosen = configuration.override(
        settings,
        {
            "policy.seed": seed,
            "policy.name": None if human else policy,
            "game.fast": fast or None,
            "game.length": "tonpu" if tonpu else None,
            "record.folder": str(record) if record else None,
            "lobby.seats": (against,) * 3 if against else None,
        }
        | (wiring.for_a_person(settings, seed, fast=fast) if human else {}),
    )
    person = Person() if human else None
    shows = _Shows(
        console(standard_output()), settings.policy, json=json, page=watch or human, port=port, person=person,
        name=name,
    )  # fmt: skip
    stopped, season = _run(chosen, games, pace, shows)
    if stopped:
        raise typer.Exit(TERMINATED)
    late = 0 if season.person is not None else season.tally.late
    if season.tally.illegal or late or season.tally.failed or season.lost:
        raise typer.Exit(1)


@dataclass(slots=True)
class _Shows:
    """Settings of how the games are shown, and to whom."""

    out: Console  # where the hands and the results are printed
    judge: Policy  # what judges in reviews: the configuration's policy, whoever plays
    json: bool = False  # whether nothing but JSON is printed
    page: bool = False  # whether there is a live page
    port: int | None = None  # port of the page; None: the usual one
    person: Person | None = None  # the person who plays; None if the policy plays
    stage: "Stage | None" = None  # what the page shows; None without a page
    single: bool = True  # whether one account plays
    name: str = ""  # name of the person; empty: none

    def check(self, accounts: int) -> None:
        """Check that a person can sit down.

        Raises:
            InputError: nobody can.
        """
        self.single = accounts == 1
        if self.person is not None and not self.single:
            raise InputError(f"--policy {HUMAN}: {accounts} accounts are configured; a person plays one")

    @property
    def pace(self) -> float:
        """Seconds before each answer, unless they are given."""
        return PACE if self.page and self.person is None else 0.0

    def watchers(self, sitting: Sitting) -> Sequence[Watcher]:
        """Those who watch a game."""
        found: list[Watcher] = []
        if self.stage is not None:
            from bot.watch.sitting import show  # noqa: PLC0415 - play starts faster without it

            found += show(sitting, self.stage, self.person)
        if not self.json:
            found.append(HandLines(self.out, "" if self.single else sitting.account))
        return found


def _run(chosen: Config, games: int, pace: float | None, shows: _Shows) -> tuple[bool, Season]:
    """Play the games and show their results. Returns whether a second SIGTERM stopped them at once, and the season."""
    accounts = read_accounts(chosen)
    shows.check(len(accounts))
    close = wiring.start_logging(chosen)
    screen = error_screen()
    try:
        bring_in(wiring.record_folder(chosen))
    except InputError as error:  # the games are played, and each result that cannot be kept is named
        print_error(str(error))
    pace = shows.pace if pace is None else pace
    season = Season(chosen, accounts, games, pace, shows.watchers, shows.person, shows.name)
    stopped = False
    try:
        needs = needs_of((wiring.player(chosen), *map(PlayerSpec.parse, chosen.lobby.seats)))
        warm_up(screen, needs | {"simulator"})  # by whose tables a lobby of our own deals
        note = wiring.caution(chosen)
        if note:
            screen.print(f"oshihiki: {note}", style="yellow", markup=False, highlight=False)
        run(_play(season, screen, shows))
    except asyncio.CancelledError:
        stopped = True
    finally:
        close()
        if shows.json:
            out = standard_output()
            out.write(f"{json_text.dumps(season.fields())}\n")
            out.flush()  # a reader that has gone is no failure of the games
        else:
            _show(shows.out, season)
    return stopped, season


async def _play(season: Season, screen: Console, shows: _Shows) -> None:
    async with AsyncExitStack() as stack:
        stop = stack.enter_context(stop_on_sigterm(lambda text: screen.print(f"oshihiki: {text}", highlight=False)))
        if shows.page:
            from bot.watch.place import page_of  # noqa: PLC0415 - play starts faster without it
            from bot.watch.sitting import sit_down  # noqa: PLC0415 - as above

            folder = wiring.record_folder(season.config)
            server = await stack.enter_async_context(page_of(lambda: played.read(folder), shows.port, shows.judge))
            shows.stage = server.stage
            if shows.person is not None:
                sit_down(season, server.stage, stop, hints=False)
            screen.print(f"watch: {server.link}", highlight=False, soft_wrap=True, markup=False)
            if shows.person is not None and not shows.json:
                await show_page(server.link, screen, server.entered)
        await season.play(stop)
        if shows.page and screen.is_terminal and shows.person is None and not stop.is_set():
            screen.print("The games are over. The page stays until Ctrl-C.", highlight=False)
            await stop.wait()


def _show(out: Console, season: Season) -> None:
    """Print the games for people; after an interruption, what was kept of them."""
    tally = season.tally
    shown = season.results[-SHOWN:]
    for number, result in enumerate(shown, len(season.results) - len(shown) + 1):
        title = f"game {number} of {len(season.results)}" if len(season.results) > 1 else "the game"
        unknown = "unknown: it ended, or the server forgot it, while the connection was lost"
        out.print(f"{title}: place {result.placement or unknown}", style="bold", highlight=False)
        if result.scores is not None:
            own = "this bot" if season.person is None else "you"
            out.print(standings(result.names, result.scores, result.results, result.seat, own))
    if len(season.results) > 1:
        out.print(season.status(), highlight=False)
    if tally.decisions:
        ms = tally.decision_ms()
        out.print(
            f"{plural(tally.hands, 'hand')}, {plural(tally.decisions, 'decision')}, {tally.illegal} illegal, "
            f"{tally.late} late; a decision took {ms['p50']:.1f} ms (median), {ms['max']:.1f} ms (longest)",
            highlight=False,
            soft_wrap=True,
        )
    for name, paths in (("record", season.records[-SHOWN:]), ("log", season.logs[-2 * SHOWN :])):
        for path in paths:
            if path.exists():
                size = decimal(path.stat().st_size)
                out.print(f"{name}: {path} ({size})", highlight=False, soft_wrap=True, markup=False)
    for step in _next_steps(season, out.width):
        out.print(step, style="dim", highlight=False, soft_wrap=True, markup=False)


def _next_steps(season: Season, width: int) -> list[str]:
    """Commands for the last game: review, practise, sum up."""
    kept = [path for path in season.dealt if path.exists()]
    if not kept:
        return []
    record = path_word(kept[-1])
    steps = (
        ("open one page to play, review, practise and see results", ("open",)),
        ("review it decision by decision", ("audit", record, "-o", "review.html")),
        ("show it again on a page", ("watch", record)),
        ("make an address for tenhou.net's viewer", ("export", record, "--to", "link")),
        ("sum up all games", ("stats", "--folder", path_word(kept[-1].parent))),
    )
    lines = ["next:"]
    for does, command in steps:
        lines += [f"  {does}", *command_lines((program_word(), *command), width, "    ")]
    return lines


def standings(
    names: tuple[str, ...],
    scores: tuple[int, ...],
    results: tuple[float, ...] | None,
    seat: int,
    own: str = "this bot",
) -> Table:
    """A table of the final places, points and result points; ``own`` is what the player of ``seat`` is called."""
    table = Table("", "player", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("points", justify="right")
    table.add_column("result", justify="right")
    for place, one in enumerate(by_score(scores), 1):
        result = "" if results is None else f"{results[one]:+.1f}"
        style = "bold" if one == seat else ""
        name = f"{brief(names[one], 24)}{f' ({own})' if one == seat else ''}"
        table.add_row(f"{place}", Text(name), f"{scores[one]:,}", result, style=style)
    return table


class HandLines:
    """A watcher that prints how each hand ended and the points after it."""

    def __init__(self, out: Console, account: str = "") -> None:
        """Create one.

        Args:
            out: where the lines are printed.
            account: label of the account, which begins each line; empty if there is only one.
        """
        self._names: Sequence[str] = ("", "", "", "")  # of the players by absolute seat
        self._out = out
        self._account = f"{brief(account, 24)}  " if account else ""
        self._place = ""
        self._ends: list[str] = []

    def happened(self, state: GameState, event: Event) -> None:
        """Print the hand that has ended."""
        if isinstance(event, StartGame):
            self._names = event.names
        if isinstance(event, StartKyoku | EndGame):
            self._print(event.scores, state.seat)
        if isinstance(event, Win | Ryuukyoku):
            self._place = state.place()
            who = naming(self._names, state.seat, wiring.NAME_LENGTH)
            self._ends.append(plain(event_words(event, who, red_fives=state.rules.red_fives)))

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Decisions are in the log."""

    def noted(self, said: Mapping[str, str]) -> None:
        """Notices are in the log."""

    def _print(self, scores: Sequence[int], viewer: int) -> None:
        if not self._ends:
            return
        who = naming(self._names, viewer, wiring.NAME_LENGTH)
        points = "  ".join(f"{who(seat)} {score:,}" for seat, score in enumerate(scores))
        line = f"{self._account}{self._place:<5} {'; '.join(self._ends)}  |  {points}"
        self._ends.clear()
        self._out.print(line, highlight=False, soft_wrap=True, markup=False)
