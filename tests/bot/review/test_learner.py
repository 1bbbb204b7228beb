"""The file of what a learner knows: several programs write it, kills spare it, and it is read with care."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from bot.machine.errors import InputError
from bot.review.learner import STATE, Learner
from bot.review.measure import Grade

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
CARD = {
    "card_id": 1, "state": 2, "step": None, "stability": 2.5, "difficulty": 5.0,
    "due": "2026-01-03T12:00:00+00:00", "last_review": "2026-01-01T12:00:00+00:00",
}  # fmt: skip


def state(card=None, entry=None, **top):
    """The text of a file with one question."""
    question = {"card": CARD | (card or {}), "asked": 2, "missed": 1} | (entry or {})
    fields = {"format": "oshihiki-practice", "version": 1, "questions": {"2026gm:7": question}} | top
    return json.dumps({name: value for name, value in fields.items() if value is not ...})


def asked(path):
    return {key: (one.asked, one.missed) for key, one in Learner.read(path).learnt.items()}


# -- several programs --------------------------------------------------------------------------------------------------


def _answer(path, name):
    learner = Learner.read(path)
    learner.save()
    for number in range(10):
        learner.answer(f"{name}:{number}", Grade.BEST, NOW)
        learner.answer("everybody", Grade.BLUNDER, NOW)


def test_programs_that_learn_at_once_keep_all_their_answers(tmp_path):
    path = tmp_path / STATE
    context = multiprocessing.get_context("spawn")
    learning = [context.Process(target=_answer, args=(path, name)) for name in "abc"]
    for each in learning:
        each.start()
    for each in learning:
        each.join()
        assert each.exitcode == 0
    found = asked(path)
    assert found == {f"{name}:{n}": (1, 0) for name in "abc" for n in range(10)} | {"everybody": (30, 30)}
    assert [each.name for each in tmp_path.iterdir()] == [STATE]


def test_one_program_sees_what_another_has_kept(tmp_path):
    path = tmp_path / STATE
    (tmp_path / "link").symlink_to(path)
    first, second = Learner.read(path), Learner.read(tmp_path / "link")
    first.save()
    first.answer("a", Grade.BEST, NOW)
    second.save()
    second.answer("b", Grade.MISTAKE, NOW)
    second.answer("a", Grade.BLUNDER, NOW + timedelta(minutes=5))
    first.answer("c", Grade.BEST, NOW)
    assert asked(path) == {"a": (2, 1), "b": (1, 1), "c": (1, 0)}
    assert first.learnt["a"] == second.learnt["a"]
    assert (tmp_path / "link").is_symlink()


def test_a_file_that_was_deleted_meanwhile_is_written_again(tmp_path):
    learner = Learner.read(tmp_path / STATE)
    learner.answer("a", Grade.BEST, NOW)
    (tmp_path / STATE).unlink()
    learner.answer("b", Grade.BEST, NOW)
    assert asked(tmp_path / STATE) == {"a": (1, 0), "b": (1, 0)}


LEARNING = """
import sys
from pathlib import Path
from bot.review.measure import Grade
from bot.review.learner import Learner
learner = Learner.read(Path(sys.argv[1]))
for number in range(100_000):
    learner.answer(f"{sys.argv[2]}:{number % 50}", Grade.BEST)
    print(number + 1, flush=True)
