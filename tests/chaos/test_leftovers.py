"""Games of a trial leave nothing behind."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.chaos.child import ROOT


@pytest.mark.slow
def test_games_under_faults_leave_nothing_behind():
    program = [sys.executable, "-m", "tests.chaos.leftovers"]
    ended = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)  # noqa: S603
    assert ended.returncode == 0, ended.stderr[-2000:]
