"""The one-player game, its inputs and its points against plain Python."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from engine.model.tiles import parse_tiles37
from engine.papers.neat import points_kernels, solo_kernels
from engine.papers.neat.genome import Innovations, add_link, add_node, duplicate_module, first_genome
from engine.papers.neat.input_kernels import EXTENDED_BLOCKS, PAPER_BLOCKS, STANDARD
from engine.papers.neat.network import INPUTS, shape_tables, space_for
from engine.papers.neat.solo import make_walls, play, summary
from engine.shanten.tables import hand_tables
from tests.oracles import naive_solo
from tests.samples import random_wins


def counts_of(text):
    counts = [0] * 34
    for kind in parse_tiles37(text):
        counts[kind] += 1
    return counts


def grown(seed, inputs):
    """A genome that seeks tenpai, with hidden nodes and several modules."""
    innovations, rng = Innovations(), np.random.default_rng(seed)
    genome = first_genome(INPUTS[inputs], innovations, rng)
    weights = 0.3 * genome.weights
    far = (genome.sources >= STANDARD) & (genome.sources < STANDARD + 9)
    weights[far] -= 3 * (genome.sources[far] - STANDARD)
    genome = replace(genome, weights=weights.astype(np.float32))
    for _ in range(3):
        for change in (duplicate_module, add_node, add_node, add_link, add_link):
            genome = change(genome, innovations, rng)
    return genome


def far_hands():
    rng = random.Random(5)
    for number in range(60):
        first = rng.choice((0, 0, 36, 72)) if number % 2 else 0
        tiles = rng.sample(range(first, 136 if first else rng.choice((36, 72, 136))), 13)
        yield naive_solo.counts_of(tiles), tiles
    for text in ("1111222233334m", "19m19p19s1234567z", "111222333z5556m", "13579m13579p135s", "1133557799m113p"):
        yield counts_of(text), []


@pytest.mark.parametrize(("inputs", "blocks"), [("paper", PAPER_BLOCKS), ("extended", EXTENDED_BLOCKS)])
def test_the_active_inputs_are_those_of_the_definition(inputs, blocks):
    net = grown(1, inputs).network().net
    space = space_for(net)
    for counts, tiles in far_hands():
        bonus = sum(tile in naive_solo.RED for tile in tiles)
        space.counts[:] = counts
        solo_kernels.value_hand(net, 4, 13, bonus, 0, shape_tables(), space)
        found = {5 * kind + count for kind, count in enumerate(counts)} | set(space.rows[:blocks].tolist())
        assert found == naive_solo.active(counts, bonus, extended=inputs == "extended"), counts


def score(counts, win, bonus):
    answer = points_kernels.solo_win(np.array(counts, np.uint8), win, bonus, hand_tables())
    yaku = answer & ((1 << 55) - 1)
    return points_kernels.solo_points(answer, bonus), {bit for bit in range(55) if yaku >> bit & 1}


def test_random_wins_are_worth_what_the_tables_of_the_paper_say():
    rng = random.Random(2)
    hands, wins = random_wins(400, 7)
    for counts, win in zip(hands.tolist(), wins.tolist(), strict=True):
        tiles = [4 * kind + copy for kind, count in enumerate(counts) for copy in range(count)]
        bonus = rng.choice((0, 0, 1, 2, 5, 9))
        last = next(tile for tile in tiles if tile // 4 == win)
        assert score(counts, win, bonus) == naive_solo.win(tiles, last, bonus)


@pytest.mark.parametrize(
    ("text", "win", "points", "yaku"),
    [
        ("123m456m789p55s678s", "8s", 2000, {0, 7}),  # pinfu by self-draw
        ("123m456m789p11z678s", "8s", 2000, {0, 7}),  # a pair of winds is worth nothing
        ("123m456m78999p111z", "9p", 2000, {0}),  # nor is a triplet of winds, but for its fu
        ("1133557799m1122z", "2z", 18_000, {0, 22, 34}),  # half flush of seven pairs
        ("111m222p333s444m55z", "5z", 48_000, {41}),
        ("19m19p19s12345677z", "7z", 48_000, {48}),
        ("22334466888s666z", "8s", 24_000, {0, 18 + 1, 9, 34}),  # all green is no yaku here
        ("123m456m789p55s67s1z", "1z", 0, set()),
    ],
)
def test_points_of_single_hands(text, win, points, yaku):
    found = score(counts_of(text), parse_tiles37(win)[0], 0)
    if text.startswith("2233"):
        assert 43 not in found[1]
        assert found[0] < 48_000
    else:
        assert found == (points, yaku)


@pytest.mark.parametrize(
    ("inputs", "dora", "hands"),
    [
        ("paper", False, 2),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in [("paper", False, 4), ("extended", True, 2)]),
    ],
)
def test_a_game_goes_as_in_plain_python(inputs, dora, hands):
    genome = grown(3, inputs)
    network = genome.network()
    walls = make_walls(400, 11)
    results = play(network, walls, dora=dora).results
    won = np.flatnonzero(results[:, solo_kernels.WIN_TURN])
    ready = np.flatnonzero((results[:, solo_kernels.WIN_TURN] == 0) & (results[:, solo_kernels.EXPECTED] > 0))
    chosen = [*won[: hands - 1], *ready[:1]]
    assert len(chosen) == hands
    for row in chosen:
        tenpai, worth, turn, points, yaku = naive_solo.play(genome, walls[row].tolist(), dora=dora)
        bits = int(results[row, solo_kernels.YAKU])
        assert results[row, solo_kernels.TENPAI_TURN] == tenpai
        assert results[row, solo_kernels.EXPECTED] == pytest.approx(worth)
        assert results[row, solo_kernels.WIN_TURN] == turn
        assert results[row, solo_kernels.POINTS] == points
        assert {bit for bit in range(52) if bits >> bit & 1} == yaku


def test_expected_points_are_the_mean_of_the_points():
    results = play(grown(3, "paper").network(), make_walls(20_000, 4)).results
    found = summary(results)
    error = (results[:, solo_kernels.POINTS] - results[:, solo_kernels.EXPECTED]).std() / len(results) ** 0.5
    assert abs(found.points - results[:, solo_kernels.EXPECTED].mean()) < 4 * error


def test_uses_of_modules_count_every_discard():
    played = play(grown(3, "extended").network(), make_walls(200, 6))
    assert played.uses.sum() == played.decisions
    assert (played.uses.sum(axis=(1, 2)) > 0).sum() > 1
