"""Which hand follows, and when a game is over."""

from __future__ import annotations

import pytest

from engine.model.rules import HANCHAN, TONPU
from engine.rules.course import final_scores, next_hand

EVEN = (25_000,) * 4
LED_BY_3 = (20_000, 20_000, 25_000, 35_000)
LED_BY_0 = (35_000, 20_000, 25_000, 20_000)
BELOW = (-100, 30_000, 35_100, 35_000)


@pytest.mark.parametrize(
    ("kyoku", "honba", "scores", "how", "expected"),
    [
        (0, 0, EVEN, "win", (1, 0)),
        (0, 2, EVEN, "dealer win", (0, 3)),
        (0, 2, EVEN, "draw", (1, 3)),
        (0, 2, EVEN, "dealer draw", (0, 3)),
        (0, 2, EVEN, "abort", (0, 3)),
        (0, 0, BELOW, "dealer win", None),
        (0, 0, BELOW, "abort", None),
        (0, 0, (0, 30_000, 35_000, 35_000), "win", (1, 0)),
        (7, 0, LED_BY_0, "win", None),
        (7, 0, LED_BY_0, "draw", None),
        (7, 0, EVEN, "win", (8, 0)),
        (7, 0, LED_BY_0, "dealer win", (7, 1)),
        (7, 0, LED_BY_3, "dealer win", None),
        (7, 0, LED_BY_3, "dealer draw", None),
        (7, 0, LED_BY_3, "abort", (7, 1)),
        (7, 0, (30_000, 20_000, 20_000, 30_000), "dealer win", (7, 1)),
        (7, 0, (20_000, 20_000, 30_100, 29_900), "win", None),
        (7, 0, (29_900, 20_000, 29_900, 20_200), "win", (8, 0)),
        (8, 0, LED_BY_3, "win", None),
        (8, 0, EVEN, "win", (9, 0)),
        (8, 0, EVEN, "dealer draw", (8, 1)),
        (11, 0, EVEN, "win", None),
        (11, 0, EVEN, "dealer draw", (11, 1)),
    ],
)
def test_next_hand(kyoku, honba, scores, how, expected):
    facts = {"dealer_stays": "dealer" in how, "drawn": "win" not in how, "aborted": how == "abort"}
    assert next_hand(HANCHAN, kyoku, honba, scores, **facts) == expected


@pytest.mark.parametrize(("kyoku", "expected"), [(3, None), (2, (3, 0))])
def test_an_east_only_game_is_over_sooner(kyoku, expected):
    assert next_hand(TONPU, kyoku, 0, LED_BY_0, dealer_stays=False, drawn=False) == expected
    assert next_hand(TONPU, 7, 0, EVEN, dealer_stays=False, drawn=False) is None


def test_sticks_left_go_to_the_leader_nearer_to_the_first_dealer():
    assert final_scores([24_000, 24_000, 24_000, 26_000], 2) == (24_000, 24_000, 24_000, 28_000)
    assert final_scores([20_000, 29_000, 20_000, 29_000], 2) == (20_000, 31_000, 20_000, 29_000)
