from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
import tarfile
import zipfile

import pytest

from protocol.errors import LogError
from protocol.logs import formats, sources
from protocol.logs.formats import FORMATS, LogFile, convert, detect_format, read_log, write_log
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
def test_format_is_told_from_the_content(tmp_path, format_name):
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
    assert skipped == [f"{path}/doc.txt"]


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
    assert [name.rsplit("/", 1)[-1] for name in skipped] == ["README.md", "app.log"]


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


def test_claims_in_folders_are_reported(tmp_path):
    (tmp_path / "x.json").write_bytes(b"{}")
    (file,) = open_logs([tmp_path])
    assert "is not a log" in str(file.error)


def test_missing_file(tmp_path):
    (file,) = open_logs([tmp_path / "none.xml"])
    assert str(file.error) == f"{tmp_path / 'none.xml'}: no such file; check the path"


def test_bombs_are_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_LOG_BYTES", 1 << 20)
    zeros = bytes(2 << 20)
    (tmp_path / "1.gz").write_bytes(gzip.compress(zeros))
    (tmp_path / "2.tar.xz").write_bytes(tar("w:xz", a_xml=zeros, b_xml=MJLOG, c_gz=gzip.compress(zeros)))
    (tmp_path / "3.xml").write_bytes(zeros)
    with zipfile.ZipFile(tmp_path / "4.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", zeros)
    found = list(open_logs([tmp_path]))
    assert [file.error is None for file in found] == [False, False, True, False, False, False]
    assert all("larger than 1 MiB" in str(file.error) for file in found if file.error)


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
    monkeypatch.setattr(sources, "MIN_ALLOWANCE", 8 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(_many(pack))
    assert path.stat().st_size * sources.MAX_GROWTH < 36 << 20
    monkeypatch.setattr(sources, "MAX_GROWTH", 100)
    good = tmp_path / "good.xml"
    good.write_bytes(MJLOG)
    first, *_, bomb, last = open_logs([path, good])
    assert first.error is None
    assert str(bomb.error) == f"{path}: unpacks to far more than a log archive does; it was not read any further"
    assert last.error is None


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
    assert {name.rsplit("/", 1)[-1] for name in skipped} == {
        "MANIFEST-wire-json.tsv", "MANIFEST.tsv", "README.md", "doc.txt", "gimite-test.mjlog.golden.log",
    }  # fmt: skip
