"""What every command makes of its logs: folders of records, links, standard input, and whatever else is given."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot import cli
from tests.bot.commands.program import oshihiki

run = CliRunner()
SIMPLE = ("--policy", "tsumogiri")


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """The folder that a game in the lobby leaves behind: a record, two logs and the results."""
    folder = tmp_path_factory.mktemp("records")
    out = run.invoke(cli.app, ["play", "--seed", "3", "--tonpu", *SIMPLE, "--record", str(folder)])
    assert out.exit_code == 0, out.output
    assert sorted(path.suffix for path in folder.iterdir()) == [".db", ".json", ".jsonl", ".xml"]
    return folder


@pytest.fixture
def log(records):
    (path,) = records.glob("*.xml")
    return path


def names(found):
    return {Path(each["file"]).suffix: each["reason"].partition(":")[0] for each in found}


def test_verify_checks_every_file_of_a_folder_of_records(monkeypatch, capsys, records):
    code, out, err = oshihiki(monkeypatch, capsys, "verify", records, "--jobs", 1, "--json")
    figures = json.loads(out)
    assert (code, figures["files"], figures["games"], figures["unreadable"]) == (0, 3, 3, [])
    assert names(figures["passed_over"]) == {".db": "not a log"}
    assert err == f"passed over: {records / 'oshihiki.db'} (not a log)\n"


@pytest.mark.parametrize(
    ("seat", "used", "kept"),
    [
        ((), "the record of the same game is used", ".jsonl"),
        (("--seat", 1), "the log of the same game is used", ".xml"),
    ],
)
def test_a_game_is_audited_once(monkeypatch, capsys, records, seat, used, kept):
    code, out, err = oshihiki(monkeypatch, capsys, "audit", records, *seat, *SIMPLE, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["format"] == "oshihiki-audit", "there is one game, and this is its audit"
    assert Path(found["source"]).suffix == kept
    others = dict.fromkeys({".json", ".jsonl", ".xml"} - {kept}, used)
    assert names(found["passed_over"]) == others | {".db": "not a log"}
    assert err.count("\n") == 1
    assert err.startswith("passed over: ")


def test_an_anonymous_audit_names_no_files(monkeypatch, capsys, records):
    _, out, _ = oshihiki(monkeypatch, capsys, "audit", records, "--seat", 0, *SIMPLE, "--json", "--anonymous")
    assert next(records.glob("*.xml")).stem not in out


@pytest.mark.parametrize(("seat", "seats"), [((), 1), (("--seat", "3"), 1), (("--seat", "all"), 4)])
def test_a_game_is_replayed_once(monkeypatch, capsys, records, seat, seats):
    code, out, err = oshihiki(monkeypatch, capsys, "replay", records, *seat, *SIMPLE, "--agree", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert (found["logs"], found["games"], found["errors"], found["skipped"]) == (1, seats, [], [])
    assert len(found["passed_over"]) == 3


def test_a_game_is_exported_once_and_whole(monkeypatch, capsys, records, log, tmp_path):
    code, out, _ = oshihiki(monkeypatch, capsys, "export", records, "--to", "mjai", "-o", tmp_path, "--json")
    found = json.loads(out)
    assert (code, found["written"], found["errors"]) == (0, [str(tmp_path / f"{log.stem}.mjson")], [])
    assert len(found["passed_over"]) == 3


def test_a_log_that_cannot_be_read_costs_no_other(monkeypatch, capsys, log, tmp_path):
    bad = '{"format":"oshihiki-record","version":3}\n{"at":1%s,"connect":1}\n' % ("0" * 400)
    given, written = tmp_path / "given", tmp_path / "written"
    given.mkdir()
    (given / "a.jsonl").write_text(bad, encoding="utf-8")
    (given / "b.xml").write_bytes(log.read_bytes())
    code, out, _ = oshihiki(monkeypatch, capsys, "export", given, "--to", "mjai", "-o", written, "--json")
    assert (code, json.loads(out)["written"]) == (2, [str(written / "b.mjson")])
    code, out, _ = oshihiki(monkeypatch, capsys, "verify", given, "--json", "--jobs", "1")
    assert (code, json.loads(out)["games"], len(json.loads(out)["unreadable"])) == (2, 1, 1)
    code, out, _ = oshihiki(monkeypatch, capsys, "replay", given, "--policy", "tsumogiri", "--json", "--jobs", "1")
    assert (code, json.loads(out)["logs"], len(json.loads(out)["errors"])) == (2, 1, 1)


def test_a_position_in_a_folder_of_records(monkeypatch, capsys, records):
    for seat in ("", "/seat1"):
        code, out, err = oshihiki(monkeypatch, capsys, "evaluate", "--state", f"{records}#E1/turn2{seat}", *SIMPLE)
        assert code == 0, err
        assert "hand " in out
    record = next(records.glob("*.jsonl"))
    viewer = json.loads(record.read_text().splitlines()[-1])["end"]["seat"]
    other = (viewer + 1) % 4
    code, _, err = oshihiki(monkeypatch, capsys, "evaluate", "--state", f"{record}#E1/turn2/seat{other}", *SIMPLE)
    assert (code, f"shows what seat {viewer} saw, not seat {other}" in err) == (2, True)


def arguments_of(command, tmp_path):
    return {
        "verify": ("--jobs", 1),
        "export": ("--to", "mjai", "-o", tmp_path / "out"),
        "audit": SIMPLE,
        "replay": (*SIMPLE, "--agree"),
    }[command]


COMMANDS = ("verify", "export", "audit", "replay")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["link", "pipe", "address"])
def test_links_standard_input_and_addresses(monkeypatch, capsys, log, tmp_path, command, kind):
    monkeypatch.chdir(tmp_path)
    _, link, _ = oshihiki(monkeypatch, capsys, "export", log, "--to", "link")
    if kind == "address":
        (tmp_path / log.name).write_bytes(log.read_bytes())
    given = {"link": f"{link.strip()}&tw=1", "pipe": "-", "address": f"https://tenhou.net/0/?log={log.stem}&tw=1"}[kind]
    seat = ("--seat", "1") if (command, kind) == ("audit", "pipe") else ()
    options = (*arguments_of(command, tmp_path), *seat)
    code, out, err = oshihiki(monkeypatch, capsys, command, given, *options, given=log.read_bytes())
    assert code == 0, err
    if command == "replay":
        assert f"{'4 seats' if kind == 'pipe' else '1 seat'}, " in out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_log_on_the_server_is_refused_with_advice(monkeypatch, capsys, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    address = "https://tenhou.net/3/?log=2017010100gm-00e9-0000-de8eee52&tw=1"
    code, out, err = oshihiki(monkeypatch, capsys, command, address, *arguments_of(command, tmp_path))
    assert (code, out) == (2, "")
    assert "save the page as 2017010100gm-00e9-0000-de8eee52.xml in this folder" in err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "text", ["x" * 5000, "\udcff\udcfe.xml", "", "{", "https://tenhou.net/6/#json=%7B%22log%22:[", "~"]
)
def test_no_text_makes_a_command_fail_otherwise_than_with_a_sentence(monkeypatch, capsys, tmp_path, command, text):
    for json_option in ((), ("--json",)):
        code, out, err = oshihiki(monkeypatch, capsys, command, text, *arguments_of(command, tmp_path), *json_option)
        assert code == 2
        assert "bug" not in out + err
        assert "Traceback" not in err
        assert err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bad_file_costs_no_good_one(monkeypatch, capsys, log, tmp_path, command):
    bad = tmp_path / "bad.xml"
    bad.write_bytes(b"")
    seat = ("--seat", "1") if command == "audit" else ()
    options = (*arguments_of(command, tmp_path), *seat, "--json")
    code, out, err = oshihiki(monkeypatch, capsys, command, bad, log, *options)
    assert code == 2
    assert f"{bad}: the file is empty" in err
    assert err.count(str(bad)) == 1
    found = json.loads(out)
    assert len(found["unreadable" if command == "verify" else "errors"]) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_not_success(monkeypatch, capsys, tmp_path, command):
    folder = tmp_path / "game.xml"
    folder.mkdir()
    (folder / "notes.txt").write_text("about")
    code, _, err = oshihiki(monkeypatch, capsys, command, folder, *arguments_of(command, tmp_path))
    assert code == 2
    assert "no log was found" in err or "no game was replayed" in err
    assert "notes.txt (not a log)" in err or command == "audit"


def test_exact_replay_names_what_it_cannot_read(monkeypatch, capsys, records, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"")
    code, out, err = oshihiki(monkeypatch, capsys, "replay", bad, records, "--exact", "--json")
    found = json.loads(out)
    assert (code, found["decisions"]) == (2, found["identical"])
    assert found["errors"] == [f"{bad}: the file is empty"]
    assert err.count("bad.jsonl") == 1
    code, _, err = oshihiki(monkeypatch, capsys, "replay", records, "--exact", "--agree")
    assert (code, "give with it only --limit" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--policy", "simple"), "--policy has no effect on a hand alone"),
        (("--danger", "model"), "--danger has no effect on a hand alone"),
        (("--state", "from=left"), "from says who discarded the tile of offered"),
        (("--state", "right=1z", "--policy", "nope"), "no policy is named 'nope'; there are: che, dag, flow"),
        (("--state", "right=1z", "--danger", "nope"), "there are"),
        (("--state", "right=1z", "--turn", "6"), "turn has no effect beside the others' discards"),
        (("--state", "right=1z visible=2z"), "visible has no effect beside the others' discards"),
        (("--state", "right=1z against=1"), "a star after the tile"),
        (("--state", "right=1z", "--evaluator", "dag"), "choose it with --policy"),
        (("--state", "melds=123p", "--melds", "234m"), "melds is given twice"),
        (("--state", "x#E1/turn1/seat0"), "--state gives the whole position; leave out the hand"),
    ],
)
def test_options_of_evaluate_without_effect_are_refused(monkeypatch, capsys, arguments, says):
    code, out, err = oshihiki(monkeypatch, capsys, "evaluate", "11223m1123789p55z", *arguments)
    assert (code, out) == (2, "")
    assert says in err
