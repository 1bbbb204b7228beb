"""Finding logs: what the arguments of a command name, read one log at a time.

An argument is a file, a folder, an archive, ``-`` for standard input, or an address of tenhou.net. Nothing is
downloaded, and nothing is unpacked to disk. The content decides the format; names matter only for files that are not
logs: a stray ``README.md`` in a folder or an archive is skipped, a ``game.xml`` that is not a log is reported.
"""

import io
import os
import re
import select
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Final

from bot.logs.addresses import LogAddress, is_address, read_address, seat_in, shortened
from bot.logs.archives import MAX_LOG_BYTES, failed, printable, too_large, unpack
from bot.logs.listing import entries_of
from protocol.errors import LogError, LogTrouble, unforeseen
from protocol.logs.formats import (
    FORMATS,
    SNIFFED_BYTES,
    LogFile,
    detect_format,
    without_declarations,
    without_remarks,
    without_words,
)
from protocol.logs.game_log import LOG_ID, plain_id
from protocol.logs.json_text import is_utf16

MAX_GAME_BYTES: Final = 2 << 20
"""Size of the largest log of a whole game; recorded ones have up to 0.1 MiB."""

MAX_FRAMES: Final = 100_000
"""Number of lines, and of tags, in the largest record or captured session; a game has a few thousand."""

MAX_VALUES: Final = 2_000_000
"""Number of commas and opening brackets in the largest log; a record has some 45,000 for a game."""

STDIN: Final = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
"""Arguments that stand for standard input."""

STDIN_NAME: Final = "standard input"

UTF16: Final = "is UTF-16 text, and logs are UTF-8; save it as UTF-8 (in PowerShell: Out-File -Encoding utf8)"
"""The error of a text in another encoding."""

FOREIGN: Final = (
    (
        re.compile(rb'"qipai"\s*:\s*\{'),
        "is a record of 電脳麻将, which is not read; write it as tenhou.net/6 JSON with @kobalab/tenhou-url-log",
    ),
    (
        re.compile(rb'"\.?(?:lq\.)?(?:RecordNewRound|ActionNewRound)"|\.lq\.(?:GameDetailRecords|RecordNewRound)'),
        "is a record of Mahjong Soul, which is not read; write it as tenhou.net/6 JSON with tensoul or its like",
    ),
)
"""The formats of other programs: what only they contain, and the converter that reads them."""

PATIENCE: Final = 20.0
"""Seconds without a byte after which a pipe is given up."""

BATCH_BYTES: Final = 8 << 20
"""Number of bytes at which a batch is full."""

_between_addresses: Final = re.compile(r"[\s,;|\u3001\uff0c]+|(?<=[0-9a-f])(?=https?://)").split
_begins_with_id: Final = re.compile(LOG_ID).match
_LOG_SUFFIXES: Final = frozenset(suffix for row in FORMATS.values() for suffix in row.suffixes) - {".json", ".log"}
"""Files with these suffixes claim to be logs; ``.json`` and ``.log`` are too common."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that is not read, and why."""

    file: str  # its name
    reason: str  # why, in a few words, such as ``'not a log'``


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
    texts = [text for each in arguments for text in ([each] if isinstance(each, Source) else _texts(os.fspath(each)))]
    saved = _Saved([".", *(text for text in texts if isinstance(text, str) and _is_folder(Path(text)))])
    found = []
    for text in texts:
        try:
            found.append(text if isinstance(text, Source) else _find(text, saved))
        except LogError as error:
            found.append(Source(error.source, error=error))
    return found


def _texts(argument: str) -> list[str]:
    """The argument, or each of several addresses in it."""
    words = [word for word in _between_addresses(argument) if word]
    return words if len(words) > 1 and all(map(is_address, words)) else [argument]


def _find(text: str, saved: "_Saved") -> Source:
    """The source that a text names.

    Raises:
        LogError: it names none, or one that cannot be read.
    """
    if text in STDIN:
        return Source(STDIN_NAME, data=_standard_input())
    if not text.strip():
        raise LogError("is not a name; name a file, a folder or an archive", "''")
    name = shortened(text)
    if not is_address(text) or os.path.lexists(text):
        if _is_pipe(text):
            return Source(printable(text), data=_pipe(text))
        if detect_format(text.encode("utf-8", "replace")) is not None and not os.path.lexists(text):
            raise LogError("is the text of a log; save it in a file, or pass it on standard input, named -", name)
        return Source(name, Path(text))
    found = read_address(text)
    if isinstance(found, bytes):
        return Source(name, data=found, seat=seat_in(text))
    path = saved.file_of(found)
    if path is not None:
        return Source(printable(str(path)), path, seat=found.seat)
    return Source(name, seat=found.seat, error=found.not_here(name), log_id=found.log_id)


