"""The evaluator ``neat`` and its champions; see also ``test_evaluators.py``."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.model.actions import ActionKind
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import allocate136, parse_tiles37
from engine.papers.neat import CHAMPIONS
from engine.papers.neat.evaluator import PACKAGE, champion
from engine.papers.neat.network import Network, read_network
from engine.papers.neat.solo import make_walls, play, scaled, summary
from engine.search.position import Sketch
from engine.search.registry import make_evaluator
from engine.tables import WeightsError, table_bytes
from tests.oracles import naive_solo


def plain(weights):
    return Network(weights, np.zeros((0, 2), np.int64), np.zeros(0, np.float32), 1)


@pytest.mark.parametrize("name", CHAMPIONS)
def test_the_card_of_a_champion_is_true(name):
    card = json.loads(table_bytes(PACKAGE, f"{name}.json"))
    network = champion(name)
    assert card["digest"] == network.digest()
    assert card["modules"] == network.modules
    figures = summary(play(network, make_walls(2_000, 77), dora=card["settings"]["dora"]).results)
    said = card["on_final_walls"]
    error = (said["win_rate"] / 2_000) ** 0.5
    assert abs(figures.win_rate - said["win_rate"]) < 4 * error


@pytest.mark.parametrize("name", CHAMPIONS)
def test_values_are_those_of_the_network(name):
    tiles = allocate136(parse_tiles37("2345m4067p34588s1z"))
    position = Sketch(tiles, turn=9).position()
    network = champion(name)
    base, each = network.scale
    found = {worth.choice: worth.value for worth in make_evaluator(f"neat:{name}").evaluate(position).actions}
    for choice, value in found.items():
        if choice.kind is ActionKind.DISCARD:
            left = list(position.counts)
            left[choice.tile34] -= 1
            reds = sum(tile in naive_solo.RED for tile in tiles)
            lost = left[choice.tile34] == 0 and any(
                tile in naive_solo.RED and tile >> 2 == choice.tile34 for tile in tiles
            )
            numbers = naive_solo.active(left, reds - lost, extended=network.inputs == "extended")
            assert value == pytest.approx(base + each * _output(network, numbers), rel=1e-4, abs=0.5)


def _output(network, numbers):
    sums = network.weights[sorted(numbers)].sum(axis=0).astype(float)
    for node in range(network.hidden):
        for (source, target), strength in zip(network.links.tolist(), network.strengths.tolist(), strict=True):
            if source == node:
                sums[target] += strength * sums[node] / (1 + abs(sums[node]))
    outputs = sums[network.hidden :]
    return outputs[2 * int(np.argmax(outputs[::2])) + 1]


def test_melds_count_as_tiles_of_the_hand():
    hand, pon = allocate136(parse_tiles37("2345m067p345s1z")), (108, 109, 110)
    hand = tuple(tile for tile in hand if tile not in pon)
    melded = Sketch((*hand, 111), melds=(Meld(MeldKind.PON, pon, 108, 1),), turn=9).position()
    closed = Sketch((*hand, 111, *pon), turn=9).position()
    evaluator = make_evaluator("neat")
    one = {worth.choice.tile34: worth.value for worth in evaluator.evaluate(melded).actions}
    other = {worth.choice.tile34: worth.value for worth in evaluator.evaluate(closed).actions}
    assert one == {kind: pytest.approx(other[kind]) for kind in one}


def test_values_are_scaled_to_points():
    weights = np.zeros((215, 2), np.float32)
    weights[170:179, 1] = -np.arange(9)  # standard shanten
    network, walls = plain(weights), make_walls(3_000, 5)
    results = play(network, walls).results
    base, each = scaled(network, walls, results).scale
    assert each > 0
    near, far = base - 2 * each, base - 5 * each
    assert near > results[:, 1].mean() > far


def test_a_file_without_a_network_is_refused():
    with pytest.raises(WeightsError, match="x is damaged"):
        read_network(b"PK", "x")
    with pytest.raises(WeightsError, match="does not fit this version"):
        read_network(plain(np.zeros((7, 2), np.float32)).to_bytes(), "x")
    backwards = Network(np.zeros((215, 4), np.float32), np.array([[1, 0]]), np.ones(1, np.float32), 1)
    with pytest.raises(WeightsError, match="does not fit"):
        read_network(backwards.to_bytes(), "x")
