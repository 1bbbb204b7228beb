"""Archives and compressed logs: what is in them, and what they may cost."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from bot.logs import archives, sources
from bot.logs.sources import PassedOver, open_logs
from protocol.errors import LogError
from protocol.logs.formats import LogFile, read_log
from tests.protocol.log_samples import MJAI, MJLOG, RECORD, TENHOU6, WIRE, names, one, tar, zipped


@pytest.mark.parametrize(
    "pack",
    [gzip.compress, lzma.compress, bz2.compress],
    ids=["gz", "xz", "bz2"],
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
    path.write_bytes(zipped({"2017/a.mjlog": gzip.compress(MJLOG), "b.jsonl": MJAI}))
    assert names(path) == [("a.mjlog", "mjlog"), ("b.jsonl", "mjai")]


@pytest.mark.parametrize(
    "inner",
    [
        lambda: tar(a_xml=MJLOG),
        lambda: tar("w:gz", a_xml=MJLOG),
        lambda: gzip.compress(gzip.compress(MJLOG)),
    ],
    ids=["tar", "tar.gz", "gz.gz"],
)
def test_an_archive_within_an_archive_is_refused_by_itself(tmp_path, inner):
    path = tmp_path / "games.zip"
    path.write_bytes(zipped({"inner": inner(), "a.xml": MJLOG}))
    nested, log = open_logs([path])
    assert str(nested.error) == f"{path}/inner: {archives.NESTED}"
    assert log.data == MJLOG


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("README.md", b"about", "is not a log (it begins 'about')"),
        ("x.xml", b"", "the file is empty"),
        ("x.xml", b"<html>", "is not a log"),
        ("x.tar.xz", lzma.compress(tar(a_xml=MJLOG * 9_000))[:-40], "damaged or cut short"),
        ("x.gz", gzip.compress(MJLOG, mtime=0)[:-12], "damaged or cut short"),
        ("x.zip", b"PK\x03\x04nothing", "damaged or cut short"),
        (
            "x.gz",
            gzip.compress(gzip.compress(MJLOG, mtime=0), mtime=0),
            "compressed twice",
        ),
    ],
)
def test_a_file_that_cannot_be_opened_carries_its_error(tmp_path, name, data, message):
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
    path.write_bytes(zipped({"a.xml": MJLOG}).replace(b"\x08\x00", b"\x63\x00"))
    (file,) = open_logs([path])
    assert "the archive cannot be unpacked (That compression method is not supported); unpack it" in str(file.error)


def test_a_zip_with_a_name_of_no_characters_is_damaged(tmp_path):
    path = tmp_path / "x.zip"
    path.write_bytes(zipped({"a.xml": MJLOG}).replace(b"a.xml", b"\0.xml"))
    (file,) = open_logs([path])
    assert "the archive is damaged" in str(file.error)


def test_bombs_are_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_LOG_BYTES", 1 << 20)
    zeros = bytes(2 << 20)
    (tmp_path / "1.gz").write_bytes(gzip.compress(zeros))
    (tmp_path / "2.tar.xz").write_bytes(tar("w:xz", a_xml=zeros, b_xml=MJLOG, c_gz=gzip.compress(zeros)))
    (tmp_path / "3.xml").write_bytes(zeros)
    (tmp_path / "4.zip").write_bytes(zipped({"a.xml": zeros}))
    found = list(open_logs([tmp_path]))
    assert [file.error is None for file in found] == [False, False, True, False, False, False]
    assert all("larger than 1 MiB" in str(file.error) for file in found if file.error)


def test_the_size_of_a_log_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_GAME_BYTES", 1000)
    monkeypatch.setattr(sources, "MAX_FRAMES", 10)
    monkeypatch.setattr(sources, "MAX_VALUES", 50)
    (tmp_path / "1.xml").write_bytes(MJLOG + bytes(1000))
    (tmp_path / "2.jsonl").write_bytes(RECORD + b'{"at":0.1}\n' * 10)
    (tmp_path / "3.log").write_bytes(WIRE + b"Get: " + b"<Z/>" * 10)
    (tmp_path / "4.jsonl").write_bytes(RECORD + bytes(1000))
    (tmp_path / "5.jsonl").write_bytes(RECORD + b'{"at":1,"events":[' + b"[]," * 30 + b"[]]}\n")
    found = [str(file.error or "") for file in open_logs([tmp_path])]
    assert "larger than 0 MiB" in found[0]
    assert "more than 10 lines or tags" in found[1]
    assert "more than 10 lines or tags" in found[2]
    assert found[3] == "", "a record is a client's whole session, which has no such limit"
    assert "has more than 50 values" in found[4]


NOTHING = {f"z{number}_txt": bytes(900_000) for number in range(40)}
"""Much of nothing, each file of it small enough."""


@pytest.mark.parametrize("pack", [lambda members: tar("w:xz", **members), zipped], ids=["tar.xz", "zip"])
def test_archives_of_nearly_nothing_are_not_read_to_their_end(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(archives, "MIN_ALLOWANCE", 8 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(pack({"a_xml": MJLOG} | NOTHING))
    assert path.stat().st_size * archives.MAX_GROWTH < 36 << 20
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


def test_a_sparse_member_is_not_read(tmp_path):
    path = tmp_path / "sparse.tar"
    path.write_bytes(_sparse(1) + tar(a_xml=MJLOG))
    hole, log = open_logs([path])
    assert str(hole.error) == f"{path}/1.xml: is a sparse file; unpack the archive first"
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


@pytest.mark.parametrize("pack", [lambda members: tar(**members), zipped], ids=["tar", "zip"])
def test_each_member_costs_more_than_its_bytes(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(archives, "MIN_ALLOWANCE", 1 << 20)
    monkeypatch.setattr(archives, "MAX_GROWTH", 1)
    path = tmp_path / "many"
    path.write_bytes(pack({f"{number}_xml": b"" for number in range(100)}))
    *found, last = open_logs([path])
    assert len(found) < 40
    assert "unpacks to far more" in str(last.error)


def test_the_directory_of_a_zip_is_read_only_if_it_is_small(tmp_path):
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(150):
            member = zipfile.ZipInfo(f"{number}.xml")
            member.comment = bytes(65_000)
            archive.writestr(member, MJLOG)
    (file,) = open_logs([path])
    assert "unpacks to far more" in str(file.error)


def test_a_member_whose_name_is_damaged_is_named(tmp_path):
    path = tmp_path / "odd.zip"
    path.write_bytes(zipped({"\x1b[31mevil.xml": MJLOG}).replace(b"evil", b"Evil", 1))
    (file,) = open_logs([path])
    assert str(file.error).endswith("evil.xml: is damaged within its archive; fetch the archive again")


@pytest.mark.parametrize(
    ("data", "unpacked"),
    [
        (lzma.compress(MJLOG[:9]) + bytes(8) + lzma.compress(MJLOG[9:]) + bytes(4), MJLOG),
        (lzma.compress(MJLOG) + b"trailing", MJLOG),
        (lzma.compress(MJLOG)[:-9], "damaged or cut short"),
        (
            # the simplest search for matches: any other would set up two gigabytes for these few bytes
            lzma.compress(MJLOG, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 3 << 29, "mf": lzma.MF_HC3}]),
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
    path.write_bytes(zipped({"a.xml": MJLOG}))
    monkeypatch.setattr(zipfile, "ZipFile", vast)
    assert "it needs more memory than there is" in str(one(path).error)


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


def test_a_damaged_member_of_a_zip_costs_no_other(tmp_path):
    packed = zipped({name: MJLOG + name.encode() * 50 for name in ("1.xml", "2.xml", "3.xml")})
    first, second = packed.index(b"1.xml"), packed.index(b"2.xml")
    for at in (first + 20, second + 1):  # the data of the first, and the header of the second
        data = bytearray(packed)
        data[at] ^= 0xFF
        path = tmp_path / "games.zip"
        path.write_bytes(data)
        found = {file.name.rpartition("/")[2]: file.error for file in open_logs([path])}
        assert list(found) == ["1.xml", "2.xml", "3.xml"]
        assert [name for name, error in found.items() if error] == ["1.xml" if at == first + 20 else "2.xml"]