class _Saved:
    """The files in some folders by the log ids with which their names begin; each folder is listed once."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = tuple(dict.fromkeys(folders))

    @cached_property
    def _files(self) -> Mapping[str, Sequence[Path]]:
        found: dict[str, list[Path]] = {}
        for folder in self._folders:
            with suppress(OSError):
                for each in Path(folder).iterdir():
                    found.setdefault(_id_of(each.name), []).append(each)
        return found

    def file_of(self, address: LogAddress) -> Path | None:
        """The file of a log id, as a browser, Tenhou's client or our own lobby saves it; XML is preferred."""
        found = sorted(self._files.get(address.log_id, ()))
        xml = [each for each in found if claims_to_be_a_log(each.name)]
        json = [each for each in found if each.suffix == ".json"]
        return next(iter(xml + json), None)


def _id_of(name: str) -> str:
    """The log id with which a file's name begins; empty if it begins otherwise."""
    found = _begins_with_id(name)
    return "" if found is None else plain_id(found[0])


def _standard_input() -> bytes:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise LogError("is closed; pipe a log into this command", STDIN_NAME)
    if sys.stdin.isatty():
        raise LogError("is the keyboard; pipe a log into this command, or name a file", STDIN_NAME)
    try:
        data: bytes = stream.read(MAX_LOG_BYTES + 1)
    except OSError as error:
        raise _unreadable(STDIN_NAME, error) from None
    if len(data) > MAX_LOG_BYTES:
        raise LogError(f"has more than {MAX_LOG_BYTES >> 20} MiB; name the file instead", STDIN_NAME)
    return data


