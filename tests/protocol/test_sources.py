from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import pickle
import tarfile
import threading
import zipfile
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from protocol.errors import LogError
from protocol.logs import archives, formats, sources
from protocol.logs.archives import PassedOver
from protocol.logs.formats import FORMATS, LogFile, convert, detect_format, read_log, write_log
from protocol.logs.game_log import GameLog, LogInfo
from protocol.logs.sources import batches, open_logs

MJAI = b'{"type":"start_game","names":["A","B","C","D"]}\n'
MJLOG = b'<mjloggm ver="2.3"><GO type="9"/></mjloggm>'
TENHOU6 = b'{"title":["",""],"name":["A","B","C","D"],"rule":{"aka":1},"log":[]}'
WIRE = b'Send: <HELO name="NoName" tid="f0" sx="M" />\nGet: <HELO uname="NoName"/>\n'
RECORD = b'{"format":"oshihiki-record","version":2}\n{"at":0.1,"in":"{\\"tag\\":\\"HELO\\"}"}\n'
SAMPLES = {"record": RECORD, "mjlog": MJLOG, "tenhou6": TENHOU6, "mjai": MJAI, "wire": WIRE}


def tar(mode="w", **members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name.replace("_", "."))
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def names(*paths, **options):
    return [(file.name.rsplit("/", 1)[-1], file.format) for file in open_logs(paths, **options)]


@pytest.mark.parametrize("format_name", FORMATS)
def test_format_is_recognised_from_the_content(tmp_path, format_name):
    path = tmp_path / "whatever.bin"
    path.write_bytes(b"\xef\xbb\xbf" + SAMPLES[format_name])
    (file,) = open_logs([path])
    assert (file.format, file.error) == (format_name, None)


def test_more_beginnings():
    assert detect_format(b'<?xml version="1.0"?>\n<mjloggm ver="2.3">') == "mjlog"
    assert detect_format(b"https://tenhou.net/6/#json=%7B%22title") == "tenhou6"
    assert detect_format(b'[{"type":"start_game"}]') == "mjai"
    assert detect_format(b'{"ver":2.3,\n  "ref":"x",\n  "log" : [') == "tenhou6"
    assert detect_format(b'{"type":"start_game","log":[]}') == "mjai"
    assert detect_format(b"<html>") is None
    assert detect_format(b'{"at": "2026-11-22", "log": "2017010100gm-00e9-0000-de8eee52"}') is None, "a line of results"
    assert detect_format(b"") is None


@pytest.mark.parametrize(
    "pack",
    [gzip.compress, lzma.compress, bz2.compress, lambda data: gzip.compress(lzma.compress(data))],
    ids=["gz", "xz", "bz2", "xz.gz"],
)
def test_compressed_files(tmp_path, pack):
    path = tmp_path / "a.xml.packed"
    path.write_bytes(pack(MJLOG))
    (file,) = open_logs([path])
    assert file == LogFile(str(path), "mjlog", MJLOG, named=True)


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz", "w:bz2"])
def test_archives_are_read_in_their_order(tmp_path, mode):
    path = tmp_path / "games.tar.any"
    path.write_bytes(tar(mode, b_xml=MJLOG, a_json=TENHOU6, doc_txt=b"about"))
    skipped = []
    found = list(open_logs([path], skipped.append))
    assert [(file.name, file.format) for file in found] == [(f"{path}/b.xml", "mjlog"), (f"{path}/a.json", "tenhou6")]
    assert skipped == [PassedOver(f"{path}/doc.txt", "not a log")]


def test_zip_of_compressed_logs(tmp_path):
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("2017/a.mjlog", gzip.compress(MJLOG))
        archive.writestr("b.tar", tar(c_jsonl=MJAI))
    assert names(path) == [("a.mjlog", "mjlog"), ("c.jsonl", "mjai")]


