"""The formats of logs: recognised by their beginnings, read and written by name."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from bot.logs.sources import UTF16, open_logs
from protocol.errors import LogError
from protocol.logs import formats
from protocol.logs.formats import FORMATS, LogFile, convert, detect_format, read_log, write_log
from protocol.logs.game_log import GameLog, LogInfo
from tests.protocol.log_samples import MJLOG, SAMPLES, TENHOU6, WIRE
from tests.protocol.mjai_lines import GAME


@pytest.mark.parametrize("format_name", FORMATS)
def test_format_is_recognised_from_the_content(tmp_path, format_name):
    path = tmp_path / "whatever.bin"
    sample = SAMPLES.get(format_name) or write_log(read_log(LogFile("a", "mjai", GAME.encode())), format_name).encode()
    path.write_bytes(b"\xef\xbb\xbf" + sample)
    (file,) = open_logs([path])
    assert (file.format, file.error) == (format_name, None)


def test_more_beginnings():
    assert detect_format(b'<?xml version="1.0"?>\n<mjloggm ver="2.3">') == "mjlog"
    assert detect_format(b"https://tenhou.net/6/#json=%7B%22title") == "tenhou6"
    assert detect_format(b'[{"type":"start_game"}]') == "mjai"
    assert detect_format(b'{"ver":2.3,\n  "ref":"x",\n  "log" : [') == "tenhou6"
    assert detect_format(b'{"type":"start_game","log":[]}') == "mjai"
    assert detect_format(b'[\n {\n  "type": "start_game"\n }\n]') == "mjai"
    assert detect_format(b'{"names": ["A"], "rule": {"disp": "x"}, "type": "start_game"}') == "mjai"
    assert detect_format(b'{\n "name": "x",\n "type": "module"\n}') is None, "what describes a package of JavaScript"
    assert detect_format(b"<html>") is None
    assert detect_format(b'{"at": "2026-11-22", "log": "2017010100gm-00e9-0000-de8eee52"}') is None, "a line of results"
    assert detect_format(b"") is None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_log_in_utf_16_is_refused_for_what_it_is(tmp_path, encoding):
    path = tmp_path / "game.jsonl"
    path.write_bytes(SAMPLES["mjai"].decode().encode(encoding))
    (file,) = open_logs([path])
    assert str(file.error) == f"{path}: {UTF16}"


@pytest.mark.parametrize("data", [b"\x00", b"\x80\x81\x82", b"a\xff"])
def test_bytes_that_are_no_text_are_no_log(tmp_path, data):
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    (file,) = open_logs([path])
    assert file.error is not None
    assert "is not a log" in str(file.error)


def test_spaces_before_a_log_cost_nothing():
    assert detect_format(b" \n" * 4_000 + MJLOG) == "mjlog"
    assert FORMATS["mjai"].begins.match(b" ") is None, "spaces at two places of a pattern take quadratic time"


def test_a_message_quotes_little_of_a_log():
    assert len(str(LogError("9" * 4_000_000))) < 1_100


def test_log_files_travel_between_processes():
    error = LogError("what", "a.xml", "line 1")
    for file in (LogFile("a.xml", "mjlog", MJLOG), LogFile("a.xml", error=error)):
        again = pickle.loads(pickle.dumps(file))  # noqa: S301
        assert str(again) == str(file)
        assert str(again.error) == str(file.error)


def test_read_log_says_where():
    with pytest.raises(LogError, match=r"^a\.json: there are no hands"):
        read_log(LogFile("a.json", "tenhou6", TENHOU6))
    with pytest.raises(LogError, match=r"^a\.log: contains no hand"):
        convert(LogFile("a.log", "wire", WIRE), "mjlog")


def test_the_error_of_a_file_holds_on_to_nobody_who_met_it():
    file = LogFile("a.xml", error=LogError("is no log"))
    with pytest.raises(LogError, match="is no log"):
        read_log(file)
    assert file.error.__traceback__ is None


def test_formats_that_cannot_be_written():
    game = read_log(LogFile("a", "mjai", GAME.encode()))
    known = ", ".join(name for name, row in FORMATS.items() if row.writes)
    for name in ("wire", "pgn"):
        with pytest.raises(LogError, match=f"logs cannot be written as '{name}'; choose one of {known}"):
            write_log(game, name)


@pytest.mark.parametrize("format_name", [name for name, row in FORMATS.items() if row.writes])
def test_written_logs_can_be_encoded(format_name):
    start, *rest = read_log(LogFile("a", "mjai", GAME.encode())).events
    named = replace(start, names=("\udfff", "B", "C", "D"))
    game = GameLog((named, *rest), LogInfo(log_id="\udfff", title=("\ud800", ""), lobby="\ud800"))
    assert write_log(game, format_name).encode()


def test_every_format_row_is_whole():
    for name, row in FORMATS.items():
        assert row.name == name
        assert row.suffix.startswith(".")
        assert callable(row.read)
    assert formats.FORMATS["wire"].write is None


@pytest.mark.parametrize("error", [OverflowError("too large"), RecursionError(), MemoryError(), TypeError("a list")])
def test_whatever_a_reader_raises_is_the_error_of_its_file(monkeypatch, error):
    def read(*_):
        raise error

    row = replace(FORMATS["mjlog"], read=read, session=None)
    monkeypatch.setattr(formats, "FORMATS", {**FORMATS, "mjlog": row, "wire": replace(row, session=read)})
    for reads, name in ((read_log, "mjlog"), (formats.read_session, "wire")):
        with pytest.raises(LogError, match=rf"not foreseen \({type(error).__name__}") as raised:
            reads(LogFile("a.xml", name))
        assert raised.value.source == "a.xml"


RECORD = b'{"format":"oshihiki-record","version":3}\n{"at":%s,"connect":1}\n'
MANY = "1" + "0" * 400


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("record", RECORD % MANY.encode(), "line 2: contains a number that no record has: 1000"),
        ("record", RECORD % b"1e400", "line 2: contains a number that no record has: 1e400"),
        ("record", RECORD % b"NaN", "line 2: contains a number that no record has: NaN"),
        ("record", RECORD % b'"soon"', '"at" is not a number of seconds'),
        (
            "mjai",
            f'{{"type":"hello","kyotaku":{MANY}}}',
            "contains no hand",
        ),
    ],
)
def test_numbers_and_values_that_fit_nowhere_are_an_error_of_their_field(name, data, why):
    file = LogFile("a", name, data if isinstance(data, bytes) else data.encode())
    with pytest.raises(LogError) as raised:
        formats.read_session(file) or read_log(file)
    assert why in str(raised.value)
    assert "not foreseen" not in str(raised.value)


def test_a_damaged_line_of_a_record_costs_what_follows_until_the_state_is_known_again():
    greeting = '{"at":0,"in":"{\\"tag\\":\\"HELO\\",\\"uname\\":\\"x\\"}"}\n'
    for line in ('{"at":1e400,"in":""}', "nonsense", '{"at":0,"in":5}', '{"at":0,"out":"<?>"}', "\udcff"):
        data = (RECORD % b"0").decode() + greeting + line + "\n" + greeting
        session = formats.read_session(LogFile("a", "record", data.encode("utf-8", "surrogateescape")))
        assert [bool(entry.damaged) for entry in session.entries] == [False, True, False]
