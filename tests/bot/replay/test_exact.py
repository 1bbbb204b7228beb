"""A live game played again from its record: the same bytes, or the first difference told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from bot.play.record import dump
from bot.replay import exact
from bot.replay.exact import replay_exactly
from engine.model.actions import Action, ActionKind
from engine.policy.decision import Decision
from engine.policy.grounds import GroundKind, ground
from engine.policy.registry import make_policy
from protocol.errors import LogError
from protocol.logs.record import read_record
from protocol.tenhou.game_type import Clock
from tests.bot.replay.playing import play

pytestmark = pytest.mark.usefixtures("quiet")


class Odd:
    """Remembers what it was asked in a hand, and may overrun, fail or cheat now and then."""

    name = "odd"

    def __init__(self, seed=0, *, live=False):
        self.simple = make_policy("simple", seed)
        self.live = live
        self.asked = 0
        self.expired = 0

    def settings(self):
        return {}

    def start_kyoku(self):
        self.asked = 0
        self.simple.start_kyoku()

    def decide(self, state, legal, budget):
        self.asked += 1
        while self.asked % 9 == 5 and not budget.expired():  # until time is up, and a little longer
            self.expired += 1
            time.sleep(0.001)
        if self.asked % 27 == 14:
            time.sleep(0.15 if self.live else 0.0)
        if self.asked % 9 == 7:
            raise RuntimeError("no idea")
        if self.asked % 9 == 8:
            return Decision(Action(ActionKind.KAKAN, 135))
        decision = self.simple.decide(state, legal, budget)
        why = ground(GroundKind.REMARK, text=f"asked {self.asked} times, waited {self.expired}")
        return Decision(decision.action, decision.candidates, decision.mode, (why,), decision.unit)


def test_every_decision_comes_out_the_same(game):
    data, tally = game
    result = replay_exactly(read_record(data, "r.jsonl"))
    assert result.decisions == result.identical == tally.decisions > 50
    assert result.exact
    assert result.notes == []


@pytest.mark.slow
def test_late_failed_and_illegal_answers_come_out_the_same(monkeypatch):
    data, tally = play(Odd(live=True), Clock(0.15, 0.0))
    assert min(tally.late, tally.failed, tally.illegal) > 0
    assert b'"overran"' in data
    monkeypatch.setattr(exact, "make_policy", lambda _name, seed, _options: Odd(seed))
    result = replay_exactly(read_record(data))
    assert result.differences == []
    assert result.decisions == result.identical > 50


def test_another_policy_seed_or_bytes_are_reported(game):
    data, _ = game
    record = read_record(data, "r.jsonl")
    other = replay_exactly(
        read_record(data.replace(b'"name":"simple","seed":5,"sett', b'"name":"tsumogiri","seed":5,"sett', 1))
    )
    assert not other.exact
    assert other.identical < other.decisions
    assert any("settings" in note for note in other.notes)
    assert other.differences[0].place.startswith("decision ")
    changed = data.replace(b'"mode":"attack"', b'"mode":"bluff"', 1)
    result = replay_exactly(read_record(changed))
    (difference,) = result.differences
    assert difference.what == "mode was bluff, is attack"
    assert result.identical == result.decisions - 1
    assert record.lines[difference.line - 2].kind == "decision"


def test_a_record_of_an_earlier_version_names_the_commit_that_replays_it(game):
    data, _ = game
    record = read_record(data.replace(b'"name":"simple"', b'"name":"value-4"', 1), "r.jsonl")
    with pytest.raises(LogError, match=r"r\.jsonl: cannot be replayed exactly: value-4 .*: commit 64ad1aa2 plays it"):
        replay_exactly(record)


def in_the_old_form(data):
    """The record as version 2 wrote it: the grounds as sentences, notes as words."""
    first, *lines = map(json.loads, data.splitlines())
    for line in lines:
        if "decision" in line:
            kept = {name: value for name, value in line["decision"].items() if name != "per_point"}
            renamed = [("reasons", ["old words"]) if name == "grounds" else (name, kept[name]) for name in kept]
            line["decision"] = dict(renamed)
            for candidate in line["decision"]["candidates"]:
                candidate["note"] = "old note"
    return "\n".join(dump(line) for line in [{**first, "version": 2}, *lines]).encode() + b"\n"


def test_records_that_hold_reasons_as_sentences_come_out_the_same(game):
    data, tally = game
    old = in_the_old_form(data)
    assert b'"grounds"' not in old
    result = replay_exactly(read_record(old, "old.jsonl"))
    assert result.differences == []
    assert result.decisions == result.identical == tally.decisions
    changed = replay_exactly(read_record(old.replace(b'"shanten":1', b'"shanten":2', 1), "old.jsonl"))
    assert changed.identical == result.decisions - 1
    assert "candidates was" in changed.differences[0].what


def test_other_frames_or_events_are_reported(game):
    data, _ = game
    said = data.replace(b'{\\"tag\\":\\"GOK\\"}', b'{\\"tag\\":\\"BYE\\"}', 1)
    assert "now {" in replay_exactly(read_record(said)).differences[0].what
    meant = data.replace(b'"event":"Draw","seat":', b'"event":"Draw","seat":1', 1)
    assert "the frame meant" in replay_exactly(read_record(meant)).differences[0].what


def test_a_record_cut_anywhere_is_the_same_up_to_there(game):
    data, _ = game
    for share in (0.1, 0.35, 0.6, 0.95):
        cut = data[: int(share * len(data))]
        result = replay_exactly(read_record(cut))
        assert result.exact
        assert result.decisions == sum(b'"decision":' in line for line in cut.split(b"\n")[:-1])
        assert any("before the end of the game" in note for note in result.notes)


def test_a_record_of_other_code_says_so(game):
    data, _ = game
    result = replay_exactly(read_record(data.replace(b'"machine":"', b'"machine":"not ', 1)))
    assert any(note.startswith("recorded by machine not ") for note in result.notes)
    assert result.exact


def test_a_record_with_other_settings_is_played_by_those_that_there_still_are():
    """An older record lacks settings that came later, and has some that are gone or never were any."""
    data, _ = play(clock=Clock(1.0, 0.0), policy="flow", seed=2)
    lines = data.split(b"\n", 1)
    header = json.loads(lines[0])
    settings = header["policy"]["settings"]
    header["policy"]["settings"] = {name: settings[name] for name in ("danger", "evaluator")} | {
        "boldness": 3,
        "spare": 1.0,
    }
    old = json.dumps(header, separators=(",", ":")).encode() + b"\n" + lines[1]
    result = replay_exactly(read_record(old))
    assert result.exact
    assert any(note.startswith("the policy's settings were ") for note in result.notes)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (b'"name":"simple","seed":5,"sett', b'"name":"os:abort","seed":5,"sett', "with os:abort, which is not part of"),
        (b'"settings":{', b'"settings":{"evaluator":"os:abort",', "was played with os:abort, which is not part of"),
        (b'"settings":{', b'"settings":{"prior":0.5,', "prior=0.5 no longer exists: commit 64ad1aa2 plays it"),
        (b'"version":3', b'"version":1', "contain no budgets"),
        (b'"name":"simple","seed":5,"sett', b'"name":"nobody","seed":5,"sett', "no policy is named 'nobody'"),
        (
            b'"name":"simple","seed":5,"sett',
            b'"name":"mjai:rm -r /","seed":5,"sett',
            "was played by an external program",
        ),
        (b'"login":{"type":', b'"login":{"kind":', "does not say how it was played"),
        (b'"in":"', b'"in":5,"x":"', "line 4: a frame is not text"),
        (b'"outcome":"decided"', b'"out":"decided"', "does not say how it was played"),
        (b'"lobby":"0","sex"', b'"lobby":"x","sex"', "does not say how it was played"),
    ],
)
def test_decisions_that_cannot_be_repeated_are_reported(game, old, new, complaint):
    with pytest.raises(LogError, match=complaint):
        replay_exactly(read_record(game[0].replace(old, new, 1), "r.jsonl"))


STOPS = """
import itertools, time
from bot.cli import program
from bot.play.record import GameRecord
decided, numbers = GameRecord.decided, itertools.count(1)
def stops(*given):
    decided(*given)
    if next(numbers) == 20:
        time.sleep(600)
GameRecord.decided = stops
program()
"""


def test_a_killed_process_leaves_a_record_that_replays(tmp_path):
    """``kill -9`` in the middle of a game: the record opens and replays up to the last decision."""
    file = tmp_path / "killed.jsonl"
    command = [
        sys.executable,
        "-c",
        STOPS,
        "play",
        "--seed",
        "9",
        "--record",
        str(file),
        "--json",
        "--policy",
        "simple",
    ]
    process = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        while not file.exists() or file.read_bytes().count(b'"decision":') < 20:
            time.sleep(0.02)
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    record = read_record(file.read_bytes(), str(file))
    assert not record.ended
    result = replay_exactly(record)
    assert result.differences == []
    assert result.decisions == result.identical >= 20
    assert json.loads(file.read_bytes().split(b"\n")[0])["policy"]["name"] == "simple"
