"""Input made to cost much: archives, logs, settings and requests of at most 20 MB. ``weigh.py`` measures each."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

SIZE: Final = 20_000_000
"""Bytes of the largest input."""


# ------------------------------------------------------------------------------------------------------ archives


def _gz(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


def _noise(size: int) -> bytes:
    """Bytes that do not pack: a large file may unpack to more."""
    return random.Random(1).randbytes(size)


def _zeros(pack: Callable[[bytes], bytes], size: int, piece: int = 1 << 24) -> bytes:
    """Packed zeros, in streams one after another."""
    return pack(bytes(piece)) * (size // piece)


def _header(name: str, kind: bytes, size: int, fill: bytes = b"") -> bytes:
    """A tar header; ``fill`` is what it says from byte 345 on, in GNU's form."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    if fill:
        block[345 : 345 + len(fill)] = fill
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block[:512])
    return bytes(block[:512])


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 512)


def _octal(number: int) -> bytes:
    return b"%011o\0" % number


def hole(number: int, size: int = 64 << 20, *, more: bool = False) -> bytes:
    """The header of a member that is one hole."""
    pieces = (_octal(size) + _octal(0)) + bytes(72)
    return _header(f"{number}.xml", tarfile.GNUTYPE_SPARSE, 0, bytes(41) + pieces + bytes([more]) + _octal(size))


def sparse() -> bytes:
    return b"".join(hole(number) for number in range(2_000)) + bytes(1024)


def sparse_in_pieces() -> bytes:
    """A hole after every second byte, in a map of many blocks."""
    places = iter(range(0, 1 << 40, 40))
    block = lambda: b"".join(_octal(next(places)) + _octal(1) for _ in range(21)) + b"\1" + bytes(7)  # noqa: E731
    extension = b"".join(block() for _ in range(60_000))
    return _gz(hole(0, 60_000 * 21 * 40, more=True) + extension)


def sparse_by_pax() -> bytes:
    """A map of 2.0 bytes a number, in the contents."""
    pax = _pax(b"GNU.sparse.major=1", b"GNU.sparse.minor=0", b"GNU.sparse.name=a.xml", b"GNU.sparse.realsize=1")
    head = _packed_header(tarfile.XHDTYPE, pax) + _header("a.xml", tarfile.REGTYPE, 1 << 31) + b"900000000\n"
    return _gz(head) + _repeated(b"0\n", 1_900_000_000)


def _pax(*fields: bytes) -> bytes:
    """Records of a pax header."""
    records = []
    for field in fields:
        length = len(field) + 3
        while len(b"%d %s\n" % (length, field)) != length:
            length += 1
        records.append(b"%d %s\n" % (length, field))
    return b"".join(records)


def _packed_header(kind: bytes, data: bytes, name: str = "x") -> bytes:
    return _header(name, kind, len(data)) + _padded(data)


def _vast_header(kind: bytes) -> Callable[[], bytes]:
    """One header of 900 MiB, in a file whose noise earns it room."""
    return lambda: _gz(_header("x", kind, 900 << 20)) + _zeros(_gz, 900 << 20) + _gz(_noise(10_000_000))


def _headers() -> bytes:
    """As many pax headers full of short records as 20 MB may unpack to, each before an empty file."""
    fields = _pax(*(b"%x=1" % number for number in range(1_500)))
    return _repeated(_packed_header(tarfile.XHDTYPE, fields) + _header("a.xml", tarfile.REGTYPE, 0), 1_900_000_000)


