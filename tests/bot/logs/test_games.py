"""One log of each game."""

from __future__ import annotations

import pytest

from bot.logs.games import each_game_once, log_id
from protocol.logs.formats import LogFile

ID, OTHER = "2017010100gm-00e9-0000-de8eee52", "2017010100gm-00e9-0000-00000001"


def mjlog(game):
    return f'<mjloggm ver="2.3"><GO type="9"/><TAIKYOKU oya="0" log="{game}"/></mjloggm>'.encode()


def tenhou6(game):
    return f'{{"ver":2.3,"ref":"{game}","log":[]}}'.encode()


def record(game, seat=0):
    frame = f'{{\\"tag\\":\\"TAIKYOKU\\",\\"oya\\":\\"{seat}\\",\\"log\\":\\"{game}\\"}}'
    return f'{{"format":"oshihiki-record","version":3}}\n{{"at":0.1,"in":"{frame}"}}\n'.encode()


def wire(*games):
    return "".join(f'Get: <TAIKYOKU oya="0" log="{game}"/>\n' for game in games).encode()


@pytest.mark.parametrize(
    ("file", "found"),
    [
        (LogFile("a.xml", "mjlog", mjlog(ID)), ID),
        (LogFile(f"{ID}&tw=1.mjlog", "mjlog", b"<mjloggm/>"), ID),
        (LogFile("a.json", "tenhou6", tenhou6(ID)), ID),
        (LogFile(f"x/{ID}.mjson", "mjai", b"{}"), ID),
        (LogFile("a.jsonl", "record", record(ID)), ID),
        (LogFile(f"{OTHER}.jsonl", "record", record(ID)), ID),
        (LogFile("a.log", "wire", wire(ID, ID)), ID),
        (LogFile("a.log", "wire", wire(ID, OTHER)), ""),
        (LogFile("a.xml", "mjlog", b"<mjloggm/>"), ""),
        (LogFile(f"{ID}.xml"), ""),
    ],
)
def test_log_ids(file, found):
    assert log_id(file) == found


def chosen(files, *, whole):
    """Names of the files kept, and the reasons why others are passed over, by name."""
    kept, passed_over = each_game_once(lambda: files, whole=whole)
    return [file.name for file in kept], {each.file: each.reason for each in passed_over}


@pytest.fixture
def folder(monkeypatch):
    """A record and three logs of one game, a record of another, and a file that is no log."""
    monkeypatch.setattr("bot.logs.games.read_session", lambda _: None)
    monkeypatch.setattr("bot.logs.games.read_log", lambda _: None)
    return [
        LogFile("1.jsonl", "record", record(ID)),
        LogFile(f"{ID}.json", "tenhou6", tenhou6(ID)),
        LogFile(f"{ID}.mjson", "mjai", b"{}"),
        LogFile(f"{ID}.xml", "mjlog", mjlog(ID)),
        LogFile("2.jsonl", "record", record(OTHER)),
        LogFile("bad.xml"),
    ]


def test_the_record_stands_for_its_game(folder):
    kept, passed_over = chosen(folder, whole=False)
    assert kept == ["1.jsonl", "2.jsonl", "bad.xml"]
    assert passed_over == dict.fromkeys(
        (f"{ID}.json", f"{ID}.mjson", f"{ID}.xml"), "the record of the same game is used: 1.jsonl"
    )


def test_where_a_seat_is_named_the_log_of_the_whole_game_is_preferred(folder):
    kept, passed_over = chosen(folder, whole=True)
    assert kept == [f"{ID}.xml", "2.jsonl", "bad.xml"]
    assert set(passed_over) == {"1.jsonl", f"{ID}.json", f"{ID}.mjson"}


def test_records_of_two_clients_are_both_kept(folder):
    again = [*folder, LogFile("3.jsonl", "record", record(ID, seat=1)), folder[0]]
    kept, passed_over = chosen(again, whole=False)
    assert kept == ["1.jsonl", "2.jsonl", "bad.xml", "3.jsonl"]
    assert passed_over["1.jsonl"] == "the record of the same game is used: 1.jsonl", "a copy is the same record"


def test_without_ids_everything_is_kept():
    files = [LogFile(f"{number}.xml", "mjlog", b"<mjloggm/>") for number in range(3)]
    assert chosen(files, whole=True) == (["0.xml", "1.xml", "2.xml"], {})


def test_a_log_that_cannot_be_read_does_not_hide_one_that_can():
    cut = LogFile(f"{ID}.xml", "mjlog", mjlog(ID)[:-12])
    good = LogFile("1.jsonl", "record", record(ID))
    kept, passed_over = chosen([good, cut], whole=True)
    assert kept == ["1.jsonl"]
    assert passed_over == {f"{ID}.xml": "cannot be read; the record of the same game is used: 1.jsonl"}
    assert chosen([cut], whole=True)[0] == [f"{ID}.xml"], "it is the only one"
