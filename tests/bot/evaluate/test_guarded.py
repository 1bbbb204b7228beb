"""Evaluators and danger estimators that misbehave: one line that names them, and exit code 1."""

# ruff: noqa: ARG002, T201 - they need not use what they are given, and may print

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

import bot.api as oshihiki
from bot.evaluate.guarded import evaluator_named
from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import allocate136, parse_tiles37
from engine.opponents.danger import Danger
from engine.opponents.danger_tables import SujiEstimator
from engine.policy.simple.policy import SimplePolicy
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import Sketch
from engine.search.registry import EVALUATORS
from tests.bot.commands.program import oshihiki as oshihiki_command

HERE = __name__
HAND = "2345m4067p34588s1z"
TABLE = ("234m33345p45667s9m", "--dora", "4p", "--state", "right=4z1m*4m", "--policy", "simple")
NAN = float("nan")


def raises():
    raise StopIteration


def worth(*choice, **figures):
    return Evaluation("odd", (Worth(**{"choice": Choice(*choice), "value": 1.0, **figures}),))


def danger(**parts):
    floats = {"p_tenpai": np.zeros(4), "p_wait": np.zeros((4, 34)), "p_deal_in": np.zeros((4, 34))}
    return Danger(**{**floats, "loss": np.zeros((4, 34)), **parts})


WHAT = "evaluate did not return an evaluation"
EVALUATIONS = {
    "Raises": (raises, "evaluate raised StopIteration"),
    "Exits": (lambda: sys.exit(0), "evaluate raised SystemExit: 0"),
    "Nothing": (lambda: None, WHAT),
    "Empty": (lambda: Evaluation("odd", ()), f"{WHAT}: it has no actions"),
    "NotANumber": (lambda: worth(ActionKind.DISCARD, 1, value=NAN), WHAT),
    "NotHeld": (lambda: worth(ActionKind.DISCARD, 33), WHAT),
    "NothingOffered": (lambda: worth(ActionKind.PON, 1), WHAT),
    "Text": (lambda: worth(ActionKind.DISCARD, "1m"), WHAT),
}
DANGERS = {
    "DangerRaises": (raises, "estimate raised StopIteration"),
    "NoDanger": (lambda: None, "estimate did not return the danger"),
    "SmallDanger": (lambda: danger(p_wait=np.zeros((1, 1))), "p_wait is not (4, 34) finite numbers"),
    "NaNDanger": (lambda: danger(p_deal_in=np.full((4, 34), NAN)), "p_deal_in is not (4, 34) finite numbers"),
}


def _evaluator(answer):
    class Evaluator:
        name = "odd"
        digests = {}  # noqa: RUF012

        def evaluate(self, position, stakes=None, budget=None):
            print("a thought")
            return answer()

    return Evaluator


def _estimator(answer):
    class Estimator(SujiEstimator):
        def estimate(self, state):
            print("a thought")
            state.hand.clear()
            return answer()

    return Estimator


for _name, (_answer, _) in EVALUATIONS.items():
    globals()[_name] = _evaluator(_answer)
for _name, (_answer, _) in DANGERS.items():
    globals()[_name] = _estimator(_answer)


class Good(SujiEstimator):
    """As good as the one that it is, and spoils the state."""

    def estimate(self, state):
        found = super().estimate(state)
        state.hand.clear()
        return found


class Illegal(SimplePolicy):
    """Decides on nothing."""

    def decide(self, state, legal, budget):
        return None


@pytest.fixture
def fails(capsys, monkeypatch):
    def run(*words):
        code, out, err = oshihiki_command(monkeypatch, capsys, *words)
        assert (code, out) == (1, "")
        *thoughts, line = err.splitlines()
        assert set(thoughts) <= {"a thought"}
        return line

    return run


@pytest.mark.parametrize("name", EVALUATIONS)
def test_an_evaluator_that_misbehaves_is_named(fails, name):
    line = fails("evaluate", HAND, "--evaluator", f"{HERE}:{name}", "--json")
    assert line.startswith(f"oshihiki: evaluator {HERE}:{name}: evaluate ")
    assert EVALUATIONS[name][1] in line


@pytest.mark.parametrize("name", DANGERS)
def test_an_estimator_that_misbehaves_is_named(fails, name):
    line = fails("evaluate", *TABLE, "--danger", f"{HERE}:{name}", "--json")
    assert line.startswith(f"oshihiki: danger estimator {HERE}:{name}: estimate ")
    assert DANGERS[name][1] in line


def test_an_estimator_gets_a_state_of_its_own(capsys, monkeypatch):
    _, out, _ = oshihiki_command(monkeypatch, capsys, "evaluate", *TABLE, "--danger", f"{HERE}:Good", "--json")
    assert json.loads(out)["danger"]["3m"]


def test_from_python_it_is_an_error_that_names_them():
    with pytest.raises(oshihiki.InputError, match=r"evaluator .*:NotANumber: evaluate did not return an evaluation"):
        oshihiki.evaluate(HAND, f"{HERE}:NotANumber")
    state = oshihiki.table(oshihiki.Written("234m33345p45667s9m", dora="4p"))
    with pytest.raises(oshihiki.InputError, match=r"danger estimator .*:NaNDanger: estimate did not return the danger"):
        oshihiki.danger(state, f"{HERE}:NaNDanger")
    with pytest.raises(oshihiki.InputError, match=r"policy .*:Illegal: decide did not return a decision"):
        oshihiki.rank(state, f"{HERE}:Illegal")


@pytest.mark.slow
@pytest.mark.parametrize(
    "player", [*(f"value:evaluator={HERE}:{name}" for name in ("Raises", "Text")), f"flow:danger={HERE}:NaNDanger"]
)
def test_within_a_policy_they_cost_no_game(capsys, monkeypatch, player):
    words = ("arena", player, "tsumogiri", "--games", 2, "--tonpu", "--jobs", 1, "--json")
    code, out, err = oshihiki_command(monkeypatch, capsys, *words)
    side = json.loads(out)["sides"][0]
    assert side["illegal"] == 0
    assert code == int(side["failed"] > 0)
    assert (f"oshihiki: policy {player}: decide" in err) is (side["failed"] > 0)


@pytest.mark.parametrize("name", EVALUATORS)
def test_our_own_evaluators_commit_no_fault(name):
    evaluator = evaluator_named(name)
    for hand in (HAND, "11223m1123789p55z", "123m456p7899s1122z"):  # of the second some figures are not known
        position = Sketch(allocate136(parse_tiles37(hand)), turn=9).position()
        assert evaluator.evaluate(position, budget=Budget(2_000)).actions
