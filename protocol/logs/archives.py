"""Logs in the bytes of one file: a log, a compressed log, or an archive of logs, archives and so on.

Nothing is unpacked to disk, and how much is unpacked to memory is bounded, whatever the file contains. The content
decides the format; names matter only for files that are not logs: a stray ``README.md`` in a folder or an archive is
skipped, a ``game.xml`` that is not a log is reported.
"""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import IO, Any, Final

from protocol.errors import LogError, LogTrouble
from protocol.logs.formats import FORMATS, LogFile, detect_format
from protocol.logs.json_text import as_utf8
from protocol.logs.listing import entries_of

MAX_LOG_BYTES: Final = 64 << 20
"""Size of the largest record or captured session, or archive within an archive, that is read into memory."""

MAX_GAME_BYTES: Final = 2 << 20
"""Size of the largest log of a whole game; recorded ones have up to 0.1 MiB."""

MAX_FRAMES: Final = 100_000
"""Number of lines, and of tags, in the largest record or captured session; a game has a few thousand."""

MAX_VALUES: Final = 2_000_000
"""Number of commas and opening brackets in the largest log; a record has some 45,000 for a game."""

MAX_NESTING: Final = 3
"""Maximum number of nested archives and compressions."""

MAX_GROWTH: Final = 100
"""How many times its size on disk a file may unpack to, over all layers; logs reach 30."""

MIN_ALLOWANCE: Final = 128 << 20
"""Bytes to which any file may unpack."""

MAX_HEADER_BYTES: Final = 1 << 16
"""Size of the longest header of a member of a tar; those of logs have a few hundred bytes to a few thousand."""

MAX_UNPACKER_BYTES: Final = 128 << 20
"""Memory that unpacking an xz may take; ``xz -9`` needs 65 MiB."""

_HEADER_WEIGHT: Final = 64
"""How many bytes of contents a byte of a header counts for, because it takes that much longer to read."""

_ZIP_HEADER: Final = 512
"""Bytes that the headers of a member of a zip count as, like the shortest of a tar."""

_CHUNK: Final = 1 << 17

_LOG_SUFFIXES: Final = frozenset(suffix for row in FORMATS.values() for suffix in row.suffixes) - {".json", ".log"}
"""Files with these suffixes claim to be logs; ``.json`` and ``.log`` are too common."""

_BROKEN: Final = (
    *(tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, struct.error),
    *(EOFError, OSError, ValueError, LookupError, ArithmeticError),
)
"""Exceptions that Python's archive modules raise when they read a damaged archive."""

Opener = Callable[[Any], Any]
_XZ: Final = b"\xfd7zXZ\x00"
_COMPRESSED: Final[dict[bytes, Opener]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    _XZ: lambda file: io.BufferedReader(_Xz(file)),
    b"BZh": bz2.BZ2File,
}
"""Opener of each compression, by its first bytes."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that is not read, and why."""

    file: str  # its name
    reason: str  # why, in a few words, such as ``'not a log'``


OnSkip = Callable[[PassedOver], None]


class TooMuchError(Exception):
    """A file unpacks to more than any log archive does."""


class Allowance:
    """How many more bytes one file on disk may unpack to, over all its layers."""

    def __init__(self, packed: int) -> None:
        """Begin with all that a file of ``packed`` bytes may unpack to."""
        self._left = max(MIN_ALLOWANCE, MAX_GROWTH * packed)

    def take(self, size: int) -> None:
        """Subtract unpacked bytes.

        Raises:
            TooMuchError: the allowance is exceeded.
        """
        self._left -= size
        if self._left < 0:
            raise TooMuchError


class _Metered(io.RawIOBase):
    """A stream that is read forwards, within an allowance.

    Attributes:
        left: number of bytes that may be read before it is set again; None for no bound. :mod:`tarfile` reads a header
            whole, however long it claims to be.
    """

    left: int | None = None

    def __init__(self, plain: IO[bytes], allowance: Allowance) -> None:
        self._plain = plain
        self._allowance = allowance
        self._at = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        if self.left is not None:
            self.left -= size
            if self.left < 0:
                raise RuntimeError(f"a header has more than {MAX_HEADER_BYTES >> 10} KiB, which no log's has")
        return b"".join(self._chunks(size))

    def tell(self) -> int:
        return self._at

    def seek(self, place: int, _whence: int = 0, /) -> int:
        for _ in self._chunks(max(place - self._at, 0)):
            pass
        return self._at

    def _chunks(self, size: int) -> Iterator[bytes]:
        """Parts of the next ``size`` bytes, or of all that follow if it is negative."""
        while size:
            part = self._plain.read(_CHUNK if size < 0 else min(size, _CHUNK))
            if not part:
                break
            self._allowance.take(len(part))
            self._at += len(part)
            size -= len(part) if size > 0 else 0
            yield part


