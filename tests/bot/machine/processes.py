"""Other processes: whether they run, and waiting for what they do."""

from __future__ import annotations

import time
from pathlib import Path

ENOUGH = 100.0
"""Seconds after which what has not come will not come any more."""


def wait_until(state):
    """Wait until a state is there, which another process or thread brings about."""
    end = time.monotonic() + ENOUGH
    while not state():
        assert time.monotonic() < end
        time.sleep(0.05)


def alive(process):
    """Whether the process of a number runs; one that has ended may still have its number."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
