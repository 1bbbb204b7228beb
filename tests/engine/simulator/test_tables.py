"""Tables side by side: walls, questions, bad answers, copies."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arena import Shuffle
from engine.model.rules import TONPU, Rules
from engine.rules.answer_kernels import ANSWERS, DISCARD, NINE, PASS, THE_DRAWN, WIN
from engine.rules.answers import legal_numbers
from engine.simulator.game_kernels import GameTable
from engine.simulator.tables import AnswerError, Tables, masks_of
from tests.engine.simulator.going_on import as_bytes, dealt, go_on


def test_a_seed_gives_the_same_walls_and_tables_have_walls_of_their_own():
    first, again, other = dealt(), dealt(), dealt(seed=4)
    assert as_bytes(first) == as_bytes(again) != as_bytes(other)
    walls = np.asarray(first.games)["tiles"]
    assert (np.sort(walls, axis=1) == np.arange(136)).all()
    assert len(np.unique(walls, axis=0)) == len(first)


def test_shuffles_are_even():
    tables = Tables(20_000, TONPU, seed=1)
    tables.deal()
    walls = np.asarray(tables.games)["tiles"]
    for place in (0, 5, 83, 134, 135):
        counts = np.bincount(walls[:, place], minlength=136)
        expected = len(tables) / 136
        assert ((counts - expected) ** 2 / expected).sum() < 222  # chi-squared with 135 degrees: one in 10^5 exceeds it


def test_walls_may_be_given():
    walls = [[wall.order() for wall, _ in zip(Shuffle.from_seed(seed), range(30), strict=False)] for seed in (1, 2)]
    tables = Tables(2, TONPU, walls=walls)
    tables.deal()
    assert np.asarray(tables.games)["tiles"].tolist() == [walls[0][0], walls[1][0]]


@pytest.mark.parametrize("wall", [(), list(range(135)), [0, *range(1, 135), 0], [4] * 136, [-1, *range(1, 136)]])
def test_a_wall_that_is_none_is_refused_with_the_number_of_the_table(wall):
    good = next(Shuffle.from_seed(1)).order()
    tables = Tables(2, TONPU, walls=[[good], [wall]])
    before = as_bytes(tables)
    with pytest.raises(AnswerError, match="table 1"):
        tables.deal()
    assert as_bytes(tables) == before


def test_walls_for_another_number_of_tables_are_refused():
    with pytest.raises(AnswerError, match="walls for 1 table; there are 2"):
        Tables(2, TONPU, walls=[[]])


@pytest.mark.parametrize(
    "answer", [-1, ANSWERS, 255, 1 << 40, WIN, PASS, NINE, DISCARD, DISCARD | 200 << 8, THE_DRAWN | 1 << 16]
)
def test_an_answer_that_is_not_legal_is_refused_and_changes_nothing(answer):
    tables = go_on(dealt(), 40)
    tables.deal()
    asked = tables.questions()
    legal = [legal_numbers(words) for words in asked.legal]
    place = next(at for at, numbers in enumerate(legal) if answer not in numbers and THE_DRAWN in numbers)
    answers = np.array([numbers[0] for numbers in legal])
    answers[place] = answer
    before = as_bytes(tables)
    with pytest.raises(AnswerError, match=f"table {asked.tables[place]}, seat {asked.seats[place]}: answer {answer} "):
        tables.answer(answers)
    assert as_bytes(tables) == before


@pytest.mark.parametrize(
    "answers", [np.zeros(7, np.int64), np.zeros((8, 1), np.int64), np.zeros(8), np.array(["a"] * 8)]
)
def test_answers_of_another_shape_or_type_are_refused(answers):
    tables = dealt()
    before = as_bytes(tables)
    with pytest.raises(AnswerError, match="8 questions need as many whole numbers"):
        tables.answer(answers)
    assert as_bytes(tables) == before


def test_the_mask_is_what_is_legal():
    tables = go_on(dealt(64), 60)
    tables.deal()
    asked = tables.questions()
    for row, words in zip(masks_of(asked), asked.legal, strict=True):
        assert np.flatnonzero(row).tolist() == legal_numbers(words)


@pytest.mark.parametrize("rounds", [0, 13, 77, 300])
def test_a_table_in_any_state_is_copied_and_continued_without_a_difference(rounds):
    tables = go_on(dealt(32, rules=Rules()), rounds)
    copy = Tables(32, Rules(), seed=99)
    np.asarray(copy.games)[:] = np.asarray(tables.games)
    copy.look_again()
    go_on(tables, 400, seed=5)
    go_on(copy, 400, seed=5)
    assert as_bytes(tables) == as_bytes(copy)


def test_a_table_takes_less_than_four_kilobytes():
    assert np.asarray(Tables(1).games).itemsize <= 4096
    assert GameTable  # the record that is measured
