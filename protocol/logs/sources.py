"""Finding logs in files, folders, archives and nested archives, reading one log at a time.

Nothing is unpacked to disk. The content decides the format; names matter only for files that are not logs: a stray
``README.md`` in a folder or an archive is skipped, a ``game.xml`` that is not a log is reported.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final

from protocol.errors import LogError
from protocol.logs.formats import FORMATS, LogFile, detect_format

MAX_LOG_BYTES: Final = 64 << 20
"""Size of the largest log, or archive within an archive, that is read into memory."""

MAX_NESTING: Final = 3
"""Maximum number of nested archives and compressions."""

MAX_GROWTH: Final = 250
"""How many times its size on disk a file may unpack to, over all layers; logs reach 30."""

MIN_ALLOWANCE: Final = 256 << 20
"""Bytes to which any file may unpack."""

_CHUNK: Final = 1 << 20

_LOG_SUFFIXES: Final = frozenset(suffix for row in FORMATS.values() if row.name != "wire" for suffix in row.suffixes)
"""Files with these suffixes claim to be logs; ``.log`` is too common."""

_BROKEN: Final = (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError, OSError)
"""Exceptions raised when reading a damaged archive."""

Opener = Callable[[Any], Any]
_COMPRESSED: Final[dict[bytes, Opener]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"BZh": bz2.BZ2File,
}
"""Opener of each compression, by its first bytes."""

OnSkip = Callable[[str], None]


class _TooMuchError(Exception):
    """A file unpacks to more than any log archive does."""


class _Allowance:
    """How many more bytes one file on disk may unpack to, over all its layers."""

    def __init__(self, packed: int) -> None:
        self._left = max(MIN_ALLOWANCE, MAX_GROWTH * packed)

    def take(self, size: int) -> None:
        """Subtract unpacked bytes.

        Raises:
            _TooMuchError: the allowance is exceeded.
        """
        self._left -= size
        if self._left < 0:
            raise _TooMuchError


class _Metered(io.RawIOBase):
    """A stream that is unpacked while it is read, within an allowance."""

    def __init__(self, plain: IO[bytes], allowance: _Allowance) -> None:
        self._plain = plain
        self._allowance = allowance

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        parts = []
        while size:
            part = self._plain.read(_CHUNK if size < 0 else min(size, _CHUNK))
            if not part:
                break
            self._allowance.take(len(part))
            parts.append(part)
            size -= len(part) if size > 0 else 0
        return b"".join(parts)


def open_logs(paths: Iterable[str | os.PathLike[str]], on_skip: OnSkip | None = None) -> Iterator[LogFile]:
    """Yield every log under ``paths``, in order: folders sorted by name, archives in their own order.

    What cannot be opened or is not a log comes as a :class:`LogFile` that carries its error, so that the others are
    still read.

    Args:
        paths: files, folders, ``.tar``, ``.zip``, and each of them or a single log under ``.gz``, ``.xz``, ``.bz2``.
        on_skip: called with the name of each file that is skipped because it does not claim to be a log.
    """
    skip = on_skip or _ignore
    for path in map(Path, paths):
        if path.is_dir():
            for file in _walk(path):
                yield from _open_path(file, skip, named=False)
        else:
            yield from _open_path(path, skip, named=True)


def batches(files: Iterable[LogFile], size: int = 16) -> Iterator[list[LogFile]]:
    """Yield ``files`` in lists of ``size``, as work for other processes; one reader feeds them all."""
    batch: list[LogFile] = []
    for file in files:
        batch.append(file)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _ignore(_name: str) -> None:
    """Ignore the name of a skipped file."""


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = Path(root, name)
            if path.is_file():
                yield path


def _open_path(path: Path, skip: OnSkip, *, named: bool) -> Iterator[LogFile]:
    name = str(path)
    try:
        with path.open("rb") as stream:
            allowance = _Allowance(os.fstat(stream.fileno()).st_size)
            yield from _open_stream(stream, name, skip, allowance, named=named, depth=0)
    except _TooMuchError:
        yield _failed(name, "unpacks to far more than a log archive does; it was not read any further")
    except FileNotFoundError:
        yield _failed(name, "no such file; check the path")
    except PermissionError:
        yield _failed(name, "is not readable; check its permissions")
    except OSError as error:
        yield _failed(name, f"cannot be read: {error.strerror or error}")


def _open_stream(
    stream: IO[bytes], name: str, skip: OnSkip, allowance: _Allowance, *, named: bool, depth: int
) -> Iterator[LogFile]:
    """Yield the logs of one seekable stream, in whatever archive or compression."""
    head = stream.read(512)
    stream.seek(0)
    opener = next((opener for magic, opener in _COMPRESSED.items() if head.startswith(magic)), None)
    is_zip = head.startswith((b"PK\x03\x04", b"PK\x05\x06"))
    is_tar = head[257:262] == b"ustar"
    if not (opener or is_zip or is_tar):
        yield from _open_data(_read(stream), name, skip, named=named)
    elif depth >= MAX_NESTING:
        yield _failed(name, f"archives are nested more than {MAX_NESTING} deep; unpack the outer ones")
    else:
        try:
            if is_zip:
                yield from _open_zip(stream, name, skip, allowance, depth)
            elif is_tar:
                yield from _open_tar(stream, name, skip, allowance, depth)
            elif opener:
                yield from _open_compressed(stream, opener, name, skip, allowance, named=named, depth=depth)
        except _BROKEN as error:
            yield _failed(name, f"the archive is damaged or cut short ({error}); fetch it again")


def _open_compressed(
    stream: IO[bytes],
    opener: Opener,
    name: str,
    skip: OnSkip,
    allowance: _Allowance,
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
        data = _read(metered)
    if data is None:
        yield _too_large(name)
    else:
        yield from _open_stream(io.BytesIO(data), name, skip, allowance, named=named, depth=depth + 1)


def _open_tar(stream: IO[bytes], name: str, skip: OnSkip, allowance: _Allowance, depth: int) -> Iterator[LogFile]:
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            archive.members = []  # type: ignore[attr-defined] # a stream needs no memory of what has passed
            if member.isfile():
                file = archive.extractfile(member)
                if file is not None:
                    yield from _open_member(file, f"{name}/{member.name}", member.size, skip, allowance, depth)


def _open_zip(stream: IO[bytes], name: str, skip: OnSkip, allowance: _Allowance, depth: int) -> Iterator[LogFile]:
    with zipfile.ZipFile(stream) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            full_name = f"{name}/{member.filename}"
            if member.flag_bits & 1:
                yield _failed(full_name, "is encrypted; unpack it first")
                continue
            with archive.open(member) as file:
                metered: Any = _Metered(file, allowance)
                yield from _open_member(metered, full_name, member.file_size, skip, allowance, depth)


def _open_member(
    file: IO[bytes], name: str, size: int, skip: OnSkip, allowance: _Allowance, depth: int
) -> Iterator[LogFile]:
    data = _read(file) if size <= MAX_LOG_BYTES else None
    if data is None:
        yield _too_large(name)
    else:
        yield from _open_stream(io.BytesIO(data), name, skip, allowance, named=False, depth=depth + 1)


def _open_data(data: bytes | None, name: str, skip: OnSkip, *, named: bool) -> Iterator[LogFile]:
    """Yield a single file's log, or its error if it claims to be a log."""
    if data is None:
        yield _too_large(name)
        return
    found = detect_format(data)
    suffix = Path(name.lower().removesuffix(".gz").removesuffix(".xz").removesuffix(".bz2")).suffix
    if found:
        yield LogFile(name, found, data, named=named)
    elif not (named or suffix in _LOG_SUFFIXES):
        skip(name)
    elif not data.strip():
        yield _failed(name, "the file is empty")
    else:
        known = ", ".join(row.title for row in FORMATS.values())
        yield _failed(name, f"is not a log (it begins {_quote(data)}); known formats: {known}")


def _read(stream: IO[bytes]) -> bytes | None:
    """The whole stream, or None if it is larger than :data:`MAX_LOG_BYTES`."""
    data = stream.read(MAX_LOG_BYTES + 1)
    return None if len(data) > MAX_LOG_BYTES else data


def _quote(data: bytes) -> str:
    """The first characters, printable."""
    return repr(data[:32].decode("utf-8", "replace").strip()[:24])


def _failed(name: str, message: str) -> LogFile:
    return LogFile(name, error=LogError(message, name))


def _too_large(name: str) -> LogFile:
    return _failed(name, f"larger than {MAX_LOG_BYTES >> 20} MiB, which no log is")
