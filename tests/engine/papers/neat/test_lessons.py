"""Networks fitted to the DAG search: what lessons say, the fit, and the genomes of a first generation."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pymoo")  # it brings scipy

from engine.papers.neat import solo_kernels
from engine.papers.neat.evolution import Evolution, EvolutionSettings
from engine.papers.neat.genome import Innovations
from engine.papers.neat.lessons import (
    LESSONS,
    NO_DISCARD,
    Lessons,
    LessonSettings,
    ModuleWeights,
    Piece,
    agreement,
    first_generation,
    fit,
    genome_of,
    given,
)
from engine.papers.neat.network import shape_tables, space_for
from engine.papers.neat.solo import SoloHand, make_walls
from tests.oracles import naive_solo

COURSE = LessonSettings(hands=12, hidden=3, inputs="extended", dora=True, seed=4)


@pytest.fixture(scope="module")
def lessons():
    return given(Piece(0, COURSE.hands, "points"), COURSE)[1]


def random_weights(course, seed=0):
    random = np.random.default_rng(seed)
    inputs = solo_kernels.EXTENDED if course.inputs == "extended" else 215
    return ModuleWeights(
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


def test_lessons_show_what_each_discard_of_the_first_hand_leaves(lessons):
    wall = make_walls(COURSE.hands, COURSE.seed, LESSONS)[0].tolist()
    held = wall[:14]
    kinds = {tile >> 2 for tile in held}
    dora = naive_solo.DORA_AFTER[wall[-1] >> 2]
    left = []
    for kind in kinds:
        kept = list(held)
        kept.remove(max(tile for tile in held if tile >> 2 == kind))
        bonus = sum((tile >> 2 == dora) + (tile in naive_solo.RED) for tile in kept)
        left.append(naive_solo.active(naive_solo.counts_of(kept), bonus, extended=True))
    there = lessons.aims[0] != NO_DISCARD
    assert there.sum() == len(kinds)
    found = [set(row.tolist()) for row in lessons.inputs[0][there]]
    assert sorted(map(sorted, found)) == sorted(map(sorted, left))


def test_aims_are_chances_and_the_best_discard_has_the_highest(lessons):
    there = lessons.aims != NO_DISCARD
    assert np.where(there, lessons.aims, 0).sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (lessons.aims.argmax(axis=1) == 0).all()  # the search gives the best discard first
    assert len(lessons.aims) > COURSE.hands


def test_the_gradient_is_that_of_the_definition(lessons):
    few = Lessons(lessons.inputs[:3], lessons.aims[:3])
    weights = random_weights(COURSE)

    def loss(changed):
        total = 0.0
        for rows, aims in zip(few.inputs, few.aims, strict=True):
            there = [place for place, aim in enumerate(aims) if aim != NO_DISCARD]
            values = np.array([value_of(changed, rows[place].tolist()) for place in there])
            logarithms = values - np.log(np.exp(values - values.max()).sum()) - values.max()
            total -= float(sum(aims[place] * one for place, one in zip(there, logarithms, strict=True)))
        return total / len(few.aims)

    found, gradient = agreement(*few, weights)
    assert found == pytest.approx(loss(weights), rel=1e-5)
    step = 1e-2
    used = int(few.inputs[0, 0, 36])
    for which, at in ((0, (used, 0)), (0, (used, 3)), (0, (int(few.inputs[1, 1, 0]), 2)), (1, (1,))):
        sides = []
        for sign in (1, -1):
            changed = ModuleWeights(weights.inputs.astype(float), weights.hidden.astype(float))
            changed[which][at] += sign * step
            sides.append(loss(changed))
        assert gradient[which][at] == pytest.approx((sides[0] - sides[1]) / (2 * step), rel=2e-2, abs=1e-5)


def test_the_fit_comes_nearer_to_the_lessons(lessons):
    weights = random_weights(COURSE)
    before, _ = agreement(*lessons, weights)
    after, _ = agreement(*lessons, fit(lessons, COURSE, weights))
    assert after < before


def test_a_genome_values_hands_as_its_weights_do():
    weights = random_weights(COURSE, 5)
    innovations = Innovations()
    network = genome_of(weights, 7, innovations).network()
    assert (genome_of(weights, 7, innovations).genes == genome_of(weights, 7, innovations).genes).all()
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
    one = first_generation(course, 5, Innovations(), map, lambda done, of: seen.append((done, of)))
    other = first_generation(
        course, 5, Innovations(), lambda each, work: reversed([each(piece) for piece in work]), lambda _done, _of: None
    )
    assert seen[-1] == (50, 50)
    assert [genome.network().digest() for genome in one] == [genome.network().digest() for genome in other]
    assert len({genome.network().digest() for genome in one}) == 5


def test_a_run_may_begin_with_lessons():
    settings = EvolutionSettings(population=10, walls=20, lessons=10, hidden=2, seed=3)
    run = Evolution(settings)
    assert len(run.population.genomes) == 10
    run.step()
    run.step()
    assert run.history[-1][3] >= 2  # hidden nodes


def test_a_hand_gives_up_the_red_five_last():
    red, plain = 16, 17
    wall = [red, plain, *range(36, 47), *range(100, 118), 12]  # the indicator 4m makes 5m dora
    hand = SoloHand(wall, dora=True)
    assert hand.bonus == 3
    hand.draw()
    assert hand.bonus_without(4) == 2
    hand.discard(4)
    assert hand.bonus == 2
    assert hand.position().red_unseen == (False, True, True)
    assert SoloHand(wall, dora=False).bonus == 0
