"""Built-in opponents are called as people call them, and people keep their names."""

from __future__ import annotations

import pytest

from bot.home.table import OPPONENTS
from bot.review.wording import words
from bot.wording.languages import Lang
from bot.wording.opponents import PEOPLE, STRENGTHS, as_people, as_people_from


def test_built_in_opponents_have_the_names_of_people_at_a_persons_table():
    names, strengths = as_people(("value", "Anna", "value", "simple"))
    assert names == [PEOPLE[0], "Anna", PEOPLE[1], PEOPLE[2]]
    assert strengths == ["value", "", "value", "simple"]


def test_others_keep_their_names():
    everyone = ("Anna", "", "ⓝvalue2", "Boris")
    assert as_people(everyone) == (list(everyone), [""] * 4)


@pytest.mark.parametrize("first", range(4))
def test_each_has_the_same_name_from_whichever_seat_the_table_is_seen(first):
    table = ("value", "NoName", "value", "simple")
    names, strengths = as_people_from([*table[first:], *table[:first]], first)
    assert names == [("Haru", "NoName", "Ren", "Yui")[(first + seat) % 4] for seat in range(4)]
    assert strengths == [("value", "", "value", "simple")[(first + seat) % 4] for seat in range(4)]


def test_people_elsewhere_who_are_called_like_one_keep_their_names():
    table = ("value", "Anna", "flow", "Boris")
    assert as_people_from(table, 2) == (list(table), [""] * 4)


@pytest.mark.parametrize("lang", Lang)
def test_there_are_words_for_the_strength_of_every_opponent_that_can_be_chosen(lang):
    assert set(OPPONENTS) <= STRENGTHS
    assert {key.removeprefix("strength_") for key in words(lang)} >= STRENGTHS
