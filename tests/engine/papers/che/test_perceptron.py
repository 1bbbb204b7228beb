"""The evaluator ``perceptron`` against a plain sum of its weights, and its file of weights."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.actions import ActionKind
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import DORA_AFTER, EAST, HAKU, RED_FIVES, allocate136, parse_tiles37
from engine.papers.che.perceptron import POINT, Perceptron, PerceptronWeights, read_weights, shipped_weights
from engine.papers.che.perceptron_kernels import ACTIVE, WEIGHTS
from engine.search.evaluator import Choice
from engine.search.position import Sketch
from engine.tables import WeightsError
from tests.oracles.naive_perceptron import active

PON = Meld(MeldKind.PON, (124, 125, 126), 126, 1)


def position(text, melds=()):
    tiles = allocate136(parse_tiles37(text), taken=[tile for meld in melds for tile in meld.tiles])
    return Sketch(tiles, melds, [4 * 21 + 3], turn=7, kyoku=1, dealer_distance=1).position()


def score(weights, asked, discard):
    tiles = list(asked.concealed)
    if discard is not None:
        tiles.remove(max((tile for tile in tiles if tile >> 2 == discard), key=lambda tile: tile not in RED_FIVES))
    counts = [sum(tile >> 2 == kind for tile in tiles) for kind in range(34)]
    dora = [DORA_AFTER[tile >> 2] for tile in asked.dora_indicators]
    bonus = sum(dora.count(tile >> 2) + (tile in RED_FIVES) for tile in tiles)
    yakuhai = [(kind >= HAKU) + (kind == asked.seat_wind) + (kind == EAST) for kind in range(34)]
    return sum(float(weights.flat[place]) for place in active(counts, yakuhai, bonus, len(asked.melds)))


@pytest.mark.parametrize(
    ("text", "melds"),
    [
        ("234m340p567s2256s1z", ()),
        ("19m19p19s12345566z", ()),
        ("0m5p24m4067p11s7s", (PON,)),
        ("234m345p99s567s78m1z", ()),
    ],
)
def test_it_sums_the_weights_that_a_plain_sum_does(text, melds):
    asked = position(text, melds)
    random = np.random.default_rng(0)
    weights = PerceptronWeights(random.normal(size=WEIGHTS).astype(np.float16))
    found = Perceptron(weights).evaluate(asked)
    for worth in found.actions:
        riichi = worth.choice.kind is ActionKind.RIICHI
        assert worth.value == pytest.approx(POINT * score(weights, asked, worth.choice.tile34) + riichi, abs=1e-3)


def test_a_hand_without_a_discard_is_scored_as_it_is():
    asked = position("234m340p567s2256s")
    found = Perceptron().evaluate(asked)
    assert found.best.choice == Choice(ActionKind.PASS)
    assert found.best.value == pytest.approx(POINT * score(shipped_weights(), asked, None), abs=1e-2)


def test_the_shipped_weights_discard_lone_honours_and_declare_riichi():
    assert Perceptron().evaluate(position("2345m4067p34588s1z")).best.choice == Choice(ActionKind.DISCARD, 27)
    assert Perceptron().evaluate(position("234m345p99s567s78m1z")).best.choice == Choice(ActionKind.RIICHI, 27)


def test_every_score_adds_up_as_many_weights():
    assert len(list(active(position("234m340p567s2256s").counts, [0] * 34, 0, 0))) == ACTIVE


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is damaged"),
        (PerceptronWeights(np.zeros(3, np.float16)).to_bytes(), "it has 3 weights"),
    ],
)
def test_damaged_weights_are_refused_with_the_command_that_rebuilds_them(data, says):
    with pytest.raises(WeightsError, match=says) as refused:
        read_weights(data, "mine.npz")
    assert "mine.npz" in str(refused.value)
    assert "oshihiki train perceptron" in str(refused.value)
