"""Suites once more with kernels that check every index: what they read or write out of bounds is an error then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUITES = (
    "tests/bot/test_extremes.py",
    "tests/bot/api/test_simulator.py",
    "tests/bot/api/test_simulator_episodes.py",
    "tests/bot/api/test_simulator_positions.py",
    "tests/engine/policy/simple",
    "tests/engine/scoring",
    "tests/engine/search/dag",
    "tests/engine/search/test_evaluators.py",
    "tests/engine/shanten",
    "tests/engine/simulator",
    "tests/engine/state",
    "tests/rules",
)
"""The simulator and its players, the rules, the search and the tables below them, and numbers at the ends of what a
table can have, through every door to every policy and evaluator; quick tests alone.

The kernels that check are kept like the others, in a folder of their own, and compiled the first time: minutes.
"""
PROGRAM = """
from typing import Annotated

import numba
import numpy as np
from numpy.typing import NDArray

from engine._jit import Record, Records, _OPTIONS, new_records, part


class Row(Record):
    values: Annotated[NDArray[np.int64], (4,)]


@part
def inner(row: Row, at: int) -> int:
    return row.values[at]


def outer(rows: Records[Row], at: int) -> int:
    return inner(rows[0], at)


check = numba.njit(outer, **_OPTIONS, _nrt=False)
assert check(new_records(Row), 3) == 0
try:
    check(new_records(Row), 4)
except IndexError as error:
    print(error)
"""


def with_checks(*words, timeout):
    """A process of Python whose kernels check."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(ROOT)}
    environment.pop("PYTEST_ADDOPTS", None)
    words = [sys.executable, *words]
    return subprocess.run(  # noqa: S603
        words, env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=timeout
    )


@pytest.mark.slow
def test_kernels_that_check_find_an_index_that_is_out_of_bounds(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    assert with_checks(str(program), timeout=300).stdout.strip() == "index is out of bounds"


@pytest.mark.slow
def test_no_kernel_reads_or_writes_out_of_bounds():
    words = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", "0", "-m", "not slow", *SUITES)
    found = with_checks(*words, timeout=3_600)
    assert found.returncode == 0, found.stdout[-4_000:]
    assert " passed" in found.stdout
