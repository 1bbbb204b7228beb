"""What is said of pushing and folding: the figures that decided, and what tipped it where the worse side was taken."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engine.model.actions import Action, ActionKind
from engine.policy.grounds import GroundKind
from engine.policy.pushfold import Mode
from engine.policy.value.grounds import push_or_fold
from engine.policy.value.ways import Way
from engine.search.evaluator import Choice, Worth
from tests.engine.policy.sides import amount, contradiction

POINTS = SimpleNamespace(per_point=1.0, objective=SimpleNamespace(unit="points"))
KEPT = 300.0


def way(push, fold, *, folds, lean=0.0, lead=50.0, hopeless=False, charged=0.0, kind=ActionKind.DISCARD):
    """A discard with its worth on both sides, one of which it takes, and what strong play adds."""
    value = (fold if folds else push) - charged
    worth = Worth(Choice(kind, 0), push)
    return Way(Action(kind, 0), worth, fold, lead=lead, hopeless=hopeless, folds=folds, value=value, lean=lean)


def said(*ways, before=False):
    """The ground, with push and fold, for the best of these discards."""
    ranked = sorted(ways, key=lambda one: -one.score)
    found = list(push_or_fold(ranked, POINTS, folded_before=before))
    for each in found:
        assert contradiction(each, Mode.FOLD if ranked[0].folds else Mode.ATTACK) == ""
    return [(each.kind, amount(each.figures["push"]), amount(each.figures["fold"])) for each in found]


@pytest.mark.parametrize(
    ("ways", "before", "expected"),
    [
        ([way(-900.0, -400.0, folds=True)], False, (GroundKind.FOLD_WORTH, -900.0, -400.0)),
        ([way(-400.0, -900.0, folds=False)], False, (GroundKind.PUSH_WORTH, -400.0, -900.0)),
        ([way(-360.0, -400.0, folds=True)], False, (GroundKind.FOLD_CLOSE, -360.0, -400.0)),
        ([way(-200.0, -400.0, folds=True, lead=KEPT)], True, (GroundKind.FOLD_KEPT, -200.0, -400.0)),
        ([way(-200.0, -400.0, folds=True, hopeless=True)], False, (GroundKind.FOLD_HOPELESS, -200.0, -400.0)),
    ],
)
def test_one_discard_states_its_two_sides(ways, before, expected):
    assert said(*ways, before=before) == [expected]


def test_the_figures_are_those_of_the_best_discard_on_either_side():
    safe, dangerous = way(-900.0, -300.0, folds=True), way(-500.0, -1_000.0, folds=False)
    assert said(safe, dangerous) == [(GroundKind.FOLD_WORTH, -500.0, -300.0)]
    good = way(-100.0, -1_000.0, folds=False)
    assert said(safe, good) == [(GroundKind.PUSH_WORTH, -100.0, -300.0)]


def test_strong_play_is_named_where_it_tips():
    fold, push = way(-900.0, -300.0, folds=True), way(-200.0, -800.0, folds=False, lean=-250.0)
    assert said(fold, push) == [(GroundKind.FOLD_STRONG_PLAY, -450.0, -300.0)]
    fold, push = way(-900.0, -200.0, folds=True, lean=-250.0), way(-300.0, -800.0, folds=False)
    assert said(fold, push) == [(GroundKind.PUSH_STRONG_PLAY, -300.0, -450.0)]


def test_a_call_that_is_charged_for_leaving_a_fold_is_held_back_by_that_alone():
    passing = way(-900.0, -300.0, folds=True, lead=KEPT, kind=ActionKind.PASS)
    call = way(-100.0, None, folds=False, lead=KEPT, charged=KEPT, kind=ActionKind.PON)
    assert said(passing, call, before=True) == [(GroundKind.FOLD_KEPT, -100.0, -300.0)]


def test_a_fold_that_is_far_worse_is_not_mentioned():
    assert said(way(3_000.0, -400.0, folds=False)) == []
