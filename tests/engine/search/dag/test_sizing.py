"""The size of a search: predicted, bounded, and independent of how it is computed."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from engine.model.budget import Budget
from engine.model.tiles import allocate136, counts34, parse_tiles37
from engine.search.dag.graph import (
    DOUBT,
    FEW_NODES,
    VERY_FAR,
    Bounds,
    Rooted,
    choose_hands,
    list_hands,
    list_wins,
    number_of,
    predicted_nodes,
)
from engine.search.dag.graph_kernels import Root
from engine.search.dag.model import FULL
from engine.search.dag.search import DagEvaluator
from engine.search.position import Sketch
from engine.shanten import shanten
from tests.samples import parse_tile37


def hand_at(level, seed):
    rng = random.Random(seed)
    while True:
        tiles = rng.sample(range(136), 15)
        if shanten(counts34(tiles[:14])) == level:
            return Sketch(tiles[:14], dora_indicators=tiles[14:], turn=rng.randrange(8, 14)).position()


@pytest.mark.parametrize(("level", "nodes"), [*((far, 100) for far in range(4)), *((far, 4_000) for far in range(7))])
def test_no_search_exceeds_its_budget(level, nodes):
    position = hand_at(level, level)
    evaluation = DagEvaluator(FULL).evaluate(position, budget=Budget(nodes=nodes))
    assert evaluation.nodes <= nodes
    assert len(evaluation.actions) >= len(set(position.counts)) - 1
    assert [worth.value for worth in evaluation.actions] == sorted((w.value for w in evaluation.actions), reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("level", [5, 6])
def test_very_far_hands_are_thinned(level):
    assert level >= VERY_FAR
    evaluation = DagEvaluator(FULL).evaluate(hand_at(level, 1))
    assert evaluation.nodes <= FEW_NODES
    assert any(worth.p_win > 0 for worth in evaluation.actions)


@pytest.mark.parametrize("seed", range(5))
def test_a_discard_search_with_room_left_looks_one_exchange_further(seed):
    """At 3-shanten all of n = 4 is far too large, and n = 3 a tenth of the bound: the likeliest of n = 4 fill it."""
    position = hand_at(3, seed)
    evaluation = DagEvaluator(FULL).evaluate(position, budget=Budget(nodes=20_000))
    assert (evaluation.exchanges, evaluation.complete) == (4, False)
    assert 10_000 < evaluation.nodes <= 20_000
    whole = DagEvaluator(replace(FULL, exchanges=3)).evaluate(position, budget=Budget(nodes=20_000))
    assert whole.nodes < evaluation.nodes
    assert evaluation.actions[0].value > whole.actions[0].value


@pytest.mark.parametrize("most", [600, 3_000, 12_000, 60_000])
def test_passing_and_calling_are_searched_alike(most):
    """Roots of different sizes could not be compared: the same exchanges beyond the shanten, calls, and share kept."""
    passing, calling = rooted("23m1169p1125s134z", 0, 2), rooted("1169p1125s134z", 1, 1)
    listed = choose_hands([passing, calling], FULL, most)
    assert sum(number_of(one.hands) for one in listed) <= most
    assert len({one.whole for one in listed}) == 1
    slack = {one.bounds.reach - each.far for one, each in zip(listed, (passing, calling), strict=True)}
    assert len(slack) == 1
    first, second = (one.bounds for one in listed)
    assert first.calls - second.calls in (0, 1)
    if first.most_wins is not None:
        of = [len(list_wins(each.root, one.bounds).keys) for one, each in zip(listed, (passing, calling), strict=True)]
        assert first.most_wins / of[0] == pytest.approx(second.most_wins / of[1], abs=1 / min(of))


def rooted(text, melds, calls):
    held = np.array(counts34(allocate136(parse_tiles37(text))), np.int8)
    unseen = 4 - held
    return Rooted(Root(held, unseen, unseen), shanten(held.tolist(), melds), calls)


@pytest.mark.parametrize(("level", "reach", "calls"), [(1, 3, 0), (1, 3, 2), (2, 4, 0), (2, 4, 1), (3, 4, 2)])
def test_hands_are_predicted_within_the_doubt_allowed(level, reach, calls):
    for seed in range(4):
        position = hand_at(level, seed)
        held, unseen = np.array(position.counts, np.int8), np.array(position.unseen, np.int8)
        root, bounds = Root(held, unseen, unseen), Bounds(reach, calls)
        wins = list_wins(root, bounds)
        listed = number_of(list_hands(root, bounds, wins))
        assert listed / DOUBT < predicted_nodes(len(wins.keys), bounds) < DOUBT * listed


def offer():
    offered = allocate136([parse_tile37("1m")], taken=allocate136(parse_tiles37("23m456p112356s77z")))[0]
    return Sketch(allocate136(parse_tiles37("23m456p112356s77z")), turn=12, offered=offered, offered_by=3).position()


def test_an_expired_budget_leaves_the_roots_that_are_left():
    asked = []

    def expired():
        asked.append(True)
        return True

    evaluation = DagEvaluator(replace(FULL, exchanges=1)).evaluate(offer(), budget=Budget(expired=expired))
    assert len(asked) == 1
    assert len(evaluation.actions) == 1
    assert not evaluation.complete
