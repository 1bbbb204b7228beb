"""Input made to cost much costs little: most of it takes a quarter of an hour, one of each kind is quick.

``audit`` and ``export`` read logs as ``verify`` does, so that what they are given is weighed by ``make chaos`` alone.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from tests.tiers import mostly_slow

sys.path.insert(0, str(Path(__file__).parent))

from weigh import trials  # beside this file

QUICK = (
    "verify: tar: 2,000 holes of 64 MiB",
    "verify: tar.gz: a pax header of 900 MiB",
    "config check: a key of 500 parts, 120 times",
    "lobby: a message of 20 MB",
)

with tempfile.TemporaryDirectory() as _folder:
    NAMES = [name for name, _ in trials(Path(_folder)) if not name.startswith(("audit:", "export:"))]


@mostly_slow("name", QUICK)
def test_an_input_of_20_mb_at_most_is_refused_soon(tmp_path, name):
    assert dict(trials(tmp_path))[name]().faults == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in QUICK])
def test_no_input_of_20_mb_at_most_takes_long_or_much(tmp_path, name):
    assert dict(trials(tmp_path))[name]().faults == []
