from __future__ import annotations

import json
from importlib.resources import files

import pytest

from bot.home.table import OPPONENTS
from bot.watch.moments import PEOPLE, STRENGTHS, as_people
from bot.wording.languages import Lang


def test_built_in_opponents_have_the_names_of_people_at_a_persons_table():
    names, strengths = as_people(("value", "Anna", "value", "simple"))
    assert names == [PEOPLE[0], "Anna", PEOPLE[1], PEOPLE[2]]
    assert strengths == ["value", "", "value", "simple"]


def test_others_keep_their_names():
    everyone = ("Anna", "", "ⓝvalue2", "Boris")
    assert as_people(everyone) == (list(everyone), [""] * 4)


@pytest.mark.parametrize("lang", Lang)
def test_there_are_words_for_the_strength_of_every_opponent_that_can_be_chosen(lang):
    words = json.loads((files("bot.watch") / f"assets/words.{lang}.json").read_text(encoding="utf-8"))
    assert set(OPPONENTS) <= STRENGTHS
    assert {key.removeprefix("strength_") for key in words} >= STRENGTHS