class _Xz(io.RawIOBase):
    """An unpacked xz whose dictionary is bounded; :class:`lzma.LZMAFile` gives it as much memory as it asks for."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._unpacker: lzma.LZMADecompressor | None = None
        self._unread = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = b""
        while not data and (unpacker := self._of_this_stream()) is not None:
            try:
                data = unpacker.decompress(self._unread, len(buffer))
            except lzma.LZMAError as error:
                if "limit" in str(error):
                    raise RuntimeError(f"it needs more than {MAX_UNPACKER_BYTES >> 20} MiB of memory") from error
                raise
            self._unread = unpacker.unused_data
            if not self._unread and unpacker.needs_input:
                self._unread = self._packed.read(io.DEFAULT_BUFFER_SIZE)
                if not self._unread and not data and not unpacker.eof:
                    raise EOFError("the last stream has no end")
        buffer[: len(data)] = data
        return len(data)

    def _of_this_stream(self) -> lzma.LZMADecompressor | None:
        """The unpacker of the stream that has begun, or of the next, after padding; None after the last."""
        if self._unpacker is not None and not self._unpacker.eof:
            return self._unpacker
        while len(self._unread) < len(_XZ):
            more = self._packed.read(io.DEFAULT_BUFFER_SIZE)
            self._unread = (self._unread + more).lstrip(b"\0")
            if not more:
                break
        self._unread = self._unread.lstrip(b"\0")
        if not self._unread.startswith(_XZ):
            return None
        self._unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_UNPACKER_BYTES)
        return self._unpacker


def open_stream(
    stream: IO[bytes], name: str, skip: OnSkip, allowance: Allowance, *, named: bool = False, depth: int = 0
) -> Iterator[LogFile]:
    """Yield the logs of one seekable stream, in whatever archive or compression.

    What cannot be read comes as a :class:`LogFile` that carries its error, so that the others are still read.

    Args:
        stream: the bytes.
        name: their name, for messages; members of archives are named after it.
        skip: called with each file that is skipped because it does not claim to be a log.
        allowance: how much may be unpacked.
        named: whether the user named this very file.
        depth: number of archives and compressions around it.

    Raises:
        TooMuchError: the stream unpacks to more than the allowance.
        OSError: the stream itself cannot be read.
    """
    head = stream.read(512)
    stream.seek(0)
    opener = next((opener for magic, opener in _COMPRESSED.items() if head.startswith(magic)), None)
    is_zip = head.startswith((b"PK\x03\x04", b"PK\x05\x06"))
    is_tar = head[257:262] == b"ustar"
    if not (opener or is_zip or is_tar):
        yield from _open_data(read_all(stream), name, skip, named=named)
    elif depth >= MAX_NESTING:
        yield failed(
            name, f"archives are nested more than {MAX_NESTING} deep; unpack the outer ones", LogTrouble.NESTED
        )
    else:
        try:
            if is_zip:
                yield from _open_zip(stream, name, skip, allowance, depth)
            elif is_tar:
                yield from _open_tar(stream, name, skip, allowance, depth)
            elif opener:
                yield from _open_compressed(stream, opener, name, skip, allowance, named=named, depth=depth)
        except _BROKEN as error:
            yield failed(name, f"the archive is damaged or cut short ({error}); fetch it again", LogTrouble.ARCHIVE)
        except (RuntimeError, MemoryError) as error:  # such as a rare compression
            reason = str(error) or "it needs more memory than there is"
            yield failed(
                name, f"the archive cannot be unpacked ({reason}); unpack it with another program", LogTrouble.ARCHIVE
            )


def _open_compressed(
    stream: IO[bytes],
    opener: Opener,
    name: str,
    skip: OnSkip,
    allowance: Allowance,
    *,
    named: bool,
    depth: int,
) -> Iterator[LogFile]:
    with opener(stream) as plain:
        is_tar = plain.read(262)[257:] == b"ustar"
    stream.seek(0)
    with opener(stream) as plain:
        metered: Any = _Metered(plain, allowance)
        if is_tar:
            yield from _open_tar(metered, name, skip, allowance, depth)
            return
        data = read_all(metered)
    if data is None:
        yield _too_large(name, MAX_LOG_BYTES)
    else:
        yield from open_stream(io.BytesIO(data), name, skip, allowance, named=named, depth=depth + 1)


def _open_tar(stream: IO[bytes], name: str, skip: OnSkip, allowance: Allowance, depth: int) -> Iterator[LogFile]:
    tape: Any = stream if isinstance(stream, _Metered) else _Metered(stream, allowance)
    tape.left = MAX_HEADER_BYTES
    with tarfile.TarFile(fileobj=tape) as archive:
        while (member := archive.next()) is not None:
            allowance.take(_HEADER_WEIGHT * (MAX_HEADER_BYTES - tape.left))
            tape.left = member.size
            file: Any = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                if member.issparse():
                    file = _Metered(file, allowance)  # what it unpacks to are holes, which are not in the stream
                yield from _open_member(file, printable(f"{name}/{member.name}"), member.size, skip, allowance, depth)
            tape.left = MAX_HEADER_BYTES
            archive.members = []  # type: ignore[attr-defined] # a stream needs no memory of what has passed
            archive.pax_headers = {}


def _open_zip(stream: IO[bytes], name: str, skip: OnSkip, allowance: Allowance, depth: int) -> Iterator[LogFile]:
    with zipfile.ZipFile(stream) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            allowance.take(_HEADER_WEIGHT * _ZIP_HEADER)
            full_name = f"{name}/{member.filename}"
            if member.flag_bits & 1:
                yield failed(full_name, "is encrypted; unpack it first", LogTrouble.ENCRYPTED)
                continue
            with archive.open(member) as file:
                metered: Any = _Metered(file, allowance)
                yield from _open_member(metered, full_name, member.file_size, skip, allowance, depth)


def _open_member(
    file: IO[bytes], name: str, size: int, skip: OnSkip, allowance: Allowance, depth: int
) -> Iterator[LogFile]:
    data = read_all(file) if size <= MAX_LOG_BYTES else None
    if data is None:
        yield _too_large(name, MAX_LOG_BYTES)
    else:
        yield from open_stream(io.BytesIO(data), name, skip, allowance, depth=depth + 1)


def _open_data(data: bytes | None, name: str, skip: OnSkip, *, named: bool) -> Iterator[LogFile]:
    """Yield a single file's log, or its error if it claims to be a log."""
    if data is None:
        yield _too_large(name, MAX_LOG_BYTES)
        return
    data = as_utf8(data)
    entries = entries_of(data) if named or not claims_to_be_a_log(name) else None
    if entries is not None:
        if not named and any(entry.log_id for entry in entries):
            skip(PassedOver(name, "a list of addresses, which is read if it is named itself"))
        for entry in entries if named else [entry for entry in entries if not entry.log_id]:
            its_name = name if len(entries) == 1 else f"{name}:{entry.line}"
            if entry.error:
                yield failed(its_name, entry.error, LogTrouble.ADDRESS)
            elif entry.log_id:
                yield LogFile(its_name, named=named, seat=entry.seat, log_id=entry.log_id)
            else:
                for file in _open_log(entry.text.encode(), its_name, skip, named=named):
                    yield replace(file, seat=entry.seat)
        return
    yield from _open_log(data, name, skip, named=named)


