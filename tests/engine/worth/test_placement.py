"""Final ranks: what the network sees, that it is calibrated, and the worth of endings built on it."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

from bot.logs.sources import open_logs
from engine.model.rules import HANCHAN, TONPU
from engine.rules.recordings import held_back
from engine.train.final_ranks import Collector, baseline, calibration_error, inputs_of, log_loss
from engine.worth.currency import (
    OTHERS_BASE,
    Situation,
    bases,
    currency,
    expected_worth,
    final_worth,
    others_points,
    spread,
    worth_of,
)
from engine.worth.objective import OBJECTIVES, last_costs, make_objective
from engine.worth.placement import INPUTS, features, placement_model, read_model
from protocol.logs.formats import read_log

LEVEL = (25_000,) * 4


def ranks(scores, kyoku=0, viewer=0, honba=0, sticks=0, last=7):
    columns = (np.array([value]) for value in (kyoku, honba, sticks, viewer, last))
    rows = features(np.array([scores]), *columns)
    return placement_model().ranks(rows)[0]


def test_inputs():
    rows = features(np.array([LEVEL] * 3), *(np.array([value] * 3) for value in (0, 0, 0, 2, 7)))
    assert rows.shape == (3, INPUTS)
    assert np.isfinite(rows).all()


def test_chances_sum_to_one_and_are_level_at_the_start():
    for seat in range(4):
        chances = ranks(LEVEL, viewer=seat)
        assert chances.sum() == pytest.approx(1.0, abs=1e-5)
        assert all(0.2 < chance < 0.3 for chance in chances)


def test_more_points_are_better():
    """Expected rank never rises with own points, all else equal, in any round."""
    for kyoku in range(8):
        means = []
        for more in range(0, 24_000, 2_000):
            chances = ranks((15_000 + more, 30_000 - more // 3, 28_000 - more // 3, 27_000 - more // 3), kyoku)
            means.append(float(chances @ np.arange(4)))
        assert all(after <= before + 0.02 for before, after in pairwise(means))
        assert means[-1] < means[0] - 0.5


def test_a_lead_in_the_last_hand_is_nearly_won():
    assert ranks((60_000, 15_000, 13_000, 12_000), kyoku=7)[0] > 0.95
    assert ranks((2_000, 40_000, 30_000, 28_000), kyoku=7)[3] > 0.9


def test_a_file_of_other_inputs_is_refused():
    data = json.loads(files("engine.worth").joinpath("tables/placement.json").read_text(encoding="utf-8"))
    data["card"]["features"] = "0" * 16
    with pytest.raises(ValueError, match="oshihiki train placement"):
        read_model(json.dumps(data).encode())


def test_objectives():
    placement = make_objective("placement", HANCHAN)
    assert placement.by_rank == (10.0, -20.0, -40.0, -50.0)
    assert final_worth((45_000, 30_000, 15_000, 10_000), 0, placement) == pytest.approx(55.0)
    assert final_worth((45_000, 30_000, 15_000, 10_000), 3, placement) == pytest.approx(-40.0)
    dan = make_objective("dan", HANCHAN, dan=16)
    assert dan.by_rank == (90.0, 45.0, 0.0, -135.0)
    assert make_objective("dan", TONPU, dan=16).by_rank == pytest.approx((60.0, 30.0, 0.0, -90.0))
    assert make_objective("dan", HANCHAN, dan=11, room="general").by_rank == (30.0, 15.0, 0.0, -60.0)
    assert [last_costs(rank) for rank in (7, 8, 9, 10, 19)] == [0.0, 15.0, 30.0, 45.0, 180.0]
    with pytest.raises(ValueError, match="no room is named 'attic'; there are: general, dan, upper, phoenix"):
        make_objective("dan", HANCHAN, room="attic")


def test_ties_go_to_the_earlier_seat():
    placement = make_objective("placement", HANCHAN)
    assert final_worth(LEVEL, 0, placement) > final_worth(LEVEL, 1, placement) > final_worth(LEVEL, 3, placement)


class TestEndings:
    ALL_LAST = Situation(HANCHAN, 1, 7, 0, 1, (31_500, 32_000, 19_000, 16_500))

    def test_payments(self):
        """A dealer's mangan by self-draw, two honba, one stick on the table."""
        table = Situation(HANCHAN, 0, 0, 2, 1, (24_000, 25_000, 25_000, 25_000))
        won = table.win(0, 2_000, 0)
        assert won.scores == (24_000 + 12_600 + 1_000, 20_800, 20_800, 20_800)
        assert won.dealer_stays
        ron = table.win(2, 960, 1)
        assert ron.scores == (24_000, 25_000 - 4_500, 25_000 + 4_500 + 1_000, 25_000)
        drawn = table.exhausted((True, False, False, True))
        assert drawn.scores == (25_500, 23_500, 23_500, 26_500)
        assert drawn.sticks == 1

    def test_every_ending_keeps_the_points(self):
        table = Situation(HANCHAN, 2, 5, 1, 2, (20_000, 30_000, 25_000, 23_000))
        for winner in range(4):
            for loser in range(4):
                for base in (240, 2_000, 8_000):
                    ending = table.win(winner, base, loser)
                    assert sum(ending.scores) + 1_000 * ending.sticks == 100_000

    def test_the_end_of_the_game_is_exact(self):
        """The leader's cheapest win ends it: first, whatever the hand was worth before."""
        objective = make_objective("dan", HANCHAN)
        assert worth_of(self.ALL_LAST, [self.ALL_LAST.win(1, 240, 3)], objective)[0] == 90.0
        assert worth_of(self.ALL_LAST, [self.ALL_LAST.win(0, 2_000, 1)], objective)[0] == 45.0

    @pytest.mark.parametrize("name", OBJECTIVES)
    def test_more_is_worth_no_less(self, name):
        found = currency(self.ALL_LAST, make_objective(name, HANCHAN))
        assert len(found.gains_tsumo) == len(bases()) == found.tsumo.shape[1]
        assert (np.diff(found.gains_tsumo) >= 0).all()
        assert (np.diff(found.tsumo[0]) >= -1e-9).all()
        assert (np.diff(found.ron[0, 0]) >= -1e-9).all()
        assert found.others_ron[0, 3, 1, 0] >= found.others_ron[0, 3, 1, -1]
        assert found.per_point >= 0.0

    def test_points_are_points(self):
        table = Situation(HANCHAN, 0, 2, 0, 0, LEVEL)
        found = currency(table, make_objective("points", HANCHAN))
        assert found.tsumo[0] - found.now == pytest.approx(found.gains_tsumo)
        assert found.per_point == pytest.approx(1.0)
        assert found.exhausted[0, 0b0001] - found.now == pytest.approx(3_000)
        assert found.tsumo[1] == pytest.approx(found.tsumo[0])
        assert found.exhausted[1, 0b0001] == pytest.approx(found.exhausted[0, 0b0001] - 1_000)

    def test_worths_agree_with_one_by_one(self):
        table = Situation(HANCHAN, 3, 4, 0, 0, (30_000, 20_000, 26_000, 24_000))
        objective = make_objective("placement", HANCHAN)
        after = table.win(3, 2_000, 1)
        alone = expected_worth(
            np.array([after.scores]), np.array([5]), np.array([0]), np.array([0]), 3, HANCHAN, objective
        )
        at = bases().index(2_000)
        assert currency(table, objective).ron[0, 1, at] == pytest.approx(alone[0], abs=1e-4)


