"""The network as a danger estimate: its requirements, its knowledge, and weights that do not fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.model.events import Draw, Resume
from engine.opponents import feature_kernels, network, outcomes
from engine.opponents import layout_kernels as layout
from engine.opponents.facts import genbutsu_masks
from engine.opponents.network import FILE, features_hash, features_of, read_weights, shipped_weights
from engine.opponents.registry import best_estimator, make_estimator
from engine.state import GameState
from engine.tables import WeightsError
from tests.engine.parts import callable_part
from tests.samples import parse_tile37


def kind(text):
    return parse_tile37(text)


def test_every_number_of_a_row_has_a_meaning():
    blocks = 9 * [layout.KIND], 7 * [layout.KIND, layout.OF_HONOUR]
    row = [*3 * [*blocks[0], layout.OF_SUIT], *blocks[1], layout.WHOLE]
    assert sum(map(len, row)) == layout.FEATURES
    assert all(len({one.name for one in block.rows}) == len(block) for block in row)


def test_features_of_a_river(riichi_table):
    (row, *_), (safe, *_), _ = features_of(riichi_table().state.as_table())  # the next seat comes first
    river = callable_part(feature_kernels.place_of)(kind("7m"))
    assert row[river + layout.IN_RIVER] == 1.0
    assert row[river + layout.FIRST_AT] == 1.0
    assert row[river + layout.SEEN_1] == 1.0
    declared = callable_part(feature_kernels.place_of)(kind("5s"))
    assert row[declared + layout.RIICHI_TILE] == 1.0
    assert row[callable_part(feature_kernels.place_of)(kind("1m")) + layout.PASSED_0] == 1.0
    assert row[callable_part(feature_kernels.place_of)(kind("1p")) + layout.BELOW_WAYS] == 0.0
    assert row[callable_part(feature_kernels.place_of)(kind("3z")) + layout.DORA] == 1.0
    assert row[layout.GLOBALS_AT] == 1.0  # riichi
    assert [safe >> kind(tile) & 1 for tile in ("7m", "5s", "1m", "8p", "9s", "2p")] == [1, 1, 1, 1, 0, 0]


def test_a_riichi_is_feared_as_players_fear_it(riichi_table):
    danger = make_estimator("model").estimate(riichi_table().state)
    row = danger.p_deal_in[1]
    assert danger.p_tenpai[1] == 1.0
    assert danger.p_tenpai[2] < 0.15
    assert row[kind("5s")] == row[kind("1m")] == row[kind("8p")] == 0.0
    assert row[kind("4m")] < 0.5 * row[kind("3m")]  # 7m is in the river, 1m has passed; suji of the riichi tile is less
    assert row[kind("9p")] < row[kind("4p")]
    assert row[kind("2z")] < row[kind("1z")]  # two copies are visible
    assert 0.05 < row[kind("4p")] < 0.35
    assert 4_000 < danger.loss[1][kind("4p")] < 10_000
    assert danger.loss[1][kind("3z")] > danger.loss[1][kind("4p")]  # a dora


def test_the_rules_have_the_last_word(riichi_table):
    state = riichi_table(honba=2).state
    danger = make_estimator("model").estimate(state)
    for seat, mask in enumerate(genbutsu_masks(state)):
        safe = [bool(mask >> each & 1) for each in range(34)]
        assert not danger.p_deal_in[seat][safe].any()
    assert (danger.p_deal_in <= danger.p_wait).all()
    assert (danger.p_wait <= danger.p_tenpai[:, None]).all()
    assert not danger.p_deal_in[0].any()
    assert not danger.loss[0].any()
    plain = make_estimator("model").estimate(riichi_table().state)
    assert plain.p_deal_in[1].max() <= 1.0


def test_after_a_snapshot_the_order_is_lost_and_the_riichi_still_feared(riichi_table):
    state = riichi_table().state
    hand = tuple(tile for tile in state.hand if tile != state.drawn)
    rivers = tuple(tuple(discarded.tile for discarded in river) for river in state.rivers)
    riichi_at = (None, len(rivers[1]) - 1, None, None)
    indicators = tuple(state.dora_indicators)
    again = GameState(0)
    again.apply(Resume(0, 0, 1, 0, indicators, tuple(state.scores), 0, hand, ((),) * 4, rivers, riichi_at))
    again.apply(Draw(0, state.drawn))
    danger = make_estimator("model").estimate(again)
    assert danger.p_tenpai[1] == 1.0
    assert danger.p_deal_in[1][kind("5s")] == 0.0
    assert danger.p_deal_in[1][kind("1m")] > 0.0  # that it passed is not known
    assert danger.p_deal_in[1][kind("4m")] < danger.p_deal_in[1][kind("5m")]


def test_weights_come_back_from_their_file():
    weights = shipped_weights()
    again = read_weights(weights.to_bytes(), "again")
    assert again.digest() == weights.digest()
    assert weights.features == features_hash()
    assert len(weights.to_bytes()) < 5 << 20


def test_weights_of_other_features_name_the_command_that_makes_them():
    other = replace(shipped_weights(), features="0123456789abcdef").to_bytes()
    with pytest.raises(WeightsError, match=r"old\.npz was fitted on other features \(0123456789abcdef") as error:
        read_weights(other, "old.npz")
    assert FILE.rebuild in str(error.value)


def test_without_weights_the_plain_table_steps_in_and_says_so(monkeypatch):
    def missing():
        raise WeightsError(f"the danger weights are missing; rebuild them: {FILE.rebuild}")

    assert best_estimator()[1] is None
    monkeypatch.setattr(network, "shipped_weights", missing)
    estimator, warning = best_estimator()
    assert estimator.name == "suji"
    assert warning is not None
    assert "oshihiki train danger" in warning


def test_a_hand_left_to_the_others_ends_somehow(riichi_table):
    state = riichi_table(honba=1, sticks=1).state
    danger = make_estimator("model").estimate(state)
    found = outcomes.fold_outcomes(state, danger)
    assert found.chances.sum() == pytest.approx(1.0)
    assert (found.chances >= 0).all()
    draws = np.zeros(len(found.chances), bool)
    draws[9:] = True
    sticks = 1000 * state.riichi_sticks
    assert found.deltas.sum(axis=1) == pytest.approx(np.where(draws, 0, sticks), abs=2)
    assert (found.deltas[~draws, state.seat] <= 0).all()
    by_seat = [found.chances[3 * at : 3 * at + 3].sum() for at in range(3)]
    assert by_seat[0] > 2 * max(by_seat[1:])  # the riichi
    assert found.deltas[0, state.seat] < found.deltas[0, 2]  # the dealer pays double, and that is us
    assert found.chances @ found.deltas[:, 1] > 0 > found.chances @ found.deltas[:, state.seat]
