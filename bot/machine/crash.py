"""Errors that nobody foresaw, as one sentence: the system's own are named plainly, others keep their traceback."""

from __future__ import annotations

import sys
import tempfile
import traceback
from pathlib import Path

from bot.machine.logs import Scrubber


def system_error(error: OSError) -> str:
    """What the system refused, and for which file: ``'game.jsonl: No space left on device'``."""
    if isinstance(error, FileNotFoundError) and not error.filename and not _stands_somewhere():
        return "the current folder was removed; change to another one"
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else f"the system refused: {reason}"


def _stands_somewhere() -> bool:
    """Whether there is a current folder."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def crash_note(error: Exception) -> str:
    """Write the traceback to a file; return a sentence that names the error and the file."""
    lines = [" ".join(sys.argv), "", *"".join(traceback.format_exception(error)).splitlines()]
    text = "\n".join(map(Scrubber().text, lines))
    report = "please report it"
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="oshihiki-crash-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
        ) as file:
            file.write(f"{text}\n")
        report += f" with {file.name}"
    except OSError:  # the error is worth telling without its file
        pass
    return f"this is a bug: {type(error).__name__}: {error}; {report}"
