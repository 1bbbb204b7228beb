"""Mutations and crossover of genomes, as properties of random genomes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.papers.neat import solo_kernels
from engine.papers.neat.genome import (
    HIDDEN,
    Innovations,
    Rates,
    add_link,
    add_node,
    change_weights,
    child_of,
    crossover,
    duplicate_module,
    first_genome,
    follow_difference,
    in_order,
    preference,
)
from engine.papers.neat.network import INPUTS, read_network, shape_tables, space_for
from engine.papers.neat.solo import make_walls, play
from tests.oracles import naive_solo

MUTATIONS = {
    "link": add_link,
    "node": add_node,
    "module": duplicate_module,
    "weights": lambda genome, _, rng: change_weights(genome, rng),
}
histories = st.tuples(
    st.integers(0, 2**32 - 1), st.lists(st.sampled_from(sorted(MUTATIONS)), max_size=25), st.sampled_from(list(INPUTS))
)


def grown(history, innovations=None):
    seed, steps, inputs = history
    innovations, rng = innovations or Innovations(), np.random.default_rng(seed)
    genome = first_genome(INPUTS[inputs], innovations, rng)
    for step in steps:
        genome = MUTATIONS[step](genome, innovations, rng)
    return genome


def check(genome):
    assert (np.diff(genome.genes) > 0).all()
    assert len(genome.genes) == len(genome.sources) == len(genome.targets) == len(genome.weights) == len(genome.active)
    assert len({*zip(genome.sources.tolist(), genome.targets.tolist(), strict=True)}) == len(genome.genes)
    assert set(genome.modules) == {number for number in genome.modules if preference(number) in genome.targets}
    assert set(in_order(genome).tolist()) == set(genome.hidden.tolist())
    outside = genome.sources[(genome.sources >= genome.inputs) & (genome.sources < HIDDEN)]
    assert not len(outside), "an output neuron feeds another node"


@settings(max_examples=60, deadline=None)
@given(histories)
def test_mutations_keep_a_genome_whole(history):
    check(grown(history))


@settings(max_examples=40, deadline=None)
@given(histories, st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_children_have_the_structure_of_the_better_parent(history, other_seed, seed):
    innovations = Innovations()
    better = grown(history, innovations)
    other = grown((other_seed, history[1][::-1], history[2]), innovations)
    child = crossover(better, other, np.random.default_rng(seed))
    assert child.modules == better.modules
    assert (child.genes == better.genes).all()
    known = dict(zip(other.genes.tolist(), other.weights.tolist(), strict=True))
    for gene, weight, mine in zip(child.genes.tolist(), child.weights.tolist(), better.weights.tolist(), strict=True):
        low, high = sorted((mine, known.get(gene, mine)))
        assert low - 1e-5 <= weight <= high + 1e-5
    check(child_of([better, other, better, other], Rates(), innovations, np.random.default_rng(seed)))


@settings(max_examples=40, deadline=None)
@given(histories)
def test_equal_mutations_have_equal_numbers(history):
    innovations = Innovations()
    one, other = grown(history, innovations), grown(history, innovations)
    assert (one.genes == other.genes).all()
    assert one.modules == other.modules
    assert (one.targets == other.targets).all()


@settings(max_examples=30, deadline=None)
@given(histories, st.integers(0, 2**32 - 1))
def test_a_network_values_hands_as_its_genome_does_node_by_node(history, seed):
    genome = grown(history)
    rng = np.random.default_rng(seed)
    tiles = rng.permutation(136)[:13].tolist()
    counts = naive_solo.counts_of(tiles)
    numbers = naive_solo.active(counts, 0, extended=genome.inputs > INPUTS["paper"])
    value, module = value_of(genome.network(), counts)
    expected, expected_module = naive_solo.outputs(genome, numbers)
    assert value == pytest.approx(expected, abs=1e-3)
    assert module == expected_module


def value_of(network, counts):
    space = space_for(network.net)
    space.counts[:] = counts
    solo_kernels.value_hand(network.net, network.modules, 13, 0, 0, shape_tables(), space)
    return float(space.values[0]), int(space.modules[0])


def outputs(network, hands):
    """(hands, modules, 2) what the preference and the policy neuron of each module say of hands."""
    said = []
    for counts in hands:
        space = space_for(network.net)
        space.counts[:] = counts
        solo_kernels.value_hand(network.net, network.modules, 13, 0, 0, shape_tables(), space)
        first = len(network.net.starts) - 1
        said.append(space.sums[first : first + 2 * network.modules].reshape(-1, 2).copy())
    return np.array(said)


@settings(max_examples=20)
@given(histories, st.integers(0, 2**32 - 1))
def test_a_duplicated_module_says_what_another_says_and_leaves_all_as_they_were(history, seed):
    innovations = Innovations()
    genome, rng = grown(history, innovations), np.random.default_rng(seed)
    doubled = duplicate_module(genome, innovations, rng)
    (new,) = {*doubled.modules} - {*genome.modules}
    hands = [np.bincount(rng.permutation(136)[:13] // 4, minlength=34) for _ in range(20)]
    before, after = outputs(genome.network(), hands), outputs(doubled.network(), hands)
    at = doubled.modules.index(new)
    assert np.delete(after, at, axis=1) == pytest.approx(before, rel=1e-4, abs=1e-4)
    assert any(after[:, at, 1] == pytest.approx(one, rel=1e-4, abs=1e-4) for one in np.moveaxis(before[:, :, 1], 1, 0))
    assert (doubled.targets == preference(new)).sum() == 1


def test_differences_move_only_what_all_three_share():
    innovations = Innovations()
    one, other = grown((1, ["node"], "paper"), innovations), grown((2, ["module"], "paper"), innovations)
    moved = follow_difference(one, other, one, np.random.default_rng(0))
    shared = np.isin(one.genes, other.genes)
    assert (moved.weights[~shared] == one.weights[~shared]).all()
    assert (moved.weights[shared] != one.weights[shared]).any()
    same = follow_difference(one, other, other, np.random.default_rng(0))
    assert (same.weights == one.weights).all()


def test_a_file_gives_the_network_back():
    network = grown((5, ["module", "node", "link", "node", "link"], "extended")).network()
    again = read_network(network.to_bytes(), "it")
    assert again.digest() == network.digest()
    assert again.inputs == "extended"
    walls = make_walls(50, 3)
    assert (play(again, walls).results == play(network, walls).results).all()
