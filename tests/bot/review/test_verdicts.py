"""What is judged and how, and the rating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.replay.decisions import DecisionPoint, Known, Place
from bot.review.facts import facts_of
from bot.review.measure import Grade
from bot.review.verdicts import Judge, Score, Side, Verdict, categorise, judge, score, standard_error
from engine.model.actions import PASS, Action, ActionKind
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Note
from engine.policy.scene import Scene
from engine.state import GameState
from tests.engine.conftest import Table


@pytest.fixture
def table():
    return Table


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
def test_a_loss_within_the_noise_is_no_mistake(played, verdict, loss):
    judged = judge(point((A, B, C), played), DECISION)
    assert (judged.verdict, judged.loss) == (verdict, loss)
    assert judged.weighed


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
def test_an_answer_that_cannot_be_known_is_not_judged(asked, verdict):
    judged = judge(asked, DECISION)
    assert judged.verdict is verdict
    assert judged.loss is None
    assert score([judged]).judged == 0
    assert score([judged]).per_hundred is None


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


# -- whose opinion ---------------------------------------------------------------------------------------------------


def two(value, lean, prior, other_prior):
    """The choice, worth 1,000, and what was played."""
    return replace(
        DECISION,
        candidates=(Candidate(A, 1_000.0, prior=prior), Candidate(C, value, prior=other_prior, lean=lean)),
        noise=30.0,
    )


@pytest.mark.parametrize(
    ("decision", "disputed", "grade"),
    [
        (two(-1_000.0, -50.0, 0.7, 0.2), None, Grade.BLUNDER),
        (two(1_200.0, -1_200.0, 0.7, 0.0), Side.NETWORK, Grade.INACCURACY),  # the search prefers what was played
        (two(990.0, -1_200.0, 0.7, 0.0), Side.NETWORK, Grade.INACCURACY),  # it sees no difference
        (two(100.0, None, 0.2, 0.7), Side.SEARCH, Grade.INACCURACY),  # strong play prefers what was played
        (two(-1_000.0, None, None, None), None, Grade.BLUNDER),  # nobody was asked
        (two(500.0, None, 0.7, 0.2), None, Grade.MISTAKE),
    ],
)
def test_a_difference_that_only_one_side_sees_is_an_inaccuracy_at_worst(decision, disputed, grade):
    judged = judge(point((A, C), C), decision)
    assert (judged.disputed, judged.grade) == (disputed, grade)
    assert judged.loss == pytest.approx(decision.candidates[0].score - decision.candidates[1].score)


def test_the_tile_and_riichi_are_two_questions():
    riichi, other_riichi = Action(ActionKind.RIICHI, A.tile), Action(ActionKind.RIICHI, C.tile)
    candidates = (Candidate(riichi, 1_000.0), Candidate(other_riichi, 400.0), Candidate(A, 900.0), Candidate(C, 350.0))
    decision = replace(DECISION, action=riichi, candidates=candidates)
    judged = judge(point((riichi, other_riichi, A, C), C), decision)
    assert judged.questions == {"tile": 600.0, "riichi": 50.0}
    assert sum(judged.questions.values()) == judged.loss
    assert judged.category.value == "discard"  # most of it is about the tile
    silent = judge(point((riichi, other_riichi, A, C), A), decision)
    assert silent.questions == {}
    assert silent.category.value == "riichi"
    fewer = replace(decision, candidates=(candidates[0], candidates[2], candidates[3]))
    assert judge(point((riichi, A, C), C), fewer).questions == {"riichi": 100.0, "tile": 550.0}


# -- a choice that is held -------------------------------------------------------------------------------------------


def turn(table, tile, hand=0):
    """A turn of a hand that is silently tenpai on 1p4p and 9s, and the policy's wish for a riichi."""
    state = table("123456789m1134p").draw(0, tile).state
    legal = state.legal_actions()
    played = next(one for one in legal if one.kind is ActionKind.DISCARD and one.tile == state.drawn)
    riichi = Action(ActionKind.RIICHI, played.tile)
    decision = Decision(
        riichi, (Candidate(riichi, 1_000.0), Candidate(played, 500.0, note=Note.SILENT)), unit="points", noise=30.0
    )
    return DecisionPoint(Place(hand, 0, 0, 1, 1), state, tuple(legal), played, Known.ACTED, absent=False), decision


