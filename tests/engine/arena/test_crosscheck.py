"""Two implementations of the rules that share nothing, side by side: every question of the referee, every answer."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.arena import match, play_game
from engine.model.actions import PASS, ActionKind
from engine.model.events import Discard, Draw, EndGame, Ryuukyoku, Win
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.policy.decision import Decision
from engine.policy.registry import make_policy
from engine.scoring import result_points, score_win
from engine.shanten import shanten
from engine.state import GameState, visible_to
from tests.oracles.jansou_referee.referee import Referee, Step
from tests.oracles.naive_view import validate

RULES = (
    HANCHAN,
    TONPU,
    Rules(red_fives=False),
    Rules(hanchan=False, open_tanyao=False),
    Rules(hanchan=False, ura_dora=False, ippatsu=False),
)


@pytest.fixture(autouse=True)
def under_the_library(monkeypatch):
    """The games are played under the referee that is not ours."""
    monkeypatch.setattr(match, "Referee", Referee)


FIRST = (ActionKind.TSUMO, ActionKind.RON, ActionKind.RIICHI, ActionKind.ANKAN, ActionKind.KAKAN)


class Restless:
    """Heads for tenpai, declares whatever it can, and calls and passes wins by the toss of a coin."""

    name = "restless"

    def __init__(self, seed):
        self.random = random.Random(seed)

    def settings(self):
        return {}

    def start_kyoku(self):
        pass

    def decide(self, state, legal, budget):  # noqa: ARG002
        wanted = [action for action in legal if action.kind in FIRST]
        if wanted and self.random.random() < 0.8:
            return Decision(wanted[0])
        if PASS in legal:
            return Decision(self.random.choice(legal) if self.random.random() < 0.25 else PASS)
        discards = [action for action in legal if action.kind is ActionKind.DISCARD]

        def after(action):
            counts = list(state.counts)
            counts[action.tile // 4] -= 1
            return shanten(counts, len(state.melds[state.seat])), self.random.random()

        return Decision(min(discards, key=after) if discards else legal[0])


class Watcher:
    """Compares after every step; states of its own also see each event singly."""

    def __init__(self, rules):
        self.rules = rules
        self.states = [GameState(seat, rules) for seat in range(4)]
        self.seen = Counter()

    def __call__(self, step: Step, players):
        for event, furiten in zip(step.events, step.furiten, strict=True):
            if isinstance(event, Win):
                self.check_win(event)
            for state in self.states:
                state.apply(visible_to(event, state.seat))
                validate(state)
            if isinstance(event, Draw):
                assert tuple(state.furiten for state in self.states) == furiten, event
            if isinstance(event, Discard):
                assert self.states[event.seat].furiten == furiten[event.seat], event
            if isinstance(event, EndGame):
                assert result_points(event.scores, self.rules) == event.results
            self.seen[type(event).__name__ if not isinstance(event, Ryuukyoku) else event.kind] += 1
        for state, player in zip(self.states, players, strict=True):
            assert set(state.legal_actions()) == set(step.prompts.get(state.seat, ())), (state.place(), state.seat)
            assert player.digest() == state.digest()

    def check_win(self, event):
        state = self.states[event.seat]
        context = state.win_context(event.tile, event.from_seat, event.ura_indicators)
        score = score_win(context)
        assert sorted(score.yaku) == sorted(event.score.yaku)
        assert tuple(sorted(score.yakuman)) == event.score.yakuman
        assert (score.points, score.limit) == (event.score.points, event.score.limit)
        assert score.fu == event.score.fu or score.yakuman


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.slow if seed else ()) for seed in range(len(RULES))]
)
def test_restless_players(seed):
    rules = RULES[seed % len(RULES)]
    watcher = Watcher(rules)
    play_game([Restless(4 * seed + seat) for seat in range(4)], rules, seed, watch=watcher)
    assert watcher.seen["EndGame"] == 1
    assert watcher.seen["Win"]
    assert watcher.seen["Call"]


def test_built_in_players():
    watcher = Watcher(TONPU)
    game = play_game([make_policy("simple", seat) for seat in range(4)], TONPU, 21, watch=watcher)
    assert watcher.seen["RiichiAccepted"]
    assert sum(map(len, game.decisions)) > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 116))
def test_many_games(seed):
    rules = RULES[seed % len(RULES)]
    watcher = Watcher(rules)
    play_game([Restless(4 * seed + seat) for seat in range(4)], rules, seed, watch=watcher)
    assert watcher.seen["EndGame"] == 1
