"""What a command takes for a log: folders, addresses, standard input, pipes."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.logs import sources
from bot.logs.sources import batches, open_logs
from protocol.logs.formats import LogFile
from tests.protocol.log_samples import MJLOG, TENHOU6, WIRE, names, one, tar


def test_folders_are_sorted_and_strangers_passed_over(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "1.xml").write_bytes(MJLOG)
    (tmp_path / "a.json").write_bytes(TENHOU6)
    (tmp_path / "README.md").write_text("about")
    (tmp_path / "app.log").write_text("2026-01-01 started")
    skipped = []
    assert names(tmp_path, on_skip=skipped.append) == [("a.json", "tenhou6"), ("1.xml", "mjlog")]
    assert [each.file.rsplit("/", 1)[-1] for each in skipped] == ["README.md", "app.log"]


def test_claims_in_folders_are_reported(tmp_path):
    (tmp_path / "x.xml").write_bytes(b"{}")
    (file,) = open_logs([tmp_path])
    assert "is not a log" in str(file.error)


ID = "2017010100gm-00e9-0000-de8eee52"


def test_an_address_is_the_file_that_lies_in_this_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    address = f"https://tenhou.net/0/?log={ID}&tw=2"
    assert f"save the page as {ID}.xml in this folder" in str(one(address).error)
    (tmp_path / f"{ID}.json").write_bytes(TENHOU6)
    assert (one(address).name, one(address).seat) == (f"{ID}.json", 2)
    (tmp_path / f"{ID}&tw=1.mjlog").write_bytes(gzip.compress(MJLOG))
    assert (one(address).format, one(address).seat) == ("mjlog", 2)
    assert one(address[:-5]).seat == 1, "the client's file name says whose log it is"
    (tmp_path / "session&tw=1.log").write_bytes(WIRE)
    assert one("session&tw=1.log").seat is None, "a session shows whose it is"
    monkeypatch.chdir("/")
    assert [file.error is None for file in open_logs([address, tmp_path])] == [True] * 4


def test_a_link_is_a_log():
    link = "https://tenhou.net/6/#json=" + quote(TENHOU6.decode())
    assert one(link) == LogFile(link, "tenhou6", link.encode(), named=True)
    assert one(f"{link}&tw=3").seat == 3
    assert len(one(link + "%20" * 9999).name) < 100


class Input(io.TextIOWrapper):
    """Standard input that is a pipe."""

    def __init__(self, data):
        super().__init__(io.BufferedReader(io.BytesIO(data)))


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.parametrize("data", [MJLOG, gzip.compress(MJLOG), tar(a_xml=MJLOG)], ids=["xml", "gz", "tar"])
def test_standard_input(monkeypatch, name, data):
    monkeypatch.setattr("sys.stdin", Input(data))
    file = one(name)
    assert (file.format, file.data, file.name.partition("/")[0]) == ("mjlog", MJLOG, "standard input")


def test_standard_input_that_gives_nothing_to_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert str(one("-").error) == "standard input: is closed; pipe a log into this command"
    monkeypatch.setattr("sys.stdin", Input(b""))
    assert str(one("-").error) == "standard input: the file is empty"
    monkeypatch.setattr(sources, "MAX_LOG_BYTES", 10)
    monkeypatch.setattr("sys.stdin", Input(MJLOG))
    assert "has more than 0 MiB; name the file instead" in str(one("-").error)
    terminal = Input(MJLOG)
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    assert "is the keyboard" in str(one("-").error)


def test_pipes(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "PATIENCE", 0.05)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "nothing was written into this pipe" in str(one(pipe).error)
    assert list(open_logs([tmp_path])) == [], "a pipe in a folder is not read"
    monkeypatch.setattr(sources, "PATIENCE", 60.0)
    writer = threading.Thread(target=pipe.write_bytes, args=(MJLOG,))
    writer.start()
    assert one(pipe).data == MJLOG
    writer.join()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a" * 5000, "cannot be read: File name too long"),
        ("a\0b", "cannot be read: embedded null byte"),
        ("a\nb", "no such file; check the path"),
        ("\udcff.xml", "no such file"),
        ("", "is not a name"),
        (" ", "is not a name"),
        (MJLOG.decode(), "is the text of a log; save it in a file, or pass it on standard input"),
        (TENHOU6.decode() * 99, "is the text of a log"),
        ("https://tenhou.net/9", "nothing is downloaded"),
        ("~nobody/x", "no such file"),
    ],
)
def test_any_text_gets_one_short_error(text, message):
    error = str(one(text).error)
    assert message in error
    assert len(error) < 500
    error.encode()


def test_names_that_are_not_utf8_can_be_printed(tmp_path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.xml")).write_bytes(MJLOG)
    (tmp_path / "a.tar").write_bytes(tar(**{"\udcfe_xml": MJLOG}))
    assert [file.name.encode() for file in open_logs([tmp_path])]


def test_links_in_folders(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "up").symlink_to(tmp_path)
    (tmp_path / "game.xml").symlink_to(tmp_path / "lost.xml")
    (tmp_path / ".lock").symlink_to(tmp_path / "lost")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    skipped = []
    found = list(open_logs([tmp_path], skipped.append))
    assert [str(file.error).rpartition("/")[2] for file in found] == [
        "game.xml: no such file; check the path",
        "loop: cannot be read: Too many levels of symbolic links",
    ]
    assert {(each.file.rpartition("/")[2], each.reason) for each in skipped} == {
        (".lock", "a link to nothing"),
        ("up", "a link to a folder"),
    }


def test_a_folder_that_cannot_be_listed_is_named(tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir()
    (tmp_path / "good.xml").write_bytes(MJLOG)
    real = os.scandir

    def scandir(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    good, closed = open_logs([tmp_path])
    assert good.error is None
    assert str(closed.error) == f"{tmp_path / 'closed'}: is not readable; check its permissions"
    assert "is not readable" in str(one(tmp_path / "closed").error)


def test_batches_are_bounded_in_number_and_in_bytes(monkeypatch):
    files = [LogFile(str(number), "mjlog", bytes(60)) for number in range(5)]
    assert [len(batch) for batch in batches(files, 2)] == [2, 2, 1]
    assert [file for batch in batches(iter(files), 3) for file in batch] == files
    monkeypatch.setattr(sources, "BATCH_BYTES", 100)
    assert [len(batch) for batch in batches(files)] == [2, 2, 1]


@pytest.mark.corpus
@pytest.mark.slow
def test_every_recording_is_found(corpus):
    skipped = []
    counts = {}
    for file in open_logs([corpus], skipped.append):
        assert file.error is None, file.name
        counts[file.format] = counts.get(file.format, 0) + 1
    assert counts["wire"] == 585
    assert counts["tenhou6"] == 411  # each line of a file is one
    assert counts["mjai"] == 99
    assert counts["mjlog"] > 20_000
    assert {each.file.rsplit("/", 1)[-1] for each in skipped} == {
        "MANIFEST-wire-json.tsv", "MANIFEST.tsv", "README.md", "doc.txt", "gimite-test.mjlog.golden.log",
    }  # fmt: skip
