"""Wins in words, whatever a log states."""

from __future__ import annotations

import pytest

from bot.wording.events import limit_words, yaku_name


@pytest.mark.parametrize(("number", "name"), [(0, "menzen tsumo"), (54, "red five"), (55, "yaku 55"), (-1, "yaku -1")])
def test_yaku(number, name):
    assert yaku_name(number).english == name


@pytest.mark.parametrize(("limit", "words"), [(0, ""), (1, "mangan"), (5, "yakuman"), (6, "limit 6"), (-1, "limit -1")])
def test_limits(limit, words):
    assert limit_words(limit) == words
