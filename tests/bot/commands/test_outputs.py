"""No command destroys a file that it was given to read, whatever the file is called the second time."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import tarfile
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.cli import COMMANDS, load
from bot.lobby.hall import record
from bot.machine.errors import InputError
from bot.machine.journal import continued
from bot.machine.outputs import Outputs
from bot.play.record import GameRecord
from engine.papers.neat.evaluator import champion
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.bot.commands.program import oshihiki
from tests.games import game_of

PATHS = {"path", "file", "directory", "<path path>"}
"""Types of parameters that name files."""
NAMED_BY_TEXT = {"logs", "place", "--state"}

ALONE = {
    "bench dag": {"--logs", "--hands"},
    **{f"bench {name}": {"--logs"} for name in ("audit", "network", "replay", "verify")},
    "config check": {"file"},
    "evaluate": {"--state"},
    "lobby": {"--config", "--record"},
    "mjai": {"--config"},
    "open": {"--config", "--folder"},
    "play": {"--config", "--record"},
    "practice": {"reviews"},
    "stats": {"--config", "--folder"},
    "train constants": {"paths"},
    "train neat": {"--out"},
    "verify": {"logs"},
    "watch": {"place"},
}
"""The parameters that name files of commands which only read or only write, or make nothing but new files, as
:func:`test_a_record_replaces_nothing` has it; those of all others are in :data:`CASES`."""

REFUSED = "is a file that this command reads; name another one to write"
NO_JOURNAL = "is damaged or not a journal"


class Case(NamedTuple):
    """A command that reads and writes one and the same file.

    Attributes:
        command: the command.
        writes, reads: the parameters that name the file.
        kind: what the file contains.
        name: name of the file.
        rest: the arguments; ``{given}`` and ``{out}`` are two names of the file, ``{folder}`` is the folder of the
            latter, ``{stem}`` its name without suffix, ``{log}`` another log.
        reason: why it is refused.
    """

    command: str
    writes: str
    reads: str
    kind: str
    name: str
    rest: str
    reason: str = REFUSED


OVER = "--journal {folder} --out {out}"
AUDIT = "--seat 0 --policy simple --nodes 1 --jobs 1"
CASES = [
    Case("export", "--output", "logs", "log", "g.xml", "{given} --to mjai -o {out}"),
    Case("export", "--output", "logs", "log", "g.mjson", "{given} --to mjai -o {folder}"),
    Case("audit", "--output", "logs", "log", "g.html", f"{{given}} -o {{out}} {AUDIT}"),
    Case("audit", "--output", "logs", "log", "index.html", f"{{given}} -o {{folder}} {AUDIT}"),
    Case("audit", "--output", "--config", "config", "c.html", f"{{log}} -c {{given}} -o {{out}} {AUDIT}"),
    Case("replay", "--journal", "logs", "log", "g", "{given} --policy tsumogiri --journal {out}"),
    Case(
        *("replay", "--journal", "--config", "config", "c"),
        "{log} -c {given} --policy tsumogiri --journal {out}",
    ),
    Case("arena", "--logs", "--journal", "text", "0-0.xml", "tsumogiri --games 4 --journal {given} --logs {folder}"),
    Case("arena", "--logs", "--compare", "text", "0-0.xml", "--compare {given} {given} --logs {folder}", NO_JOURNAL),
    Case("arena", "--journal", "--compare", "text", "j", "--compare {given} {given} --journal {out}", NO_JOURNAL),
    Case("bench danger", "--plot", "--logs", "log", "g.svg", "--logs {given} --plot {out}"),
    *(
        Case(f"bench {name}", "--journal", "--logs", "log", "g.ndjson", "--logs {given} --journal {out}")
        for name in ("chances", "decisions", "forecasts", "policy")
    ),
    Case("bench chances", "--plot", "--logs", "log", "g.svg", "--logs {given} --plot {out}"),
    Case("bench chances", "--plot", "--journal", "text", "j", "--logs {log} --journal {given} --plot {out}"),
    Case("bench grades", "--journal", "--logs", "log", "j", "--logs {given} --journal {out}"),
    Case("bench neat", "--plot", "--networks", "network", "n.npz", "--networks {folder} --plot {out}"),
    Case("bench neat", "--plot", "--journal", "text", "j", "--journal {given} --plot {out}"),
    Case(
        *("bench neat", "--journal", "--networks", "network", "n.npz"),
        "--networks {folder} --journal {out}",
    ),
    Case("train reference", "--out", "paths", "log", "g", "{given} --out {out}"),
    Case("train reference", "--out", "--journal", "text", "j", "{log} --journal {given} --out {out}"),
    Case("train reference", "--journal", "paths", "log", "g", "{given} --journal {out}"),
    Case("train outcomes", "--out", "paths", "log", "g.json", "{given} --out {out}"),
    Case("train outcomes", "--out", "--weights", "text", "w.npz", "{log} --weights {given} --out {out}"),
    Case("train critic", "--out", "paths", "log", "g.npz", "{given} --out {out}"),
    Case("train critic", "--out", "--start-from", "text", "w.npz", "{log} --start-from {given} --out {out}"),
    Case("train phoenix", "--out", "--start-from", "text", "w.npz", "{log} --start-from {given} --out {out}"),
    *(Case(f"train {name}", "--out", "paths", "log", "g", "{given} --out {out}") for name in ("discards", "suji")),
    Case("train placement", "--out", "paths", "log", "g", "{given} --out {out}"),
    *(
        Case(f"train {name}", "--out", "paths", "log", file, "{given} --out {folder}/{stem}.npz")
        for name in ("danger", "chances", "perceptron", "phoenix")
        for file in ("w.npz", "w.json")
    ),
    *(
        Case("train waits", "--out", "paths", "log", name, "{given} --out {folder}")
        for name in ("waits.npz", "waits.json")
    ),
]


def aside(file):
    return file.parents[1] / "aside"


def same(file):
    return file


def spelled(file):
    return aside(file) / ".." / file.parent.name / file.name


def symbolic(file):
    link = aside(file) / file.name
    link.symlink_to(file)
    return link


def hard(file):
    link = aside(file) / file.name
    os.link(file, link)
    return link


def folder(file):
    return file.parent


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """By kind, the bytes of a file."""
    game = GameLog(game_of("tsumogiri", 3).events)
    text = write_log(game, "mjlog").rstrip("\n").encode()  # a single line without an end, as Tenhou's logs are
    log = tmp_path_factory.mktemp("log") / "game.xml"
    log.write_bytes(text)
    archive = log.with_name("games.tar")
    with tarfile.open(archive, "w") as tar:
        tar.add(log, "g.xml")
    return {
        "log": text,
        "archive": archive.read_bytes(),
        "config": b"[policy]\nname = 'simple'\n",
        "network": champion("dora-value").to_bytes(),
        "text": b"a text",
    }


def ways(case):
    """One way for each case, and for the first case all."""
    yield symbolic, case.kind
    if case is CASES[0]:
        yield from ((way, "log") for way in (same, spelled, hard, folder))
        yield from ((way, "archive") for way in (same, hard))


@pytest.mark.parametrize(
    ("case", "way", "kind"),
    [
        pytest.param(case, way, kind, id="-".join([*case[:5], way.__name__, kind]))
        for case in CASES
        for way, kind in ways(case)
    ],
)
def test_a_file_that_is_read_is_not_replaced(monkeypatch, capsys, tmp_path, contents, case, way, kind):
    (tmp_path / "here").mkdir()
    (tmp_path / "aside").mkdir()
    out = tmp_path / "here" / case.name
    out.write_bytes(contents[kind])
    given = way(out)
    log = tmp_path / "other.xml"
    log.write_bytes(contents["log"])
    before = tree(tmp_path)
    places = {"given": given, "out": out, "folder": out.parent, "stem": out.stem, "log": log}
    code, said, complaint = oshihiki(
        monkeypatch, capsys, *case.command.split(), *shlex.split(case.rest.format(**places))
    )
    assert tree(tmp_path) == before
    assert (code, said) == (2, "")
    assert case.reason in complaint
    assert "Traceback" not in complaint


def tree(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def files_of(command):
    """The names of the parameters that name files."""
    for one in load(command).params:
        name = getattr(one.type, "name", "")
        known = one.opts[0] if one.param_type_name == "option" else one.name
        if name in PATHS or known in NAMED_BY_TEXT:
            yield known


@pytest.mark.parametrize("command", COMMANDS)
def test_every_file_of_every_command_is_tried(command):
    """An option that nobody thought of fails here: say above what it does, and try it with each file that is read."""
    tried = {(case.writes, case.reads) for case in CASES if case.command == command}
    written, read = ({pair[at] for pair in tried} for at in (0, 1))
    assert set(files_of(command)) == written | read | ALONE.get(command, set())
    assert tried == {(out, given) for out in written for given in read if out != given}


def test_a_record_replaces_nothing(tmp_path):
    game = GameLog(game_of("tsumogiri", 3).events)
    for name in ("x.jsonl", f"{game.info.log_id}.xml", f"{game.info.log_id}.json"):
        (tmp_path / name).write_text("there before", encoding="utf-8")
    before = tree(tmp_path)
    with GameRecord(tmp_path / "x.jsonl") as kept:
        assert kept.path.name == "x-1.jsonl"
    assert record(game, tmp_path) == ()
    assert {name: data for name, data in tree(tmp_path).items() if name in before} == before


def test_a_log_file_is_neither_the_configuration_nor_the_keys(monkeypatch, capsys, tmp_path):
    config, keys = tmp_path / "c.toml", tmp_path / "keys"
    keys.write_text("ID12345678-abcdEFGH\n", encoding="utf-8")
    for file in (config, keys):
        settings = f"[log]\nfile = {json.dumps(str(file))}\n[account]\nid_file = {json.dumps(str(keys))}\n"
        config.write_text(settings, encoding="utf-8")
        code, _, complaint = oshihiki(monkeypatch, capsys, "play", "--games", 1, "-c", config)
        assert code == 2
        assert re.search(rf"log\.file: {file}: is a file that this command reads", complaint)
        assert config.read_text(encoding="utf-8") == settings


def test_the_other_logs_of_a_folder_are_exported(monkeypatch, capsys, tmp_path, contents):
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in ("a.mjlog", "b.xml"):
        (logs / name).write_bytes(contents["log"])
    code, _, complaint = oshihiki(monkeypatch, capsys, "export", logs, "--to", "mjlog", "-o", logs)
    assert code == 2
    assert "b.xml: is a file that this command reads" in complaint
    assert "1 written" in complaint
    assert (logs / "a.xml").read_bytes() == contents["log"]


def full(_file):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def stopped(_file):
    raise KeyboardInterrupt


@pytest.mark.parametrize(("event", "error"), [(full, InputError), (stopped, KeyboardInterrupt)])
def test_a_file_is_replaced_whole_or_not_at_all(monkeypatch, tmp_path, event, error):
    place = tmp_path / "report.html"
    place.write_text("before", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", event)
    with pytest.raises(error):
        Outputs("--output", ()).write(place, "after")
    assert tree(tmp_path) == {str(place): b"before"}


def test_a_replaced_file_keeps_its_permissions_and_links(tmp_path):
    place, link = tmp_path / "report.html", tmp_path / "link"
    place.write_text("before", encoding="utf-8")
    place.chmod(0o640)
    link.symlink_to(place)
    Outputs("--output", ()).write(link, "\u62bc\u3057\u5f15\u304d \ud800")
    assert place.read_text(encoding="utf-8") == "\u62bc\u3057\u5f15\u304d ?"
    assert place.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    place.chmod(0o440)
    if not os.access(place, os.W_OK):  # the superuser may write everything
        with pytest.raises(InputError, match=r"report\.html: cannot be written: Permission denied"):
            Outputs("--output", ()).write(place, "after")


def test_devices_and_pipes_are_written_to(tmp_path):
    Outputs("--output", ()).write(Path(os.devnull), "text")
    assert not Path(os.devnull).is_file()
    reader, writer = os.pipe()
    Outputs("--output", ()).write(Path(f"/dev/fd/{writer}"), "text")
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        assert stream.read() == b"text"
    with pytest.raises(InputError, match=f"{tmp_path}: cannot be written: Is a directory"):
        Outputs("--output", ()).write(tmp_path, "text")


@pytest.mark.parametrize("text", ["a log without a line's end", "[" * 100_000 + "\n", '{"format":"other"'])
def test_a_journal_that_is_none_stays_as_it_is(tmp_path, text):
    place = tmp_path / "journal"
    place.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="is damaged or not a journal"):
        continued(place, "match", {})
    assert place.read_text(encoding="utf-8") == text


def test_a_journal_whose_first_line_was_cut_short_is_begun_again(tmp_path):
    place = tmp_path / "journal"
    place.write_text('{"format":"oshihiki-ma', encoding="utf-8")
    continued(place, "match", {})
    assert place.read_text(encoding="utf-8") == '{"format":"oshihiki-match-journal","version":1}\n'


def test_a_device_is_no_journal():
    with pytest.raises(InputError, match="/dev/zero: is not a regular file"):
        continued(Path("/dev/zero"), "match", {})