def test_a_silent_tenpai_is_charged_once(table):
    one = Judge()
    found = [one.judge(*turn(table, tile), number) for number, tile in enumerate(("9s", "1s", "7z"), 1)]
    assert [each.verdict for each in found] == [Verdict.DIFFERS, Verdict.HELD, Verdict.HELD]
    assert [each.held for each in found] == [None, 1, 1]
    assert [each.loss for each in found] == [500.0, 0.0, 0.0]
    assert found[1].grade is None
    assert score(found).judged == 1
    assert one.judge(*turn(table, "9s", hand=1)).verdict is Verdict.DIFFERS  # another hand


def fold_turn(chosen_shanten, note=Note.FOLD, number=80):
    played = Action(ActionKind.DISCARD, number)
    decision = Decision(
        A, (Candidate(A, 1_000.0, shanten=chosen_shanten), Candidate(played, 500.0, note=note)), unit="points"
    )
    return point((A, played), played), decision


def test_a_fold_is_charged_once_until_the_hand_comes_nearer():
    one = Judge()
    turns = [
        fold_turn(1),
        fold_turn(1),
        fold_turn(2),
        fold_turn(0),
        fold_turn(0),
        fold_turn(0, note=None),
        fold_turn(1),
    ]
    found = [one.judge(*each, number) for number, each in enumerate(turns, 1)]
    held, new = Verdict.HELD, Verdict.DIFFERS
    assert [each.verdict for each in found] == [new, held, held, new, held, new, new]
    assert [each.held for each in found][1:5] == [1, 1, None, 4]


# -- the rating ------------------------------------------------------------------------------------------------------


def test_the_rating_is_what_was_lost_in_a_hundred_decisions():
    one = {played: judge(point((A, B, C), played), DECISION) for played in (A, B, C)}
    assert score([one[A]]).per_hundred == 0.0
    assert score([one[A], one[A], one[C]]).per_hundred == pytest.approx(100 * one[C].loss / 3)
    assert score(one.values()).per_hundred == pytest.approx(100 * (one[B].loss + one[C].loss) / 3)
    assert Score().per_hundred is None


def test_a_policy_that_weighs_one_answer_alone_rates_nobody():
    alone = replace(DECISION, candidates=DECISION.candidates[:1])
    found = score(judge(point((A, B, C), played), alone) for played in (A, A, B))
    assert (found.judged, found.same, found.per_hundred) == (2, 2, None)


def test_standard_error():
    alike = [Score(10, 10, 9, 0, 100.0, 1000.0)] * 5
    assert standard_error(alike) == pytest.approx(0.0, abs=1e-9)
    assert standard_error(alike[:1]) is None
    uneven = [Score(judged=100, weighed=100, lost=lost) for lost in (0.0, 10.0, 20.0, 30.0)]
    mean_error = (sum((lost - 15) ** 2 for lost in (0, 10, 20, 30)) / 3 / 4) ** 0.5
    assert standard_error(uneven) == pytest.approx(mean_error)  # of equal lengths it is that of the mean


@pytest.mark.parametrize("kind", ["CHI", "PON", "DAIMINKAN"])
def test_every_call_takes_its_tiles_from_the_hand(kind):
    state = (
        Table("2333m4567p11289s" if kind != "CHI" else "1245m4567p11289s")
        .turn(0, "9s")
        .turn(1, "5z")
        .turn(2, "5z")
        .turn(3, "3m")
        .state
    )
    legal = state.legal_actions()
    calls = [action for action in legal if action.kind is ActionKind[kind]]
    assert calls
    for action in calls:
        found = facts_of(Scene(state, legal), action)
        assert found["called"]
        assert found["shanten"] >= 0


@pytest.mark.parametrize(("tile", "pays"), [("5z", True), ("1z", True), ("3z", False), ("1m", False), ("2m", False)])
def test_an_honour_that_pays_is_known(tile, pays):
    state = Table("123m456p78s11335z").draw(0, "9p").state  # east, in the east round
    legal = state.legal_actions()
    action = next(one for one in legal if one.kind is ActionKind.DISCARD and one.tile >> 2 == kind_of(tile))
    assert ("yakuhai" in facts_of(Scene(state, legal), action)) is pays


def kind_of(text):
    return "mpsz".index(text[1]) * 9 + int(text[0]) - 1
