"""``oshihiki bench shanten``, ``scoring``, ``verify``, ``audit`` and ``replay``: how fast the program is here."""

import os
import random
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, ClassVar, Final

import numpy as np
import typer

from bot.commands import names
from bot.commands.options import WHO
from bot.config import Policy
from bot.deciding.players import PlayerSpec
from bot.lab.experiment import Experiment, print_table, shown
from bot.lab.seats import Games, best_recordings, own_games, own_logs
from bot.logs.sources import open_logs
from bot.machine.errors import InputError
from bot.machine.inputs import NO_LOG
from bot.machine.outlet import error_screen
from bot.machine.preparation import warm_up
from bot.replay.games import Order, replay_file
from bot.replay.verify import verify_files
from bot.review.examine import examine
from bot.review.fields import audit_fields
from bot.review.many import Job, audit_seats
from bot.review.recording import read_recording
from bot.review.report import render_report
from engine.model.events import Win
from engine.model.seats import SEATS
from engine.model.tiles import TILES, counts34
from engine.model.yaku import DOUBLE_RIICHI, RIICHI
from engine.scoring import WinContext, score_win
from engine.shanten import shanten, shanten_batch, ukeire
from protocol.errors import LogError
from protocol.logs.formats import LogFile

BATCH: Final = 100_000
STRETCH: Final = 2_000
"""Number of single calls that are timed together."""
SECONDS: Final = 1.0
"""Each part is measured for at least this long."""
Logs = Annotated[
    list[Path] | None, typer.Option("--logs", help="Logs, folders or archives, instead of newly played games.")
]
PolicyName = Annotated[str, typer.Option("--policy", help=WHO, autocompletion=names.policies)]


@dataclass(frozen=True, kw_only=True)
class Speed(Experiment):
    """How fast a part of the program is on this machine."""

    part: ClassVar[str]

    def figures(self) -> dict[str, Any]:
        """The figures of the part."""
        warm_up(error_screen(), self.needs())
        return {"part": self.part, **self.timed()}

    def needs(self) -> Sequence[str]:
        """Names of the warm-up steps that it requires."""
        return ()

    @abstractmethod
    def timed(self) -> dict[str, Any]:
        """Measure."""

    def show(self, figures: dict[str, Any]) -> None:
        """Print one line for each figure."""
        rows = []
        for name, value in figures.items():
            form = ",.1f" if isinstance(value, float) else "," if isinstance(value, int) else ""
            rows.append({"measured": name.replace("_", " "), "figure": f"{value:{form}}"})
        print_table(rows, ("measured",), [shown("figure", "figure")])


@dataclass(frozen=True, kw_only=True)
class Shanten(Speed):
    """Measure how fast shanten and ukeire are counted on this machine, on one core.

    Examples:
      oshihiki bench shanten
      oshihiki bench shanten --json
    """

    part: ClassVar = "shanten"

    def needs(self) -> Sequence[str]:
        """Batches."""
        return ("hands in batches",)

    def timed(self) -> dict[str, Any]:
        """Random hands of fourteen tiles: in a batch, and one by one."""
        source = random.Random(0)  # noqa: S311 - hands, nothing secret
        deals = [source.sample(range(TILES), 14) for _ in range(BATCH)]
        hands = np.array([counts34(deal) for deal in deals], np.uint8)
        fourteens = hands.tolist()
        thirteens = [counts34(deal[:13]) for deal in deals]
        return {
            "hands": BATCH,
            "batch_ns": round(_rounds(lambda: shanten_batch(hands)) / BATCH * 1e9, 1),
            "single_us": round(_each(shanten, fourteens) * 1e6, 2),
            "ukeire_us": round(_each(ukeire, thirteens) * 1e6, 2),
        }


@dataclass(frozen=True, kw_only=True)
class Scoring(Speed):
    """Measure how fast wins are scored on this machine, on one core.

    Examples:
      oshihiki bench scoring
      oshihiki bench scoring --json
    """

    part: ClassVar = "scoring"

    def timed(self) -> dict[str, Any]:
        """The wins of newly played games, one by one."""
        wins = [_context(event) for game in own_games() for event in game.events if isinstance(event, Win)]
        return {
            "wins": len(wins),
            "single_us": round(_rounds(lambda: [score_win(win) for win in wins]) / len(wins) * 1e6, 2),
        }


@dataclass(frozen=True, kw_only=True)
class Verifying(Speed):
    """Measure how fast logs are read and checked on this machine, on one core.

    Examples:
      oshihiki bench verify
      oshihiki bench verify --logs games/ --json
    """

    part: ClassVar = "verify"

    logs: Logs = None

    def timed(self) -> dict[str, Any]:
        """Reading and checking logs, with everything included."""
        files = list(open_logs(self.logs)) if self.logs else own_logs()
        tally = verify_files(files)
        if not tally.kyoku:
            raise InputError("no log could be verified; name files, folders or archives that contain logs")
        seconds = _rounds(lambda: verify_files(files))
        return {
            "games": tally.games,
            "kyoku": tally.kyoku,
            "kyoku_per_s": round(tally.kyoku / seconds, 1),
            "mismatches": len(tally.errors),
        }


