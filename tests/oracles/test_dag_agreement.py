"""The search with own draws only, against an independent calculator that also plays own draws only (jansou).

The two differ by what each says of itself: the other draws with replacement, takes only draws that lower the shanten
(no sideways exchange), and compares only discards that keep the shanten. So its chances are a floor, it holds many
discards for equal that we tell apart, and our best must be among those it rates (nearly) best.
"""

from __future__ import annotations

import random
from dataclasses import replace

from jansou.analysis.ev import discard_outlooks

from engine.model.tiles import counts34
from engine.search.dag.model import DRAWS, RiichiMode
from engine.search.dag.search import DagEvaluator
from engine.search.evaluator import Utility
from engine.search.position import Sketch
from engine.shanten import shanten
from tests.tiers import mostly_slow

WINS: Utility = Utility((-100_000, 0, 1, 200_000), (0.0, 0.0, 1.0, 1.0), "win")
DRAWN_OUT = replace(DRAWS, riichi=RiichiMode.OFF, utility=WINS)
HANDS = 50


def hands(level, number):
    rng = random.Random(level)
    while number:
        tiles = rng.sample(range(136), 15)
        if shanten(counts34(tiles[:14])) == level:
            number -= 1
            yield Sketch(tiles[:14], dora_indicators=tiles[14:], turn=rng.randrange(3, 12)).position()


@mostly_slow(("level", "alike"), [(0, 0.9), (1, 0.9), (2, 0.92)])
def test_best_discard_and_chance_of_winning(level, alike):
    agreed = compared = 0
    for position in hands(level, HANDS):
        ours = {worth.choice.tile34: worth.value for worth in DagEvaluator(DRAWN_OUT).evaluate(position).actions}
        visible = [0] * 34
        visible[position.dora_indicators[0] >> 2] = 1
        draws = position.draws_left
        theirs = discard_outlooks(position.counts, 0, draws, visible=visible, beam=None, max_distance=2)
        chances = {int(kind): outlook.win[draws] for kind, outlook in theirs.items()}
        if not chances or max(chances.values()) == 0.0:
            continue
        compared += 1
        best, other = max(ours, key=ours.get), max(chances, key=chances.get)
        agreed += chances.get(best, 0.0) > 0.97 * chances[other]
        assert all(ours[kind] > 0.99 * chance for kind, chance in chances.items())
    assert compared > 0.9 * HANDS
    assert agreed >= alike * compared
