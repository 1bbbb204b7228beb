"""The files in the bytes of one file: itself, what its compression holds, or the members of an archive.

Nothing is unpacked to disk, and how much is unpacked to memory is bounded, whatever the file contains. The content
decides what a file is; its name does not matter.
"""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, Final

from protocol.errors import LogError, LogTrouble
from protocol.logs.formats import LogFile

MAX_LOG_BYTES: Final = 64 << 20
"""Size of the largest file, packed or not, that is read into memory."""

DAMAGED_MEMBER: Final = "is damaged within its archive; fetch the archive again"
"""The error of a member of an archive of which the others can be read."""

NESTED: Final = "is an archive within another, or compressed twice, which is not opened; unpack the outer one first"
"""The error of an archive within an archive."""

MAX_GROWTH: Final = 100
"""How many times its size on disk a file may unpack to, over all layers; logs reach 30."""

MIN_ALLOWANCE: Final = 128 << 20
"""Bytes to which any file may unpack."""

MAX_HEADER_BYTES: Final = 1 << 16
"""Size of the longest header of a member of a tar; those of logs have a few hundred bytes to a few thousand."""

MAX_UNPACKER_BYTES: Final = 128 << 20
"""Memory that unpacking an xz may take; ``xz -9`` needs 65 MiB."""

MAX_DIRECTORY_BYTES: Final = 8 << 20
"""Size of the largest directory of a zip; 50,000 logs need less. Reading one takes twelve times its size in memory."""

_HEADER_WEIGHT: Final = 64
"""How many bytes of contents a byte of a header counts for, because it takes that much longer to read."""

_ZIP_HEADER: Final = 512
"""Bytes that the headers of a member of a zip count as, like the shortest of a tar."""

_CHUNK: Final = 1 << 17

_XZ: Final = b"\xfd7zXZ\x00"
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_HEAD: Final = 512
"""Bytes by which archives and compressions are recognised."""

_COMPRESSED: Final[dict[bytes, Callable[[Any], Any]]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    _XZ: lambda file: io.BufferedReader(_Xz(file)),
    b"BZh": bz2.BZ2File,
}
"""Opener of each compression, by its first bytes."""


def unpack(stream: IO[bytes], name: str, size: int, *, named: bool) -> Iterator[LogFile]:
    """Yield the files in a seekable stream of ``size`` bytes, whatever they contain.

    Each has a name and data, and not yet a format. What cannot be read comes with its error, so that the others are
    still read. Members of archives are named after their archive; ``named`` holds for the file itself.

    Raises:
        OSError: the stream itself cannot be read.
    """
    try:
        yield from _unpack(stream, name, _Allowance(max(MIN_ALLOWANCE, MAX_GROWTH * size)), named=named)
    except _TooMuchError:
        why = "unpacks to far more than a log archive does; it was not read any further"
        yield failed(name, why, LogTrouble.TOO_LARGE)


def failed(name: str, message: str, trouble: LogTrouble) -> LogFile:
    """A file that cannot be read, with the reason."""
    return LogFile(name, error=LogError(message, name, trouble=trouble))


def too_large(name: str, most: int) -> LogFile:
    """A file of more than ``most`` bytes, which is not read."""
    return failed(name, f"larger than {most >> 20} MiB, which no log is", LogTrouble.TOO_LARGE)