def _is_pipe(text: str) -> bool:
    """Whether a name is of something that gives its bytes only once: a pipe or a device."""
    try:
        mode = Path(text).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _pipe(text: str) -> bytes:
    """The bytes of a pipe, which is opened without waiting for a program that writes into it."""
    name = printable(text)
    try:
        descriptor = os.open(text, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            data = drain(descriptor, MAX_LOG_BYTES)
        finally:
            os.close(descriptor)
    except TimeoutError:
        why = f"nothing was written into this pipe for {PATIENCE:.0f} s; start the program that writes it"
        raise LogError(why, name) from None
    except OSError as error:
        raise _unreadable(name, error) from None
    if len(data) > MAX_LOG_BYTES:
        raise LogError(f"has more than {MAX_LOG_BYTES >> 20} MiB; name a file instead", name)
    return data


def drain(descriptor: int, most: int) -> bytes:
    """The bytes written into a pipe, or the first ``most`` of them and a little more.

    Raises:
        TimeoutError: nothing more came for :data:`PATIENCE` seconds.
    """
    data = bytearray()
    while len(data) <= most:
        ready, _, _ = select.select([descriptor], [], [], PATIENCE)
        if not ready:
            raise TimeoutError
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        data += part
    return bytes(data)


def open_logs(
    arguments: Iterable[Argument], on_skip: Callable[[PassedOver], object] = lambda _: None
) -> Iterator[LogFile]:
    """Yield every log that the arguments name, in order: folders sorted by name, archives in their own order.

    What cannot be opened or is not a log comes as a :class:`LogFile` that carries its error, so that the others are
    still read.

    Args:
        arguments: files, folders, ``.tar``, ``.zip``, each of them or a single log under ``.gz``, ``.xz``, ``.bz2``;
            ``-`` for standard input; addresses of tenhou.net.
        on_skip: called with each file that is skipped because it does not claim to be a log.
    """
    sources = find_sources(arguments)
    paths = [source.path for source in sources if source.path is not None]
    saved = _Saved([".", *(str(path) if _is_folder(path) else str(path.parent) for path in paths)])
    for source in sources:
        for file in _open_source(source, saved):
            if isinstance(file, PassedOver):
                on_skip(file)
                continue
            said = source.seat if source.seat is not None else file.seat
            seat = seat_in(file.name.rpartition("/")[2]) if said is None else said
            whole = file.format in FORMATS and FORMATS[file.format].session is None
            yield replace(file, seat=seat) if whole else file


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


def is_log(path: Path) -> bool:
    """Whether a file would be read if it were found in a folder: it is a log or an archive, or claims to be one."""
    return any(isinstance(each, LogFile) for each in _open_path(path, named=False))


def claims_to_be_a_log(name: str) -> bool:
    """Whether a file of this name is expected to be a log."""
    plain = name.lower().removesuffix(".gz").removesuffix(".xz").removesuffix(".bz2")
    return PurePath(plain).suffix in _LOG_SUFFIXES


def _open_source(source: Source, saved: _Saved) -> Iterator[LogFile | PassedOver]:
    """The logs of a source; those that a list names by their ids are looked for among the saved ones."""
    if source.error is not None:
        yield LogFile(source.name, error=source.error, seat=source.seat, log_id=source.log_id)
        return
    for file in _files(source):
        if isinstance(file, PassedOver) or not file.log_id:
            yield file
            continue
        address = LogAddress(file.log_id, file.seat)
        path = saved.file_of(address)
        if path is None:
            yield replace(file, error=address.not_here(file.name))
            continue
        for found in _open_path(path, named=True):
            yield replace(found, seat=file.seat) if isinstance(found, LogFile) else found


def _files(source: Source) -> Iterator[LogFile | PassedOver]:
    if source.path is None:
        for file in unpack(io.BytesIO(source.data), source.name, len(source.data), named=True):
            yield from _recognised(file)
        return
    named = not _is_folder(source.path)
    for each in _walk(source.path):
        if isinstance(each, Path):
            yield from _open_path(each, named=named)
        else:
            yield each


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
                yield PassedOver(printable(str(path)), "a link to nothing") if lost else _not_read(str(path), error)
                continue
            yield path if stat.S_ISREG(mode) else PassedOver(printable(str(path)), "not a regular file")
        yield from (_not_read(str(error.filename), error) for error in failures)
        failures.clear()
    yield from (_not_read(str(error.filename), error) for error in failures)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # such as a name that is too long
        return False


def _open_path(path: Path, *, named: bool) -> Iterator[LogFile | PassedOver]:
    name = printable(os.fspath(path))
    try:
        with path.open("rb") as stream:
            for file in unpack(stream, name, os.fstat(stream.fileno()).st_size, named=named):
                yield from _recognised(file)
    except (OSError, ValueError) as error:
        yield _not_read(name, error)


def _recognised(file: LogFile) -> Iterator[LogFile | PassedOver]:
    """Yield the logs of an unpacked file; its error if its name claims to be a log's; or that it is passed over."""
    if file.error is not None:
        yield file
        return
    try:
        yield from _logs_in(file)
    except Exception as error:  # noqa: BLE001 - whatever one file does, the others are read
        yield LogFile(file.name, error=unforeseen(error, file.name))


def _logs_in(file: LogFile) -> Iterator[LogFile | PassedOver]:
    name, named, is_meant = file.name, file.named, file.named or claims_to_be_a_log(file.name)
    # what begins with a remark is a log only if somebody says so: program code and notes do too
    data = without_declarations(without_remarks(file.data) if is_meant else file.data)
    entries = entries_of(data) if named or not is_meant else None
    if entries is None:
        yield _log(name, without_words(data) if is_meant else data, named=named)
        return
    several = len(entries) > 1
    if not named and any(entry.log_id for entry in entries):
        yield PassedOver(name, "a list of addresses, which is read if it is named itself")
        entries = [entry for entry in entries if not entry.log_id]
    for entry in entries:
        its_name = f"{name}:{entry.line}" if several else name
        if entry.error:
            yield failed(its_name, entry.error, LogTrouble.ADDRESS)
        elif entry.log_id:
            yield LogFile(its_name, named=named, seat=entry.seat, log_id=entry.log_id)
        else:
            found = _log(its_name, entry.text.encode(), named=named)
            yield replace(found, seat=entry.seat) if isinstance(found, LogFile) else found


def _log(name: str, data: bytes, *, named: bool) -> LogFile | PassedOver:
    """The log in a text. Without one an error if the file was named or its name claims a log, else passed over."""
    foreign = next((why for begins, why in FOREIGN if begins.search(data[:SNIFFED_BYTES])), "")
    if foreign:
        return failed(name, foreign, LogTrouble.NO_LOG)
    found = detect_format(data)
    if found and FORMATS[found].session is None and len(data) > MAX_GAME_BYTES:
        return too_large(name, MAX_GAME_BYTES)
    if found and max(data.count(b"\n"), data.count(b"<")) > MAX_FRAMES:
        return failed(name, f"has more than {MAX_FRAMES:,} lines or tags, which no log has", LogTrouble.TOO_LARGE)
    if found and sum(map(data.count, (b",", b"[", b"{"))) > MAX_VALUES:
        return failed(name, f"has more than {MAX_VALUES:,} values, which no log has", LogTrouble.TOO_LARGE)
    if found:
        return LogFile(name, found, data, named=named)
    if not (named or claims_to_be_a_log(name)):
        return PassedOver(name, "not a log")
    if not data.strip():
        return failed(name, "the file is empty", LogTrouble.EMPTY)
    if is_utf16(data):
        return failed(name, UTF16, LogTrouble.NO_LOG)
    known = ", ".join(row.title for row in FORMATS.values())
    begins = repr(data[:32].decode("utf-8", "replace").strip()[:24])
    return failed(name, f"is not a log (it begins {begins}); known formats: {known}", LogTrouble.NO_LOG)


def _not_read(name: str, error: OSError | ValueError) -> LogFile:
    why = _unreadable(name, error)
    return LogFile(why.source, error=why)


def _unreadable(name: str, error: OSError | ValueError) -> LogError:
    match error:
        case FileNotFoundError():
            why = "no such file; check the path"
        case PermissionError():
            why = "is not readable; check its permissions"
        case OSError():
            why = f"cannot be read: {error.strerror or error}"
        case _:
            why = f"cannot be read: {error}"
    return LogError(why, shortened(printable(name)), trouble=LogTrouble.UNREADABLE)
