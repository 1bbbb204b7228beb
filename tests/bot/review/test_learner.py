"""What a learner knows: several programs add to it, kills spare it, and whatever was read can be answered."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from bot.machine.errors import InputError
from bot.review.learner import Learner
from bot.review.measure import Grade
from bot.store.cards import PRACTICE
from bot.store.database import store_of
from bot.store.importing import bring_in
from tests.bot.commands.program import oshihiki
from tests.side_by_side import side_by_side

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


def asked(folder):
    learner = Learner(folder)
    learner.refresh()
    return {key: (one.asked, one.missed) for key, one in learner.learnt.items()}


# -- several programs --------------------------------------------------------------------------------------------------


def _answer(folder, name):
    learner = Learner(folder)
    for number in range(10):
        learner.answer(f"{name}:{number}", Grade.BEST, NOW)
        learner.answer("everybody", Grade.BLUNDER, NOW)


@pytest.mark.slow
def test_programs_that_learn_at_once_keep_all_their_answers(tmp_path):
    side_by_side(_answer, [(tmp_path, name) for name in "abc"])
    found = asked(tmp_path)
    assert found == {f"{name}:{n}": (1, 0) for name in "abc" for n in range(10)} | {"everybody": (30, 30)}


def test_one_program_sees_what_another_has_kept(tmp_path):
    first, second = Learner(tmp_path), Learner(tmp_path)
    first.answer("a", Grade.BEST, NOW)
    second.answer("b", Grade.MISTAKE, NOW)
    second.answer("a", Grade.BLUNDER, NOW + timedelta(minutes=5))
    first.answer("c", Grade.BEST, NOW)
    assert asked(tmp_path) == {"a": (2, 1), "b": (1, 1), "c": (1, 0)}
    assert first.learnt["a"] == second.learnt["a"]


LEARNING = """
import sys
from pathlib import Path
from bot.review.measure import Grade
from bot.review.learner import Learner
learner = Learner(Path(sys.argv[1]))
for number in range(100_000):
    learner.answer(f"{sys.argv[2]}:{number % 50}", Grade.BEST)
    print(number + 1, flush=True)
