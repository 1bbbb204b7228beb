"""Deals of four games: everyone in each seat, what came of it counted as the events say, intervals over deals."""

import math
import random

import pytest

from engine.arena.duplicate import play_deals, seat_of
from engine.arena.seat_stats import SeatStats, seat_stats_of, total
from engine.critic.estimates import Estimate, difference, ratio
from engine.model.events import Call, Discard, Draw, EndGame, RiichiAccepted, RiichiDeclared, StartKyoku, Win
from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN, TONPU
from engine.model.tiles import allocate136, parse_tiles37
from engine.policy.registry import make_policy


def deal(*names, seed=5, games=None):
    ((_, stats),) = play_deals(
        lambda _: [make_policy(name) for name in names],
        TONPU,
        [seed],
        watch=None if games is None else lambda _, number, game: games.append((number, game)),
    )
    return stats


def test_players_who_are_alike_end_a_deal_level():
    """Each sat where the others sat: a mean place of 2.5, and no points but the first seats' odd ones."""
    players = [total(games) for games in deal("simple", "simple", "simple", "simple")]
    for one in players:
        assert one == players[0]
        assert one.places == [1, 1, 1, 1]
        assert one.rank == 10
        assert one.score == 100_000
        assert one.result == pytest.approx(0.0)
        assert one.net == 0


def test_everyone_sits_in_each_seat():
    assert sorted(seat_of(player, game) for player in range(4) for game in range(4)) == sorted([0, 1, 2, 3] * 4)
    assert all(len({seat_of(player, game) for game in range(4)}) == 4 for player in range(4))


def test_an_account_is_what_the_events_say():
    games = []
    players = deal("simple", "tsumogiri", "simple", "tsumogiri", games=games)
    assert sorted(number for number, _ in games) == [0, 1, 2, 3]
    for number, game in games:
        stats = seat_stats_of(game.events)
        end = next(event for event in game.events if isinstance(event, EndGame))
        wins = [event for event in game.events if isinstance(event, Win)]
        for player in range(4):
            seat = seat_of(player, number)
            one = stats[seat]
            assert one == players[player][number]
            assert one.hands == sum(isinstance(event, StartKyoku) for event in game.events)
            assert one.net == end.scores[seat] - TONPU.start_points
            assert one.score == end.scores[seat]
            assert one.result == pytest.approx(end.results[seat])
            assert one.wins == sum(event.seat == seat for event in wins)
            assert one.won == sum(event.score.points for event in wins if event.seat == seat)
            assert one.tsumo == sum(event.seat == seat == event.from_seat for event in wins)
            assert one.deal_ins == sum(event.from_seat == seat != event.seat for event in wins)
            assert one.riichi == sum(isinstance(event, RiichiDeclared) and event.seat == seat for event in game.events)
            calls = [event for event in game.events if isinstance(event, Call) and event.seat == seat]
            assert one.called <= sum(event.meld.called is not None for event in calls)
            assert one.tenpai <= one.drawn
        whole = total(stats)
        assert whole.places == [1, 1, 1, 1]
        assert whole.deal_ins == whole.wins - whole.tsumo
        assert (whole.paid_riichi, whole.tsumo) <= (whole.won_riichi, whole.wins)


def test_the_interval_holds_the_truth_nineteen_times_in_twenty():
    dice = random.Random(1)
    held = 0
    for _ in range(400):
        pairs = []
        for _ in range(60):
            hands = dice.randint(10, 40)
            pairs.append((sum(dice.random() < 0.2 for _ in range(hands)), hands))
        found = ratio(pairs)
        held += found.low <= 0.2 <= found.high
    assert 365 <= held <= 392


def test_an_interval_by_hand():
    found = ratio([(1, 4), (3, 4)])
    assert found.mean == 0.5
    assert found.within == pytest.approx(1.96 * math.sqrt(2 * (1 + 1)) / 8)


def test_one_deal_has_no_interval():
    found = ratio([(3, 4)])
    assert (found.mean, found.within, found.low, found.high) == (0.75, None, 0.75, 0.75)
    assert ratio([]).mean == 0.0