def test_folders_are_sorted_and_strangers_passed_over(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "1.xml").write_bytes(MJLOG)
    (tmp_path / "a.json").write_bytes(TENHOU6)
    (tmp_path / "README.md").write_text("about")
    (tmp_path / "app.log").write_text("2026-01-01 started")
    skipped = []
    assert names(tmp_path, on_skip=skipped.append) == [("a.json", "tenhou6"), ("1.xml", "mjlog")]
    assert [each.file.rsplit("/", 1)[-1] for each in skipped] == ["README.md", "app.log"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("README.md", b"about", "is not a log (it begins 'about')"),
        ("x.xml", b"", "the file is empty"),
        ("x.xml", b"<html>", "is not a log"),
        ("x.tar.xz", lzma.compress(tar(a_xml=MJLOG * 9_000))[:-40], "damaged or cut short"),
        ("x.gz", gzip.compress(MJLOG, mtime=0)[:-12], "damaged or cut short"),
        ("x.zip", b"PK\x03\x04nothing", "damaged or cut short"),
        ("x.gz", gzip.compress(gzip.compress(gzip.compress(gzip.compress(MJLOG)))), "more than 3 deep"),
    ],
)
def test_what_cannot_be_opened_carries_its_error(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    good = tmp_path / "z.xml"
    good.write_bytes(MJLOG)
    *found, last = open_logs([path, good])
    assert last.error is None
    (bad,) = [file for file in found if file.error]
    with pytest.raises(LogError) as error:
        read_log(bad)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_a_rare_compression_is_named(tmp_path):
    path = tmp_path / "x.zip"
    path.write_bytes(_zip(MJLOG, b"", 0).replace(b"\x08\x00", b"\x63\x00"))
    (file,) = open_logs([path])
    assert "the archive cannot be unpacked (That compression method is not supported); unpack it" in str(file.error)


def test_a_zip_with_a_name_of_no_characters_is_damaged(tmp_path):
    path = tmp_path / "x.zip"
    path.write_bytes(_zip(MJLOG, b"", 0).replace(b"a.xml", b"\0.xml"))
    (file,) = open_logs([path])
    assert "the archive is damaged" in str(file.error)


def test_claims_in_folders_are_reported(tmp_path):
    (tmp_path / "x.xml").write_bytes(b"{}")
    (file,) = open_logs([tmp_path])
    assert "is not a log" in str(file.error)


def test_missing_file(tmp_path):
    (file,) = open_logs([tmp_path / "none.xml"])
    assert str(file.error) == f"{tmp_path / 'none.xml'}: no such file; check the path"


def test_bombs_are_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_LOG_BYTES", 1 << 20)
    zeros = bytes(2 << 20)
    (tmp_path / "1.gz").write_bytes(gzip.compress(zeros))
    (tmp_path / "2.tar.xz").write_bytes(tar("w:xz", a_xml=zeros, b_xml=MJLOG, c_gz=gzip.compress(zeros)))
    (tmp_path / "3.xml").write_bytes(zeros)
    with zipfile.ZipFile(tmp_path / "4.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", zeros)
    found = list(open_logs([tmp_path]))
    assert [file.error is None for file in found] == [False, False, True, False, False, False]
    assert all("larger than 1 MiB" in str(file.error) for file in found if file.error)


def test_the_size_of_a_log_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_GAME_BYTES", 1000)
    monkeypatch.setattr(archives, "MAX_FRAMES", 10)
    (tmp_path / "1.xml").write_bytes(MJLOG + bytes(1000))
    (tmp_path / "2.jsonl").write_bytes(RECORD + b'{"at":0.1}\n' * 10)
    (tmp_path / "3.log").write_bytes(WIRE + b"Get: " + b"<Z/>" * 10)
    (tmp_path / "4.jsonl").write_bytes(RECORD + bytes(1000))
    found = [str(file.error or "") for file in open_logs([tmp_path])]
    assert "larger than 0 MiB" in found[0]
    assert "more than 10 lines or tags" in found[1]
    assert "more than 10 lines or tags" in found[2]
    assert found[3] == "", "a record is a client's whole session, which has no such limit"


def test_batches_are_bounded_in_bytes(monkeypatch):
    monkeypatch.setattr(sources, "BATCH_BYTES", 100)
    files = [LogFile("x", "mjlog", bytes(60)) for _ in range(5)]
    assert [len(batch) for batch in batches(files)] == [2, 2, 1]


ID = "2017010100gm-00e9-0000-de8eee52"


def one(*arguments):
    (file,) = open_logs(arguments)
    return file


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
        ("a\nb", "no such file"),
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


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("mode", [0o000, 0o400, 0o100])
def test_a_folder_without_permission_is_named(tmp_path, mode):
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "a.xml").write_bytes(MJLOG)
    folder.chmod(mode)
    try:
        assert "is not readable; check its permissions" in str(one(tmp_path).error)
    finally:
        folder.chmod(0o700)


def test_a_folder_that_cannot_be_listed_is_named(tmp_path, monkeypatch):
    """As for a folder without permission, which root does not meet."""
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


def _many(pack):
    """A log and much of nothing, packed; each file of it small enough."""
    return pack(MJLOG, bytes(900_000), 40)


def _tar_xz(log, nothing, times):
    return tar("w:xz", a_xml=log, **{f"z{number}_txt": nothing for number in range(times)})


def _zip(log, nothing, times):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", log)
        for number in range(times):
            archive.writestr(f"z{number}.txt", nothing)
    return buffer.getvalue()


def _nested(log, nothing, times):
    """Each layer by itself unpacks to little more than its size."""
    inner = lzma.compress(_zip(log, nothing, times))
    return tar("w:gz", **{f"n{number}_xz": inner for number in range(times)})


