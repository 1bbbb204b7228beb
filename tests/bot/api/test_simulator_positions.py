"""Positions of the simulator, saved, loaded, taken from logs and played on, and copies of a whole simulator."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from bot.api import simulator
from bot.api.simulator import Simulator
from bot.evaluate.log_place import find_decision, parse_place
from engine.shanten import shanten
from engine.simulator import observation_kernels as layout
from tests.bot.api.simulated import as_values, chosen, played, played_from_start

GAME = Path(__file__).parents[3] / "docs" / "examples" / "game.xml"


def test_a_position_goes_on_as_it_would_have_and_can_be_kept_in_a_file():
    tables = played_from_start(4, 90)
    position = pickle.loads(pickle.dumps(tables.save(2)))  # noqa: S301 - our own
    others = Simulator(3, seed=99)
    others.reset()
    others.load([1], position)
    for number in range(300):
        answers = [{}, {}]
        for at, (each, table) in enumerate(((tables, 2), (others, 1))):
            every = chosen(each.round, number)
            rows = np.flatnonzero(each.round.tables == table)
            mine = each.round.mask[rows]
            assert len(rows)
            every[rows] = [np.flatnonzero(row)[(7 * number) % row.sum()] for row in mine]
            answers[at] = every, each.round.planes[rows].tobytes(), mine.tobytes()
        assert answers[0][1:] == answers[1][1:]
        assert (tables.round.rewards[2] == others.round.rewards[1]).all() or number == 0
        tables.step(answers[0][0])
        others.step(answers[1][0])


def test_every_copy_of_a_position_is_the_position():
    tables = played_from_start(4, 60)
    position = tables.save(0)
    for _ in range(20):
        position = pickle.loads(pickle.dumps(copy.deepcopy(position)))  # noqa: S301 - our own
        assert len(Simulator(3, seed=1).load([2], position).tables)


@pytest.mark.parametrize("walls", ["fast", "tenhou"])
def test_a_position_needs_no_reset_and_other_tables_stay_silent(walls):
    position = played_from_start(2, 50).save(1)
    tables = Simulator(3, seed=3, walls=walls, again=False)
    questions = tables.load([1], position)
    hands = 0
    while len(questions.tables):
        assert set(questions.tables.tolist()) == {1}
        questions = tables.step(tables.answers_of("random", range(len(questions.tables))))
        hands += questions.ended[1]
    assert hands > 1
    assert tables.answers_of("random", []).shape == (0,)


def test_a_table_that_is_done_is_saved_and_loaded_as_it_is():
    tables = Simulator(1, seed=3, episode="hand", again=False, observe="none")
    questions = tables.reset()
    while len(questions.tables):
        questions = tables.step(tables.answers_of("tsumogiri"))
    position = tables.save(0)
    assert not len(Simulator(1).load([0], position).tables)
    planes, numbers = tables.observe([0, 0], [0, 3])
    assert planes.shape == (2, 34, 26)
    assert numbers[0, layout.SHANTEN] == shanten(
        tables._array["counts"][0, 0].tolist(), int(tables._array["melds"][0, 0])
    )


def test_simple_at_a_loaded_position_has_not_folded():
    tables = Simulator(2, seed=5, observe="none")
    tables.reset()
    position = tables.save(0)
    first = tables.answers_of("simple")
    player = tables._players["simple"].player
    player._folded[:] = True
    tables.load([0, 1], position)
    assert tables.answers_of("simple").tolist() == [first[0], first[0]]
    assert not player._folded.any()


def test_playouts_differ_in_what_was_not_seen():
    tables = played_from_start(4, 60)
    position = tables.save(1)
    viewer = position.asked[0]
    playouts = Simulator(32, seed=5, episode="hand", again=False, observe="none")
    questions = playouts.load(range(32), position, viewer=viewer)
    mine = questions.seats == viewer
    assert mine.sum() == 32
    assert len(np.unique(questions.mask[mine], axis=0)) == 1
    planes, numbers = playouts.observe(questions.tables[mine], questions.seats[mine])
    assert len(np.unique(planes, axis=0)) == len(np.unique(numbers, axis=0)) == 1
    assert len(np.unique(playouts._array["tiles"], axis=0)) == 32
    total = np.zeros((32, 4))
    while len(questions.tables):
        questions = playouts.step(chosen(questions, 0))
        total += questions.rewards
    assert len(np.unique(total, axis=0)) > 4


@pytest.mark.parametrize("place", ["E3-1/turn9/seat2", "E1-2/turn3/seat0", "E1/turn4/seat1"])
def test_a_position_of_a_log_is_continued(place):
    text = f"{GAME}#{place}"
    point = find_decision(parse_place(text))
    position = simulator.position(text)
    tables = Simulator(3, position.rules)
    questions = tables.load([0, 1, 2], position, shuffled=True)
    row = questions.seats.tolist().index(point.state.seat)
    assert tables.view(row).hand == point.state.hand
    assert sorted(map(str, tables.legal_actions(row).values())) == sorted(map(str, point.legal))
    assert len(np.unique(tables._array["tiles"], axis=0)) == 3
    while not questions.ended[0]:
        questions = tables.step(chosen(questions, 0))


def test_a_copy_goes_on_by_itself():
    tables = played_from_start(4, 30)
    twin = copy.deepcopy(tables)
    answers = chosen(tables.round, 1)
    first = tables.step(answers)
    second = twin.step(answers)
    assert as_values(tables) == as_values(twin)
    assert (first.planes == second.planes).all()


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda tables: pickle.loads(pickle.dumps(tables))])  # noqa: S301
@pytest.mark.parametrize("walls", ["fast", "tenhou"])
def test_a_copy_has_tables_of_its_own(twin, walls):
    tables = Simulator(3, seed=2, walls=walls)
    tables.reset()
    tables.keep([0])
    tables.answers_of("simple")
    played(tables, 40)
    before = as_values(tables)
    other = twin(tables)
    assert other.step(other.answers_of("simple")).tables is other.round.tables
    played(other, 40)
    assert as_values(tables) == before
    tables.step(tables.answers_of("simple"))
    played(tables, 40)
    assert as_values(tables) == as_values(other)
