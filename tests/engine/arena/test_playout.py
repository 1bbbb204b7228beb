"""Recorded positions played to the end: the record is followed, only unknown tiles are shuffled, and hands end."""

from __future__ import annotations

import pytest

from engine.arena import play_game
from engine.arena.playout import LIVE, Playout, PlayoutError, RecordedHand, play_out
from engine.model.actions import Action, ActionKind
from engine.model.events import Call, Draw, NewDora, RiichiAccepted, StartKyoku
from engine.model.rules import TONPU
from engine.model.tiles import TILES
from engine.policy.registry import make_policy
from engine.prior.layout_kernels import WHO_PHOENIX
from engine.prior.weights import shipped_network
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
        playout = Playout(RecordedHand.until(TONPU, game.events, at), seed=3)
        assert seat in playout.step.prompts
        assert playout.states[seat].legal_actions() == legal
        assert playout.after is None


def test_hands_end_and_the_points_are_all_there(game):
    at, seat, legal = next(question for question in questions(game) if question[0] > 40)
    hand = RecordedHand.until(TONPU, game.events, at)
    playouts = [Playout(hand, seed) for seed in (1, 1, 2)]
    play_out(playouts, [{seat: legal[0]}] * 3, shipped_network(), WHO_PHOENIX)
    one, same, other = (playout.after for playout in playouts)
    assert one == same
    for after in (one, other):
        assert sum(after.scores) + 1_000 * after.sticks == 100_000


def test_an_answer_that_is_not_legal_is_refused(game):
    at, seat, _ = next(questions(game))
    playout = Playout(RecordedHand.until(TONPU, game.events, at), seed=1)
    with pytest.raises(PlayoutError, match="not legal"):
        play_out([playout], [{seat: Action(ActionKind.RON, 0)}], shipped_network(), WHO_PHOENIX)


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
        Playout(RecordedHand(TONPU, hidden, ()), seed=1)


def test_a_game_is_taken_up_at_its_standing(game):
    deals = [at for at, event in enumerate(game.events) if isinstance(event, StartKyoku)]
    at = deals[1]
    start = game.events[at]
    playout = Playout(RecordedHand.until(TONPU, game.events, at + 1), seed=5)
    for state in playout.states:
        assert (state.kyoku, state.honba, state.riichi_sticks) == (start.kyoku, start.honba, start.riichi_sticks)
        assert tuple(state.scores) == start.scores
    play_out([playout], [{}], shipped_network(), WHO_PHOENIX)
    assert playout.after.kyoku in (start.kyoku, start.kyoku + 1)
