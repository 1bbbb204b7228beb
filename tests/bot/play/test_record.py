"""The file of a live game: what is in it, what never is, and what is left of it when the process is killed."""

from __future__ import annotations

import json
import os
import re
from html import unescape
from urllib.parse import unquote

import pytest

from bot.deciding.ask import Spent
from bot.deciding.fields import decision_fields, event_fields, read_decision
from bot.deciding.thinker import BudgetMeter
from bot.machine.text import SECRETS
from bot.play.record import GameRecord, dump
from engine.model.actions import Action, ActionKind
from engine.model.events import Call, Draw, EndGame, Ryuukyoku, RyuukyokuKind
from engine.model.melds import Meld, MeldKind
from engine.policy.decision import Candidate, Decision, Parts
from engine.policy.grounds import GroundKind, ground
from protocol.errors import LogError
from protocol.logs.record import FORMAT, VERSION, read_record, read_session
from protocol.tenhou.schema import Sender

KEY = "ID1234ABCD-9f8e7d6c"
HELO = '{"tag":"HELO","uname":"x"}'
DECISION = Decision(
    Action(ActionKind.DISCARD, 17),
    (
        Candidate(Action(ActionKind.DISCARD, 17), 1 / 3, p_win=0.1, ukeire=4),
        Candidate(Action(ActionKind.RIICHI, 4), -2.0),
    ),
    "attack",
    (ground(GroundKind.DISTANCE, shanten=1, ukeire=18),),
    "points",
    elapsed=0.25,
    nodes=12,
)


def lines_of(record):
    return [json.loads(line) for line in record.path.read_text(encoding="utf-8").splitlines()]


def small(folder):
    with GameRecord(folder, policy={"name": "simple"}) as record:
        record.connecting()
        record.sent(f'{{"tag":"HELO","name":"{KEY}"}}')
        record.received(HELO)
        record.happened([Draw(0, 17)])
        record.decided("E1", DECISION, "decided", "abc", 1, Spent(None, 3, None))
        record.ended(placement=1)
    return record


def test_each_line_tells_one_thing(tmp_path):
    first, *lines = lines_of(small(tmp_path))
    assert (first["format"], first["version"], first["policy"]) == (FORMAT, VERSION, {"name": "simple"})
    assert [next(key for key in line if key != "at") for line in lines] == [
        "connect", "out", "in", "events", "decision", "end",
    ]  # fmt: skip
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)
    decision = lines[4]
    assert decision["thought"] == 1
    assert decision["ms"] == 250.0
    assert decision["budget"] == {"nodes": None, "asked": 3, "expired_at": None}
    assert decision["decision"] == {"hand": "E1", "state": "abc", "outcome": "decided", **decision_fields(DECISION)}


def test_a_decision_is_kept_to_the_last_digit_and_without_its_time():
    told = json.loads(dump(decision_fields(DECISION)))
    assert told["candidates"][0]["value"] == 1 / 3
    assert told["candidates"][0] == {
        "action": {"kind": "discard", "tile": 17}, "value": 1 / 3, "p_win": 0.1, "ukeire": 4,
    }  # fmt: skip
    assert told["nodes"] == 12
    assert "elapsed" not in told
    assert dump(decision_fields(DECISION)) == dump(told)


def test_a_part_that_was_called_otherwise_is_read_by_its_name_of_today():
    candidate = Candidate(Action(ActionKind.PASS), -250.0, parts=Parts(stay_folded=-250.0))
    told = dump(decision_fields(Decision(candidate.action, (candidate,), unit="points")))
    earlier = json.loads(told.replace("stay_folded", "experience"))
    assert dump(decision_fields(read_decision(earlier))) == told


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_figures_that_json_has_no_number_for_do_not_end_a_game(value):
    odd = Decision(Action(ActionKind.PASS), (Candidate(Action(ActionKind.PASS), value),))
    assert json.loads(dump(decision_fields(odd)))["candidates"][0]["value"] == str(value)


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    odd = Decision(
        Action(ActionKind.PASS), (Candidate(Action(ActionKind.PASS), numpy.float32(0.5)),), nodes=numpy.int64(3)
    )
    told = json.loads(dump(decision_fields(odd)))
    assert (told["candidates"][0]["value"], told["nodes"]) == (0.5, 3)