def printable(name: str) -> str:
    """A file's name, with a replacement character for each byte that is not UTF-8 text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class _TooMuchError(Exception):
    """A file unpacks to more than any log archive does."""


class _Allowance:
    """How many more bytes one file on disk may unpack to, over all its layers."""

    def __init__(self, size: int) -> None:
        self._left = size

    def take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise _TooMuchError


def _unpack(
    stream: IO[bytes], name: str, allowance: _Allowance, *, named: bool, inside: bool = False
) -> Iterator[LogFile]:
    """Yield the files in a stream, which may lie ``inside`` an archive and then be compressed, but no archive."""
    head = stream.read(_HEAD)
    stream.seek(0)
    opener = next((opener for magic, opener in _COMPRESSED.items() if head.startswith(magic)), None)
    try:
        if opener is not None:
            with opener(stream) as plain:
                head = plain.read(_HEAD)
            stream.seek(0)
        is_zip, is_tar = head.startswith(_ZIP), _is_tar(head)
        twice = opener is not None and head.startswith(tuple(_COMPRESSED))
        if twice or (inside and (is_zip or is_tar)) or (opener is not None and is_zip):
            yield failed(name, NESTED, LogTrouble.NESTED)
        elif opener is not None:
            with opener(stream) as plain:
                metered: Any = _Metered(plain, allowance)
                if is_tar:
                    yield from _members(_tar_members(metered, name, allowance), allowance)
                else:
                    yield _content(metered, name, named=named)
        elif is_zip:
            yield from _members(_zip_members(stream, name, allowance), allowance)
        elif is_tar:
            yield from _members(_tar_members(_Metered(stream, allowance), name, allowance), allowance)
        else:
            yield _content(stream, name, named=named)
    except _TooMuchError:
        raise
    except (RuntimeError, MemoryError) as error:  # such as a rare compression
        why = str(error) or "it needs more memory than there is"
        why = f"the archive cannot be unpacked ({why}); unpack it with another program"
        yield failed(name, why, LogTrouble.ARCHIVE)
    except Exception:  # noqa: BLE001 - Python's modules raise almost anything at a damaged archive
        yield failed(name, "the archive is damaged or cut short; fetch it again", LogTrouble.ARCHIVE)


def _content(stream: IO[bytes], name: str, *, named: bool) -> LogFile:
    data = stream.read(MAX_LOG_BYTES + 1)
    return too_large(name, MAX_LOG_BYTES) if len(data) > MAX_LOG_BYTES else LogFile(name, data=data, named=named)


def _members(members: "_Members", allowance: _Allowance) -> Iterator[LogFile]:
    """Yield the members of an archive, each read into memory and unpacked if it is compressed."""
    for name, file in members:
        if isinstance(file, LogError):
            yield LogFile(name, error=file)
            continue
        try:
            data = file.read(MAX_LOG_BYTES + 1)
        except (zipfile.BadZipFile, zlib.error):  # the other members of a zip stand by themselves
            yield failed(name, DAMAGED_MEMBER, LogTrouble.ARCHIVE)
            continue
        if len(data) > MAX_LOG_BYTES:
            yield too_large(name, MAX_LOG_BYTES)
        else:
            yield from _unpack(io.BytesIO(data), name, allowance, named=False, inside=True)


_Members = Iterator[tuple[str, IO[bytes] | LogError]]
"""The name of each file within another, and its content or why it has none."""


def _is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


def _zip_members(stream: IO[bytes], name: str, allowance: _Allowance) -> _Members:
    wary: Any = _Wary(stream)
    with zipfile.ZipFile(wary) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            allowance.take(_HEADER_WEIGHT * _ZIP_HEADER)
            inner = printable(f"{name}/{member.filename}")
            if member.flag_bits & 1:
                yield inner, LogError("is encrypted; unpack it first", inner, trouble=LogTrouble.ENCRYPTED)
                continue
            try:
                file = archive.open(member)
            except zipfile.BadZipFile:
                yield inner, LogError(DAMAGED_MEMBER, inner, trouble=LogTrouble.ARCHIVE)
                continue
            with file:
                metered: Any = _Metered(file, allowance)
                yield inner, metered


def _tar_members(tape: "_Metered", name: str, allowance: _Allowance) -> _Members:
    """The members of a tar, whose bytes are counted as the tape runs."""
    tape.left = MAX_HEADER_BYTES
    with tarfile.TarFile(fileobj=tape) as archive:
        while (member := archive.next()) is not None:
            allowance.take(_HEADER_WEIGHT * (MAX_HEADER_BYTES - tape.left))
            tape.left = None
            file: Any = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                inner = printable(f"{name}/{member.name}")
                sparse = LogError("is a sparse file; unpack the archive first", inner, trouble=LogTrouble.ARCHIVE)
                yield inner, sparse if member.issparse() else file
            tape.left = MAX_HEADER_BYTES
            archive.members = []  # type: ignore[attr-defined] # a stream needs no memory of what has passed
            archive.pax_headers = {}


class _Wary:
    """A stream that refuses to give the directory of a zip, which :mod:`zipfile` reads whole, if it is too large."""

    def __init__(self, plain: IO[bytes]) -> None:
        self._plain = plain
        self.seek, self.tell, self.seekable, self.close = plain.seek, plain.tell, plain.seekable, plain.close

    def read(self, size: int = -1, /) -> bytes:
        if size > MAX_DIRECTORY_BYTES:
            raise _TooMuchError
        return self._plain.read(size)


class _Metered(io.RawIOBase):
    """A stream that is read forwards, within an allowance.

    Attributes:
        left: number of bytes that may be read before it is set again; None for no bound. :mod:`tarfile` reads a header
            whole, however long it claims to be.
    """

    left: int | None = None

    def __init__(self, plain: IO[bytes], allowance: _Allowance) -> None:
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
        while size and (part := self._plain.read(_CHUNK if size < 0 else min(size, _CHUNK))):
            self._allowance.take(len(part))
            self._at += len(part)
            size -= len(part) if size > 0 else 0
            yield part


class _Xz(io.RawIOBase):
    """An unpacked xz whose dictionary is bounded; :class:`lzma.LZMAFile` gives it as much memory as it asks for."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._unpacker = self._next_stream()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = b""
        while not data and self._unpacker is not None:
            packed = self._packed.read(io.DEFAULT_BUFFER_SIZE) if self._unpacker.needs_input else b""
            if self._unpacker.needs_input and not packed:
                raise EOFError("the last stream has no end")
            try:
                data = self._unpacker.decompress(packed, len(buffer))
            except lzma.LZMAError as error:
                if "limit" in str(error):
                    raise RuntimeError(f"it needs more than {MAX_UNPACKER_BYTES >> 20} MiB of memory") from error
                raise
            if self._unpacker.eof:
                self._packed.seek(-len(self._unpacker.unused_data), io.SEEK_CUR)
                self._unpacker = self._next_stream()
        buffer[: len(data)] = data
        return len(data)

    def _next_stream(self) -> lzma.LZMADecompressor | None:
        """The unpacker of the stream that begins here or after padding; None if there is none."""
        while (head := self._packed.read(4)) == bytes(4):
            pass
        head += self._packed.read(len(_XZ) - len(head))
        self._packed.seek(-len(head), io.SEEK_CUR)
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_UNPACKER_BYTES) if head == _XZ else None
