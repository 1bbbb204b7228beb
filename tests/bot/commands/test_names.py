"""Names that a shell completes, asked as bash and fish ask."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def offered(line, shell="bash"):
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    if shell == "fish":
        asked = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run(  # noqa: PLW1510
        [sys.executable, "-c", "from bot.cli import program; program()"],
        env={**os.environ, "_OSHIHIKI_COMPLETE": f"complete_{shell}", **asked},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return {each.partition("\t")[0] for each in done.stdout.split("\n") if each}


@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("oshihiki play --policy ", {"value", "phoenix", "simple", "human"}),
        ("oshihiki audit --policy val", {"value", "value-3", "value-4"}),
        ("oshihiki replay --policy ", {"value", "flow"}),
        ("oshihiki mjai --policy ", {"value"}),
        ("oshihiki play --against si", {"simple"}),
        ("oshihiki evaluate --danger ", {"suji", "model"}),
        ("oshihiki evaluate --evaluator ", {"dag", "all"}),
        ("oshihiki evaluate --utility ", {"placement", "rank", "dan"}),
        ("oshihiki evaluate --rules no-red,", {"no-red,tonpu"}),
        ("oshihiki arena value ph", {"phoenix"}),
        ("oshihiki export --to ", {"mjlog", "tenhou6", "mjai", "link"}),
        ("oshihiki bench danger --estimator s", {"suji"}),
    ],
)
def test_names_complete(line, among):
    found = offered(line)
    assert among <= found
    assert all(name.startswith(line.rpartition(" ")[2]) for name in found)


def test_fish_gets_them_too():
    assert {"value", "simple"} <= offered("oshihiki arena ", "fish")
