"""What the numbers of a table can be, and that rules keep to it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from engine.model.bounds import (
    HONBA,
    MOST_CHANGE,
    POINTS,
    SCORE,
    STICKS,
    Range,
    fault_of_changes,
    fault_of_final_scores,
    fault_of_standing,
)
from engine.model.rules import HANCHAN, RIICHI_STICK, Rules
from engine.scoring.wins import total_points

FLAGS = [field.name for field in fields(Rules) if isinstance(field.default, bool)]
FAR = (10**7, 2**31, 2**63, 10**400, -(10**400))
SCORES = (25_000,) * 4


@pytest.mark.parametrize("value", [*FAR, -1, 5, 2.0, float("nan"), None, "3"])
def test_a_number_beyond_its_range_is_named_with_the_range(value):
    fault = Range(0, 4).fault("kans", value)
    assert fault.startswith("kans ")
    assert fault.endswith("it is a whole number from 0 to 4")


@pytest.mark.parametrize("value", [0, 4])
def test_the_ends_of_a_range_are_within_it(value):
    assert not Range(0, 4).fault("kans", value)


@pytest.mark.parametrize(
    ("standing", "named"),
    [
        *(((0, honba, 0, SCORES), "honba") for honba in (-1, HONBA.high + 1, 3_000, *FAR)),
        *(((0, 0, sticks, SCORES), "riichi sticks") for sticks in (-1, STICKS.high + 1, 100_000, *FAR)),
        *(((kyoku, 0, 0, SCORES), "kyoku") for kyoku in (-1, 16, *FAR)),
        *(((0, 0, 0, (0, 0, score, 0)), "score of seat 2") for score in (SCORE.low - 1, SCORE.high + 1, *FAR)),
        ((0, 0, 0, (25_000,) * 3), "scores"),
        ((0, 0, 0, (POINTS // 2, POINTS // 2, 100, 0)), "1,000,000 points"),
        ((0, 0, STICKS.high, (100, 0, 0, 0)), "1,000,000 points"),
    ],
)
def test_a_standing_that_no_table_has_is_refused_by_the_name_of_its_number(standing, named):
    assert named in fault_of_standing(*standing)


@pytest.mark.parametrize(
    "standing",
    [
        (0, 0, 0, SCORES),
        (15, HONBA.high, STICKS.high, (0, 0, 0, 0)),
        (7, 0, 0, (POINTS, 0, 0, SCORE.low)),
        (3, 2, 1, (60_000, 41_000, -1_000, -1_000)),
    ],
)
def test_a_standing_that_a_table_can_have_is_taken(standing):
    assert not fault_of_standing(*standing)


def test_no_stick_can_be_paid_beyond_the_bound_and_no_win_brings_more_than_the_bound():
    assert STICKS.high * RIICHI_STICK == POINTS
    seven = total_points(7 * 8_000, dealer=True, tsumo=False)
    most = seven + Rules(honba_points=10_000).honba_points * HONBA.high + RIICHI_STICK * STICKS.high
    assert most == MOST_CHANGE
    assert not fault_of_changes((most, -most, 0, 0))
    assert "seat 1" in fault_of_changes((most, -most - 1, 0, 0))
    assert not fault_of_final_scores((SCORE.high + most, SCORE.low - most, 0, 0))
    assert "seat 3" in fault_of_final_scores((0, 0, 0, SCORE.high + most + 1))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *((field, value) for field in ("start_points", "return_points", "honba_points") for value in (-1, 1.5, *FAR)),
        *((field, value) for field in FLAGS for value in (2, None, "yes")),
        *(("uma", uma) for uma in ((20, 10), [20, 10, -10, -20], (20, 10, -10, float("nan")), (10**9, 0, 0, 0))),
    ],
)
def test_rules_that_no_table_has_are_refused_by_the_name_of_their_field(field, value):
    with pytest.raises(ValueError, match=f"rules: {field}"):
        Rules(**{field: value})


def test_the_start_points_are_those_that_the_first_scores_come_from_where_a_game_can_have_begun_so():
    assert HANCHAN.begun_with((30_000,) * 4, 0).start_points == 30_000
    assert HANCHAN.begun_with((29_000, 30_000, 30_000, 30_000), 1).start_points == 30_000
    assert HANCHAN.begun_with((25_000,) * 4, 10**8) == HANCHAN
    assert HANCHAN.begun_with((-100_000,) * 4, 0) == HANCHAN