def test_events_are_reported_by_name():
    pon = Meld(MeldKind.PON, (0, 1, 2), 1, 3)
    assert event_fields(Call(2, pon)) == {
        "event": "Call",
        "seat": 2,
        "meld": {"kind": "PON", "tiles": [0, 1, 2], "called": 1, "from_seat": 3, "added": None},
    }
    assert event_fields(Draw(1, None)) == {"event": "Draw", "seat": 1}
    assert event_fields(EndGame((1, 2, 3, 4)))["scores"] == [1, 2, 3, 4]
    draw = Ryuukyoku(RyuukyokuKind.FOUR_WINDS, (0, 0, 0, 0), hands=((1, 2), None, None, None))
    assert event_fields(draw)["kind"] == "kaze4"
    assert event_fields(draw)["hands"] == [[1, 2], None, None, None]


@pytest.fixture(autouse=True)
def _forget_secrets():
    yield
    SECRETS.clear()


def test_no_key_of_any_form_is_written(tmp_path):
    SECRETS.add(["my own key", ""])
    with GameRecord(tmp_path) as record:
        record.sent(f'{{"tag":"HELO","name":"{KEY}"}}')
        record.sent('{"tag":"HELO","name":"my own key"}')
        record.sent('<HELO name="my%20own%20key" />')
        record.received(f'<HELO uname="{KEY.replace("D", "%44")}"/>')
    text = record.path.read_text()
    assert "my own" not in text
    assert "my%20own" not in text
    assert "1234ABCD" not in text
    assert len(lines_of(record)) == 5


def test_nothing_is_overwritten(tmp_path):
    assert len({small(tmp_path).path for _ in range(3)}) == 3
    named = tmp_path / "deep" / "one.jsonl"
    paths = [small(named).path for _ in range(3)]
    assert [path.name for path in paths] == ["one.jsonl", "one-1.jsonl", "one-2.jsonl"]


def test_the_size_is_that_of_the_file(tmp_path):
    record = small(tmp_path)
    assert record.size == record.path.stat().st_size


def test_every_line_is_there_before_the_file_is_closed(tmp_path):
    record = GameRecord(tmp_path)
    record.received(HELO)
    assert len(lines_of(record)) == 2
    record.close()


def test_a_full_disk_ends_the_record_and_not_the_game(tmp_path, capsys):
    with GameRecord(tmp_path) as record:
        os.dup2(os.open("/dev/full", os.O_WRONLY), record._file)
        record.received(HELO)
        record.received(HELO)
    assert record.lost == "No space left on device"
    assert capsys.readouterr().out.count("No space left on device") == 1


def test_a_record_is_for_its_owner_alone_and_ends_at_its_bound(tmp_path):
    with GameRecord(tmp_path, most=2_000) as record:
        for _ in range(100):
            record.received(HELO)
    assert record.path.stat().st_mode & 0o777 == 0o600
    assert record.path.stat().st_size == record.size <= 2_000
    assert "record.most_mb" in record.lost


SPELLINGS = {
    "plain": KEY,
    "lower": KEY.lower(),
    "escaped": "".join(f"\\u{ord(one):04x}" for one in KEY),
    "half escaped": KEY.replace("I", "\\u0049").replace("4", "\\u0034"),
    "percent": "".join(f"%{ord(one):02X}" for one in KEY),
    "percent twice": "".join(f"%25{ord(one):02x}" for one in KEY),
    "entities": "".join(f"&#{ord(one)};" for one in KEY),
    "a half": KEY[-8:],
}


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_a_key_that_the_server_says_again_is_in_no_spelling_in_a_record(tmp_path, text):
    SECRETS.add([KEY])
    with GameRecord(tmp_path) as record:
        record.received(f'{{"tag":"UN","n0":"{text}"}}')
        record.ended(log=text)
    written = record.path.read_text()
    for layer in (written, unquote(unquote(written)), unescape(written), written.encode().decode("unicode_escape")):
        assert "9f8e7d6c" not in layer.lower()
    assert "********" in written