@dataclass(frozen=True, kw_only=True)
class Auditing(Speed):
    """Measure how fast the first log is reviewed on this machine, for one seat on one core and for all four.

    Examples:
      oshihiki bench audit
      oshihiki bench audit --logs game.xml --json
    """

    part: ClassVar = "audit"

    logs: Logs = None
    policy: PolicyName = Policy().name

    def needs(self) -> Sequence[str]:
        """Those of the policy."""
        return PlayerSpec.parse(self.policy).needs

    def timed(self) -> dict[str, Any]:
        """Audit one game: read, ask the policy about each decision, write the page; for seat 0, and for all four."""
        log, judge = _first(self.logs), PlayerSpec.parse(self.policy)
        started = perf_counter()
        try:
            recording = read_recording(log)
        except LogError as error:
            raise InputError(str(error)) from None
        found = examine(recording, 0 if recording.viewer is None else recording.viewer, partial(judge.make, 0))
        examined = perf_counter()
        page = render_report(audit_fields(found)).encode()
        ended = perf_counter()
        figures = {
            "policy": self.policy,
            "hands": len(found.played.hands),
            "decisions": len(found.rows),
            "seconds": round(ended - started, 3),
            "decision_ms": round(1000 * (examined - started) / max(1, len(found.rows)), 3),
            "page_ms": round(1000 * (ended - examined), 1),
            "page_bytes": len(page),
        }
        return figures if recording.viewer is not None else figures | _four(log, Job(judge))


def _four(log: LogFile, job: Job) -> dict[str, Any]:
    """The figures of the page of all four players, whose audits run side by side."""
    started = perf_counter()
    first, *others = audit_seats(log, SEATS, job, os.cpu_count() or 1)
    page = render_report(first, others=others).encode()
    return {"four_seconds": round(perf_counter() - started, 3), "four_page_bytes": len(page)}


def _first(logs: list[Path] | None) -> LogFile:
    if not logs:
        return replace(own_logs(1)[0], name="game.xml")
    found = next(iter(open_logs(logs)), None)
    if found is None:
        raise InputError(NO_LOG)
    return found


@dataclass(frozen=True, kw_only=True)
class Replaying(Speed):
    """Measure how fast recorded games are replayed for one seat, on one core.

    Recordings are those that OSHIHIKI_CORPUS names, the phoenix room's hanchan first.

    Examples:
      oshihiki bench replay
      oshihiki bench replay --logs games/ --policy dag --games 1 --json
    """

    part: ClassVar = "replay"

    logs: Logs = None
    games: Games = 3
    policy: PolicyName = Policy().name

    def needs(self) -> Sequence[str]:
        """Those of the policy."""
        return PlayerSpec.parse(self.policy).needs

    def timed(self) -> dict[str, Any]:
        """Replay seat 0 of each game; also the time of the longest game."""
        paths = self.logs or best_recordings()
        found = (file for file in open_logs(paths) if file.error is None) if paths else own_logs()
        files = list(islice(found, self.games))
        if not files:
            raise InputError("no log was found; name files, folders or archives that contain logs")
        seconds, decisions = [], 0
        for file in files:
            started = perf_counter()
            done = replay_file(file, Order(self.policy, seats=(0,)))
            seconds.append(perf_counter() - started)
            decisions += done.agreement.decisions
        return {
            "policy": self.policy,
            "games": len(files),
            "decisions": decisions,
            "seconds_a_game": round(sum(seconds) / len(seconds), 3),
            "longest_seconds": round(max(seconds), 3),
            "decision_ms": round(1000 * sum(seconds) / max(1, decisions), 3),
        }


def _context(win: Win) -> WinContext:
    yaku = {number for number, _ in win.score.yaku} if win.score else set()
    return WinContext(
        concealed=win.concealed,
        melds=win.melds,
        win_tile=win.tile,
        tsumo=win.seat == win.from_seat,
        seat_wind=27 + win.seat,
        round_wind=27,
        riichi=int(bool(yaku & {RIICHI, DOUBLE_RIICHI})),
        dora_indicators=win.dora_indicators,
        ura_indicators=win.ura_indicators,
    )


def _rounds(work: Callable[[], object]) -> float:
    """Seconds for one round of ``work``: the best of those that fit into :data:`SECONDS`."""
    work()
    best = float("inf")
    begun = perf_counter()
    while perf_counter() - begun < SECONDS:
        started = perf_counter()
        work()
        best = min(best, perf_counter() - started)
    return best


def _each(work: Callable[[Any], object], items: Sequence[Any]) -> float:
    """Seconds per item: the best stretch of them."""
    best = float("inf")
    for start in range(0, len(items), STRETCH):
        stretch = items[start : start + STRETCH]
        started = perf_counter()
        for item in stretch:
            work(item)
        best = min(best, (perf_counter() - started) / len(stretch))
    return best


bench_shanten = Shanten.command()
bench_scoring = Scoring.command()
bench_verify = Verifying.command()
bench_audit = Auditing.command()
bench_replay = Replaying.command()
