"""The command line: a table of commands, each loaded when it is called, and the one place where errors end.

Exit codes: 0 success, 1 the run failed or found a difference, 2 bad input; docs/commands.md has those of signals.
"""

import contextlib
import gc
import os
import signal
import sys
import threading
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import Any, Final, NamedTuple, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from bot.machine.errors import TERMINATED, InputError, ReaderGone, RunError, Terminated
from bot.machine.loading import ended_by_an_interrupt
from bot.machine.outlet import (
    flush_streams,
    open_missing_streams,
    print_error,
    reserve_stdout,
    use_replacement_characters,
)
from bot.retired import Kind, retired

LAST: Final = 1.5
"""Seconds after the last line in which the process may end by itself."""
LAST_AFTER_A_SIGNAL: Final = 0.6
"""The same after Ctrl-C or SIGTERM, which end every command within a second; its workers end with it."""


class Row(NamedTuple):
    """A command of one or two words: ``module:function``, and its line in the list of commands."""

    target: str
    summary: str


PANELS: Final[dict[str, dict[str, Row]]] = {
    "Play": {
        "open": Row("bot.commands.open:open_", "Open one page: play, reviews, practice, recorded games, results."),
        "play": Row("bot.commands.play:play", "Play games, in the embedded lobby or on a server."),
        "watch": Row("bot.commands.watch:watch", "Show recorded games on a page, also while they are played."),
        "stats": Row("bot.commands.stats:stats", "Summarise the games played, day by day."),
        "config check": Row("bot.commands.config:check", "Check a configuration, and show what is in effect."),
        "lobby": Row("bot.commands.lobby:lobby", "Run a lobby that speaks Tenhou's protocol."),
        "mjai": Row("bot.commands.mjai:mjai", "Play as an mjai program on standard input and output."),
        "warmup": Row("bot.commands.warmup:warmup", "Compile the kernels and build the tables ahead of use."),
    },
    "Logs": {
        "verify": Row("bot.commands.verify:verify", "Check recorded games against our rules."),
        "audit": Row("bot.commands.audit:audit", "Review a player's decisions: what each cost, and why."),
        "practice": Row("bot.commands.practice:practice", "Practise the positions that cost you most, as questions."),
        "replay": Row("bot.commands.replay:replay", "Compare a policy with recorded games; repeat records."),
        "evaluate": Row("bot.commands.evaluate:evaluate", "Evaluate every action of a hand or a recorded position."),
        "export": Row("bot.commands.export:export", "Convert logs to another format."),
    },
    "Laboratory": {
        "arena": Row("bot.lab.arena:arena", "Let policies play each other; results with intervals."),
        "bench shanten": Row("bot.lab.bench.speed:bench_shanten", "Measure how fast shanten is counted."),
        "bench scoring": Row("bot.lab.bench.speed:bench_scoring", "Measure how fast wins are scored."),
        "bench verify": Row("bot.lab.bench.speed:bench_verify", "Measure how fast logs are read and checked."),
        "bench dag": Row("bot.lab.bench.dag:bench_dag", "Measure the search: its time, and how many hands it holds."),
        "bench audit": Row("bot.lab.bench.speed:bench_audit", "Measure how fast a game is reviewed."),
        "bench danger": Row("bot.lab.bench.danger:bench_danger", "Compare the danger estimators."),
        "bench network": Row("bot.lab.bench.network:bench_network", "Compare imitating networks on equal decisions."),
        "bench policy": Row("bot.lab.bench.policy:bench_policy", "Compare policies with what strong players did."),
        "bench neat": Row("bot.lab.bench.neat:bench_neat", "Play one-player mahjong with evolved networks."),
        "bench chances": Row("bot.lab.bench.chances:bench_chances", "Compare stated chances with what came."),
        "bench forecasts": Row(
            "bot.lab.bench.forecasts:bench_forecasts", "Compare what a policy states with what came."
        ),
        "bench decisions": Row("bot.lab.bench.decisions:bench_decisions", "Judge single decisions by playing on."),
        "bench grades": Row("bot.lab.bench.grades:bench_grades", "Measure what the grades of an audit are worth."),
        "bench replay": Row("bot.lab.bench.speed:bench_replay", "Measure the speed of replay."),
        "bench simulator": Row("bot.lab.bench.simulator:bench_simulator", "Measure the speed of the simulator."),
        "train chances": Row("bot.lab.train.chances:chances", "Fit the chances of the tiles to come."),
        "train constants": Row("bot.lab.train.counts:constants", "Compare the policies' constants with games."),
        "train discards": Row("bot.lab.train.counts:discards", "Fit what others discard and when they end a hand."),
        "train danger": Row("bot.lab.train.danger:danger", "Fit, calibrate and measure the danger network."),
        "train outcomes": Row("bot.lab.train.danger:outcomes", "Fit how a hand ends when we fold."),
        "train suji": Row("bot.lab.train.counts:suji", "Count the plain danger tables."),
        "train phoenix": Row("bot.lab.train.phoenix:phoenix", "Fit the policy that imitates strong players."),
        "train critic": Row("bot.lab.train.critic:critic", "Fit the critic that takes luck out of results."),
        "train perceptron": Row("bot.lab.train.perceptron:perceptron", "Fit the perceptron of the CHE paper."),
        "train neat": Row("bot.lab.train.neat:neat", "Evolve networks that value hands (MM-NEAT)."),
        "train reference": Row("bot.lab.train.reference:reference", "Count how strong players fare in audits."),
        "train waits": Row("bot.lab.train.waits:waits", "Train the wait networks of Matsuda and Ito."),
        "train placement": Row("bot.lab.train.placement:placement", "Fit final ranks from scores and round."),
    },
}
"""The commands as ``--help`` lists them. No command of the first two panels needs the laboratory."""

