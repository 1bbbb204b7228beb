"""Text files with an address or a log in each line."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.logs.listing import entries_of
from bot.logs.sources import open_logs
from protocol.logs import mjlog, tenhou6
from protocol.logs.formats import read_log
from tests.protocol.mjlog_text import LOG as XML
from tests.protocol.tenhou6_hands import hand, log

ID = "2017010100gm-0009-0000-de8eee52"
OTHER = "2018020315gm-0009-0000-b7c81568"


def one(kyoku, scores=(25000,) * 4, result=("四風連打",), discard=60, names=("A", "B", "C", "D"), **fields):
    lists = hand([([19], [discard]), ([], []), ([], []), ([], [])], list(result), kyoku=kyoku, scores=scores)
    if kyoku[0] % 4:
        dealer = 4 + 3 * (kyoku[0] % 4)
        lists[5], lists[6], lists[dealer + 1], lists[dealer + 2] = [], [], [19], [discard]
    return log(lists, name=list(names), **fields)


def link(text, escape=True):
    return f"https://tenhou.net/6/#json={quote(text) if escape else text}"


A, B = one((0, 0, 0)), one((0, 0, 0), names=("E", "F", "G", "H"))


def opened(tmp_path, text, name="games.txt"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(open_logs([path]))


def shown(files):
    return [(file.name.rpartition("/")[2], read_log(file).start.names[0]) for file in files]


@pytest.mark.parametrize(
    "lines", [(link(A), link(B)), (A, B), (A, link(B)), (link(A, escape=False), f"{link(B)}&ts=3")]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n  \n"])
@pytest.mark.parametrize("mark", ["", "- ", "1. ", '"', "2024-05-01 good game: "])
def test_one_log_a_line(tmp_path, lines, end, mark):
    closing = '"' if mark == '"' else ""
    before = ["" if mark.startswith("2024") and line.startswith("{") else mark for line in lines]  # addresses alone
    text = "".join(f"{first}{line}{closing}{end}" for first, line in zip(before, lines, strict=True))
    found = shown(opened(tmp_path, text))
    assert [first for _, first in found] == ["A", "E"]
    assert found[0][0] == "games.txt:1"
    assert shown(opened(tmp_path, "\ufeff" + text)) == found


def test_remarks_and_faults_cost_no_other_line(tmp_path):
    text = f"# my games\n\n// more\n{link(A)}\nnot a log\n{link('{')}\n{link(B)}\n"
    good, odd, broken, other = opened(tmp_path, text)
    assert shown([good, other]) == [("games.txt:4", "A"), ("games.txt:7", "E")]
    assert "'not a log' is neither an address of tenhou.net nor a log; put # before a remark" in str(odd.error)
    assert odd.name.endswith("games.txt:5")
    with pytest.raises(Exception, match=r"games.txt:6: line 1, column 2: is not JSON"):
        read_log(broken)


@pytest.mark.parametrize("heading", ["My games", "date,address", "# games\nMy games"])
def test_a_heading_costs_no_line_of_a_list(tmp_path, heading):
    files = opened(tmp_path, f"{heading}\n{link(A)}\n{link(B)}\n")
    assert [file.error is None for file in files] == [False, True, True]
    assert "My games" in str(files[0].error) or "date,address" in str(files[0].error)
    assert [name for _, name in shown(files[1:])] == ["A", "E"]


@pytest.mark.parametrize("indent", [None, 1])
def test_one_json_list_of_logs(tmp_path, indent):
    text = json.dumps([json.loads(A), json.loads(B)], indent=indent)
    assert shown(opened(tmp_path, text, "games.json")) == [("games.json:1", "A"), ("games.json:2", "E")]


def test_a_json_list_of_other_things_is_no_list_of_logs():
    assert entries_of(json.dumps([json.loads(A), {"x": 1}]).encode()) is None
    assert entries_of(b'[{"log": [') is None


def test_the_logs_of_ids_are_found_beside_the_list(tmp_path):
    (tmp_path / f"{ID}.xml").write_text(XML)
    lines = (f"https://tenhou.net/0/?log={ID}&tw=2", f"my best: http://tenhou.net/4/?log={ID}&tw=1", ID, OTHER, link(A))
    files = opened(tmp_path, "\n".join(lines))
    assert [file.seat for file in files] == [2, 1, None, None, None]
    assert [file.name.rpartition("/")[2] for file in files[:3]] == [f"{ID}.xml"] * 3
    assert files[3].name.endswith("games.txt:4")
    assert OTHER in str(files[3].error)
    assert "logs are not downloaded" in str(files[3].error)
    assert read_log(files[0]).events == mjlog.read(XML).events
    assert read_log(files[4]).start.names[0] == "A"


@pytest.mark.parametrize("between", [" ", ",", ", ", ";", "|", "\u3001", "\u3068", "\uff0c", " and ", ""])
@pytest.mark.parametrize("written", ["https://tenhou.net/0/?log={}&tw=1", "tenhou.net/0/?tw=1&log={}"])
def test_every_address_of_a_line_is_read(between, written):
    line = between.join(written.format(each) for each in (ID, OTHER))
    ids = [(entry.log_id, entry.seat) for entry in entries_of(f"{line}\n".encode())]
    assert ids == [(ID, 1), (OTHER, 1)]


def test_the_folder_is_listed_once_however_many_logs_are_named(tmp_path, monkeypatch):
    (tmp_path / f"{ID}.xml").write_text(XML)
    listed, list_folder = [], Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: listed.append(path.resolve()) or list_folder(path))
    files = opened(tmp_path, "\n".join([ID, OTHER] * 50))
    assert [file.error is None for file in files] == [True, False] * 50
    assert listed.count(tmp_path) == 1


@pytest.mark.parametrize("line", [f"log={ID}", f"file={ID}&n0=%E3%81%82&oya=0", f"{ID}/{OTHER}", f"{ID} {OTHER}"])
def test_ids_are_read_as_a_client_keeps_them(line):
    assert [entry.log_id for entry in entries_of(f"{line}\n".encode())] == [ID, OTHER][: line.count("gm-")]


@pytest.mark.parametrize(
    "line", [ID, f"https://tenhou.net/3/?log={ID}&tw=3", link(A), link(A).removeprefix("https://")]
)
@pytest.mark.parametrize("end", ["", "\n", "\n# the best\n"])
def test_a_list_of_one(tmp_path, line, end):
    (tmp_path / f"{ID}.xml").write_text(XML)
    (file,) = opened(tmp_path, line + end)
    assert read_log(file).start.names[0] == ("A" if "json" in line else mjlog.read(XML).start.names[0])
    assert file.seat == (3 if "tw=3" in line else None)


def test_xml_in_lines(tmp_path):
    assert [read_log(file).start.names for file in opened(tmp_path, f"{XML}\n{XML}\n")] == [
        mjlog.read(XML).start.names
    ] * 2


def test_each_line_is_a_log_of_its_own(tmp_path):
    files = opened(tmp_path, "\n".join((one((0, 0, 0)), one((0, 1, 0)))))
    assert [(file.name[-1], len(read_log(file).events)) for file in files] == [("1", 5), ("2", 5)]


@pytest.mark.parametrize(
    "text",
    [
        A,
        f"{A}\n",
        json.dumps(json.loads(A), indent=1),
        f"{XML}\n",
        XML.replace("><", ">\n<"),
        '{"type":"start_game"}\n{"type":"end_game"}\n',
        "hello\nworld\n",
        "# read https://tenhou.net/6/#json=\nhello\nworld",
        f"{link(A)}\nis a game\nthat I liked\nvery much\n",
        "",
        "\n\n\n",
    ],
)
def test_text_that_is_no_list_is_not_read_as_one(text):
    assert entries_of(text.encode()) is None


def test_a_list_in_a_folder_is_read_for_what_it_holds(tmp_path):
    (tmp_path / "ids.txt").write_text(f"{ID}\n{OTHER}\n")
    (tmp_path / "links.txt").write_text(f"{link(A)}\n{link(B)}\n")
    passed = []
    assert [name for name, _ in shown(open_logs([tmp_path], on_skip=passed.append))] == ["links.txt:1", "links.txt:2"]
    assert [each.file.rpartition("/")[2] for each in passed] == ["ids.txt"]


@pytest.mark.parametrize("unit", ["tenhou.net/", "&a=b", '"log":[', " ", "(", f"{ID}&"])
def test_odd_lines_of_a_megabyte_are_read_as_others(unit):
    text = f"{link(A)}\n{link(B)}{unit * (1_000_000 // len(unit))}\n{{{unit * 100_000}\n{unit * 100_000}}}"
    assert len(entries_of(text.encode())) == 4


def test_a_list_is_no_larger_than_its_largest_log(tmp_path):
    """What bounds a game bounds each line."""
    many = "\n".join(link(one((0, 0, 0), names=(str(number), "B", "C", "D"))) for number in range(2_500))
    assert len(many) > 2 << 20
    assert len(opened(tmp_path, many)) == 2_500
    assert tenhou6.read(A).start.names[0] == "A"
