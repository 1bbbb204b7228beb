"""The words and numbers of the reports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bot.review
from bot.review.measure import Scale
from bot.review.wording import Wording, words
from bot.wording.languages import Lang, decimals_of, number


def test_both_languages_say_the_same_things():
    english, japanese = words(Lang.EN), words(Lang.JA)
    assert list(english) == list(japanese)
    for key in english:
        assert sorted(re.findall(r"\{(\w+)", english[key])) == sorted(re.findall(r"\{(\w+)", japanese[key])), key


def test_every_word_is_used():
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(bot.review.__file__).parent.rglob("*")
        if path.suffix in {".py", ".js", ".j2"}
    )
    found = set(re.findall(r"[a-z_0-9]+", sources))
    begun = ("act_", "did_", "short_", "would_", *re.findall(r"\b([a-z]+_)(?:[\"'{]|\" ~)", sources))
    assert [key for key in words(Lang.EN) if key not in found and not key.startswith(begun)] == []


@pytest.mark.parametrize("lang", list(Lang))
def test_every_decision_has_its_sentence(reviews, lang):
    wording = Wording(lang)
    said = {wording.decision(row) for review in reviews for row in review["decisions"]}
    assert len(said) > 50
    assert all(said)


def test_numbers():
    assert number(1234.4) == "1,234"
    assert number(-0.2) == "0"
    assert number(-0.26, 1, sign=True) == "\N{MINUS SIGN}0.3"
    assert number(0.126, 2, sign=True) == "+0.13"
    assert decimals_of(30.0) == 0
    assert decimals_of(0.03) == 2


def test_values_without_noise_have_decimals_unless_they_are_points():
    assert Wording(Lang.EN, Scale.of(0.0, "shanten")).value_of(0.4) == "0.40 shanten"
    assert Wording(Lang.EN, Scale.of(0.0, "points")).value_of(616.4) == "616 points"


def test_a_strength_ends_before_the_wall_beside_it():
    for lang in Lang:
        shown = {key: text for key, text in words(lang).items() if key.startswith("strength_")}
        assert len(shown) >= 5
        assert all(len(text) <= 18 for text in shown.values()), shown  # of letters as wide as the mean
