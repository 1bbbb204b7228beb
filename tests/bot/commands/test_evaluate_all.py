"""``oshihiki evaluate --evaluator all``."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from bot.cli import app
from engine.search.registry import EVALUATORS

HAND = "234m345p99s567s78m1z"


def test_every_evaluator_names_its_best_action_value_and_time():
    done = CliRunner().invoke(app, ["evaluate", HAND, "--evaluator", "all", "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["evaluators"]
    assert [row["evaluator"] for row in rows] == list(EVALUATORS)
    assert all(row["tile"] == "1z" and row["value"] > 0 and row["ms"] > 0 for row in rows)


def test_the_table_has_a_line_for_each():
    done = CliRunner().invoke(app, ["evaluate", HAND, "--evaluator", "all"])
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["evaluator", *EVALUATORS]
