"""Requirements on every evaluator, checked for each row of the registry and for the example in the documentation."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from pathlib import Path

import pytest

from engine.model.actions import ActionKind
from engine.model.bounds import HONBA, HONBA_POINTS, SCORE, STICKS
from engine.model.budget import Budget
from engine.model.rules import Rules
from engine.model.tiles import NORTH, allocate136, parse_tiles37
from engine.search.evaluator import IN_POINTS, Stakes, Utility
from engine.search.position import Sketch
from engine.search.registry import EVALUATORS, NamesEvaluator, make_evaluator
from tests.samples import parse_tile37

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
RESULT = Utility((-100_000, 0, 200_000), (-100.0, 0.0, 200.0), "result")
STAKES = Stakes(RESULT, RESULT, ended=(-1.0, -2.0), terminal=(-1.5, 1.5, 0.5))
FEW = Budget(nodes=1_000)


@pytest.fixture(autouse=True)
def _examples(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))


def position(text, **facts):
    offered = facts.pop("offered", None)
    tiles = allocate136(parse_tiles37(text))
    if offered:
        facts |= {"offered": allocate136([parse_tile37(offered)], taken=tiles)[0], "offered_by": 3}
    return Sketch(tiles, turn=9, **facts).position()


@pytest.fixture(params=[*EVALUATORS, "widest:Widest"])
def evaluator(request):
    return make_evaluator(request.param)


@pytest.mark.parametrize("stakes", [None, STAKES])
def test_every_discard_is_weighed_best_first(evaluator, stakes):
    asked = position("2345m4067p34588s1z")
    found = evaluator.evaluate(asked, stakes, FEW)
    discards = {worth.choice.tile34 for worth in found.actions if worth.choice.kind is ActionKind.DISCARD}
    assert discards == {kind for kind, held in enumerate(asked.counts) if held}
    values = [worth.value for worth in found.actions]
    assert values == sorted(values, reverse=True)
    assert found.unit in (IN_POINTS, stakes.unit if stakes else IN_POINTS)
    assert found.nodes <= FEW.nodes
    assert all(worth.p_win is None or 0.0 <= worth.p_win <= 1.0 for worth in found.actions)


def test_tiles_that_may_not_be_discarded_after_a_call_are_left_out(evaluator):
    barred = replace(position("2345m4067p34588s1z"), kuikae=1 << 1)
    assert all(worth.choice.tile34 != 1 for worth in evaluator.evaluate(barred, budget=FEW).actions)


@pytest.mark.parametrize("text", ["2345m4067p34588s1z", "234m40677p345888s"])
def test_it_states_the_shanten_of_the_hand_also_of_a_complete_one(evaluator, text):
    asked = position(text)
    assert evaluator.evaluate(asked, budget=FEW).shanten == asked.shanten


def test_passing_is_weighed_when_a_tile_is_offered(evaluator):
    found = evaluator.evaluate(position("23m4456p112367s1z", offered="1m"), budget=FEW)
    assert ActionKind.PASS in {worth.choice.kind for worth in found.actions}


def test_equal_questions_have_equal_answers(evaluator):
    asked = position("2345m4067p34588s1z")
    assert evaluator.evaluate(asked, STAKES, FEW) == evaluator.evaluate(asked, STAKES, FEW)


def test_a_budget_that_has_expired_still_has_an_answer(evaluator):
    asked = position("23m4456p112367s1z", offered="1m")
    assert evaluator.evaluate(asked, STAKES, Budget(1_000, lambda: True)).actions


def test_an_evaluator_says_which_files_it_depends_on(evaluator):
    assert all(len(digest) == 16 for digest in evaluator.digests.values())


def test_settings_make_another_one():
    assert make_evaluator("dag:model=draws;exchanges=1,calls=0").model.exchanges == 1
    assert make_evaluator("dag", {"calls": 0}).model.calls == 0
    with pytest.raises(ValueError, match="model: 'half' is not allowed; it must be one of full, read, draws"):
        make_evaluator("dag:model=half")


def test_a_setting_may_name_an_evaluator():
    rule = NamesEvaluator()
    assert rule.fault("dag:calls=1") is None
    there = ", ".join(EVALUATORS)
    assert rule.fault("oracle") == f"no evaluator is named 'oracle'; there are: {there}, and module:Class for your own"
    assert rule.needs("dag") == ("dag",)
    assert rule.needs("widest:Widest") == ()


MOST = Rules(honba_points=HONBA_POINTS.high)
EXTREMES = (
    {"honba": HONBA.high, "riichi_sticks": STICKS.high, "rules": MOST},
    {"points": SCORE.low, "riichi_against": 3, "wall_left": 0},
    {"points": SCORE.high, "round_wind": NORTH, "seat_wind": NORTH, "wall_left": 69},
    {"dora_indicators": (0, 1, 2, 3, 4), "unseen": (0,) * 33 + (1,), "red_unseen": (False, False, False)},
)
"""Facts at the ends of what a table can have."""


@pytest.mark.parametrize("stakes", [None, STAKES])
@pytest.mark.parametrize("facts", EXTREMES)
def test_numbers_at_their_bounds_are_valued(evaluator, facts, stakes):
    for asked in (position("2345m4067p34588s1z"), position("23m4456p112367s1z", offered="1m")):
        found = evaluator.evaluate(replace(asked, **facts), stakes, FEW)
        assert found.actions
        assert all(isfinite(worth.value) for worth in found.actions)


def test_honba_and_sticks_come_on_top_of_every_win_up_to_their_bounds():
    ready = position("234m45667p34588s1z")
    plain = make_evaluator("dag").evaluate(ready, budget=FEW).best
    most = replace(ready, honba=HONBA.high, riichi_sticks=STICKS.high, rules=MOST)
    best = make_evaluator("dag").evaluate(most, budget=FEW).best
    assert best.win_points - plain.win_points == pytest.approx(most.on_the_table, rel=0.01)
