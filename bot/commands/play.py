"""``oshihiki play``: whole games over a real websocket, in an embedded lobby unless a server is configured."""

import asyncio
import json as json_text
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import urlencode

import typer
from rich import box
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from bot import config as configuration
from bot.commands import names
from bot.commands.browser import show_page, show_running
from bot.commands.options import WHO, ConfigFile, JsonFigures, Tonpu, WatchPort, command_lines, path_word, program_word
from bot.config import Config, Policy
from bot.deciding.ask import Outcome
from bot.deciding.person import HUMAN, Person
from bot.deciding.players import PlayerSpec, needs_of
from bot.machine.errors import TERMINATED, InputError
from bot.machine.outlet import console, error_screen, print_error, say, standard_output
from bot.machine.preparation import warm_up
from bot.machine.stop import run, stop_on_sigterm
from bot.machine.text import brief, plural
from bot.play import wiring
from bot.play.accounts import read_accounts
from bot.play.season import Season
from bot.store import played
from bot.store.database import data_folder
from bot.store.importing import bring_in
from bot.wording.events import event_words, naming
from bot.wording.languages import plain
from engine.model.events import EndGame, Event, Ryuukyoku, StartGame, StartKyoku, Win
from engine.model.seats import by_score
from engine.policy.decision import Decision
from engine.state import GameState

PACE: Final = 0.5
"""Seconds before each answer while somebody may watch the live page."""
SHOWN: Final = 10
"""Number of games at the end of a run that are listed one by one."""

if TYPE_CHECKING:
    from bot.page.running import Running


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
    With --policy human you play yourself, on that page; an `oshihiki open` that is running offers the table on its own.
    A lost connection is reopened and the game resumed. SIGTERM stops after the game; a second SIGTERM, or SIGINT, stops
    at once. The result of each game is kept for `oshihiki stats`.

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
    plain = (games, seed, json, record, pace, port) == (1, None, False, None, None, None)
    settings = configuration.load(config)
    if name:
        _check_name(name, settings, human=human)
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
    accounts = read_accounts(chosen)
    if human and len(accounts) > 1:
        raise InputError(f"--policy {HUMAN}: {len(accounts)} accounts are configured; a person plays one")
    if human and plain and (found := _running(port, chosen)) is not None and (place := _table_of(chosen, name)):
        show_running("play", found, place, error_screen(), start=True)
        return
    if pace is None:
        pace = PACE if watch and not human else 0.0
    season = Season(chosen, accounts, games, pace, person=Person() if human else None, name=name)
    out = console(standard_output())
    if not json:
        season.watch.append(lambda sitting: [HandLines(out, sitting.account if len(accounts) > 1 else "")])
    # in reviews the configuration's policy judges, whoever plays
    show = partial(_show_games, port=port, judge=settings.policy, starts=human and not json)
    try:
        stopped = _run(season, show if watch or human else None)
    finally:
        if json:
            lines = standard_output()
            lines.write(f"{json_text.dumps(season.fields())}\n")
            lines.flush()  # a reader that has gone is no failure of the games
        else:
            _show(out, season)
    if stopped:
        raise typer.Exit(TERMINATED)
    late = 0 if human else season.tally.late
    if season.tally.illegal or late or season.tally.failed or season.lost:
        raise typer.Exit(1)


def _check_name(name: str, settings: Config, *, human: bool) -> None:
    """Check that a name can be given, and be shown at a table.

    Raises:
        InputError: it cannot.
    """
    for wrong, why in (
        (not human, f"is for a person who plays; add --policy {HUMAN}"),
        (settings.server.url, "the configured server names its players; this is for games without a server"),
        (not wiring.is_name(name), f"must have 1 to {wiring.NAME_LENGTH} printable characters"),
    ):
        if wrong:
            raise InputError(f"--name: {why}")


Show = Callable[[Season, Console, asyncio.Event, AsyncExitStack], Awaitable[bool]]
"""Lets a page show the games of a season until the stack is closed; returns whether the page stays after them."""


