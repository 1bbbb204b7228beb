"""Luck taken out of results: it has mean zero whatever the critic believes, and with a good one results spread less."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arena.seat_stats import seat_stats_of
from engine.critic.luck import DEALS, luck_of, luck_of_hands, other_deals, ura_of
from engine.critic.outcomes import NO_WIN, WORTHS
from engine.critic.worths import ends_of, place_changes
from engine.model.events import StartGame, StartKyoku, Win
from engine.model.yaku import URA_DORA
from engine.rules.code_kernels import DRAW, FIRST_AT, TYPE
from engine.rules.recordings import KyokuColumn, Recordings, encode_game, open_game
from tests.engine.critic.critics import ends_by_hand, random_critic
from tests.engine.critic.games import simple_games

FEW_AND_MANY = pytest.mark.parametrize("games", [40, pytest.param(100, marks=pytest.mark.slow)])


def test_a_game_has_the_same_luck_whenever_it_is_counted():
    game = simple_games(1)[0]
    critic = random_critic(3)
    luck = luck_of(game.events, critic)
    hands = sum(isinstance(event, StartKyoku) for event in game.events)
    assert luck.shape == (hands, 4, WORTHS)
    assert (luck == luck_of(iter(game.events), critic)).all()
    assert np.abs(luck[:, :, 0].sum(axis=1)).max() < 1_000.0, "all but sticks comes from one another"


@pytest.mark.slow
@FEW_AND_MANY
def test_even_the_luck_of_a_bad_critic_has_mean_zero(games):
    critic = random_critic(4)
    luck = np.concatenate([luck_of(game.events, critic) for game in simple_games(games)])
    errors = luck.std(axis=0) / np.sqrt(len(luck))
    assert (errors[:, 0] > 20.0).all(), "a critic that believes in nothing would prove nothing"
    assert (np.abs(luck.mean(axis=0)) < 4.0 * errors).all()


@pytest.mark.slow
@FEW_AND_MANY
def test_the_shipped_critic_takes_a_good_part_of_the_spread_away(games):
    came, without = [], []
    for game in simple_games(games):
        luck = luck_of(game.events).sum(axis=0)
        for seat, stats in enumerate(seat_stats_of(game.events)):
            came.append((stats.net, stats.rank))
            without.append((stats.net - luck[seat, 0], stats.rank - luck[seat, 1]))
    ratio = np.std(without, axis=0) / np.std(came, axis=0)
    assert (ratio < 0.9).all()


def test_only_the_draws_of_a_playout_are_its_luck():
    game, rules = open_game(simple_games(1)[0].events)
    critic, hands = random_critic(3), np.arange(len(game.kyoku))

    def luck(since):
        return luck_of_hands(game, hands, critic, rules, since)

    codes = game.events[: game.kyoku[0, KyokuColumn.EVENTS]] & TYPE
    draws = np.flatnonzero(codes == DRAW)
    last = int(draws[-1])
    assert not luck(last + 1)[0].any()
    assert luck(last)[0].any()
    assert (luck(last)[0] == luck(int(draws[-2]) + 1)[0]).all()
    assert (luck(1)[0] != luck(last)[0]).any()


def test_other_deals_are_whole_walls():
    game, _ = open_game(simple_games(1)[0].events)
    other = other_deals(game, np.array([1, 0]))
    assert len(other.kyoku) == 2 * DEALS
    assert (other.kyoku[:DEALS, KyokuColumn.KYOKU] == game.kyoku[1, KyokuColumn.KYOKU]).all()
    for row in range(len(other.kyoku)):
        drawn = int(other.events[other.kyoku[row, KyokuColumn.FIRST_EVENT]]) >> FIRST_AT & 255
        tiles = {drawn, int(other.kyoku[row, KyokuColumn.INDICATOR]), *other.hands[row].ravel().tolist()}
        assert len(tiles) == 54


def test_ura_of_wins_as_they_came_and_as_they_might_have():
    found = 0
    for game in simple_games(60):
        for hand, win, points in ura_of(game.events):
            assert points[0] == win.score.points
            assert win in game.events
            assert hand >= 0
            assert points.min() >= points[0] if not dict(win.score.yaku)[URA_DORA] else points.min() <= points[0]
            found += 1
    assert found > 20


def test_ends_and_gains_of_recorded_hands():
    for game in simple_games(30):
        recordings, _ = open_game(game.events)
        ends = ends_of(recordings)
        assert ends.ends.tolist() == ends_by_hand(game)
        hand = -1
        for event in game.events:
            hand += isinstance(event, StartKyoku)
            if isinstance(event, Win) and ends.gains[hand] >= 0 and event.pao_seat is None:
                assert ends.gains[hand] == event.score.points + 300 * event.honba
        assert ((ends.ends == NO_WIN) <= (ends.gains == -1)).all()


def test_changes_of_expected_places_sum_up_to_the_final_place():
    parts = [encode_game(f"game {number}", game.events) for number, game in enumerate(simple_games(2))]
    recordings = Recordings.concatenate(parts)
    changes, known = place_changes(recordings)
    assert known.all()
    games = recordings.kyoku[:, KyokuColumn.GAME]
    for number, game in enumerate(simple_games(2)):
        places = [stats.rank for stats in seat_stats_of(game.events)]
        start = np.array(places) - changes[games == number].sum(axis=0)
        assert start == pytest.approx([2.5] * 4, abs=0.35), "before the first hand all are nearly alike"
    assert np.allclose(changes.sum(axis=1), 0.0, atol=1e-3)


def test_a_game_without_a_hand_has_no_luck():
    start = next(event for event in simple_games(1)[0].events if isinstance(event, StartGame))
    assert luck_of([start], random_critic(1)).shape == (0, 4, WORTHS)