"""


def test_what_was_kept_before_a_kill_stays(tmp_path):
    path = tmp_path / STATE
    told = {}
    for name in "abcd":
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", LEARNING, str(path), name], stdout=subprocess.PIPE, text=True
        )
        for _ in range(20):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[0].split("\n")
        told[name] = max([20, *(int(line) for line in said[:-1])])
    found = asked(path)
    for name, least in told.items():
        kept = sum(count for key, (count, _) in found.items() if key.startswith(name))
        assert least <= kept <= least + 1
    (tmp_path / ".oshihiki-0badcafe.part").write_bytes(b"{")
    subprocess.run(  # noqa: S603
        [sys.executable, "-c", LEARNING.replace("100_000", "1"), str(path), "e"], check=True, stdout=subprocess.DEVNULL
    )
    assert [each.name for each in tmp_path.iterdir()] == [STATE]


# -- what is read ------------------------------------------------------------------------------------------------------

CARDS = [
    ({"due": "2026-01-03T12:00:00"}, 'card.due is "2026-01-03T12:00:00": Input should have timezone info'),
    ({"due": "soon"}, 'card.due is "soon": Input should be a valid datetime'),
    ({"due": 1767441600}, "card.due is 1767441600: Input should be a valid datetime"),
    ({"due": "9999-12-31T23:59:59-14:00"}, "card.due is .*: the time is beyond the calendar in UTC"),
    ({"last_review": "2026-01-03T12:00:00"}, "card.last_review is .*: Input should have timezone info"),
    ({"stability": 0}, "card.stability is 0: Input should be greater than or equal to 0.001"),
    ({"stability": float("nan")}, "card.stability is NaN: Input should be a finite number"),
    ({"stability": 10**400}, "card.stability is 1000+…: "),
    ({"stability": True}, "card.stability is true: Input should be a valid number"),
    ({"stability": None}, "a card in state 2 has no stability"),
    ({"difficulty": 11}, "card.difficulty is 11: Input should be less than or equal to 10"),
    ({"state": 1}, "a card in state 1 has no step"),
    ({"state": 3, "step": 0, "stability": None}, "a card in state 3 has no stability"),
    ({"step": 0.5}, "card.step is 0.5: Input should be a valid integer"),
    ({"state": 0}, "card.state is 0: Input should be greater than or equal to 1"),
    ({"colour": "red"}, 'card.colour is "red": Extra inputs are not permitted'),
]
ENTRIES = [
    ({"asked": 1e3}, "asked is 1000.0: Input should be a valid integer"),
    ({"missed": 3}, "missed 3 times of 2"),
    ({"card": []}, r"card is \[\]: Input should be an object"),
    ({"again": 1}, "again is 1: Extra inputs are not permitted"),
]
TOPS = [
    ({"questions": []}, r"questions is \[\]: Input should be an object; mend it, or delete it to begin anew"),
    (
        {"questions": {"a": {}}},
        "questions.a.card is missing; mend it there, or delete the whole entry of this question",
    ),
    ({"version": ...}, "version is missing"),
    ({"version": True}, "version is true: Input should be a valid integer"),
    ({"version": 2}, "was written by a later version of Oshihiki .this one reads version 1 of the file.; update it"),
    ({"name": "a"}, 'name is "a": Extra inputs are not permitted'),
    ({"format": "oshihiki-audit"}, "is not a practice state, or is damaged: format is "),
]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        *((state(card), said) for card, said in CARDS),
        *((state(entry=entry), said) for entry, said in ENTRIES),
        *((state(**top), said) for top, said in TOPS),
        (state()[:200], "is damaged: Invalid JSON: EOF while parsing a string at line 1 column [0-9]+"),
        (state() + "{}", "Invalid JSON: trailing characters"),
        ("[" * 100_000, "Invalid JSON: recursion limit exceeded"),
        (state().encode("utf-16"), "it is not UTF-8 text"),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_left_as_it_is(tmp_path, text, complaint):
    path = tmp_path / STATE
    data = text if isinstance(text, bytes) else text.encode()
    learner = Learner.read(path)
    learner.answer("a", Grade.BEST, NOW)
    path.write_bytes(data)
    for attempt in (lambda: Learner.read(path), learner.save, lambda: learner.answer("b", Grade.BEST, NOW)):
        with pytest.raises(InputError, match=complaint) as error:
            attempt()
        assert str(error.value).startswith(f"{path}: ")
        assert "\n" not in str(error.value)
    assert path.read_bytes() == data
    assert list(learner.learnt) == ["a"]


@pytest.mark.parametrize(
    "card",
    [
        {},
        {"state": 1, "step": 0, "stability": None, "difficulty": None, "last_review": None},
        {"state": 1, "step": 99},
        {"state": 3, "step": 7},
        {"stability": 1e9, "difficulty": 10},
        {"stability": 0.001, "difficulty": 1},
        {"due": "2026-01-03T21:00:00+09:00"},
        {"due": "2026-01-03T12:00:00Z"},
        {"due": "9999-12-31T23:59:59+00:00", "last_review": "9999-12-31T00:00:00+00:00"},
        {"due": "0001-01-01T00:00:00+00:00", "last_review": "0001-01-01T00:00:00+00:00"},
        {"last_review": None},
    ],
)
@pytest.mark.parametrize("now", [NOW, NOW.replace(year=1), NOW.replace(year=9000)])
@pytest.mark.parametrize("grade", list(Grade))
def test_what_is_read_can_be_answered_and_read_again(tmp_path, card, now, grade):
    path = tmp_path / STATE
    path.write_text("\ufeff" + state(card), encoding="utf-8")
    learner = Learner.read(path)
    for _ in range(5):
        learner.answer("2026gm:7", grade, now)
        assert Learner.read(path).learnt == learner.learnt
    assert learner.learnt["2026gm:7"].asked == 7


def test_a_clock_at_the_end_of_time_is_named(tmp_path):
    learner = Learner.read(tmp_path / STATE)
    with pytest.raises(InputError, match="the clock says 9999-12-31, for which no schedule is kept; set the clock"):
        learner.answer("a", Grade.BEST, datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
    assert learner.learnt == {}
    assert not (tmp_path / STATE).exists()


def test_what_stands_in_the_place_of_the_file_is_named(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "empty").write_bytes(b"")
    for name, complaint in (
        ("folder", "cannot be read: Is a directory"),
        ("pipe", "is not a regular file"),
        ("circle", "cannot be read: Too many levels of symbolic links"),
        ("empty", "is damaged: Invalid JSON: "),
        ("empty/s.json", "cannot be written: "),
    ):
        with pytest.raises(InputError, match=complaint):
            Learner.read(tmp_path / name).save()
    (tmp_path / "link").symlink_to(tmp_path / "not yet" / "there.json")
    learner = Learner.read(tmp_path / "link")
    learner.answer("a", Grade.BEST, NOW)
    assert asked(tmp_path / "not yet" / "there.json") == {"a": (1, 0)}
