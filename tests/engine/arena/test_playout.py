"""Recorded positions played to the end: the record is followed, only unknown tiles are shuffled, and hands end."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arena import Referee, play_game
from engine.arena.playout import LIVE, PlayoutError, Playouts, RecordedHand, _shown
from engine.model.actions import Action, ActionKind
from engine.model.budget import Budget
from engine.model.events import Call, Draw, EndGame, NewDora, RiichiAccepted, StartKyoku
from engine.model.rules import TONPU
from engine.model.standing import Standing
from engine.model.tiles import TILES
from engine.policy.batches import PhoenixPlayers
from engine.policy.registry import make_policy
from engine.rules.answers import action_of, legal_numbers
from engine.state import GameState, visible_to


@pytest.fixture(scope="module")
def game():
    return play_game([make_policy("phoenix") for _ in range(4)], TONPU, 11)


def questions(game):
    """Yield every event that asks a seat to choose, the seat, and its legal answers."""
    views = [GameState(seat, TONPU) for seat in range(4)]
    for at, event in enumerate(game.events):
        for seat, view in enumerate(views):
            view.apply(visible_to(event, seat))
            legal = view.legal_actions()
            # a question about a discard is asked at the discard, before what follows it in the log
            if len(legal) > 1 and not isinstance(event, NewDora | RiichiAccepted):
                yield at, seat, legal


def test_a_wall_holds_every_tile_once_and_what_is_known_in_its_place(game):
    at = next(at for at, event in enumerate(game.events) if isinstance(event, Call))
    hand = RecordedHand.until(TONPU, game.events, at)
    first, second = hand.wall(1), hand.wall(2)
    for wall in (first, second):
        dealt = [tile for tiles in wall.hands for tile in tiles]
        tiles = [*dealt, *wall.live, *wall.rinshan, *wall.dora_indicators, *wall.ura_indicators]
        assert sorted(tiles) == list(range(TILES))
        assert len(wall.live) == LIVE
        drawn = [event.tile for event in hand.events if isinstance(event, Draw)]
        assert list(wall.live[: len(drawn)]) == drawn
        assert wall.dora_indicators[0] == hand.start.dora_indicator
        assert wall.hands[0] == hand.start.hands[hand.start.dealer]
    assert first != second
    assert first == hand.wall(1)


def test_every_question_of_a_game_is_reached_again(game):
    asked = list(questions(game))
    for at, seat, legal in asked[:: max(1, len(asked) // 25)]:
        tables = Playouts(RecordedHand.until(TONPU, game.events, at), seeds=[3, 4]).tables
        open_now = tables.questions()
        for row in np.flatnonzero(open_now.seats == seat).tolist():
            table = tables.games[int(open_now.tables[row])]
            again = [action_of(table, seat, number) for number in legal_numbers(open_now.legal[row])]
            assert sorted(map(str, again)) == sorted(map(str, legal))
        assert open_now.tables[open_now.seats == seat].tolist() == [0, 1]


def test_hands_end_and_the_points_are_all_there(game):
    at, seat, legal = next(question for question in questions(game) if question[0] > 40)
    hand = RecordedHand.until(TONPU, game.events, at)
    one, same, other = Playouts(hand, (1, 1, 2)).play_out([{seat: legal[0]}] * 3, PhoenixPlayers())
    assert one == same
    for after in (one, other):
        assert sum(after.scores) + 1_000 * after.sticks == 100_000


def test_a_playout_comes_out_as_under_the_referee(game):
    """The same wall, the same first answer, and the same policy asked one question at a time."""
    for at, seat, legal in list(questions(game))[30:200:40]:
        hand = RecordedHand.until(TONPU, game.events, at)
        assert Playouts(hand, [7]).play_out([{seat: legal[-1]}], PhoenixPlayers()) == [refereed(hand, seat, legal[-1])]


def refereed(hand, seat, answer):
    """The standing after the hand, played by the referee with the wall of seed 7."""
    start = hand.start
    standing = Standing(start.kyoku, start.honba, start.riichi_sticks, start.scores)
    referee = Referee(TONPU, walls=[hand.wall(7)] * 2, standing=standing)
    states = [GameState(at, TONPU) for at in range(4)]
    policy = make_policy("phoenix")
    step, heard = referee.start(), 0
    while True:
        for event in referee.events[heard:]:
            heard += 1
            if heard > 2 and isinstance(event, StartKyoku):
                return Standing(event.kyoku, event.honba, event.riichi_sticks, event.scores)
            if isinstance(event, EndGame):
                return Standing(-1, 0, 0, event.scores)
            for state in states:
                state.apply(visible_to(event, state.seat))
        done = len(referee.events) - 2
        if done < len(hand.events):
            ahead = [event for event in hand.events[done:] if not isinstance(event, NewDora | RiichiAccepted)]
            answers = {at: _shown(at, ahead) for at in step.prompts}
        else:
            answers = {
                at: policy.decide(states[at], states[at].legal_actions(), Budget()).action for at in step.prompts
            }
            if done == len(hand.events):
                answers[seat] = answer
        step = referee.answer(answers)


def test_an_answer_that_is_not_legal_is_refused(game):
    at, seat, _ = next(questions(game))
    playouts = Playouts(RecordedHand.until(TONPU, game.events, at), [1])
    with pytest.raises(PlayoutError, match="not legal"):
        playouts.play_out([{seat: Action(ActionKind.RON, 0)}], PhoenixPlayers())


def test_a_hand_that_is_hidden_cannot_be_played_on(game):
    start = next(event for event in game.events if isinstance(event, StartKyoku))
    hidden = StartKyoku(
        start.kyoku,
        start.honba,
        start.riichi_sticks,
        start.dealer,
        start.dora_indicator,
        start.scores,
        (start.hands[0], None, start.hands[2], start.hands[3]),
    )
    with pytest.raises(PlayoutError, match="hidden"):
        Playouts(RecordedHand(TONPU, hidden, ()), [1])


def test_a_game_is_taken_up_at_its_standing(game):
    deals = [at for at, event in enumerate(game.events) if isinstance(event, StartKyoku)]
    at = deals[1]
    start = game.events[at]
    playouts = Playouts(RecordedHand.until(TONPU, game.events, at + 1), [5])
    table = playouts.tables.games[0]
    assert (table.kyoku, table.honba, table.sticks) == (start.kyoku, start.honba, start.riichi_sticks)
    assert tuple(table.scores) == start.scores
    (after,) = playouts.play_out([{}], PhoenixPlayers())
    assert after.kyoku in (start.kyoku, start.kyoku + 1)