def _open_log(data: bytes, name: str, skip: OnSkip, *, named: bool) -> Iterator[LogFile]:
    found = detect_format(data)
    if found and FORMATS[found].session is None and len(data) > MAX_GAME_BYTES:
        yield _too_large(name, MAX_GAME_BYTES)
    elif found and max(data.count(b"\n"), data.count(b"<")) > MAX_FRAMES:
        yield failed(name, f"has more than {MAX_FRAMES:,} lines or tags, which no log has", LogTrouble.TOO_LARGE)
    elif found and sum(map(data.count, (b",", b"[", b"{"))) > MAX_VALUES:
        yield failed(name, f"has more than {MAX_VALUES:,} values, which no log has", LogTrouble.TOO_LARGE)
    elif found:
        yield LogFile(name, found, data, named=named)
    elif not (named or claims_to_be_a_log(name)):
        skip(PassedOver(name, "not a log"))
    elif not data.strip():
        yield failed(name, "the file is empty", LogTrouble.EMPTY)
    else:
        known = ", ".join(row.title for row in FORMATS.values())
        yield failed(name, f"is not a log (it begins {_quote(data)}); known formats: {known}", LogTrouble.NO_LOG)


def claims_to_be_a_log(name: str) -> bool:
    """Whether a file of this name is expected to be a log."""
    plain = name.lower().removesuffix(".gz").removesuffix(".xz").removesuffix(".bz2")
    return PurePath(plain).suffix in _LOG_SUFFIXES


def printable(name: str) -> str:
    """A file's name, with a replacement character for each byte that is not UTF-8 text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def read_all(stream: IO[bytes]) -> bytes | None:
    """The whole stream, or None if it is larger than :data:`MAX_LOG_BYTES`."""
    data = stream.read(MAX_LOG_BYTES + 1)
    return None if len(data) > MAX_LOG_BYTES else data


def failed(name: str, message: str, trouble: LogTrouble) -> LogFile:
    """A file that cannot be read, with the reason."""
    return LogFile(name, error=LogError(message, name, trouble=trouble))


def _too_large(name: str, most: int) -> LogFile:
    return failed(name, f"larger than {most >> 20} MiB, which no log is", LogTrouble.TOO_LARGE)


def _quote(data: bytes) -> str:
    """The first characters, printable."""
    return repr(data[:32].decode("utf-8", "replace").strip()[:24])
