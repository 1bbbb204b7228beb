"""The critic: what it sees of a table, what ends are worth, and its passes."""

from __future__ import annotations

import numpy as np
import pytest

from engine.critic import layout_kernels as layout
from engine.critic.network import (
    NUMBERS,
    PLANES,
    CriticShape,
    CriticWeights,
    inputs_of,
    shipped_critic,
)
from engine.critic.outcomes import (
    ENDS,
    GAINS,
    NO_WIN,
    PLACE,
    POINTS,
    HandsToCome,
    as_dealt,
    between_gains,
    expected_places,
    seen_from,
    turned,
    turned_back,
    worth_tables,
)
from engine.critic.worths import known_later
from engine.model.events import Draw, NewDora, StartKyoku, Win
from engine.model.rules import TONPU
from engine.model.tiles import TILES
from engine.rules.code_kernels import DRAW, FIRST_AT
from engine.rules.course_kernels import OVER, next_kyoku
from engine.rules.moments import game_moments
from engine.tables import WeightsError
from tests.engine.critic.critics import ends_by_hand, random_critic
from tests.engine.critic.games import simple_games


def drawn_moments(game):
    return game_moments(game.events, before=(DRAW,))


def test_every_number_has_a_name():
    assert len(PLANES) == layout.PLANES
    assert len(NUMBERS) == layout.GLOBALS
    assert PLANES[layout.AT_SEAT + layout.WAIT][0] == "right: completes its hand"
    assert PLANES[layout.RED_LEFT][0] == "the red five is left in the wall"
    assert NUMBERS[2 * layout.OF_SEAT + layout.ABOVE_START][0] == "across: points above 25 000, of 400"
    assert NUMBERS[layout.PLACE + 3][0] == "the one that draws: place 4"
    assert NUMBERS[layout.WALL_BELOW + 3][0] == "below 48"
    assert NUMBERS[layout.INDICATORS][0] == "indicators"


def test_it_knows_which_tiles_are_left_in_the_wall_and_who_draws():
    for game in simple_games(8):
        moments = drawn_moments(game)
        inputs = inputs_of(moments)
        at = 0
        seen: set[int] = set()
        for event in game.events:
            if isinstance(event, StartKyoku):
                seen = {event.dora_indicator, *(tile for hand in event.hands for tile in hand)}
            elif isinstance(event, NewDora):
                seen.add(event.indicator)
            elif isinstance(event, Draw):
                left = np.bincount([tile >> 2 for tile in set(range(TILES)) - seen], minlength=34)
                assert inputs.planes[at, :, layout.LEFT].tolist() == left.tolist()
                assert inputs.seats[at] == event.seat
                seen.add(event.tile)
                at += 1
        assert at == len(moments)


