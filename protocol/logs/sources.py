"""Finding logs: what the arguments of a command name, read one log at a time.

An argument is a file, a folder, an archive, ``-`` for standard input, or an address of tenhou.net. Nothing is
downloaded, and nothing is unpacked to disk.
"""

import io
import os
import select
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from protocol.errors import LogError, LogTrouble
from protocol.logs.addresses import LogAddress, is_address, read_address, seat_in, shortened
from protocol.logs.archives import (
    MAX_LOG_BYTES,
    Allowance,
    OnSkip,
    PassedOver,
    TooMuchError,
    claims_to_be_a_log,
    failed,
    open_stream,
    printable,
)
from protocol.logs.formats import FORMATS, LogFile, detect_format

STDIN: Final = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
"""Arguments that stand for standard input."""

STDIN_NAME: Final = "standard input"

PATIENCE: Final = 20.0
"""Seconds without a byte after which a pipe is given up."""

BATCH_BYTES: Final = 8 << 20
"""Number of bytes at which a batch is full."""

_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Source:
    """The source that one argument names: a path, bytes that are at hand, or an error."""

    name: str  # name for messages
    path: Path | None = None  # the file or folder; None if there is none
    data: bytes = b""  # the bytes of standard input, a pipe or a link
    seat: int | None = None  # seat that an address names
    error: LogError | None = None  # why there is nothing to read
    log_id: str = ""  # id of a log that an address names and that is not here

    def files(self) -> Iterator[Path]:
        """The files on disk that are read."""
        if self.path is not None:
            yield from (each for each in _walk(self.path) if isinstance(each, Path))


Argument = str | os.PathLike[str] | Source


def find_sources(arguments: Iterable[Argument]) -> list[Source]:
    """The sources that the arguments name. Standard input and pipes are read here; files are not opened yet.

    The file of an address with a log id is looked for in the current folder and in the folders among the arguments.
    """
    given = list(arguments)
    texts = [each if isinstance(each, Source) else os.fspath(each) for each in given]
    folders = [".", *(text for text in texts if isinstance(text, str) and _is_folder(Path(text)))]
    return [text if isinstance(text, Source) else _find(text, folders) for text in texts]


def _find(text: str, folders: Sequence[str]) -> Source:
    if text in STDIN:
        return _standard_input()
    if not text.strip():
        return Source("''", error=LogError("is not a name; name a file, a folder or an archive", "''"))
    if not is_address(text) or os.path.lexists(text):
        return _pipe(text) if _is_pipe(text) else Source(shortened(text), Path(text), error=_not_a_name(text))
    try:
        found = read_address(text)
    except LogError as error:
        return Source(error.source, error=error)
    name = shortened(text)
    if isinstance(found, bytes):
        return Source(name, data=found, seat=seat_in(text))
    path = _saved(found, folders)
    if path is not None:
        return Source(printable(str(path)), path, seat=found.seat)
    return Source(name, seat=found.seat, error=found.not_here(name), log_id=found.log_id)


def _not_a_name(text: str) -> LogError | None:
    """The error for the text of a log where the name of its file is expected."""
    if detect_format(text.encode("utf-8", "replace")) is None or os.path.lexists(text):
        return None
    return LogError("is the text of a log; save it in a file, or pass it on standard input, named -", shortened(text))


def _saved(address: LogAddress, folders: Sequence[str]) -> Path | None:
    """The file of a log id, as a browser, Tenhou's client or our own lobby saves it; XML is preferred."""
    found = []
    for folder in folders:
        try:
            found += [each for each in Path(folder).iterdir() if each.name.startswith(address.log_id)]
        except OSError:
            continue
    xml = [each for each in sorted(found) if claims_to_be_a_log(each.name)]
    json = [each for each in sorted(found) if each.suffix == ".json"]
    return next(iter(xml + json), None)


def _standard_input() -> Source:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return _no_input("is closed; pipe a log into this command")
    if sys.stdin.isatty():
        return _no_input("is the keyboard; pipe a log into this command, or name a file")
    try:
        data = stream.read(MAX_LOG_BYTES + 1)
    except OSError as error:
        return _no_input(f"cannot be read: {error.strerror or error}")
    if len(data) > MAX_LOG_BYTES:
        return _no_input(f"has more than {MAX_LOG_BYTES >> 20} MiB; name the file instead")
    return Source(STDIN_NAME, data=data)