"""


@pytest.mark.slow
def test_entries_kept_before_a_kill_stay(tmp_path):
    told = {}
    for name in "ab":
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", LEARNING, str(tmp_path), name], stdout=subprocess.PIPE, text=True
        )
        for _ in range(20):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[0].split("\n")
        told[name] = max([20, *(int(line) for line in said[:-1])])
    found = asked(tmp_path)
    for name, least in told.items():
        kept = sum(count for key, (count, _) in found.items() if key.startswith(name))
        assert least <= kept <= least + 1


# -- what is read ------------------------------------------------------------------------------------------------------

CARDS = [
    ({"due": "2026-01-03T12:00:00"}, 'card.due is "2026-01-03T12:00:00": Input should have timezone info'),
    ({"due": "9999-12-31T23:59:59-14:00"}, "card.due is .*: the time is beyond the calendar in UTC"),
    ({"stability": float("nan")}, "card.stability is NaN: Input should be a finite number"),
    ({"stability": 10**400}, "card.stability is 1000+…: "),
    ({"stability": None}, "a card in state 2 has no stability"),
    ({"state": 1}, "a card in state 1 has no step"),
    ({"colour": "red"}, 'card.colour is "red": Extra inputs are not permitted'),
]
ENTRIES = [
    ({"asked": 1e3}, "asked is 1000.0: Input should be a valid integer"),
    ({"missed": 3}, "missed 3 times of 2"),
]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        *((state(card), rf"the question 2026gm:7: .*{said}") for card, said in CARDS),
        *((state(entry=entry), rf"the question 2026gm:7: .*{said}") for entry, said in ENTRIES),
        (state().replace("2.5", "1e400"), "card.stability is "),
        (state(questions=[]), r"questions is \[\]: Input should be an object"),
        (state(version=...), "version is missing"),
        (state(version=2), "version is 2: Input should be 1"),
        (state(format="oshihiki-audit"), "is no file of answers of practice: format is "),
        (state()[:200], "is no file of answers of practice: Invalid JSON: EOF"),
        ("[" * 100_000, "is no file of answers of practice: Invalid JSON: "),
        (state().encode("utf-16"), "it is not UTF-8 text"),
    ],
)
def test_faults_in_a_file_of_an_earlier_version_are_named_and_left_as_they_are(tmp_path, capsys, text, complaint):
    data = text if isinstance(text, bytes) else text.encode()
    (tmp_path / PRACTICE).write_bytes(data)
    bring_in(tmp_path)
    said = capsys.readouterr().err
    assert said.startswith(f"oshihiki: not brought in: {tmp_path / PRACTICE}: ")
    assert said.count("\n") == 1
    assert re.search(complaint, said)
    assert (tmp_path / PRACTICE).read_bytes() == data
    assert asked(tmp_path) == {}


def test_the_questions_beside_a_damaged_one_are_brought_in_and_none_that_was_asked_since_is_set_back(tmp_path, capsys):
    entry = {"card": CARD, "asked": 2, "missed": 1}
    questions = {"a": entry, "b": {**entry, "missed": 7}, "c": entry}
    (tmp_path / PRACTICE).write_text(state(questions=questions), encoding="utf-8")
    for number in range(4):
        Learner(tmp_path).answer("c", Grade.BEST, NOW + timedelta(days=number))
    bring_in(tmp_path)
    assert "brought in 1 question that was practised" in capsys.readouterr().err
    assert asked(tmp_path) == {"a": (2, 1), "c": (4, 0)}


@pytest.mark.parametrize(
    "card",
    [
        {},
        {"state": 1, "step": 0, "stability": None, "difficulty": None, "last_review": None},
        {"state": 1, "step": 99},
        {"stability": 1e9, "difficulty": 10},
        {"stability": 0.001, "difficulty": 1},
        {"due": "2026-01-03T21:00:00+09:00"},
        {"due": "2026-01-03T12:00:00Z"},
        {"due": "9999-12-31T23:59:59+00:00", "last_review": "9999-12-31T00:00:00+00:00"},
        {"due": "0001-01-01T00:00:00+00:00", "last_review": "0001-01-01T00:00:00+00:00"},
        {"last_review": None},
    ],
)
@pytest.mark.parametrize("now", [NOW.replace(year=1), NOW.replace(year=9000)])
@pytest.mark.parametrize("grade", [Grade.BEST, Grade.BLUNDER])
def test_questions_that_are_read_can_be_answered_and_read_again(tmp_path, card, now, grade):
    (tmp_path / PRACTICE).write_text("\ufeff" + state(card), encoding="utf-8")
    bring_in(tmp_path)
    learner = Learner(tmp_path)
    for _ in range(5):
        learner.answer("2026gm:7", grade, now)
        again = Learner(tmp_path)
        again.refresh()
        assert again.learnt == learner.learnt
    assert learner.learnt["2026gm:7"].asked == 7


def test_a_clock_at_the_end_of_time_is_named(tmp_path):
    learner = Learner(tmp_path)
    with pytest.raises(InputError, match="the clock says 9999-12-31, for which no schedule is kept; set the clock"):
        learner.answer("a", Grade.BEST, datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
    assert asked(tmp_path) == learner.learnt == {}


def test_a_damaged_card_is_one_sentence_and_its_question_is_asked_anew(tmp_path):
    learner = Learner(tmp_path)
    learner.answer("a", Grade.BEST, NOW)
    learner.answer("b", Grade.BEST, NOW)
    with store_of(tmp_path).writing() as database:
        database.execute("UPDATE cards SET card = '{}' WHERE key = 'a'")
    learner.refresh()
    assert list(learner.learnt) == ["b"]
    assert learner.damaged == ["what was learnt of the question a is damaged (card_id is missing); it is asked anew"]
    learner.answer("a", Grade.MISTAKE, NOW)
    learner.refresh()
    assert (asked(tmp_path), learner.damaged) == ({"a": (1, 1), "b": (1, 0)}, [])


def test_the_answers_are_written_out(monkeypatch, capsys, tmp_path):
    Learner(tmp_path).answer("a", Grade.MISTAKE, NOW)
    _, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path, "--json")
    (card,) = json.loads(said)["cards"]
    assert (card["key"], card["asked"], card["missed"], card["card"]["state"]) == ("a", 1, 1, 1)
