from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.machine.loading import ended_by_an_interrupt

ROOT = Path(__file__).parents[3]
INTERRUPTED = """
import signal, sys
from bot.__main__ import main
signal.signal(signal.SIGINT, signal.default_int_handler)
left = int(sys.argv.pop())
def trace(frame, event, _):
    global left
    left -= 1
    if left == 0:
        sys.settrace(None)
        signal.raise_signal(signal.SIGINT)
    return trace
sys.settrace(trace)
main()
"""


@pytest.mark.parametrize("lines", [3, 400, 40_000])
def test_an_interrupt_while_the_command_is_loaded_is_one_line(lines):
    done = subprocess.run(  # noqa: S603, PLW1510
        [sys.executable, "-c", INTERRUPTED, "config", "check", str(lines)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (130, "oshihiki: stopped\n")


def test_an_interrupt_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ended_by_an_interrupt():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_afterwards_an_interrupt_is_an_exception_again():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with ended_by_an_interrupt():
            assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
