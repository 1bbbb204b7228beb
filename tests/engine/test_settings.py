"""Settings are read strictly, and a fault is reported in one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest

from engine.settings import Among, Bounds, NoSettings, SettingError, fields_of, known, parse, read, shown


@dataclass(frozen=True, slots=True)
class Sample:
    margin: Annotated[float, Bounds(0.0, 10.0)] = 2.5
    tiles: Annotated[int | None, Bounds(1)] = None
    bold: bool = False
    room: Annotated[str, Among(("upper", "phoenix"))] = "phoenix"
    free: str = ""


def test_a_setting_that_is_left_out_keeps_its_default():
    assert read(Sample, {}) == Sample()
    assert read(Sample, {"tiles": 3, "bold": True}) == Sample(tiles=3, bold=True)
    assert read(NoSettings, {}) == NoSettings()


def test_a_whole_number_will_do_for_any_number():
    margin = read(Sample, {"margin": 3}).margin
    assert (margin, type(margin)) == (3.0, float)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("margin", "2.5", "'2.5' is not allowed; it must be a number"),
        ("margin", True, "True is not allowed; it must be a number"),
        ("margin", float("nan"), "nan is not allowed; it must be a number"),
        ("margin", 11, "11.0 is not allowed; it must be from 0.0 to 10.0"),
        ("margin", None, "None is not allowed"),
        ("tiles", 0, "0 is not allowed; it must be at least 1"),
        ("tiles", 1.0, "1.0 is not allowed; it must be a whole number"),
        ("bold", 1, "1 is not allowed; it must be true or false"),
        ("room", "attic", "'attic' is not allowed; it must be one of upper, phoenix"),
        ("free", 5, "5 is not allowed; it must be text"),
        ("rooom", "upper", "there is no such setting; did you mean 'room'? there are: margin, tiles, bold, room, free"),
    ],
)
def test_impossible_values_are_refused(key, value, says):
    with pytest.raises(SettingError) as caught:
        read(Sample, {key: value})
    assert caught.value.key == key
    assert caught.value.reason.startswith(says)
    assert str(caught.value) == f"{key}: {caught.value.reason}"


def test_a_schema_without_settings_says_so():
    with pytest.raises(SettingError, match="there are: none"):
        read(NoSettings, {"speed": 1})


def test_text_becomes_values():
    texts = {"margin": "3", "tiles": "none", "bold": "true", "room": "upper", "free": "a=b"}
    assert parse(Sample, texts) == {"margin": 3.0, "tiles": None, "bold": True, "room": "upper", "free": "a=b"}


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        ("margin", "much", "must be a number"),
        ("margin", "inf", "must be a number"),
        ("margin", "-1", "from 0.0 to 10.0"),
        ("tiles", "2.0", "must be a whole number"),
        ("bold", "yes", "must be true or false"),
        ("margin", "none", "must be a number"),
    ],
)
def test_text_that_stands_for_nothing_is_refused(key, text, says):
    with pytest.raises(SettingError, match=says):
        parse(Sample, {key: text})


def test_only_known_keys_are_kept_where_others_may_stand():
    assert known(Sample, {"margin": 1.0, "weights": {}, "bold": True}) == {"margin": 1.0, "bold": True}


def test_a_schema_of_other_types_is_the_authors_mistake():
    @dataclass(frozen=True)
    class Odd:
        sizes: tuple[int, ...] = ()

    Odd.__annotations__["sizes"] = tuple
    with pytest.raises(TypeError, match=r"Odd\.sizes: a setting is an int, a float, a bool or a str"):
        fields_of(Odd)


def test_a_message_shows_a_value_at_no_length():
    nested: list[object] = []
    for _ in range(10_000):
        nested = [nested]
    assert shown(nested) == "this list"
    assert shown(10**5_000) == "this int"
    assert len(shown("x" * 10_000)) < 110
    with pytest.raises(SettingError, match="this int is not allowed; it must be a number"):
        read(Sample, {"margin": 10**5_000})