def test_two_who_win_at_once_are_two_wins_and_one_deal_in():
    start = StartKyoku(0, 0, 0, 0, 0, (25_000,) * 4, (None,) * 4)
    events = [
        start,
        RiichiDeclared(1),
        RiichiAccepted(1),
        Win(1, 0, 5, (-8000, 9000, 0, 0)),
        Win(2, 0, 5, (-1000, 0, 1000, 0)),
        EndGame((16_000, 33_000, 26_000, 25_000)),
    ]
    payer, first, second, other = seat_stats_of(events)
    assert (payer.deal_ins, payer.paid_riichi, payer.paid_silent) == (1, 1, 0)
    assert (first.won_riichi, second.won_silent, other.wins) == (1, 1, 0)
    assert payer.places == [0, 0, 0, 1]
    assert (payer.net, first.net) == (-9000, 8000)
    assert first.result == pytest.approx(sum((20, 20, 3.0)))
    assert HANCHAN.uma[0] == 20


def test_stats_add_up():
    one = SeatStats(games=1, places=[1, 0, 0, 0], hands=3, won_open=1, paid_open=1)
    one.add(SeatStats(games=1, places=[0, 0, 1, 0], hands=5, won_silent=2))
    assert (one.games, one.places, one.hands, one.wins, one.deal_ins, one.rank) == (2, [1, 0, 1, 0], 8, 3, 1, 4)


def test_the_first_tenpai_and_the_win_are_dated_by_own_draws():
    *hand, drawn, waited = allocate136(parse_tiles37("123m456p789s11z24m9m3m"))
    start = StartKyoku(0, 0, 0, 0, 0, (25_000,) * 4, (tuple(hand), None, None, None))
    two = hand[11]
    course = [start, Draw(0, drawn), Discard(0, drawn, True), Draw(1, None), Draw(0, waited)]
    player, other, *_ = seat_stats_of(course)
    assert (player.ready, player.ready_turns, player.win_turns) == (1, 1, 0)  # waits for 3m from its first discard on
    assert other.ready == 0
    player, *_ = seat_stats_of([*course, Win(0, 0, waited, (0, 0, 0, 0), (25_000,) * 4)])
    assert (player.ready, player.ready_turns, player.wins, player.win_turns) == (1, 1, 1, 2)
    broken = [start, Draw(0, drawn), Discard(0, two, False), Draw(0, waited)]
    assert seat_stats_of(broken)[0].ready == 0
    player, *_ = seat_stats_of([*broken, Win(0, 0, waited, (0, 0, 0, 0), (25_000,) * 4)])
    assert (player.ready, player.ready_turns) == (1, 2)  # whoever wins was tenpai


def test_a_hand_is_tenpai_with_its_melds():
    *hand, nine = allocate136(parse_tiles37("123m456p199s24m77z9s"))
    start = StartKyoku(0, 0, 0, 1, 0, (25_000,) * 4, (tuple(hand), None, None, None))
    one, seven = hand[6], hand[12]
    pon = Call(0, Meld(MeldKind.PON, (*hand[7:9], nine), nine, 1))
    player, *_ = seat_stats_of([start, pon, Discard(0, seven, False)])
    assert (player.ready, player.ready_turns, player.called) == (0, 0, 1)
    assert seat_stats_of([start, pon, Discard(0, one, False)])[0].ready == 1


def test_a_paired_difference_leaves_out_what_the_deals_do_to_both():
    first = [(1.0, 4.0), (3.0, 4.0), (2.0, 4.0)]
    second = [(2.0, 4.0), (4.0, 4.0), (3.0, 4.0)]
    found = difference(first, second)
    assert (found.mean, found.within) == (-0.25, pytest.approx(0.0))
    alone = difference(first, [(2.0, 4.0)] * 3)
    assert alone.within == pytest.approx(ratio(first).within)
    with pytest.raises(ValueError, match="shorter"):
        difference(first, second[:2])


def test_how_likely_a_mean_is_among_equals():
    assert Estimate(1.96, 1.96).p_value == pytest.approx(0.05, abs=1e-4)
    assert Estimate(0.0, 0.0).p_value == 1.0
    assert Estimate(0.1, 0.0).p_value == 0.0
    assert Estimate(0.1, None).p_value is None