@pytest.mark.parametrize("pack", [_tar_xz, _zip, _nested])
def test_archives_of_nearly_nothing_are_not_read_to_their_end(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(archives, "MIN_ALLOWANCE", 8 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(_many(pack))
    assert path.stat().st_size * archives.MAX_GROWTH < 36 << 20
    monkeypatch.setattr(archives, "MAX_GROWTH", 100)
    good = tmp_path / "good.xml"
    good.write_bytes(MJLOG)
    first, *_, bomb, last = open_logs([path, good])
    assert first.error is None
    assert str(bomb.error) == f"{path}: unpacks to far more than a log archive does; it was not read any further"
    assert last.error is None


GAP = 64 << 20


def _sparse(number, size=GAP, more=b"\0"):
    """A member in GNU's sparse form that is one hole."""
    info = tarfile.TarInfo(f"{number}.xml")
    info.type = tarfile.GNUTYPE_SPARSE
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    block[386:410] = b"%011o\0%011o\0" % (size, 0)
    block[482:495] = more + b"%011o\0" % size
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def test_holes_count_as_bytes(tmp_path):
    path = tmp_path / "sparse.tar"
    path.write_bytes(tar(a_xml=MJLOG)[:1024] + b"".join(map(_sparse, range(2_000))) + bytes(1024))
    first, *_, last = open_logs([path])
    assert first.error is None
    assert str(last.error) == f"{path}: unpacks to far more than a log archive does; it was not read any further"


def test_a_sparse_member_is_read(tmp_path):
    path = tmp_path / "sparse.tar"
    path.write_bytes(_sparse(1, 1000) + tar(a_xml=MJLOG))
    hole, log = open_logs([path])
    assert "is not a log" in str(hole.error)
    assert log.data == MJLOG


def _long_header(kind):
    info = tarfile.TarInfo("x")
    info.type, info.size = kind, archives.MAX_HEADER_BYTES + 1
    return info.tobuf(tarfile.GNU_FORMAT) + bytes(info.size + 511)


def _map_in_the_contents():
    """A sparse member by pax 1.0, whose map may be as long as its contents."""
    fields = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n25 GNU.sparse.name=a.xml\n25 GNU.sparse.realsize=1\n"
    info, header = tarfile.TarInfo("a.xml"), tarfile.TarInfo("x")
    header.type, header.size, info.size = tarfile.XHDTYPE, len(fields), 1 << 20
    numbers = b"500000\n" + b"0\n" * 500_000
    return header.tobuf() + fields.ljust(512, b"\0") + info.tobuf(tarfile.GNU_FORMAT) + numbers


@pytest.mark.parametrize(
    "data",
    [
        *map(_long_header, (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)),
        _sparse(1, more=b"\1") + (bytes(504) + b"\1" + bytes(7)) * 200,
        _map_in_the_contents(),
    ],
    ids=["pax", "global", "long name", "long link", "sparse map", "sparse map by pax"],
)
def test_headers_are_bounded(tmp_path, data):
    path = tmp_path / "long.tar"
    path.write_bytes(tar(a_xml=MJLOG)[:1024] + data)
    first, bad = open_logs([path])
    assert first.error is None
    assert "a header has more than 64 KiB" in str(bad.error)


@pytest.mark.parametrize("pack", [tar, lambda **members: _zip_of(members)], ids=["tar", "zip"])
def test_each_member_costs_more_than_its_bytes(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(archives, "MIN_ALLOWANCE", 1 << 20)
    monkeypatch.setattr(archives, "MAX_GROWTH", 1)
    path = tmp_path / "many"
    path.write_bytes(pack(**{f"{number}_xml": b"" for number in range(100)}))
    *found, last = open_logs([path])
    assert len(found) < 40
    assert "unpacks to far more" in str(last.error)


def _zip_of(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "unpacked"),
    [
        (lzma.compress(MJLOG[:9]) + bytes(8) + lzma.compress(MJLOG[9:]) + bytes(4), MJLOG),
        (lzma.compress(MJLOG) + b"trailing", MJLOG),
        (lzma.compress(MJLOG)[:-9], "the last stream has no end"),
        (
            lzma.compress(MJLOG, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 3 << 29}]),
            "more than 128 MiB of memory",
        ),
        (lzma.compress(MJLOG)[:-40] + bytes(40), "damaged or cut short"),
    ],
    ids=["two streams", "trailing", "cut", "large dictionary", "damaged"],
)
def test_xz(tmp_path, data, unpacked):
    path = tmp_path / "a.xml.xz"
    path.write_bytes(data)
    (file,) = open_logs([path])
    assert file.data == unpacked if isinstance(unpacked, bytes) else unpacked in str(file.error)