COMMANDS: Final = {name: row for rows in PANELS.values() for name, row in rows.items()}


class _Interrupted(Exception):  # noqa: N818 - no error
    """Ctrl-C, under another name: typer ends without a word at a KeyboardInterrupt."""


class Commands(TyperGroup):
    """The commands that begin with some words; one's module is loaded only to run it or to show its help."""

    def __init__(self, *, before: str = "", **attributes: Any) -> None:
        """Hold the commands whose names begin with ``before``, words with a space behind them: ``'train '``."""
        super().__init__(**attributes)
        self._before = before
        for name, row in self._rows(COMMANDS).items():
            word, _, further = name.partition(" ")
            if not further:
                self.commands[word] = TyperCommand(word, help=row.summary)
            elif word not in self.commands:
                inner = Commands(before=f"{before}{word} ", name=word, no_args_is_help=True, rich_markup_mode=None)
                self.commands[word] = inner

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command to run, and load it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if isinstance(command, Commands) or not name else load(self._before + name), rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the commands panel by panel, each with its whole line."""
        for panel, rows in PANELS.items():
            if listed := self._rows(rows):
                with formatter.section(panel):
                    formatter.write_dl([(name, row.summary) for name, row in listed.items()])

    def invoke(self, ctx: Any) -> Any:
        """Run the command.

        Raises:
            _Interrupted: somebody has pressed Ctrl-C.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted from None

    def _rows(self, rows: dict[str, Row]) -> dict[str, Row]:
        """The rows of its commands, by the words that follow its own."""
        return {name.removeprefix(self._before): row for name, row in rows.items() if name.startswith(self._before)}


def _refuse_retired(args: list[str]) -> None:
    """Say what to use instead of a command or an option that only earlier versions had, if ``args`` hold one."""
    commands = [*args[:1], " ".join(args[:2])]
    found = [retired(Kind.COMMAND, name) for name in commands]
    before: set[str] = set()
    for word, following in pairwise([*args, ""]):
        option, given, value = word.partition("=")
        options = [option, f"{option} {option}"] if option in before else [option]
        named = [f"{command} {each}" for command in commands for each in options]
        if word.startswith("-"):
            named.append(f"{option} {value if given else following}")
        found += [retired(Kind.OPTION, name) for name in named]
        before.add(option)
    for sentence in filter(None, found):
        raise InputError(sentence)


def load(name: str) -> Any:
    """The click command of that name."""
    module, _, function = COMMANDS[name].target.partition(":")
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    gc.disable()  # imports create no garbage, and looking for it takes a tenth of the start-up time
    with ended_by_an_interrupt():
        command_module = import_module(module)
    app.command(name.replace(" ", "-"))(getattr(command_module, function))
    gc.set_threshold(20_000)  # what a command imports later is no garbage either
    gc.enable()
    command = typer.main.get_command(app)
    if command.help:
        command.help = command.help.replace("Examples:", "\b\nExamples:")  # \b: keep its lines as they are
    return command


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - takes longer to import than the rest

        typer.echo(f"oshihiki {version('oshihiki')}")
        raise typer.Exit


