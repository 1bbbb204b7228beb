"""The evaluator ``montecarlo`` against plain playouts over the same walls."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import RED_FIVES, allocate136, parse_tiles37
from engine.search.evaluator import Choice
from engine.search.position import Sketch
from engine.search.registry import make_evaluator
from tests.oracles.naive_playouts import played, walls

PON = Meld(MeldKind.PON, (124, 125, 126), 126, 1)
WALLS = 40


def position(text, melds=(), turn=5, **facts):
    used = [tile for meld in melds for tile in meld.tiles]
    tiles = allocate136(parse_tiles37(text), taken=used)
    visible = [red for red in RED_FIVES if red not in (*tiles, *used)]  # the oracle would draw them
    return Sketch(tiles, melds, [4 * 33 + 3], visible, turn=turn, **facts).position()


@pytest.mark.parametrize(
    ("text", "melds"),
    [
        ("234m340p567s2256s1z", ()),
        pytest.param("234m345p99s567s78m1z", (), marks=pytest.mark.slow),
        pytest.param("1147m258p369s1234z", (), marks=pytest.mark.slow),
        pytest.param("24m4067p11s78s1z", (PON,), marks=pytest.mark.slow),
        pytest.param("24m4067p11s789s", (PON,), marks=pytest.mark.slow),
        ("24m4067p11s78s", (PON,)),
    ],
)
def test_it_plays_as_plain_playouts_do(text, melds):
    asked = position(text, melds)
    found = make_evaluator("montecarlo", {"walls": WALLS}).evaluate(asked)
    for worth in found.actions:
        points = [played(asked, worth.choice, wall) for wall in walls(asked, WALLS)]
        assert worth.value == pytest.approx(sum(points) / WALLS)
        assert worth.p_win == pytest.approx(sum(one > 0 for one in points) / WALLS)


def test_its_answer_depends_on_the_budget_in_playouts_alone():
    asked = position("2345m4067p34588s1z")
    found = make_evaluator("montecarlo").evaluate(asked, budget=Budget(1_400))
    again = make_evaluator("montecarlo").evaluate(asked, budget=Budget(1_400))
    assert found == again
    assert 0.9 * 1_400 <= found.nodes <= 1_400


def test_an_expired_budget_ends_the_playouts():
    asked = position("2345m4067p34588s1z")
    looks = iter([False, False, True])
    found = make_evaluator("montecarlo").evaluate(asked, budget=Budget(expired=lambda: next(looks)))
    assert not found.complete
    assert found.nodes == 3 * 8 * len(found.actions)


def test_three_pairs_do_not_make_it_aim_at_seven_pairs():
    best = make_evaluator("montecarlo").evaluate(position("112233m557p4s789s1z", turn=3)).best.choice
    assert best in {Choice(ActionKind.DISCARD, 27), Choice(ActionKind.DISCARD, 21)}


def test_seven_pairs_are_aimed_at_where_nothing_else_is_near():
    best = make_evaluator("montecarlo").evaluate(position("1199m2277p4499s15z", turn=3)).best
    assert best.choice.tile34 in {27, 31}
    assert best.p_win > 0.15