@pytest.mark.parametrize("dealer", [False, True])
def test_a_spread_has_its_mean(dealer):
    points = others_points(dealer)
    assert len(points) == len(OTHERS_BASE)
    for mean in (2_000, 5_000, 9_000, 15_000):
        shares = spread(mean, dealer)
        assert shares.sum() == pytest.approx(1.0)
        assert float(shares @ points) == pytest.approx(mean, rel=0.02)


@pytest.mark.corpus
@pytest.mark.slow
def test_calibrated_on_games_held_back(corpus):
    """Beats the naive table by a margin, and its chances come true within a few points."""
    known, judging = Collector(), Collector()
    for file in open_logs([corpus / "tokujou-hanchan-00.tar.xz"]):
        log = read_log(file)
        if held_back(log.info.log_id):
            judging.observe(log.events)
        elif known.games < 300:
            known.observe(log.events)
        if judging.games >= 100:
            break
    inputs, was = inputs_of(judging.tables())
    chances = placement_model().ranks(inputs)
    assert log_loss(chances, was) < log_loss(baseline(known.tables(), judging.tables()), was) - 0.03
    assert calibration_error(chances, was, bins=8) < 0.03


def test_tables_are_hashable_facts():
    table = Situation(HANCHAN, 0, 2, 0, 0, LEVEL)
    assert currency(table, make_objective("points", HANCHAN)) is currency(
        replace(table), make_objective("points", HANCHAN)
    )