def _repeated(piece: bytes, size: int) -> bytes:
    """A piece so often that it has ``size`` bytes, in a gz of 20 MB that ends with noise."""
    times = max(1, (8 << 20) // len(piece))
    packed = _gz(piece * times) * (size // (len(piece) * times))
    return packed + _gz(_noise(SIZE - 10_000 - len(packed)))


def _chain() -> bytes:
    """Long names one after another, without the file they name."""
    return _repeated(_packed_header(tarfile.GNUTYPE_LONGNAME, b"a" * 200), 1_900_000_000)


def _empty_members() -> bytes:
    return _repeated(_header("a.xml", tarfile.REGTYPE, 0), 1_900_000_000)


class _Entry(NamedTuple):
    """A zip's member: what its two headers say, and its packed bytes."""

    name: bytes
    method: int = 0
    packed: bytes = b""
    size: int = 0
    crc: int = 0

    @property
    def facts(self) -> bytes:
        """What both headers say."""
        return struct.pack(
            "<5H3L2H", 20, 0, self.method, 0, 33, self.crc, len(self.packed), self.size, len(self.name), 0
        )

    def local(self) -> bytes:
        """The header before the bytes, and the bytes."""
        return b"PK\3\4" + self.facts + self.name + self.packed

    def central(self, at: int) -> bytes:
        """The entry in the directory."""
        return b"PK\1\2" + b"\x14\3" + self.facts + struct.pack("<3H2L", 0, 0, 0, 0, at) + self.name


def _zip(entries: Iterable[_Entry], stored: Iterable[_Entry] | None = None) -> bytes:
    """A zip of these; if ``stored`` is given, only those are in it, and all entries name the first of them."""
    entries = list(entries)
    data, places = io.BytesIO(), []
    for entry in entries if stored is None else stored:
        places.append(data.tell())
        data.write(entry.local())
    start, number = data.tell(), len(entries)
    for at, entry in enumerate(entries):
        data.write(entry.central(places[at] if stored is None else 0))
    size = data.tell() - start
    data.write(struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, number, number, size, start))
    data.write(struct.pack("<4sLQL", b"PK\6\7", 0, start + size, 1))
    data.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65535, 65535, 0xFFFFFFFF, 0xFFFFFFFF, 0))
    return data.getvalue()


def _empty_entries() -> bytes:
    """A zip whose directory names one empty file many times."""
    return _zip([_Entry(b"a.xml")] * 390_000, [_Entry(b"a.xml")])


def _of_zeros(name: bytes) -> _Entry:
    """A member of 64 MiB of zeros."""
    zeros = bytes((64 << 20) - 1)
    return _Entry(name, zipfile.ZIP_DEFLATED, zlib.compress(zeros, wbits=-15), len(zeros), zlib.crc32(zeros))


def _members_of_zeros() -> bytes:
    entry = _of_zeros(b"")
    return _zip(entry._replace(name=b"%x.xml" % number) for number in range(300))


def _overlapping() -> bytes:
    """Many entries of one member."""
    entry = _of_zeros(b"a.xml")
    return _zip([entry] * 65_000, [entry])


