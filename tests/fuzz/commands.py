"""What the commands do with a file, without their nets: nothing but a clear refusal may come out of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Final

from bot.commands.export import whole_game
from bot.replay.steps import decision_points
from bot.replay.verify import verify_file
from bot.replay.verify_counts import VerifyCounts
from bot.review.examine import examine
from bot.review.fields import audit_fields
from bot.review.recording import read_recording
from bot.review.report import render_report, render_summary
from bot.review.wording import Lang
from engine.policy.registry import make_policy
from protocol.errors import LogError
from protocol.logs.formats import FORMATS, LogFile, detect_format, read_log, read_session, write_log

WRITTEN: Final = tuple(name for name, row in FORMATS.items() if row.writes)


def on_file(take: Callable[[LogFile], object]) -> Callable[[bytes], None]:
    """Hand bytes to a command as the file that they look like, if they look like one."""

    def run(data: bytes) -> None:
        found = detect_format(data)
        if found is not None:
            take(LogFile("fuzz", found, data, named=True))

    return run


def verify(file: LogFile) -> None:
    """Check the log, and write it and read it again."""
    tally = VerifyCounts()
    verify_file(file, tally, round_trip=True)
    json.dumps(asdict(tally))


def replay(file: LogFile) -> None:
    """Look at every decision of one seat."""
    session = read_session(file)
    points = decision_points(session or read_log(file), 0, [])
    for point in points:
        point.state.copy()


def audit(file: LogFile) -> None:
    """Audit one seat, and write both reports."""
    recording = read_recording(file)
    seat = 0 if recording.viewer is None else recording.viewer
    fields = audit_fields(examine(recording, seat, lambda: make_policy("tsumogiri")))
    render_summary(fields, Lang.EN)
    render_report(fields, Lang.JA)


def export(file: LogFile) -> None:
    """Write the log in every format."""
    for name in WRITTEN:
        with suppress(LogError):
            write_log(whole_game(file, lambda _note: None, hidden=name == "mjai"), name)
