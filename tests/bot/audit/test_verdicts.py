"""What is judged and how, and the rating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.audit.verdicts import Score, Verdict, categorise, judge, score, standard_error
from bot.replay.decisions import DecisionPoint, Known, Place
from engine.model.actions import PASS, Action, ActionKind
from engine.policy.decision import Candidate, Decision
from engine.state import GameState


def point(legal, played, known=Known.ACTED, absent=False):
    return DecisionPoint(Place(0, 0, 0, 1, 1), GameState(0), tuple(legal), played, known, absent)


def discards(*tiles):
    return [Action(ActionKind.DISCARD, tile) for tile in tiles]


A, B, C = discards(0, 40, 80)
DECISION = Decision(A, (Candidate(A, 1000.0), Candidate(B, 980.0), Candidate(C, 500.0)), unit="points")


@pytest.mark.parametrize(
    ("played", "verdict", "loss"),
    [(A, Verdict.SAME, 0.0), (B, Verdict.EQUAL, 0.0), (C, Verdict.DIFFERS, 500.0)],
)
def test_what_is_within_the_noise_is_no_mistake(played, verdict, loss):
    judged = judge(point((A, B, C), played), DECISION)
    assert (judged.verdict, judged.loss) == (verdict, loss)
    assert judged.stake == pytest.approx(500 / 3)


def test_the_policy_says_its_noise():
    judged = judge(point((A, B, C), B), replace(DECISION, noise=5.0))
    assert (judged.verdict, judged.loss) == (Verdict.DIFFERS, 20.0)


def test_a_tile_that_looks_the_same_is_the_same():
    twin = Action(ActionKind.DISCARD, 1)
    assert judge(point((A, twin, C), twin), DECISION).verdict is Verdict.SAME


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        (point((A,), A), Verdict.FORCED),
        (point((A, B), None, Known.OVERRIDDEN), Verdict.UNKNOWN),
        (point((A, B), None, Known.CUT_OFF), Verdict.UNKNOWN),
        (point((A, B), B, absent=True), Verdict.ABSENT),
        (point((A, B), Action(ActionKind.DISCARD, 100)), Verdict.UNWEIGHED),
    ],
)
def test_what_cannot_be_known_is_not_judged(asked, verdict):
    judged = judge(asked, DECISION)
    assert judged.verdict is verdict
    assert judged.loss is None
    assert score([judged]).judged == 0
    assert score([judged]).stake == 0.0


@pytest.mark.parametrize(
    ("legal", "played", "category"),
    [
        ((Action(ActionKind.RON, 5), PASS), PASS, "win"),
        ((Action(ActionKind.PON, 5, (4, 6)), PASS), PASS, "call"),
        ((Action(ActionKind.ANKAN, 4), A), Action(ActionKind.ANKAN, 4), "kan"),
        ((Action(ActionKind.RIICHI, 4), A), Action(ActionKind.RIICHI, 4), "riichi"),
        ((Action(ActionKind.RIICHI, 4), A, B), B, "discard"),
    ],
)
def test_categories(legal, played, category):
    assert categorise(point(legal, played), DECISION).value == category
    fold = replace(DECISION, mode="fold")
    assert categorise(point((A, B), B), fold).value == "push_fold"


# -- the rating ------------------------------------------------------------------------------------------------------


def test_choosing_at_random_is_rated_zero_and_the_policy_hundred():
    each = score(judge(point((A, B, C), played), DECISION) for played in (A, B, C))
    assert each.rating == pytest.approx(0.0)
    assert score([judge(point((A, B, C), A), DECISION)]).rating == 100.0
    assert score([judge(point((A, B, C), C), DECISION)]).rating == pytest.approx(-200.0)
    assert Score().rating is None


def test_the_unit_cancels_out():
    small = replace(
        DECISION, candidates=tuple(replace(one, value=one.value / 1000) for one in DECISION.candidates), noise=0.03
    )
    for played in (A, B, C):
        asked = point((A, B, C), played)
        assert score([judge(asked, small)]).rating == pytest.approx(score([judge(asked, DECISION)]).rating)


def test_standard_error():
    alike = [Score(10, 10, 9, 0, 100.0, 1000.0)] * 5
    assert standard_error(alike) == pytest.approx(0.0, abs=1e-9)
    assert standard_error(alike[:1]) is None
    uneven = [Score(lost=lost, stake=1000.0) for lost in (0.0, 100.0, 200.0, 300.0)]
    mean_error = (sum((lost - 15) ** 2 for lost in (0, 10, 20, 30)) / 3 / 4) ** 0.5
    assert standard_error(uneven) == pytest.approx(mean_error)  # of equal stakes it is that of the mean
