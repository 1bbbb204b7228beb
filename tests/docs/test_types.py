"""Programs of users are checked as ours are: every name of the package has a type, outside the checkout too."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
USER = """
from typing import assert_type

import oshihiki
from oshihiki.simulator import Round, Simulator

best = oshihiki.evaluate("11223m1123789p55z")
assert_type(oshihiki.Tiles("123m405p").text(), str)
assert_type(best, oshihiki.Rows[oshihiki.ActionValue])
assert_type(best[0].value, float)
for position in oshihiki.positions("game.xml", seat=1):
    assert_type(position.state, oshihiki.GameState)
    assert_type(position.played, oshihiki.Action | None)
game = oshihiki.Game(seed=7)
game.step(game.choice("simple"))
assert_type(Simulator(10).round, Round | None)
assert_type(game.scores, tuple[int, int, int, int])
assert_type(game.state.hand, list[int])
won = oshihiki.score(oshihiki.WonHand("123m456p789s11155z", win="1z"))
if won is not None:
    assert_type(won.points, int)
assert_type(oshihiki.__version__, str)
oshihiki.shantne
game.stepp
"""


def checked(tmp_path, *words):
    pytest.importorskip("mypy")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "bot" / "library")))}
    return subprocess.run(  # noqa: S603, PLW1510
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", *words],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    ).stdout


def test_a_program_of_a_user_and_the_examples_are_typed(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    said = checked(tmp_path, "--disallow-any-expr", "user.py")
    wrong = [line.partition("error: ")[2] for line in said.splitlines() if line.startswith("user.py")]
    assert [each.partition(";")[0] for each in wrong] == [
        'Module has no attribute "shantne"',
        '"Game" has no attribute "stepp"',
    ], said
    assert checked(tmp_path, str(ROOT / "docs" / "examples")).startswith("Success"), said


def test_nothing_in_the_examples_is_any_but_what_numpy_declares_so(tmp_path):
    examples = [str(path) for path in sorted((ROOT / "docs" / "examples").glob("*.py")) if path.name != "gradient.py"]
    said = checked(tmp_path, "--disallow-any-expr", "--follow-imports=silent", *examples)
    assert said.startswith("Success"), said


def test_the_examples_import_from_the_package_alone():
    for path in (ROOT / "docs" / "examples").glob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if re.match(r"\s*(from|import) (bot|engine|protocol)\b", line)], path.name