def test_more_memory_than_there_is_is_an_error(tmp_path, monkeypatch):
    def vast(*_, **__):
        raise MemoryError

    path = tmp_path / "a.zip"
    path.write_bytes(_zip_of({"a.xml": MJLOG}))
    monkeypatch.setattr(zipfile, "ZipFile", vast)
    assert "it needs more memory than there is" in str(one(path).error)


def test_the_number_of_values_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_VALUES", 50)
    path = tmp_path / "1.jsonl"
    path.write_bytes(RECORD + b'{"at":1,"events":[' + b"[]," * 30 + b"[]]}\n")
    assert "has more than 50 values" in str(one(path).error)


def test_spaces_before_a_log_cost_nothing():
    assert detect_format(b" \n" * 4_000 + MJLOG) == "mjlog"
    assert FORMATS["mjai"].begins.match(b" ") is None, "spaces at two places of a pattern take quadratic time"


def test_a_message_quotes_little_of_a_log():
    assert len(str(LogError("9" * 4_000_000))) < 1_100


def test_a_name_that_leads_elsewhere_is_only_a_name(tmp_path):
    path = tmp_path / "games.tar"
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in ("../../up.xml", "/etc/root.xml", "a/\x1b[31m.xml"):
            info = tarfile.TarInfo(name)
            info.size = len(MJLOG)
            archive.addfile(info, io.BytesIO(MJLOG))
        link = tarfile.TarInfo("link.xml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    path.write_bytes(buffer.getvalue())
    assert [file.data for file in open_logs([path])] == [MJLOG] * 3
    assert sorted(tmp_path.iterdir()) == [path]


def test_log_files_travel_between_processes():
    error = LogError("what", "a.xml", "line 1")
    for file in (LogFile("a.xml", "mjlog", MJLOG), LogFile("a.xml", error=error)):
        again = pickle.loads(pickle.dumps(file))  # noqa: S301
        assert str(again) == str(file)
        assert str(again.error) == str(file.error)


def test_batches():
    files = [LogFile(str(number)) for number in range(5)]
    assert [len(batch) for batch in batches(files, 2)] == [2, 2, 1]
    assert [file for batch in batches(iter(files), 3) for file in batch] == files


def test_read_log_says_where():
    with pytest.raises(LogError, match=r"^a\.json: there are no hands"):
        read_log(LogFile("a.json", "tenhou6", TENHOU6))
    with pytest.raises(LogError, match=r"^a\.log: a captured session"):
        convert(LogFile("a.log", "wire", WIRE), "mjlog")


def test_formats_that_cannot_be_written():
    game = read_log(LogFile("a", "mjai", example()))
    for name in ("wire", "pgn"):
        with pytest.raises(LogError, match=f"logs cannot be written as '{name}'; choose one of mjlog, tenhou6, mjai"):
            write_log(game, name)


@pytest.mark.parametrize("format_name", [name for name, row in FORMATS.items() if row.writes])
def test_what_is_written_can_be_encoded(format_name):
    start, *rest = read_log(LogFile("a", "mjai", example())).events
    named = replace(start, names=("\udfff", "B", "C", "D"))
    game = GameLog((named, *rest), LogInfo(log_id="\udfff", title=("\ud800", ""), lobby="\ud800"))
    assert write_log(game, format_name).encode()


def example():
    hands = [
        [f"{number}{suit}" for suit in "mps" for number in numbers] for numbers in ("1234", "2345", "3456", "4567")
    ]
    start = {
        "type": "start_kyoku", "bakaze": "E", "dora_marker": "W", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "scores": [25000] * 4, "tehais": [[*hand, "E"] for hand in hands],
    }  # fmt: skip
    lines = [
        {"type": "start_game", "names": ["A", "B", "C", "D"]},
        start,
        {"type": "tsumo", "actor": 0, "pai": "N"},
        {"type": "ryukyoku", "reason": "kyushukyuhai", "deltas": [0, 0, 0, 0]},
        {"type": "end_kyoku"},
        {"type": "end_game"},
    ]
    return "\n".join(map(json.dumps, lines)).encode()


def test_every_format_row_is_whole():
    for name, row in FORMATS.items():
        assert row.name == name
        assert row.suffix.startswith(".")
        assert callable(row.read)
    assert formats.FORMATS["wire"].write is None


@pytest.mark.corpus
@pytest.mark.slow
def test_every_recording_is_found(corpus):
    skipped = []
    counts = {}
    for file in open_logs([corpus], skipped.append):
        assert file.error is None, file.name
        counts[file.format] = counts.get(file.format, 0) + 1
    assert counts["wire"] == 585
    assert counts["tenhou6"] == 178
    assert counts["mjai"] == 99
    assert counts["mjlog"] > 20_000
    assert {each.file.rsplit("/", 1)[-1] for each in skipped} == {
        "MANIFEST-wire-json.tsv", "MANIFEST.tsv", "README.md", "doc.txt", "gimite-test.mjlog.golden.log",
    }  # fmt: skip
