"""Games under our referee and under the independent one, step by step, and what four views make of the same events."""

from __future__ import annotations

import random
from collections import Counter

from engine.arena import Referee
from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import Discard, Draw, StartGame, Win
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.scoring import score_win
from engine.shanten import shanten
from engine.state import FourViews, GameState, visible_to
from tests.engine.simulator.beside import plain
from tests.oracles.jansou_referee.referee import Referee as JansouReferee
from tests.oracles.naive_view import validate
from tests.tiers import mostly_slow

RULES = (
    TONPU,
    Rules(hanchan=False, red_fives=False),
    HANCHAN,
    Rules(hanchan=False, open_tanyao=False),
    Rules(hanchan=False, ura_dora=False, ippatsu=False),
)
FIRST = (ActionKind.TSUMO, ActionKind.RON, ActionKind.RIICHI, ActionKind.ANKAN, ActionKind.KAKAN)
ALIKE = (
    *("scores", "rivers", "melds", "wall_left", "riichi", "ippatsu", "dora_indicators", "phase", "turn"),
    *("honba", "riichi_sticks", "kans"),
)
"""What all four see."""


def chosen(rng, state, legal):
    """Heads for tenpai, declares most of what it can, and calls and passes wins by the toss of a coin."""
    wanted = [action for action in legal if action.kind in FIRST]
    if wanted and rng.random() < 0.8:
        return rng.choice(wanted)
    if PASS in legal:
        return rng.choice(legal) if rng.random() < 0.25 else PASS
    discards = [action for action in legal if action.kind is ActionKind.DISCARD]

    def after(action):
        counts = list(state.counts)
        counts[action.tile // 4] -= 1
        return shanten(counts, len(state.melds[state.seat])), rng.random()

    return min(discards, key=after) if discards and rng.random() < 0.95 else rng.choice(legal)


class Views:
    """Four views that take in each event by itself, and four that lie side by side; compared after each event."""

    def __init__(self, rules):
        self.rules = rules
        self.each = [GameState(seat, rules) for seat in range(4)]
        self.together = FourViews(rules)
        self.seen = Counter()

    def see(self, event, furiten):
        """Take in an event, before which the independent referee tells who is furiten."""
        if isinstance(event, Win):
            self.check_win(event)
        self.together.apply(event)
        for view, twin in zip(self.each, self.together, strict=True):
            view.apply(visible_to(event, view.seat))
            validate(view)
            assert twin.digest() == view.digest()
            assert twin.legal_actions() == view.legal_actions()
            assert twin.asked == view.asked == bool(view.legal_actions())
        if isinstance(event, Draw):
            assert tuple(view.furiten for view in self.each) == furiten, event
        if isinstance(event, Discard):
            assert self.each[event.seat].furiten == furiten[event.seat], event
        self.seen[type(event).__name__] += 1
        self.conserved()

    def conserved(self):
        """Points and tiles are all there, and the four agree on what all can see."""
        first = self.each[0]
        for view in self.each[1:]:
            assert all(getattr(view, name) == getattr(first, name) for name in ALIKE)
        assert sum(first.scores) + 1000 * first.riichi_sticks in (0, 4 * self.rules.start_points)
        melds = [tile for each in first.melds for meld in each for tile in meld.tiles]
        rivers = [discarded.tile for river in first.rivers for discarded in river if discarded.called_by is None]
        tiles = [*(tile for view in self.each for tile in view.hand), *melds, *rivers]
        assert len(set(tiles)) == len(tiles)
        if first.phase.name not in ("IDLE", "ENDED", "KAN"):
            assert len(tiles) + first.wall_left == 136 - 14
            assert not set(tiles) & set(first.dora_indicators)

    def check_win(self, event):
        """Our score of the win is the library's."""
        state = self.each[event.seat]
        score = score_win(state.win_context(event.tile, event.from_seat, event.ura_indicators))
        assert (sorted(score.yaku), sorted(score.yakuman)) == (sorted(event.score.yaku), sorted(event.score.yakuman))
        assert (score.points, score.limit) == (event.score.points, event.score.limit)
        assert score.fu == event.score.fu or score.yakuman

    def check_discards(self, seat):
        """Every physical copy may be discarded that nobody can tell from a legal one, and no other tile."""
        view = self.each[seat]
        legal = view.legal_actions()
        for kind in (ActionKind.DISCARD, ActionKind.RIICHI):
            for discard in (Action(kind, tile) for tile in range(-1, 137)):
                assert view.is_legal(discard) == (discard.tile in view.hand and view.canonical(discard) in legal)


def play_under_both(rules, seed):
    """Play a game under both; the views that followed it."""
    rng = random.Random(seed)
    ours, theirs, views = Referee(rules, seed), JansouReferee(rules, seed), Views(rules)
    step, other = ours.start(), theirs.start()
    while True:
        found, expected = (
            [plain(event) for event in one.events if type(event) is not StartGame] for one in (step, other)
        )
        assert found == expected, seed
        assert step.furiten == other.furiten, (seed, step.events)
        for event, furiten in zip(other.events, other.furiten, strict=True):
            views.see(event, furiten)
        for view in views.each:
            legal = set(other.prompts.get(view.seat, ()))
            assert set(view.legal_actions()) == set(step.prompts.get(view.seat, ())) == legal, (seed, view.place())
        if step.over:
            assert ours.shuffle == theirs.shuffle
            return views
        for seat in step.prompts:
            assert ours.tile_in_question(seat) == theirs.tile_in_question(seat)
            views.check_discards(seat)
        answers = {seat: chosen(rng, views.each[seat], actions) for seat, actions in step.prompts.items()}
        step, other = ours.answer(answers), theirs.answer(answers)


@mostly_slow("seed", range(40))
def test_a_game_and_its_views_are_those_of_the_independent_referee(seed):
    seen = play_under_both(RULES[seed % len(RULES)], seed).seen
    assert seen["EndGame"] == 1
    assert min(seen["Win"], seen["Call"], seen["RiichiAccepted"]) > 0
