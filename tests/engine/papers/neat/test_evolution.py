"""Selection, the run as a whole, and its checkpoints."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

pytest.importorskip("pymoo")

from engine.papers.neat.evolution import Evolution, EvolutionSettings, ordered, tournament
from engine.papers.neat.keeping import CheckpointError, champions, resumed, save

SMALL = EvolutionSettings(population=12, walls=20, growth=1, trust=20, drawn=2, seed=3)


def dominates(one, other):
    return all(one >= other) and any(one > other)


def test_fronts_are_those_of_the_definition():
    fitness = np.random.default_rng(1).integers(0, 6, (60, 2)).astype(float)
    order = ordered(fitness)
    for one, other in product(range(60), repeat=2):
        if dominates(fitness[one], fitness[other]):
            assert order.ranks[one] < order.ranks[other]
    for place in np.flatnonzero(order.ranks > 0):
        above = fitness[order.ranks == order.ranks[place] - 1]
        assert any(dominates(one, fitness[place]) for one in above)


def test_the_ends_of_a_front_are_kept_first():
    fitness = np.array([[0.0, 9.0], [1.0, 8.0], [1.1, 7.9], [8.0, 1.0], [9.0, 0.0], [0.0, 0.0]])
    order = ordered(fitness)
    assert set(order.best(2).tolist()) == {0, 4}
    assert 5 not in order.best(5)
    assert tournament(order, np.random.default_rng(0)) in range(6)


def test_a_run_continues_from_its_checkpoint_as_if_it_had_not_stopped(tmp_path):
    whole, parts = Evolution(SMALL), Evolution(SMALL)
    for _ in range(4):
        whole.step()
    for _ in range(2):
        parts.step()
    save(parts, tmp_path / "run.npz")
    again = resumed(tmp_path / "run.npz")
    assert again.settings == SMALL
    for _ in range(2):
        again.step(lambda function, work: reversed([function(piece) for piece in work]))
    assert again.history == whole.history
    assert (again.population.fitness == whole.population.fitness).all()
    one, other = again.population.networks[0], whole.population.networks[0]
    assert one.digest() == other.digest()
    assert again.innovations == whole.innovations


def test_a_file_without_a_checkpoint_is_refused(tmp_path):
    path = tmp_path / "run.npz"
    path.write_bytes(b"PK nothing")
    with pytest.raises(CheckpointError, match=r"run\.npz is no checkpoint"):
        resumed(path)


def test_a_generation_keeps_the_best_of_parents_and_children():
    run = Evolution(SMALL)
    run.step()
    assert len(run.population.genomes) == SMALL.population
    before = run.population
    run.step()
    front = run.front()
    assert (ordered(run.population.fitness).ranks == 0).sum() == len(front.genomes)
    assert (np.diff(front.fitness[:, 0]) >= 0).all()
    assert (run.population.walls >= SMALL.walls).all()
    assert len(before.genomes) == len(run.population.genomes)
    assert len(run.history) == run.generation == 2


def test_champions_are_measured_on_other_walls(monkeypatch):
    monkeypatch.setattr("engine.papers.neat.keeping.TRIAL_WALLS", 60)
    monkeypatch.setattr("engine.papers.neat.keeping.FINAL_WALLS", 80)
    run = Evolution(SMALL)
    run.step()
    found = champions(run)
    assert set(found) == {"speed", "value", "high", "early"}
    assert all(one.figures.hands == 80 for one in found.values())
    assert found["value"].figures.points >= found["speed"].figures.points
