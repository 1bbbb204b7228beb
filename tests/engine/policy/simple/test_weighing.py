"""The figures of the quick estimates against plain Python."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model.actions import ActionKind
from engine.model.events import Draw, StartKyoku
from engine.model.rules import HANCHAN
from engine.model.tiles import allocate136, counts34, parse_tiles37
from engine.policy.decision import Budget
from engine.policy.simple import outlook_kernels as constants
from engine.policy.simple.policy import SimplePolicy
from engine.rules.answers import legal_numbers, words_of
from engine.shanten import discard_shanten, ukeire, waits
from engine.state import GameState


def asked(tiles):
    """A state that has drawn the last of 14 tiles as the first dealer; another tile is the indicator."""
    state = GameState(0, HANCHAN)
    indicator = next(tile for tile in range(135, -1, -1) if tile not in tiles)
    state.apply(StartKyoku(0, 0, 0, 0, indicator, (25_000,) * 4, (tuple(sorted(tiles[:13])), None, None, None)))
    state.apply(Draw(0, tiles[13]))
    return state


def chance(rates, turns):
    """Chance that steps which each come about at a rate a turn are all taken in so many turns, one after another."""
    stages = {0: 1.0}
    for _ in range(turns):
        after = {}
        for stage, share in stages.items():
            rate = min(rates[stage], 1.0) if stage < len(rates) else 0.0
            stays = 1.0 if stage == len(rates) else 1.0 - constants.OTHERS_END
            after[stage] = after.get(stage, 0.0) + share * (1.0 - rate) * stays
            after[stage + 1] = after.get(stage + 1, 0.0) + share * rate
        stages = {stage: share for stage, share in after.items() if stage <= len(rates)}
    return stages.get(len(rates), 0.0)


def mean_waits(counts, unseen):
    """Mean unseen waits of the best tenpai hand after each draw that brings a 1-shanten hand nearer."""
    total = weight = 0
    for kind, left in ukeire(counts, 0, unseen).tiles:
        drawn = [count + (at == kind) for at, count in enumerate(counts)]
        best = 0
        for discard, level in enumerate(discard_shanten(drawn)):
            if level == 0:
                hand = [count - (at == discard) for at, count in enumerate(drawn)]
                best = max(best, sum(unseen[wait] - (wait == kind) for wait in waits(hand)))
        total, weight = total + left * best, weight + left
    return total / weight if weight else 0.0


NEAR = (0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 44, 48, 52, 56, 60, 64, 68, 36, 37, 1, 5, 9, 53, 57)
"""Copies of which hands not far from a win are made."""
HANDS = st.lists(st.integers(0, 135), min_size=14, max_size=14, unique=True) | st.lists(
    st.sampled_from(NEAR), min_size=14, max_size=14, unique=True
)


@settings(max_examples=60, deadline=None)
@given(HANDS)
def test_figures_of_closed_hands_are_those_of_plain_python(tiles):
    state = asked(tiles)
    decision = SimplePolicy().decide(state, state.legal_actions(), Budget())
    unseen = [4 - seen for seen in state.visible]
    if len(decision.candidates) == 1:
        return
    for one in decision.candidates:
        if one.action.kind is not ActionKind.DISCARD:
            continue
        counts = counts34([tile for tile in tiles if tile != one.action.tile])
        expected = ukeire(counts, 0, unseen)
        assert (one.shanten, one.ukeire) == (expected.shanten, expected.total)
        assert (one.p_deal_in, one.expected_loss) == (0.0, 0.0)
        if one.shanten > 0:
            usual = list(constants.USUAL_UKEIRE[: one.shanten])
            if one.shanten == 1:
                usual[0] = mean_waits(counts, unseen) or usual[0]
            tiles_wanted = [one.ukeire, *reversed(usual[1:]), (1.0 + constants.RON_SPEED) * usual[0]]
            rates = [wanted / sum(unseen) for wanted in tiles_wanted]
            assert one.p_win == pytest.approx(chance(rates, (state.wall_left + 3) // 4), rel=1e-12)


def test_a_silent_hand_without_a_yaku_wins_by_its_own_draw_alone():
    state = asked(allocate136(parse_tiles37("123m567p46789s99m1z")))
    decision = SimplePolicy().decide(state, state.legal_actions(), Budget())
    silent, riichi = (
        next(one for one in decision.candidates if one.action.kind is kind and one.action.tile // 4 == 27)
        for kind in (ActionKind.DISCARD, ActionKind.RIICHI)
    )
    rate, turns = silent.ukeire / sum(4 - seen for seen in state.visible), (state.wall_left + 3) // 4
    assert silent.p_win == pytest.approx(chance([rate], turns), rel=1e-12)
    assert riichi.p_win > silent.p_win


@given(st.sets(st.integers(0, 121)))
def test_words_hold_the_answers_they_are_made_of(answers):
    assert legal_numbers(words_of(answers)) == sorted(answers)
