"""Random calls of everything that ``import oshihiki`` offers, in other processes, so that one that dies is seen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CALLS = Path(__file__).with_name("calls.py")
AT_ONCE = 1_000


@pytest.mark.parametrize(
    ("seed", "calls"),
    [(0, 250), *(pytest.param(seed, AT_ONCE, marks=pytest.mark.slow) for seed in range(1, 11))],
)
def test_every_call_answers_or_is_refused_as_documented(seed, calls):
    words = [sys.executable, str(CALLS), "--calls", str(calls), "--seed", str(seed)]
    run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=1_800)  # noqa: S603
    last = run.stdout.splitlines()[-1:]
    assert run.returncode in {0, 1}, f"the process died with {run.returncode} in {last}\n{run.stderr[-3000:]}"
    assert run.returncode == 0, run.stderr[-6000:]
    assert f"seed {seed}, call {calls - 1}:" in run.stdout