def test_it_sees_what_wins_and_how_much():
    found = 0
    for game in simple_games(16):
        moments = drawn_moments(game)
        inputs = inputs_of(moments)
        wins = {}
        hand = -1
        for event in game.events:
            if isinstance(event, StartKyoku):
                hand += 1
            elif isinstance(event, Win) and event.seat == event.from_seat:
                wins[hand] = event
        for row, win in wins.items():
            at = np.flatnonzero(moments["row"] == row)[-1]
            kind = win.tile >> 2
            assert inputs.planes[at, kind, layout.WAIT] == 1
            reds = sum(tile in (16, 52, 88) for tile in (win.tile,))
            if not win.ura_indicators and not reds and not moments["from_dead_wall"][at] and moments["wall"][at] > 1:
                assert inputs.planes[at, kind, layout.POINTS] == min(win.score.points // 200, 255)
                found += 1
    assert found


def test_a_tile_that_wins_is_certain():
    critic = random_critic(1)
    inputs = inputs_of(np.concatenate([drawn_moments(game) for game in simple_games(4)]))
    forecast = critic.forecast(inputs)
    assert np.allclose(forecast.ends.sum(axis=2), 1.0, atol=1e-4)
    wins = inputs.planes[:, :, layout.POINTS] > 0
    assert wins.any()
    assert (forecast.ends[wins][:, 0] == 1.0).all()
    riichi = inputs.numbers[:, layout.RIICHI] > 0
    given = (inputs.planes[:, :, layout.AT_SEAT + layout.POINTS] > 0) & ~wins & riichi[:, None]
    given &= (inputs.numbers[:, layout.OF_SEAT + layout.FURITEN] == 0)[:, None]
    assert (forecast.ends[given][:, 4] == 1.0).all()


def test_the_value_before_a_draw_is_the_mean_over_the_tiles_left():
    critic = random_critic(2)
    moments = drawn_moments(simple_games(1)[0])
    inputs = inputs_of(moments)
    table = table_of([25_000] * 4, 1)
    worths = worth_tables(table, as_dealt(table))
    values = critic.values(inputs, np.zeros(len(moments), np.int64), worths)
    left = inputs.planes[:, :, layout.LEFT].astype(float)
    means = np.einsum("nk,nksw->nsw", left, values.after) / left.sum(axis=1)[:, None, None]
    assert np.allclose(means, values.before, atol=1e-2)
    assert np.abs(values.after[:, :, :, POINTS].sum(axis=2)).max() < 1.0, "points go from one to another"


def table_of(scores, kyoku, honba=0, sticks=0, last=3):
    one = [np.array([value]) for value in (kyoku, honba, sticks, last)]
    return HandsToCome(np.array([scores]), *one, np.array([False]))


@pytest.mark.parametrize(
    ("scores", "kyoku"),
    [((25_000, 25_000, 25_000, 25_000), 0), ((31_000, 12_000, 29_000, 28_000), 3), ((500, 40_000, 30_000, 29_500), 2)],
)
def test_each_end_is_worth_its_points_and_places(scores, kyoku):
    table = table_of(scores, kyoku, honba=1, sticks=2)
    worths = worth_tables(table, as_dealt(table))
    assert np.allclose(worths.wins[0, :, :, :, :, POINTS].sum(axis=-1), 2_000.0), "the sticks come in addition"
    places = worths.wins[0, :, :, :, :, PLACE]
    assert np.allclose(places.sum(axis=-1), 0.0, atol=1e-4)
    for winner in range(4):
        for payer in range(4):
            for at, gain in enumerate(GAINS.tolist()):
                change = worths.wins[0, winner, payer, at, :, POINTS]
                assert change[winner] == pytest.approx(gain + 2_000)
                if payer != winner:
                    assert change[payer] == -gain
                after = np.rint((np.array(scores) + change) / 100).astype(np.int64) * 100
                if next_kyoku(TONPU.last_kyoku, TONPU.return_points, kyoku, after, winner == kyoku % 4, False) == OVER:
                    order = sorted(range(4), key=lambda seat: (-after[seat], seat))
                    final = [order.index(seat) + 1 for seat in range(4)]
                    expected = expected_places(table)[0]
                    assert final - worths.wins[0, winner, payer, at, :, PLACE] == pytest.approx(expected, abs=1e-4)


def test_gains_between_those_of_the_table():
    near = between_gains(np.array([500.0, 1_000.0, 2_000.0, 14_000.0, 99_000.0], np.float32))
    assert near.sum(axis=1).tolist() == [1.0] * 5
    assert near[2, :2].tolist() == [0.5, 0.5]
    assert near[0, 0] == near[1, 0] == near[3, 4] == near[4, 5] == 1.0


def test_weights_survive_their_file_and_refuse_other_inputs():
    shape = CriticShape(8, 1, 8)
    random = np.random.default_rng(0)
    arrays = {name: random.normal(size=dims).astype(np.float32) for name, dims in shape.parameters().items()}
    weights = CriticWeights.of(shape, arrays)
    again = CriticWeights.read(weights.to_bytes(), "file")
    assert again.digest() == weights.digest()
    assert again.shape == shape
    foreign = CriticWeights(shape, weights.flat, "other")
    with pytest.raises(WeightsError, match="train critic"):
        CriticWeights.read(foreign.to_bytes(), "file")
    with pytest.raises(WeightsError, match=r"some\.npz"):
        CriticWeights.read(b"no archive", "some.npz")


def test_the_shipped_critic_sees_late_ends_coming():
    critic = shipped_critic()
    losses = []
    for game in simple_games(16):
        moments = drawn_moments(game)
        late = moments[moments["wall"] < 14]
        if not len(late):
            continue
        ends = ends_by_hand(game)
        inputs = inputs_of(late)
        for at, row in enumerate(late["row"].tolist()):
            end = ends[row]
            seat = int(inputs.seats[at])
            relative = NO_WIN if end == NO_WIN else 4 * ((end // 4 - seat) & 3) + ((end - seat) & 3)
            kind = int(late["code"][at]) >> FIRST_AT & 255
            losses.append(-np.log(critic.forecast(inputs).ends[at, kind >> 2, relative] + 1e-6))
    assert np.mean(losses) < 1.8, "17 ends alike would be 2.8"


def test_ends_turn_with_the_seat_that_they_are_counted_from():
    seats = np.repeat(np.arange(4), ENDS)
    ends = np.tile(np.arange(ENDS), 4)
    absolute = np.eye(ENDS, dtype=np.float32)[ends]
    relative = turned_back(absolute, seats)
    assert relative.argmax(axis=1).tolist() == seen_from(ends, seats).tolist()
    assert np.array_equal(turned(relative, seats), absolute)


def test_later_knowledge_is_a_mean_of_the_forecast_and_of_the_result():
    random = np.random.default_rng(1)
    said = random.dirichlet(np.ones(ENDS), 7).astype(np.float32)
    end = np.array([3, 3, 3, 3, 16, 16, 5])
    hands = np.array([8, 8, 8, 8, 2, 2, 4])
    found = known_later(said, end, hands, 0.8)
    came = np.eye(ENDS)[end]
    assert np.allclose(found[[3, 5, 6]], came[[3, 5, 6]]), "after the last draw the end is known"
    assert np.allclose(found[0], 0.2 * said[1] + 0.16 * said[2] + 0.128 * said[3] + 0.512 * came[0])
    assert np.allclose(found.sum(axis=1), 1.0)
    assert np.array_equal(known_later(said, end, hands, 1.0), came)


def test_before_a_draw_an_end_is_as_likely_as_after_the_tiles_that_may_come():
    critic, inputs = random_critic(3), inputs_of(drawn_moments(simple_games(1)[0]))
    ends = critic.forecast(inputs).ends
    before = critic.ends_before(inputs)
    left = inputs.planes[:, :, layout.LEFT].astype(np.float64)
    assert np.allclose(before, (left[:, :, None] * ends).sum(axis=1) / left.sum(axis=1)[:, None], atol=1e-5)
