"""Whole games of random legal play: everything the rules conserve is conserved, and every fact stays right."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model.actions import Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Draw,
    NewDora,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.melds import Meld, MeldKind
from engine.model.rules import Rules
from engine.rules.course import final_scores, next_hand
from engine.scoring import pao_seat, ryuukyoku_deltas, score_win, win_deltas
from engine.state import FourViews, GameState, StateError, nagashi_seats, visible_to
from tests.oracles.naive_view import validate

MELDS = {
    ActionKind.CHI: MeldKind.CHI,
    ActionKind.PON: MeldKind.PON,
    ActionKind.DAIMINKAN: MeldKind.DAIMINKAN,
}


FORCED = (RyuukyokuKind.FOUR_RIICHI, RyuukyokuKind.FOUR_KANS, RyuukyokuKind.FOUR_WINDS)


def forced_draw(view):
    """The abortive draw with which the hand must end unless the discard is won on, or None."""
    for kind in FORCED:
        with suppress(StateError):
            view.copy().apply(Ryuukyoku(kind, (0, 0, 0, 0)))
            return kind
    return None


class Driver:
    """A bare dealer: asks the four views what is legal, answers at random, and passes every event to all four.

    ``eager``: how much likelier than a discard or a pass anything else is chosen.
    """

    def __init__(self, seed, rules, eager):
        self.random = random.Random(seed)
        self.rules = rules
        self.eager = eager
        self.views = [GameState(seat, rules) for seat in range(4)]
        self.together = FourViews(rules)
        self.tell(StartGame(rules))

    def tell(self, event):
        self.together.apply(event)
        for view, twin in zip(self.views, self.together, strict=True):
            view.apply(visible_to(event, view.seat))
            validate(view)
            assert twin.digest() == view.digest()
            assert twin.legal_actions() == view.legal_actions()
            assert twin.asked == view.asked == bool(view.legal_actions())
        self.conserved()

    def conserved(self):
        first = self.views[0]
        for view in self.views[1:]:
            for name in (
                "scores",
                "rivers",
                "melds",
                "wall_left",
                "riichi",
                "ippatsu",
                "dora_indicators",
                "phase",
                "turn",
            ):
                assert getattr(view, name) == getattr(first, name)
        assert sum(first.scores) + 1000 * first.riichi_sticks == 4 * self.rules.start_points
        held = [tile for view in self.views for tile in view.hand]
        melds = [tile for each in first.melds for meld in each for tile in meld.tiles]
        rivers = [discarded.tile for river in first.rivers for discarded in river if discarded.called_by is None]
        tiles = held + melds + rivers
        assert len(set(tiles)) == len(tiles)
        if first.phase.name not in ("IDLE", "ENDED", "KAN"):
            assert len(tiles) + first.wall_left == 136 - 14
            assert not set(tiles) & set(first.dora_indicators)

    def choose(self, view):
        legal = view.legal_actions()
        dull = (ActionKind.DISCARD, ActionKind.PASS)
        weights = [1 if action.kind in dull else self.eager for action in legal]
        action = self.random.choices(legal, weights)[0]
        assert view.is_legal(action)
        for kind in (ActionKind.DISCARD, ActionKind.RIICHI):
            discards = [Action(kind, tile) for tile in range(-1, 137)]
            assert [each for each in discards if view.is_legal(each)] == [
                each for each in discards if each.tile in view.hand and view.canonical(each) in legal
            ]
        return action

    def game(self, hands):
        """At most so many hands of a game."""
        at = (0, 0)
        for _ in range(hands):
            at = self.hand(*at)
            if at is None:
                break
        assert sum(final_scores(self.views[0].scores, self.views[0].riichi_sticks)) == 4 * self.rules.start_points

    def hand(self, kyoku, honba):
        tiles = list(range(136))
        self.random.shuffle(tiles)
        hands = tuple(tuple(tiles[13 * seat : 13 * seat + 13]) for seat in range(4))
        self.live, self.dead = tiles[52:122], tiles[122:]
        self.kyoku, self.honba = kyoku, honba
        first = self.views[0]
        self.tell(StartKyoku(kyoku, honba, first.riichi_sticks, kyoku % 4, self.dead[0], tuple(first.scores), hands))
        seat = kyoku % 4
        self.tell(Draw(seat, self.live.pop()))
        while True:
            seat = self.turn(seat)
            if seat is None:
                return self.after

    def ask_others(self, seat):
        answers = {}
        for view in self.views:
            if view.seat != seat and view.legal_actions():
                assert view.legal_actions()[-1].kind is ActionKind.PASS
                answers[view.seat] = self.choose(view)
        return answers

    def turn(self, seat):
        """One player's decision, up to the next one's; None when the hand has ended."""
        view = self.views[seat]
        action = self.choose(view)
        kind = action.kind
        if kind is ActionKind.TSUMO:
            return self.won([seat], seat, action.tile)
        if kind is ActionKind.NINE_TERMINALS:
            return self.drawn(RyuukyokuKind.NINE_TERMINALS)
        if kind in (ActionKind.ANKAN, ActionKind.KAKAN):
            return self.kan(seat, action)
        if kind is ActionKind.RIICHI:
            self.tell(RiichiDeclared(seat))
        if view.pending_dora and not self.closed_kan:
            self.tell(NewDora(self.dead[5 + len(view.dora_indicators)]))
        self.tell(Discard(seat, action.tile, action.tile == view.drawn))
        answers = self.ask_others(seat)
        winners = [each % 4 for each in range(seat + 1, seat + 4) if self.wants(answers, each % 4, ActionKind.RON)]
        if len(winners) == 3:
            return self.drawn(RyuukyokuKind.TRIPLE_RON)
        if winners:
            return self.won(winners, seat, action.tile)
        if kind is ActionKind.RIICHI:
            self.tell(RiichiAccepted(seat))
        forced = forced_draw(view)
        if forced is not None:
            return self.drawn(forced)
        for kinds in ((ActionKind.PON, ActionKind.DAIMINKAN), (ActionKind.CHI,)):
            caller = next((each for each, answer in answers.items() if answer.kind in kinds), None)
            if caller is not None:
                return self.claim(caller, answers[caller], seat)
        if view.wall_left == 0:
            exhausted = RyuukyokuKind.NAGASHI_MANGAN if nagashi_seats(view) else RyuukyokuKind.EXHAUSTIVE
            return self.drawn(exhausted)
        following = (seat + 1) % 4
        self.tell(Draw(following, self.live.pop()))
        return following

    closed_kan = False

    @staticmethod
    def wants(answers, seat, kind):
        return seat in answers and answers[seat].kind is kind

    def claim(self, caller, answer, giver):
        if answer.kind is ActionKind.DAIMINKAN:
            kind = answer.tile >> 2
            meld = Meld(MeldKind.DAIMINKAN, tuple(range(4 * kind, 4 * kind + 4)), answer.tile, giver)
        else:
            meld = Meld(MELDS[answer.kind], tuple(sorted((*answer.own, answer.tile))), answer.tile, giver)
        self.tell(Call(caller, meld))
        if answer.kind is ActionKind.DAIMINKAN:
            self.rinshan(caller)
        return caller

    def kan(self, seat, action):
        view = self.views[seat]
        kind = action.tile >> 2
        tiles = tuple(range(4 * kind, 4 * kind + 4))
        if action.kind is ActionKind.ANKAN:
            self.tell(Call(seat, Meld(MeldKind.ANKAN, tiles, None, seat, action.tile)))
            while view.pending_dora:
                self.tell(NewDora(self.dead[5 + len(view.dora_indicators)]))
        else:
            pon = next(meld for meld in view.melds[seat] if meld.tile34 == kind)
            self.tell(Call(seat, Meld(MeldKind.KAKAN, tiles, pon.called, pon.from_seat, action.tile)))
            answers = self.ask_others(seat)
            winners = [each % 4 for each in range(seat + 1, seat + 4) if self.wants(answers, each % 4, ActionKind.RON)]
            if winners:
                return self.won(winners[:2], seat, action.tile)
        self.rinshan(seat)
        return seat

    def rinshan(self, seat):
        self.live.pop(0)  # the dead wall is filled up from the live one
        self.tell(Draw(seat, self.dead[sum(self.views[0].kans)]))

    def won(self, winners, giver, tile):
        first = self.views[0]
        sticks, honba = first.riichi_sticks, first.honba
        contexts = [self.views[seat].win_context(tile, giver) for seat in winners]
        for seat, context in zip(winners, contexts, strict=True):
            score = score_win(context)
            assert score is not None
            liable = pao_seat(self.views[seat].melds[seat], score, giver)
            deltas = win_deltas(score, seat, giver, first.dealer, honba, sticks, liable)
            assert sum(deltas) == 1000 * sticks
            sticks = honba = 0
            self.tell(Win(seat, giver, tile, deltas))
        stays = first.dealer in winners
        self.after = next_hand(self.rules, self.kyoku, self.honba, first.scores, dealer_stays=stays, drawn=False)

    def drawn(self, kind):
        first = self.views[0]
        exhausted = kind in (RyuukyokuKind.EXHAUSTIVE, RyuukyokuKind.NAGASHI_MANGAN)
        tenpai = [view.seat for view in self.views if view.waits] if exhausted else []
        nagashi = nagashi_seats(first) if exhausted else ()
        deltas = ryuukyoku_deltas(kind, tenpai, first.dealer, nagashi)
        assert sum(deltas) == 0
        self.tell(Ryuukyoku(kind, deltas))
        self.after = next_hand(
            self.rules,
            self.kyoku,
            self.honba,
            first.scores,
            dealer_stays=first.dealer in tenpai,
            drawn=True,
            aborted=not exhausted,
        )


@pytest.mark.slow
@given(
    seed=st.integers(0, 2**32),
    hanchan=st.booleans(),
    red_fives=st.booleans(),
    open_tanyao=st.booleans(),
    eager=st.sampled_from([0.2, 1, 5, 50]),
)
@settings(max_examples=8, deadline=None)
def test_random_play_conserves_tiles_and_points(seed, hanchan, red_fives, open_tanyao, eager):
    rules = Rules(hanchan=hanchan, red_fives=red_fives, open_tanyao=open_tanyao)
    Driver(seed, rules, eager).game(hands=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_more_random_play(seed):
    rules = Rules(hanchan=seed % 2 == 0, red_fives=seed % 3 != 0)
    Driver(seed, rules, (0.2, 1, 5, 50)[seed % 4]).game(hands=30)