def _is_pipe(text: str) -> bool:
    """Whether a name is of something that gives its bytes only once: a pipe or a device."""
    try:
        mode = Path(text).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _pipe(text: str) -> Source:
    """The bytes of a pipe, which is opened without waiting for a program that writes into it."""
    name = printable(text)
    try:
        descriptor = os.open(text, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            data = drain(descriptor, MAX_LOG_BYTES)
        finally:
            os.close(descriptor)
    except TimeoutError:
        message = f"nothing was written into this pipe for {PATIENCE:.0f} s; start the program that writes it"
        return Source(name, error=LogError(message, name))
    except OSError as error:
        return Source(name, error=_unreadable(name, error).error)
    if len(data) > MAX_LOG_BYTES:
        return Source(name, error=LogError(f"has more than {MAX_LOG_BYTES >> 20} MiB; name a file instead", name))
    return Source(name, data=data)


def drain(descriptor: int, most: int) -> bytes:
    """The bytes written into a pipe, or the first ``most`` of them and a little more.

    Raises:
        TimeoutError: nothing more came for :data:`PATIENCE` seconds.
    """
    parts: list[bytes] = []
    size = 0
    while size <= most:
        ready, _, _ = select.select([descriptor], [], [], PATIENCE)
        if not ready:
            raise TimeoutError
        part = os.read(descriptor, _CHUNK)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _no_input(message: str) -> Source:
    return Source(STDIN_NAME, error=LogError(message, STDIN_NAME))


def open_logs(arguments: Iterable[Argument], on_skip: OnSkip | None = None) -> Iterator[LogFile]:
    """Yield every log that the arguments name, in order: folders sorted by name, archives in their own order.

    What cannot be opened or is not a log comes as a :class:`LogFile` that carries its error, so that the others are
    still read.

    Args:
        arguments: files, folders, ``.tar``, ``.zip``, each of them or a single log under ``.gz``, ``.xz``, ``.bz2``;
            ``-`` for standard input; addresses of tenhou.net.
        on_skip: called with each file that is skipped because it does not claim to be a log.
    """
    skip = on_skip or _ignore
    sources = find_sources(arguments)
    paths = [source.path for source in sources if source.path is not None]
    folders = [".", *(str(path) if _is_folder(path) else str(path.parent) for path in paths)]
    for source in sources:
        for file in _listed(_open_source(source, skip), folders, skip):
            said = source.seat if source.seat is not None else file.seat
            seat = seat_in(file.name.rpartition("/")[2]) if said is None else said
            whole = file.format in FORMATS and FORMATS[file.format].session is None
            yield replace(file, seat=seat) if whole else file


def _listed(files: Iterable[LogFile], folders: Sequence[str], skip: OnSkip) -> Iterator[LogFile]:
    """The files, with those that a list names by their ids found in one of the folders."""
    for file in files:
        if not file.log_id:
            yield file
            continue
        address = LogAddress(file.log_id, file.seat)
        path = _saved(address, folders)
        if path is None:
            yield replace(file, error=address.not_here(file.name))
            continue
        for found in _open_path(path, skip, named=True):
            yield replace(found, seat=file.seat)


def _open_source(source: Source, skip: OnSkip) -> Iterator[LogFile]:
    if source.error is not None:
        yield LogFile(source.name, error=source.error, seat=source.seat, log_id=source.log_id)
    elif source.path is None:
        try:
            yield from open_stream(io.BytesIO(source.data), source.name, skip, Allowance(len(source.data)), named=True)
        except TooMuchError:
            yield _bomb(source.name)
    else:
        named = not _is_folder(source.path)
        for each in _walk(source.path):
            if isinstance(each, Path):
                yield from _open_path(each, skip, named=named)
            elif isinstance(each, PassedOver):
                skip(each)
            else:
                yield each


def batches(files: Iterable[LogFile], size: int = 16) -> Iterator[list[LogFile]]:
    """Yield ``files`` in lists, as work for other processes; one reader feeds them all.

    A list has at most ``size`` logs, and ends with the log that brings it to :data:`BATCH_BYTES`.
    """
    batch: list[LogFile] = []
    for file in files:
        batch.append(file)
        if len(batch) == size or sum(len(each.data) for each in batch) >= BATCH_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def _ignore(_file: PassedOver) -> None:
    """Ignore a skipped file."""


def is_log(path: Path) -> bool:
    """Whether a file would be read if it were found in a folder: it is a log or an archive, or claims to be one."""
    return next(_open_path(path, _ignore, named=False), None) is not None


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # such as a name that is too long
        return False


def _walk(top: Path) -> Iterator[Path | PassedOver | LogFile]:
    """The files to read at a path or below it; what is passed over, and folders and links that cannot be followed."""
    if not _is_folder(top):
        yield top
        return
    failures: list[OSError] = []
    for root, folders, files in os.walk(top, onerror=failures.append):
        folders.sort()
        for name in folders:
            path = Path(root, name)
            if path.is_symlink():
                yield PassedOver(printable(str(path)), "a link to a folder")
        for name in sorted(files):
            path = Path(root, name)
            try:
                mode = path.stat().st_mode
            except OSError as error:
                lost = isinstance(error, FileNotFoundError) and not claims_to_be_a_log(name)
                yield PassedOver(printable(str(path)), "a link to nothing") if lost else _unreadable(str(path), error)
                continue
            yield path if stat.S_ISREG(mode) else PassedOver(printable(str(path)), "not a regular file")
        yield from (_unreadable(str(error.filename), error) for error in failures)
        failures.clear()
    yield from (_unreadable(str(error.filename), error) for error in failures)


def _open_path(path: Path, skip: OnSkip, *, named: bool) -> Iterator[LogFile]:
    name = printable(os.fspath(path))
    try:
        with path.open("rb") as stream:
            allowance = Allowance(os.fstat(stream.fileno()).st_size)
            yield from open_stream(stream, name, skip, allowance, named=named)
    except TooMuchError:
        yield _bomb(name)
    except (OSError, ValueError) as error:
        yield _unreadable(name, error)


def _bomb(name: str) -> LogFile:
    return failed(
        name, "unpacks to far more than a log archive does; it was not read any further", LogTrouble.TOO_LARGE
    )


def _unreadable(name: str, error: OSError | ValueError) -> LogFile:
    match error:
        case FileNotFoundError():
            message = "no such file; check the path"
        case PermissionError():
            message = "is not readable; check its permissions"
        case OSError():
            message = f"cannot be read: {error.strerror or error}"
        case _:
            message = f"cannot be read: {error}"
    return failed(shortened(printable(name)), message, LogTrouble.UNREADABLE)
