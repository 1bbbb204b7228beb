"""Networks fitted to the lessons of the DAG search; needs torch, and is skipped, saying so, without it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.papers.neat import solo_kernels
from engine.papers.neat.genome import Innovations
from engine.papers.neat.lessons import NO_DISCARD, Lessons, LessonSettings, Piece, given
from engine.papers.neat.network import shape_tables, space_for
from engine.papers.neat.solo import make_walls
from tests.oracles import naive_solo

torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
taught = pytest.importorskip("engine.papers.neat.taught")

COURSE = LessonSettings(hands=12, hidden=3, inputs="extended", dora=True, seed=4)


@pytest.fixture(scope="module")
def lessons():
    return given(Piece(0, COURSE.hands, "points"), COURSE)[1]


def random_weights(course, seed=0):
    random = np.random.default_rng(seed)
    inputs = solo_kernels.EXTENDED if course.inputs == "extended" else 215
    return taught.ModuleWeights(
        random.normal(0, 0.3, (inputs, course.hidden + 1)).astype(np.float32),
        random.normal(0, 0.5, course.hidden).astype(np.float32),
    )


def value_of(weights, active):
    """The value of a hand by its active inputs, one number after another."""
    total = sum(float(weights.inputs[row, -1]) for row in active)
    for node, strength in enumerate(weights.hidden.tolist()):
        x = sum(float(weights.inputs[row, node]) for row in active)
        total += strength * x / (1 + abs(x))
    return total


def loss_of(lessons, weights):
    """The mean cross-entropy by the fit's own passes."""
    net = taught.ModuleNet(weights)
    with torch.no_grad():
        return float(taught.disagreement(net(torch.from_numpy(lessons.inputs).int()), torch.from_numpy(lessons.aims)))


def test_the_passes_in_torch_and_by_hand_are_the_same(lessons):
    weights = random_weights(COURSE)
    with torch.no_grad():
        values = taught.ModuleNet(weights)(torch.from_numpy(lessons.inputs[:3]).int()).numpy()
    for row, active in zip(values, lessons.inputs[:3], strict=True):
        assert row == pytest.approx([value_of(weights, each.tolist()) for each in active], abs=1e-4)


def test_the_loss_is_that_of_the_definition(lessons):
    few = Lessons(lessons.inputs[:3], lessons.aims[:3])
    weights = random_weights(COURSE)
    total = 0.0
    for rows, aims in zip(few.inputs, few.aims, strict=True):
        there = [place for place, aim in enumerate(aims) if aim != NO_DISCARD]
        assert len(there) < len(aims)
        values = np.array([value_of(weights, rows[place].tolist()) for place in there])
        logarithms = values - np.log(np.exp(values - values.max()).sum()) - values.max()
        total -= float(sum(aims[place] * one for place, one in zip(there, logarithms, strict=True)))
    assert loss_of(few, weights) == pytest.approx(total / 3, rel=1e-5)


def test_the_fit_comes_nearer_to_the_lessons_and_is_the_same_again(lessons):
    weights = random_weights(COURSE)
    before = loss_of(lessons, weights)
    kept = weights.inputs.copy()
    one, again = taught.fit(lessons, COURSE, weights), taught.fit(lessons, COURSE, weights)
    assert loss_of(lessons, one) < before
    assert (weights.inputs == kept).all()  # the network that it starts from is left alone
    assert all((first == second).all() for first, second in zip(one, again, strict=True))


def test_a_genome_values_hands_as_its_weights_do():
    weights = random_weights(COURSE, 5)
    innovations = Innovations()
    network = taught.genome_of(weights, 7, innovations).network()
    assert (taught.genome_of(weights, 7, innovations).genes == taught.genome_of(weights, 7, innovations).genes).all()
    space = space_for(network.net)
    for wall in make_walls(20, 8).tolist():
        counts = naive_solo.counts_of(wall[:13])
        space.counts[:] = counts
        solo_kernels.value_hand(network.net, 1, 13, 2, 0, shape_tables(), space)
        active = naive_solo.active(counts, 2, extended=True)
        assert space.values[0] == pytest.approx(value_of(weights, active), abs=1e-4)


def test_the_first_generation_does_not_depend_on_the_order_of_the_work():
    course = LessonSettings(hands=25, hidden=2, inputs="paper", dora=False, seed=1)
    seen = []
    one = taught.first_generation(course, 5, Innovations(), map, lambda done, of: seen.append((done, of)))
    other = taught.first_generation(
        course, 5, Innovations(), lambda each, work: reversed([each(piece) for piece in work]), lambda _done, _of: None
    )
    assert seen[-1] == (50, 50)
    assert [genome.network().digest() for genome in one] == [genome.network().digest() for genome in other]
    assert len({genome.network().digest() for genome in one}) == 5


def test_a_run_may_begin_with_lessons():
    evolution = pytest.importorskip("engine.papers.neat.evolution", reason="pymoo is not installed: the extra train")
    settings = evolution.EvolutionSettings(population=10, walls=20, lessons=10, hidden=2, seed=3)
    run = evolution.Evolution(settings)
    assert len(run.population.genomes) == 10
    run.step()
    run.step()
    assert run.history[-1][3] >= 2  # hidden nodes