def _xz_with_dictionary() -> bytes:
    """0.8 GB of zeros that stay in a dictionary of 3 GiB."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 16}]
    packer = lzma.LZMACompressor(filters=filters)
    parts = [packer.compress(bytes(1 << 20)) for _ in range(800)] + [packer.flush()]
    data = bytearray(b"".join(parts))
    header = bytearray(data[12 : 12 + (data[12] + 1) * 4])
    at = header.index(b"\x21\x01") + 2
    header[at] = 39  # 3 GiB
    header[-4:] = struct.pack("<L", zlib.crc32(bytes(header[:-4])))
    data[12 : 12 + len(header)] = header
    return bytes(data) + lzma.compress(_noise(SIZE - len(data) - 20_000))


# ---------------------------------------------------------------------------------------------------------- logs

_GAME: Final = 2 << 20
_MJLOG: Final = b'<mjloggm ver="2.3">'


def _filled(head: bytes, piece: bytes, tail: bytes = b"", size: int = _GAME) -> Callable[[], bytes]:
    """A text of so many bytes: a head, a piece again and again, a tail."""
    return lambda: head + piece * ((size - len(head) - len(tail)) // len(piece)) + tail


def _attributes() -> bytes:
    """One element with as many attributes as fit."""
    return _MJLOG + b"<INIT" + b"".join(b' a%x="1"' % number for number in range(190_000)) + b"/></mjloggm>"


RECORD: Final = b'{"format":"oshihiki-record","version":3}\n'
"""A record without a game."""
_WIRE: Final = b'Get: {"tag":"HELO","uname":"me"}\n'
_MANY: Final = SIZE - 1000


def _lines(head: bytes, line: bytes, size: int = _MANY, most: int = 99_000) -> Callable[[], bytes]:
    """A session of as many lines as may be."""
    return lambda: head + line * min(most, (size - len(head)) // len(line))


ARCHIVES: Final[dict[str, Callable[[], bytes]]] = {
    "tar: 2,000 holes of 64 MiB": sparse,
    "tar.gz: a hole after every byte": sparse_in_pieces,
    "tar.gz: a pax map of 500 million numbers": sparse_by_pax,
    "tar.gz: a pax header of 900 MiB": _vast_header(tarfile.XHDTYPE),
    "tar.gz: a long name of 900 MiB": _vast_header(tarfile.GNUTYPE_LONGNAME),
    "tar.gz: pax headers of short records": _headers,
    "tar.gz: long names without a file": _chain,
    "tar.gz: 4 million empty files": _empty_members,
    "zip: 390,000 entries of one empty file": _empty_entries,
    "zip: 65,000 entries for one member of 64 MiB": _overlapping,
    "zip: 300 members of 64 MiB of zeros": _members_of_zeros,
    "gz: 20 GB of zeros": lambda: _zeros(_gz, 20 << 30)[:SIZE],
    "gz: 990,000 empty members": lambda: _gz(b"") * (SIZE // len(_gz(b""))),
    "bz2: 400 GB of zeros": lambda: _zeros(bz2.compress, 1 << 38)[:SIZE],
    "xz: 128 GB of zeros": lambda: _zeros(lzma.compress, 1 << 37)[:SIZE],
    "xz: a dictionary of 3 GiB": _xz_with_dictionary,
}
"""Archives and compressed files; ``verify`` reads each."""

LOGS: Final[dict[str, Callable[[], bytes]]] = {
    "20 MB of noise": lambda: _noise(SIZE),
    "20 MB of spaces": lambda: b" " * SIZE,
    "20 MB of braces": lambda: b"{" * SIZE,
    'a search for "log" without end': _filled(b'{"a":', b'"log" '),
    "mjlog: one element with 190,000 attributes": _attributes,
    "mjlog: an attribute of 2 MB of numbers": _filled(_MJLOG + b'<INIT seed="0,0,0,0,0,0" hai="', b"1,", b'"/>'),
    "mjlog: 99,000 elements within each other": _filled(_MJLOG, b"<T1>", size=4 * 99_000),
    "mjlog: 99,000 tags of the play": _filled(_MJLOG + b'<GO type="9" lobby="0"/>', b"<T1/>", size=5 * 99_000),
    "tenhou6: 2 MB of brackets": _filled(b'{"log":', b"["),
    "tenhou6: 20 MB of empty lists": _filled(b'{"log":[', b"[],", b"[]]}", SIZE),
    "tenhou6: a number of 2 million digits": _filled(b'{"log":[', b"9", b"]}"),
    "tenhou6: 200,000 keys": lambda: b'{"log":[],' + b",".join(b'"%x":1' % n for n in range(200_000)) + b"}",
    "tenhou6: 33,000 hands": _filled(
        b'{"name":["A","B","C","D"],"rule":{"aka":1},"log":[', b"[[0,0,0]" + b",[]" * 16 + b"],", b"[]]}"
    ),
    "tenhou6: a link of 2 MB of escapes": _filled(b"https://tenhou.net/6/#json=", b"%7B"),
    "mjai: a line of 2 MB of empty lists": _filled(b'{"type":"start_game","names":[', b"[],", b"[]]}"),
    "mjai: 99,000 lines": _lines(b'{"type":"start_game","names":["A","B","C","D"]}\n', b'{"type":"none"}\n', _GAME),
    "record: a line of 6 million empty lists": _filled(RECORD + b'{"at":1,"events":[', b"[],", b"[]]}\n", SIZE),
    "record: 10 million numbers": _filled(RECORD + b'{"at":1,"events":[', b"1e9,", b"1]}\n", SIZE),
    "record: 99,000 decisions": _lines(RECORD, b'{"at":1,"decision":{"actions":[' + b"{}," * 50 + b"{}]}}\n"),
    "record: 99,000 frames": _lines(RECORD, b'{"at":1,"in":"{\\"tag\\":\\"T1\\"}"}\n'),
    "record: a frame of 20 MB": _filled(RECORD + b'{"at":1,"in":"{\\"tag\\":\\"', b"a", b'\\"}"}\n', SIZE),
    "session: 99,000 lines": _lines(_WIRE, b'Get: {"tag":"T1"}\n'),
    "session: a frame of 20 MB": _filled(_WIRE + b'Get: {"tag":"', b"a", b'"}\n', SIZE),
    "session: a frame with a million attributes": lambda: _WIRE
    + b'Get: {"tag":"INIT"'
    + b"".join(b',"%x":"1"' % number for number in range(1_600_000))
    + b"}\n",
    "session: 99,000 elements in a line": _filled(_WIRE + b"Get: ", b"<T1/>", b"\n", 5 * 99_000),
    "session: 20 MB of words": _filled(b"a b c d Get: {", b"Send: ", size=SIZE),
}  # fmt: skip
"""Logs; ``verify`` reads each."""


# ------------------------------------------------------------------------------------------------------ settings

SETTINGS: Final[dict[str, Callable[[], bytes]]] = {
    "20 MB of comments": _filled(b"", b"# \n", size=SIZE),
    "a line of 20 MB": _filled(b'[server]\nurl = "', b"a", b'"\n', SIZE),
    "3,000 lists within each other": lambda: b"[game]\nlobby = " + b"[\n" * 3_000 + b"]\n" * 3_000,
    "a key of 500 parts, 120 times": lambda: b"".join(b"k%d" % n + b".a" * 500 + b" = 1\n" for n in range(120)),
    "12,000 unknown keys": lambda: b"[game]\n" + b"".join(b"%x = 1\n" % n for n in range(12_000)),
    "noise": lambda: _noise(SIZE),
}  # fmt: skip
"""Files of settings; ``config check`` reads each."""

KEYS: Final[dict[str, Callable[[], bytes]]] = {
    "a key of 100 kB": lambda: b"x" * 100_000,
    "2,500 keys": lambda: b"".join(b"k%d\n" % n for n in range(2_500)) + b"k1\n",
}
"""Files of account keys; ``play`` reads each."""

_START: Final = b'{"type":"start_game","id":0,"names":["A","B","C","D"]}\n'

SPOKEN: Final[dict[str, Callable[[], bytes]]] = {
    "a line of 20 MB": _filled(b'{"type":"', b"a", b'"}\n', SIZE),
    "a line of 20 MB of brackets": _filled(_START + b'{"type":"tsumo","pai":', b"[", b"\n", SIZE),
    "a list of 1.5 million events": _filled(_START + b"[", b'{"type":"a"},', b'{"type":"a"}]\n', SIZE),
    "200,000 games": _filled(b"", _START, size=SIZE // 2),
}
"""What is said to ``mjai``."""

# ------------------------------------------------------------------------------------------------------ requests


def _upgrade(path: str, host: str) -> bytes:
    """The request that opens a websocket, as a page of this server makes it."""
    return (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def _frame(kind: int, data: bytes, length: int | None = None) -> bytes:
    """A client's frame; ``length`` is what it says of its size."""
    size = len(data) if length is None else length
    if size < 126:
        said = bytes([0x80 | size])
    else:
        said = b"\xfe" + struct.pack(">H", size) if size < 1 << 16 else b"\xff" + struct.pack(">Q", size)
    return bytes([kind]) + said + bytes(4) + data


