"""The chances of the tiles to come: what is asked, what is stated, and how the search takes them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.networks.chances import KNOTS, shipped_chances, turn_weights, with_choice
from engine.networks.chances_layout_kernels import (
    ACTORS,
    CALLS,
    DECLARES,
    ENDS,
    NOW,
    NOW_CALLED,
    NOW_DISCARDED,
    PLAIN,
    TURNS,
    VIEWER,
    WAITED,
)
from engine.networks.imitation_layout_kernels import GLOBALS, PLANES, UNSEEN
from engine.policy.scene import Scene
from engine.policy.value.tiles import tile_chances
from engine.search.evaluator import AS_IT_STANDS, CALLING, DECLARING
from engine.shanten import waits
from engine.state import FourViews
from tests.engine.critic.games import simple_games


def scenes(own_turn, every=40):
    """Some questions of a game: every ``every``-th with a tile to discard, or every fourth about a call."""
    found = []
    views = FourViews()
    for event in simple_games(1)[0].events:
        views.apply(event)
        for state in views:
            legal = state.legal_actions()
            scene = Scene(state.copy(), legal) if len(legal) > 1 else None
            if scene is not None and scene.asked_to_call is not own_turn:
                found.append(scene)
    return found[::every] if own_turn else found[::4]


def test_turns_between_knots_are_interpolated():
    weights = turn_weights()
    assert weights.shape == (len(KNOTS), TURNS)
    assert np.allclose(weights.sum(axis=0), 1.0)
    for row, knot in enumerate(KNOTS):
        assert weights[row, int(knot)] == 1.0


def test_the_next_action_stands_among_the_inputs():
    planes, numbers = np.zeros((3, 34, PLANES), np.uint8), np.zeros((3, GLOBALS), np.uint8)
    kinds, whole = with_choice(
        planes, numbers, np.array([PLAIN, DECLARES, CALLS]), np.array([-1, 5, 30]), np.array([3, 3, 3])
    )
    assert not kinds[0].any()
    assert np.argwhere(kinds[1]).tolist() == [[5, NOW_DISCARDED]]
    assert np.argwhere(kinds[2]).tolist() == [[30, NOW_CALLED]]
    assert whole[:, NOW : NOW + 2].tolist() == [[0, 0], [1, 0], [0, 1]]


def test_the_discard_to_come_is_some_tile():
    """Over all kinds the chances of an opponent's next discard sum to about 1, and nothing that is used up comes."""
    sums = []
    for scene in scenes(own_turn=True):
        found = tile_chances(shipped_chances(), scene)
        unseen = np.array(scene.unseen, np.float64)
        share = unseen / unseen.sum()
        assert (found.discards >= 0).all()
        assert (found.discards[..., unseen == 0] == 0).all()
        sums.append((found.discards[AS_IT_STANDS, :, 0] * share).sum(axis=1))
    assert np.mean(sums, axis=0) == pytest.approx(1.0, abs=0.08)


def test_hows_that_are_not_possible_are_as_the_hand_stands():
    for scene in scenes(own_turn=False):
        found = tile_chances(shipped_chances(), scene)
        called = (found.discards[CALLING] != found.discards[AS_IT_STANDS]).any()
        assert called == any(kind.name in {"CHI", "PON", "DAIMINKAN"} for kind in scene.kinds)
        if not scene.position.closed or scene.position.riichi:
            assert (found.draws[DECLARING] == found.draws[AS_IT_STANDS]).all()


def test_others_win_more_often_against_a_riichi_declared_later_than_against_one_declared_now():
    """Where none can be declared now, their chance lies between those of the riichi and of the hand as it stands."""

    class Telling:
        def chances(self, planes, numbers):
            declares = numbers[:, NOW] > 0
            ends = np.where(declares, 0.1, 0.3)[:, None, None] * np.ones((ENDS, TURNS))
            return np.full((len(planes), ACTORS, TURNS, 34), 0.1, np.float32), ends.astype(np.float32)

    now = later = 0
    for scene in scenes(own_turn=True, every=1):
        if not scene.position.closed or scene.position.riichi:
            continue
        found = tile_chances(Telling(), scene)
        if any(kind.name == "RIICHI" for kind in scene.kinds):
            assert found.survive[DECLARING] == pytest.approx(0.9)
            now += 1
        else:
            assert (found.survive[DECLARING] < 0.85).all()
            assert (found.survive[DECLARING] > 0.75).all()
            later += 1
        assert found.survive[AS_IT_STANDS] == pytest.approx(0.7)
        assert found.deal_in[DECLARING] == pytest.approx(0.1)
    assert now
    assert later


def test_the_search_names_opponents_from_the_left():
    """The network begins on the right, the search with the opponent who discards last before the own draw."""

    class Telling:
        def chances(self, planes, _):
            found = np.zeros((len(planes), ACTORS, TURNS, 34), np.float32)
            for actor in range(ACTORS):
                found[:, actor] = actor + 1
            return found * (planes[:, None, None, :, UNSEEN] > 0), np.full((len(planes), ENDS, TURNS), 0.1, np.float32)

    scene = scenes(own_turn=True)[0]
    found = tile_chances(Telling(), scene)
    kind = next(kind for kind in range(34) if scene.unseen[kind])
    share = scene.unseen[kind] / sum(scene.unseen)
    assert (found.discards[0, :, 0, kind] * share).tolist() == pytest.approx([3.0, 2.0, 1.0])
    assert found.draws[0, 0, kind] * share == pytest.approx(VIEWER + 1)
    assert found.survive == pytest.approx(np.full((3, TURNS), 0.9))
    assert found.give_up == pytest.approx(np.full((3, TURNS), 0.1))
    assert found.deal_in == pytest.approx(np.full((3, TURNS), 0.1))


def test_a_hand_one_away_is_told_waits_that_it_may_come_to_have():
    class Telling:
        def chances(self, planes, _):
            self.told = [frozenset(np.flatnonzero(row[:, WAITED]).tolist()) for row in planes]
            found = np.ones((len(planes), ACTORS, TURNS, 34), np.float32)
            return found * np.arange(1, len(planes) + 1)[:, None, None, None], np.ones((len(planes), ENDS, TURNS))

    tried = 0
    for scene in scenes(own_turn=True, every=1):
        if min(scene.discards.shanten) != 1 or scene.position.riichi:
            continue
        network = Telling()
        found = tile_chances(network, scene)
        reached = waits_after_a_draw(scene)
        told = [waits for waits in network.told if waits]
        assert told
        assert set(told) <= reached
        share = np.array(scene.unseen) / sum(scene.unseen)
        rows = found.discards[AS_IT_STANDS, 0, 0] * share
        later = set().union(*told)
        for kind in np.flatnonzero(share):
            assert (rows[kind] > 1.5) == (kind in later)
        tried += 1
    assert tried > 3


def waits_after_a_draw(scene):
    """The waits that a hand can have after a discard, a draw and another discard, each as a set of kinds."""
    found, counts = set(), scene.state.counts
    for gone in range(34):
        if not counts[gone] or scene.discards.shanten[gone] != 1:
            continue
        for drawn in range(34):
            hand = list(counts)
            hand[gone] -= 1
            hand[drawn] += 1
            for last in range(34):
                if hand[last] and hand[drawn] <= 4 and scene.unseen[drawn]:
                    hand[last] -= 1
                    found.add(frozenset(kind for kind in waits(hand, scene.melds) if scene.unseen[kind]))
                    hand[last] += 1
    return found