@app.callback()
def oshihiki(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Oshihiki: a Tenhou-compatible riichi mahjong bot with its own lobby."""
    del version


def program() -> None:
    """Entry point of the process: run the command line, then end the process within a second or two.

    Code from outside may have left threads or processes for which Python would wait, for ever if need be.
    """
    open_missing_streams()
    reserve_stdout()
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        signals = {signal.SIGINT: 130, signal.SIGTERM: TERMINATED}
        for number, its_code in signals.items():
            signal.signal(number, partial(_leave, its_code))
        last = LAST_AFTER_A_SIGNAL if code in signals.values() else LAST
        ending = threading.Timer(last, _leave, (code,))
        ending.daemon = True
        ending.start()
        if "bot.machine.parallel" in sys.modules:  # else there are none
            sys.modules["bot.machine.parallel"].end_workers()
        raise


def _leave(code: int, *_: object) -> None:
    """End the process now, and the programs that it has started, which would outlive it."""
    if "bot.machine.programs" in sys.modules:
        sys.modules["bot.machine.programs"].kill_programs()
    os._exit(code)


def main() -> None:
    """The command line: every error ends here as one line and an exit code, and so do the faults of code from outside.

    The faults are counted on standard error; where the exit code would be 0 it is 1 then.
    """
    if "bot.machine.outside" in sys.modules:  # the last command of this process loaded it
        sys.modules["bot.machine.outside"].FAULTS.take()
    try:
        _main()
    except SystemExit as end:
        if "bot.machine.outside" not in sys.modules:  # nothing from outside can have run
            raise
        lines = sys.modules["bot.machine.outside"].FAULTS.lines()
        for line in lines:
            print_error(line)
        _settle_and_exit(end.code or int(bool(lines)))


def _main() -> None:
    # must be set before numpy is loaded: our matrices are small, and threads cost more than they gain
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    use_replacement_characters()
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGTERM, _stop)
        _end_with_the_terminal()
    try:
        _refuse_retired(sys.argv[1:])
        app(prog_name="oshihiki", standalone_mode=True)
    except InputError as error:
        _fail(str(error), 2)
    except RunError as error:
        _fail(str(error), 1)
    except (KeyboardInterrupt, _Interrupted):
        _end("stopped", 130)
    except SystemExit as end:
        _settle_and_exit(end.code)
    except Exception as error:  # noqa: BLE001 - the last resort
        from bot.machine.logs import crash_note, system_error  # noqa: PLC0415 - only when there is something to tell
        from engine.tables import WeightsError  # noqa: PLC0415 - as above

        refused = isinstance(error, ImportError) and error.name == "numba"  # by a variable of the environment
        if refused or isinstance(error, WeightsError):
            _fail(str(error), 2)
        _fail(system_error(error) if isinstance(error, OSError) else crash_note(error), 1)
    finally:
        gc.freeze()  # the process ends, and a garbage collection over all that numba loads takes a tenth of a second


def _end_with_the_terminal() -> None:
    """Take SIGHUP, which comes when the terminal is closed, for a Ctrl-C; ``nohup`` ignores it, and so do we then."""
    hang_up = getattr(signal, "SIGHUP", None)  # some systems have none
    heard = hang_up and signal.getsignal(hang_up) is signal.SIG_DFL
    if hang_up and heard and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(hang_up, lambda *_: signal.raise_signal(signal.SIGINT))


def _stop(*_: object) -> None:
    """End the command as an error would, so that programs and processes it has started end with it."""
    raise Terminated


def _fail(message: str, code: int) -> NoReturn:
    from bot.machine.text import clean  # noqa: PLC0415 - only when there is something to tell

    _end(clean(message), code)


def _end(message: str, code: int) -> NoReturn:
    """Print a message of our own and end; nothing is imported, since an import may just have been interrupted."""
    print_error(message)
    _settle_and_exit(code)


def _settle_and_exit(code: str | int | None) -> NoReturn:
    """End with that code; where it is 0, what did not arrive on standard output changes it."""
    try:
        arrived = flush_streams()
    except ReaderGone as gone:
        sys.exit(code or gone.code)
    if not arrived and not code:
        _fail("standard output: not everything could be written", 1)
    sys.exit(code)
