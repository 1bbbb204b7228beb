"""What is counted for the discard tables, on hands laid out by the test, and what comes with the package."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.events import Discard, Draw, RiichiAccepted, RiichiDeclared, Ryuukyoku, RyuukyokuKind, StartKyoku, Win
from engine.model.seats import round_wind34
from engine.model.tiles import EAST, allocate136, parse_tiles37
from engine.rules import code_kernels as codes
from engine.rules.moments import game_moments, next_kinds
from engine.rules.recordings import held_back
from engine.rules.table_kernels import IS_CLOSED_KAN
from engine.search.dag.solve import rates_of
from engine.search.discard_tables import DRAWS, GENBUTSU, LATE, OTHER, SUJI, discard_tables, kind_classes, safety
from engine.search.position import Sketch
from engine.train.discards import Counts
from tests.engine.critic.games import simple_games

HANDS = tuple(tuple(range(13 * seat, 13 * seat + 13)) for seat in range(4))
START = StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, HANDS)


def turn(seat, tile):
    return [Draw(seat, tile), Discard(seat, tile, True)]


def test_every_discard_is_seen_by_three_and_shares_sum_to_one():
    counts = Counts()
    end = Ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (0, 0, 0, 0), hands=(HANDS[0], None, None, HANDS[3]))
    counts.observe([START, *turn(0, 60), *turn(1, 61), *turn(2, 120), end])
    assert counts.open_discards[..., 0].sum() == 9
    assert counts.open_discards[..., 1].sum() == pytest.approx(9)
    # 60 is 7p (class 37): nobody else holds one, the four copies are unseen; seen by all 16 or 17 draws before the end
    assert counts.open_discards[2, 0, 3, :, 0].sum() == 3
    assert counts.tenpai[0].tolist() == [0, 2, 2, 0]
    assert counts.survival[0, 0, :, 0].sum() == 3  # three players discarded, and nobody won


def test_dora_have_cells_of_their_own():
    counts = Counts()
    end = Ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (0, 0, 0, 0), hands=(None,) * 4)
    counts.observe([START, *turn(0, 4 * 31), *turn(1, 4 * 32), end])  # 5z, the dora after 7z, and 6z
    assert counts.open_discards[5, :, ..., 0].sum(axis=(1, 2)).tolist() == [3, 3]
    assert counts.open_discards[:, 1, ..., 0].sum() == 3


def test_draws_left_is_what_the_player_looking_on_has():
    counts = Counts()
    end = Ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (0, 0, 0, 0), hands=(None,) * 4)
    counts.observe([START, *turn(0, 60), end])
    by_draws = counts.open_discards[..., 0].sum(axis=(0, 1, 2))
    # 69 tiles left: seats 1 has 18 draws to come (counted as 17), seats 2 and 3 have 17
    assert by_draws[DRAWS - 1] == 3


def test_a_hand_ended_by_another_is_not_survived_but_an_own_deal_in_is_not_counted():
    counts = Counts()
    counts.observe([START, *turn(0, 60), *turn(1, 61), Win(2, 1, 61, (0, -1000, 1000, 0))])
    assert counts.survival[0, 0].sum(axis=0).tolist() == [0, 1]  # seat 0 waited; seat 1 dealt in itself


def test_riichi_moves_the_player_to_its_own_tables_and_calls_break_ippatsu():
    counts = Counts()
    declare = [Draw(0, 60), RiichiDeclared(0), Discard(0, 60, True), RiichiAccepted(0)]
    counts.observe([START, *declare, *turn(1, 61), *turn(2, 62), *turn(3, 63), *turn(0, 64), Win(1, 0, 64, (0,) * 4)])
    assert counts.riichi_discards[..., 0].sum() == 3
    assert counts.ippatsu.tolist() == [[3, 3], [1, 1]]
    assert counts.riichi_discards[2, 0, GENBUTSU, :, 0].sum() == 3  # 7p after its own 7p


def test_safety_against_a_river():
    found = safety(1 << 3 | 1 << 27)  # 4m, east
    assert found[3] == found[27] == GENBUTSU
    assert found[0] == found[6] == SUJI  # 1m by its only side; 7m likewise
    assert safety(1 << 4)[1] == SUJI
    assert safety(1 << 0)[3] == OTHER  # half suji


def test_shipped_tables_are_shares_and_rates():
    tables = discard_tables()
    assert tables.open_rates.min() > 0
    assert tables.riichi_rates.min() > 0
    for shares in (tables.open_survival, tables.riichi_survival):
        assert shares.shape == (3, DRAWS)
        assert ((shares > 0.5) & (shares <= 1)).all()
    assert np.allclose(tables.tenpai_counts.sum(axis=1), 1, atol=1e-3)
    assert (tables.open_survival[0] > tables.open_survival[2]).all()  # two riichi end hands sooner
    assert 0.5 < tables.ippatsu_kept[1] < tables.ippatsu_kept[0] < 1


def test_rates_are_scaled_to_the_position():
    position = Sketch(allocate136(parse_tiles37("123m406p1122345s1z")), turn=6).position()
    rates = rates_of(position, 16)
    assert (rates * position.unseen).sum(axis=2) / sum(position.unseen) == pytest.approx(1)
    assert rates[0, 16, 30] > rates[0, 16, 4]


def test_classes_of_kinds():
    found = kind_classes(EAST)
    assert found[[0, 8, 4, 3, 27, 28, 31]].tolist() == [0, 0, 4, 3, 6, 7, 5]


def test_the_held_back_tenth_is_a_tenth_and_stays_the_same():
    ids = [f"2017010100gm-00a9-0000-{number:08x}" for number in range(5_000)]
    share = sum(map(held_back, ids)) / len(ids)
    assert 0.08 < share < 0.12
    assert [held_back(name) for name in ids[:6]] == [held_back(name) for name in ids[:6]]
    assert held_back("2017010100gm-00a9-0000-d56adb38") is False


@pytest.mark.corpus
@pytest.mark.slow
def test_fitted_rates_hold_on_games_held_back(corpus):
    """What the tables predict for discards they were not fitted on, class by class, within a tenth."""
    from bot.logs.sources import open_logs  # noqa: PLC0415
    from protocol.logs.formats import read_log  # noqa: PLC0415

    counts = Counts()
    games = 0
    for file in open_logs([corpus / "houou-hanchan-00.tar.xz"]):
        log = read_log(file)
        if held_back(log.info.log_id):
            counts.observe(log.events)
            games += 1
        if games == 60:
            break
    predicted = (counts.open_discards[..., 1] * discard_tables().open_rates).sum(axis=(1, 2, 3))
    assert counts.open_discards[..., 0].sum(axis=(1, 2, 3)) == pytest.approx(predicted, rel=0.1)


def test_waits_are_counted_one_by_one():
    """Against a count in plain Python, over the go-arounds of one game."""
    events = simple_games(1)[0].events
    counts = Counts()
    counts.observe(events)
    expected = np.zeros_like(counts.waited)
    tables = discard_tables()
    moments = game_moments(events, before=(codes.DRAW, codes.DISCARD))
    for moment in moments:
        acting, draws = moment["code"] >> codes.SEAT_AT & 3, moment["code"] & codes.TYPE == codes.DRAW
        for seat in range(4):
            waits = [kind for kind in range(34) if moment["waits"][seat] >> kind & 1]
            if draws != (acting == seat) or any(moment["river_mask"][seat] >> kind & 1 for kind in waits):
                continue
            left = min(int(moment["wall"]) // 4, DRAWS - 1)
            unseen = [4 - int(moment["counts"][seat][kind]) - int(moment["open_tiles"][kind]) for kind in range(34)]
            riichi = moment["riichi"][seat] > 0
            melds = moment["meld_kinds"][seat][: moment["melds"][seat]].tolist()
            stance = 2 if riichi else int(any(what != IS_CLOSED_KAN for what in melds))
            against = int(any(moment["riichi"][other] > 0 for other in range(4) if other != seat))
            classes, safe = kind_classes(round_wind34(int(moment["kyoku"]))), safety(int(moment["river_mask"][seat]))
            weights = []
            for kind in range(34):
                dora = min(int(moment["dora"][kind]), 1)
                rate = (
                    tables.riichi_rates[classes[kind], dora, safe[kind], left]
                    if riichi
                    else tables.open_rates[classes[kind], dora, max(unseen[kind], 1) - 1, left]
                )
                weights.append((1.0 if draws else rate) * unseen[kind])
            for kind in waits:
                if unseen[kind]:
                    distance = min(kind % 9, 8 - kind % 9)
                    sort = 0 if kind >= 27 else min(1 + distance, 3)
                    group = sum(left >= end for end in LATE[:-1])
                    cell = int(draws), stance, against, sort, unseen[kind] - 1, group
                    expected[cell] += (next_kinds(moment[None])[0] == kind, weights[kind] / sum(weights))
    assert expected[..., 0].sum() > 0
    assert counts.waited == pytest.approx(expected)
