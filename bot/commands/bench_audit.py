"""``oshihiki bench audit``: the report of a game, from the log to the page."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from bot.audit.examine import examine
from bot.audit.fields import audit_fields
from bot.audit.four import audit_seats
from bot.audit.many import Job
from bot.audit.report import render_report
from bot.audit.sources import read_recording
from bot.errors import InputError
from bot.inputs import NO_LOG
from bot.players import PlayerSpec
from engine.arena import play_game
from engine.model.rules import HANCHAN
from engine.model.seats import SEATS
from engine.policy.registry import make_policy
from protocol.errors import LogError
from protocol.logs.formats import LogFile, write_log
from protocol.logs.game_log import GameLog
from protocol.logs.sources import open_logs


def bench_audit(paths: list[Path], policy: str, seed: int) -> dict[str, Any]:
    """Audit one game: read, ask the policy about each decision, write the page; for seat 0, and for all four players.

    Args:
        paths: logs, of which the first is used; without any a hanchan is played.
        policy: name of the policy.
        seed: seed of the game.
    """
    log, judge = _log(paths, seed), PlayerSpec.parse(policy)
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
        "policy": policy,
        "hands": len(found.hands),
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


def _log(paths: list[Path], seed: int) -> LogFile:
    if paths:
        found = next(iter(open_logs(paths)), None)
        if found is None:
            raise InputError(NO_LOG)
        return found
    game = play_game([make_policy("simple") for _ in SEATS], HANCHAN, seed)
    return LogFile("game.xml", "mjlog", write_log(GameLog(game.events), "mjlog").encode())
