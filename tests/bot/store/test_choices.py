"""What a user has chosen is there the next day, and what was damaged is chosen again."""

from __future__ import annotations

import pytest

from bot.machine.errors import InputError
from bot.store import choices
from bot.store.database import store_of


def test_choices_are_remembered(tmp_path):
    assert choices.read(tmp_path) == choices.Choices()
    choices.keep(tmp_path, {"against": "simple", "hints": True})
    choices.keep(tmp_path, {"pace": "slow"})
    assert choices.read(tmp_path) == choices.Choices(against="simple", hints=True, pace="slow")


def test_a_choice_that_there_is_no_more_is_the_first_one_again(tmp_path):
    choices.keep(tmp_path, {"pace": "breathless", "former": 3, "name": "Anna"})
    assert choices.read(tmp_path) == choices.Choices(name="Anna")


@pytest.mark.parametrize("changes", [{"pace": "breathless"}, {"hints": "yes"}, {"former": 3}])
def test_an_impossible_choice_changes_nothing(changes):
    assert choices.Choices().changed(changes) is None


def test_a_store_that_cannot_be_read_is_named(tmp_path):
    store_of(tmp_path).path.mkdir()
    with pytest.raises(InputError, match="not a regular file"):
        choices.read(tmp_path)