Request = Callable[[str, str], bytes]
"""What is sent to a server, by the path of its websocket and its host."""


def _framed(frame: bytes) -> Request:
    """A websocket full of a frame."""
    return lambda path, host: _upgrade(path, host) + frame * max(1, (SIZE - 1000) // len(frame))


def _plain(head: str, piece: bytes) -> Request:
    """A request of 20 MB."""
    return lambda path, host: head.format(path=path, host=host).encode() + piece * ((SIZE - 1000) // len(piece))


REQUESTS: Final[dict[str, Request]] = {
    "a path of 20 MB": _plain("GET {path}", b"a"),
    "a header of 20 MB": _plain("GET {path} HTTP/1.1\r\nHost: {host}\r\nX: ", b"a"),
    "a body of 20 MB": _plain("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 19000000\r\n\r\n", b"a"),
    "200,000 requests": _plain("", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    "noise": lambda _path, _host: _noise(SIZE),
    "a message of 20 MB": lambda path, host: _upgrade(path, host) + _frame(0x81, b"a" * (SIZE - 1_500)),
    "a message said to have 4 EB": lambda path, host: _upgrade(path, host) + _frame(0x81, b"a" * 1_000_000, 1 << 62),
    "messages of many lists": _framed(_frame(0x81, b"[" + b"[]," * 1_300 + b"[]]")),
    "3 million pings": _framed(_frame(0x89, b"")),
    "a message in 3 million pieces": lambda path, host: (
        _upgrade(path, host) + _frame(0x01, b"") + _frame(0x00, b"") * 3_000_000
    ),
    "messages that are no UTF-8": _framed(_frame(0x81, b"\xff" * 4_000)),
}
"""Requests to the page of ``watch`` and to ``lobby``."""
