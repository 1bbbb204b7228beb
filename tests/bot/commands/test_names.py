"""Names that a shell completes, asked as bash and fish ask."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.commands.program import oshihiki
from tests.tiers import mostly_slow

ROOT = Path(__file__).parents[3]


def as_bash_asks(line):
    return {
        "_OSHIHIKI_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }


def as_fish_asks(line):
    return {
        "_OSHIHIKI_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }


def names(said):
    return {each.partition("\t")[0] for each in said.split("\n") if each}


def offered_by_a_process(asked):
    done = subprocess.run(  # noqa: PLW1510
        [sys.executable, "-c", "from bot.cli import program; program()"],
        env={**os.environ, **asked},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return names(done.stdout)


@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("oshihiki ev", {"evaluate"}),
        ("oshihiki config ", {"check"}),
        ("oshihiki evaluate --da", {"--danger"}),
        ("oshihiki play --policy ", {"value", "phoenix", "simple", "human"}),
        ("oshihiki audit --policy val", {"value", "value-5"}),
        ("oshihiki replay --policy ", {"value", "flow"}),
        ("oshihiki mjai --policy ", {"value"}),
        ("oshihiki play --against si", {"simple"}),
        ("oshihiki evaluate --danger ", {"suji", "model"}),
        ("oshihiki evaluate --evaluator ", {"dag"}),
        ("oshihiki arena value ph", {"phoenix"}),
        ("oshihiki export --to ", {"mjlog", "tenhou6", "mjai", "link"}),
        ("oshihiki bench danger --estimator s", {"suji"}),
    ],
)
def test_names_complete(monkeypatch, capsys, line, among):
    for name, value in as_bash_asks(line).items():
        monkeypatch.setenv(name, value)
    _, said, err = oshihiki(monkeypatch, capsys)
    found = names(said)
    assert err == ""
    assert among <= found
    assert all(name.startswith(line.rpartition(" ")[2]) for name in found)


@mostly_slow("asks", [as_bash_asks, as_fish_asks])
def test_shells_get_them_from_a_process(asks):
    assert {"value", "simple"} <= offered_by_a_process(asks("oshihiki arena "))
