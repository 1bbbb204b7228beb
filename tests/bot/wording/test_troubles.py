"""What went wrong, by language: every kind has its sentence, with the file and the place."""

from __future__ import annotations

import errno
import pickle
import re

import pytest

from bot.machine.errors import InputError, RunError, Trouble, writing_trouble
from bot.wording.languages import Lang, table
from bot.wording.troubles import trouble_words
from protocol.errors import LogError, LogTrouble, UnsupportedGameError

WORDS = table("bot.wording", "troubles", Lang.JA)
SHAPES = {"at_", "at_source", "at_place", "at_source_place", "and", "line", "column", "byte", "event"}
OURS = re.compile(r"https://tenhou\.net/0/\?log=|oshihiki audit|Oshihiki|URL|[{]\w+[}]")
"""What is called the same in every language."""


def test_every_kind_of_trouble_has_its_sentence_and_no_other_is_there():
    kinds = [*LogTrouble, *Trouble]
    assert sorted(WORDS) == sorted({each.value for each in kinds} | {"bug", "stopped"} | SHAPES)
    assert len(kinds) == len({each.value for each in kinds})


@pytest.mark.parametrize("kind", WORDS)
def test_no_sentence_has_words_of_another_language(kind):
    assert not re.search("[A-Za-z]{2,}", OURS.sub("", WORDS[kind]))


@pytest.mark.parametrize(
    ("position", "place"),
    [
        ("line 3", ["3行目"]),
        ("line 1, column 5310", ["1行目", "5310文字目"]),
        ("byte 12", ["12バイト目"]),
        ("line 2, column 4, S3-1", ["2行目", "4文字目", "南3局1本場"]),
        ("E3-1, event 41", ["東3局1本場", "41番目のイベント"]),
        ("in the middle of nowhere", []),
        ("", []),
    ],
)
def test_the_file_and_the_place_are_named(position, place):
    error = LogError("is broken", "a.xml", position)
    shape = WORDS["at_source_place" if place else "at_source"]
    said = shape.format(source="a.xml", place=WORDS["and"].join(place), why=WORDS["damaged"])
    assert trouble_words(error) == {"en": str(error), "ja": said}


def test_every_error_has_its_kind():
    for error, kind in (
        (UnsupportedGameError(), "three_players"),
        (LogError("x", trouble=LogTrouble.BUSY).located("there", "line 1"), "busy"),
        (InputError("x"), "input"),
        (RunError("x"), "stopped"),
        (OSError("x"), "stopped"),
        (ZeroDivisionError("x"), "bug"),
    ):
        assert trouble_words(error)["ja"].endswith(WORDS[kind])
        assert trouble_words(error, "so it is")["en"] == "so it is"


def test_why_something_cannot_be_written():
    for number, trouble in (
        (errno.ENOSPC, Trouble.DISK_FULL),
        (errno.EDQUOT, Trouble.DISK_FULL),
        (errno.EROFS, Trouble.NO_RIGHT),
        (errno.EACCES, Trouble.NO_RIGHT),
        (errno.EIO, Trouble.NOT_WRITTEN),
    ):
        assert writing_trouble(OSError(number, "x")) is trouble
    assert writing_trouble(RuntimeError("links in a circle")) is Trouble.NOT_WRITTEN


def test_errors_keep_their_kind_on_the_way_from_another_process():
    for error in (LogError("x", "a", "b", LogTrouble.LATE), InputError("x", Trouble.GONE, "a"), UnsupportedGameError()):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
        assert trouble_words(again) == trouble_words(error)
        assert str(again) == str(error)


def test_names_are_made_safe():
    assert "\x1b" not in trouble_words(LogError("x", "a\x1b[31m\u202eb"))["ja"]
    assert len(trouble_words(LogError("x", "a" * 5000))["ja"]) < 250