# -- reading -------------------------------------------------------------------------------------------------------


def test_a_record_is_read_as_it_was_written(tmp_path):
    written = small(tmp_path)
    record = read_record(written.path.read_bytes(), "r.jsonl")
    assert [line.kind for line in record.lines] == ["connect", "out", "in", "events", "decision", "end"]
    assert record.ended
    assert not record.torn
    assert record.size == written.size
    session = record.session()
    assert [entry.sender for entry in session.entries] == [Sender.CLIENT, Sender.SERVER]
    assert [entry.line for entry in session.entries] == [3, 4]


def test_a_file_cut_anywhere_is_read_up_to_there(tmp_path):
    data = small(tmp_path).path.read_bytes()
    whole = read_record(data).lines
    first = data.index(b"\n") + 1
    for end in range(first, len(data)):
        record = read_record(data[:end])
        assert record.lines == whole[: len(record.lines)]
        assert len(record.lines) == data[first:end].count(b"\n")
        assert record.torn == (not data[:end].endswith(b"\n"))


def test_a_file_cut_in_a_character_is_read_up_to_there(tmp_path):
    data = small(tmp_path).path.read_bytes() + '{"at":1.0,"in":"あ'.encode()[:-1]
    assert read_record(data).torn


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "nothing was recorded"),
        (f'{{"format":"{FORMAT}"', "nothing was recorded"),
        ("[]\n", "line 1: is not a JSON object"),
        ('{"format":"other","version":2}\n', "line 1: is not a record"),
        (f'{{"format":"{FORMAT}","version":99}}\n', "has version 99; this program reads up to 3"),
        (f'{{"format":"{FORMAT}","version":2}}\nnonsense\n{{}}\n', "line 2: is not a JSON object"),
        (f'{{"format":"{FORMAT}","version":2}}\n{{"at":"x","in":""}}\n', 'line 2: "at" is not a number'),
    ],
)
def test_a_file_that_is_no_record_is_reported(text, complaint):
    with pytest.raises(LogError, match=re.escape(complaint)) as error:
        read_record(text, "r.jsonl")
    assert str(error.value).startswith("r.jsonl: ")


def test_frames_that_are_none_are_reported():
    header = f'{{"format":"{FORMAT}","version":2}}\n'
    with pytest.raises(LogError, match="line 2: a frame is not text"):
        read_session(header + '{"at":0,"in":5}\n', "r.jsonl")
    with pytest.raises(LogError, match="contains no frame"):
        read_session(header + '{"at":0,"connect":1}\n', "r.jsonl")
    with pytest.raises(LogError, match="line 2: "):
        read_session(header + '{"at":0,"out":"<?>"}\n', "r.jsonl")
    nonsense = header + '{"at":0,"in":"<?>"}\n' + '{"at":0,"in":"{\\"tag\\":\\"HELO\\",\\"uname\\":\\"x\\"}"}\n'
    entries = read_session(nonsense).entries
    assert [(entry.line, bool(entry.damaged)) for entry in entries] == [
        (2, True),
        (3, False),
    ]  # the client passed over it


def test_lines_of_a_later_version_are_passed_over():
    record = read_record(f'{{"format":"{FORMAT}","version":2}}\n{{"at":1,"weather":"fine"}}\n')
    assert record.lines == ()


# -- budgets -------------------------------------------------------------------------------------------------------


def test_a_budget_says_again_what_it_said():
    answers = iter([False, False, True, False])
    meter = BudgetMeter(lambda: next(answers))
    asked = [meter.budget.expired() for _ in range(5)]
    assert asked == [False, False, True, True, True]
    assert meter.spent == Spent(None, 5, 3)
    again = meter.spent.again()
    assert [again.expired() for _ in range(5)] == asked


def test_a_budget_that_never_expired_never_does():
    meter = BudgetMeter(lambda: False, nodes=7)
    assert not any(meter.budget.expired() for _ in range(3))
    assert meter.spent == Spent(7, 3, None)
    again = meter.spent.again()
    assert again.nodes == 7
    assert not any(again.expired() for _ in range(100))
