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


@pytest.mark.slow  # mypy reads all of the package
def test_a_program_of_a_user_and_the_examples_are_typed(tmp_path):
    """Nothing in them is ``Any``, but in ``gradient.py`` what numpy declares so."""
    pytest.importorskip("mypy")
    examples = sorted((ROOT / "docs" / "examples").glob("*.py"))
    typed = ["user", *(path.stem for path in examples if path.stem != "gradient")]
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "my.ini").write_text(f"[mypy]\nstrict = true\n[mypy-{','.join(typed)}]\ndisallow_any_expr = true\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "bot" / "library")))}
    said = subprocess.run(  # noqa: S603, PLW1510
        [sys.executable, "-m", "mypy", "--config-file=my.ini", "user.py", *map(str, examples)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    ).stdout
    assert [line.partition(";")[0] for line in said.splitlines() if ": error: " in line] == [
        'user.py:23: error: Module has no attribute "shantne"',
        'user.py:24: error: "Game" has no attribute "stepp"',
    ], said


def test_the_examples_import_from_the_package_alone():
    for path in (ROOT / "docs" / "examples").glob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if re.match(r"\s*(from|import) (bot|engine|protocol)\b", line)], path.name