def _run(season: Season, show: Show | None) -> bool:
    """Play the games, which a page shows if there is one; returns whether a second SIGTERM stopped them at once."""
    config, screen = season.config, error_screen()
    close = wiring.start_logging(config)
    try:
        bring_in(wiring.record_folder(config))
    except InputError as error:  # the games are played, and each result that cannot be kept is named
        print_error(str(error))
    try:
        needs = needs_of((wiring.player(config), *map(PlayerSpec.parse, config.lobby.seats)))
        warm_up(screen, needs | {"simulator"})  # by whose tables a lobby of our own deals
        note = wiring.caution(config)
        if note:
            screen.print(f"oshihiki: {note}", style="yellow", markup=False, highlight=False)
        run(_play(season, screen, show))
    except asyncio.CancelledError:
        return True
    finally:
        close()
    return False


async def _play(season: Season, screen: Console, show: Show | None) -> None:
    async with AsyncExitStack() as stack:
        stop = stack.enter_context(stop_on_sigterm(lambda text: screen.print(f"oshihiki: {text}", highlight=False)))
        stays = show is not None and await show(season, screen, stop, stack)
        await season.play(stop)
        if stays and screen.is_terminal and not stop.is_set():
            screen.print("The games are over. The page stays until Ctrl-C.", highlight=False)
            await stop.wait()


def _running(port: int | None, config: Config) -> "Running | None":
    """The page of a program that is running, if it has the records of these games, and no port is named for another."""
    if port is not None:
        return None
    from bot.page.loopback import kept_key  # noqa: PLC0415 - play starts faster without it
    from bot.page.running import running  # noqa: PLC0415 - as above

    found = running(data_folder() / "reviews", kept_key(data_folder()))
    records = str(wiring.record_folder(config).absolute())
    return found if found is not None and found.records == records else None


def _table_of(config: Config, name: str) -> str:
    """Where that page offers a person the table of a configuration; empty: it has no such table."""
    from bot.home.table import OPPONENTS  # noqa: PLC0415 - play starts faster without it

    against = {*config.lobby.seats}
    if config.server.url or len(against) != 1 or not against <= {*OPPONENTS}:
        return ""
    wanted = {"against": against.pop(), "length": config.game.length, "clock": "fast" if config.game.fast else "slow"}
    return f"?{urlencode(wanted | ({'name': name} if name else {}))}#play"


async def _show_games(
    season: Season,
    screen: Console,
    stop: asyncio.Event,
    stack: AsyncExitStack,
    *,
    port: int | None,
    judge: Policy,
    starts: bool,
) -> bool:
    """Let a page show the games: that of a program that is running, or one of their own, where a person sits down.

    Args:
        season: the games.
        screen: where the page's address is printed.
        stop: set once no other game is to begin.
        stack: closes a page of their own.
        port: port of that page; None: the usual one.
        judge: what judges in its reviews.
        starts: whether a browser is started with it.

    Returns:
        Whether the page stays when the games are over.
    """
    person = season.person
    if person is None and (found := _running(port, season.config)) is not None:
        say(screen, f"watch: {found.link}#watch")
        return False
    from bot.page.loopback import kept_key  # noqa: PLC0415 - as above
    from bot.watch.place import page_of  # noqa: PLC0415 - play starts faster without it
    from bot.watch.sitting import show, sit_down  # noqa: PLC0415 - as above

    folder, key = wiring.record_folder(season.config), kept_key(data_folder())
    server = await stack.enter_async_context(page_of(lambda: played.read(folder), port, judge, key))
    if person is None:
        show(season, server.stage)
    else:
        sit_down(season, person, server.stage, stop, hints=False)
    say(screen, f"watch: {server.link}")
    if starts:
        await show_page(server.link, screen, server.entered)
    return person is None


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
                say(out, f"{name}: {path} ({size})")
    for step in _next_steps(season, out.width):
        say(out, step, "dim")


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
        say(self._out, line)
