"""``oshihiki bench evaluators``: its figures, and what it refuses."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from bot.cli import app
from engine.search.registry import EVALUATORS

FEW = ["bench", "evaluators", "--positions", "3"]


def test_every_evaluator_has_a_row():
    run = CliRunner().invoke(app, [*FEW, "--json"])
    found = json.loads(run.stdout)
    assert found["positions"] == 3
    assert [row["evaluator"] for row in found["evaluators"]] == list(EVALUATORS)
    assert all(0 < row["ms_50"] <= row["ms_90"] <= row["ms_99"] for row in found["evaluators"])


def test_a_limit_is_kept_and_compared_with_a_longer_one():
    limits = ["--evaluator", "che:rounds=1000000", "--within", "5", "--against", "20"]
    run = CliRunner().invoke(app, [*FEW, *limits, "--json"])
    (row,) = json.loads(run.stdout)["evaluators"]
    assert row["evaluator"] == "che:rounds=1000000"
    assert row["limited"] == 3
    assert row["used_50"] >= 1.0
    assert 0.0 < row["same"] <= 1.0
    assert 0.0 < row["worth"] <= 1.0
    assert "same" in CliRunner().invoke(app, [*FEW, *limits]).stdout


def test_equal_seeds_measure_on_equal_positions():
    few = [*FEW, "--evaluator", "che", "--within", "1000", "--seed", "5", "--json"]
    first, again = (json.loads(CliRunner().invoke(app, few).stdout)["evaluators"][0] for _ in range(2))
    assert first["nodes"] == again["nodes"]


def test_an_evaluator_that_does_not_exist_is_refused():
    run = CliRunner().invoke(app, [*FEW, "--evaluator", "oracle"])
    assert run.exit_code != 0
    assert "no evaluator is named 'oracle'" in str(run.exception)
