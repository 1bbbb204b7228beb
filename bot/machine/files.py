"""Files: small ones that people write for the program are read, and writing never leaves an incomplete line or file."""

import errno
import os
import stat
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from platformdirs import user_config_path

from bot.machine.errors import InputError

if sys.platform != "win32":
    import fcntl

MOST: Final = 1 << 17
"""Bytes of the largest file of settings; the configuration with every key and its explanation has 8 kB."""
_LINE: Final = 1 << 10
"""Characters of its longest line: a key of many parts takes time in proportion to the square of its length."""
_DEPTH: Final = 100
"""Lists within lists that are looked for when a file is nested too deeply."""
PRIVATE: Final = 0o600
"""Mode of files that only their owner may read."""
SHARED: Final = 0o666
"""Mode of other new files, before the process's umask."""
_PART: Final = ".oshihiki-*.part"
"""Names of files that are being written."""
_OPEN_ALREADY: Final = ("/dev/std", "/dev/fd/", "/proc/")
"""Where the system shows files that some process has open; what goes there is added to what it has written."""


def read_small(path: Path, where: str, most: int = MOST, *, pipe: bool = False) -> str:
    """The text of a small file, without a byte order mark.

    Args:
        path: the file; a leading ``~`` or ``~user`` is a home folder.
        where: how messages name it.
        most: number of bytes that it may have.
        pipe: whether it may be a pipe, such as a shell makes for ``<(COMMAND)``.

    Raises:
        InputError: it cannot be read, is something else than a file, is too large, or is not UTF-8 text.
    """
    try:
        data = _read(path.expanduser(), where, most, pipe=pipe)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{where}: cannot be read: it is not UTF-8 text") from None
    except (OSError, RuntimeError, ValueError) as error:  # such as ~user without that user, or a name with NUL
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"{where}: cannot be read: {reason}") from None


def _read(path: Path, where: str, most: int, *, pipe: bool) -> bytes:
    """Read at most ``most`` bytes of a file; opening a pipe does not wait for its writer."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if pipe and stat.S_ISFIFO(mode):
            from bot.logs.sources import drain  # noqa: PLC0415 - a pipe is rare, and this takes long to import

            try:
                data = drain(descriptor, most)
            except TimeoutError:
                raise InputError(f"{where}: nothing was written into this pipe") from None
        elif stat.S_ISREG(mode):
            data = file.read(most + 1)
        else:
            raise InputError(f"{where}: is not a regular file; name a text file")
    if len(data) > most:
        raise InputError(f"{where}: has more than {most:,} bytes, which no such file needs")
    return data


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """The content of TOML text.

    Raises:
        InputError: it is not TOML, or is made to be hard to read; ``source`` and, if it is known, the line are named.
    """
    lines = text.split("\n")
    long = next((number for number, line in enumerate(lines, 1) if len(line) > _LINE), 0)
    if long:
        raise InputError(f"{source}, line {long}: has more than {_LINE:,} characters")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: not TOML: {error}") from None
    except RecursionError:
        deep = next((number for number, depth in _depths(lines) if depth > _DEPTH), 1)
        raise InputError(f"{source}, line {deep}: lists or tables are nested too deeply") from None


def _depths(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Each bracket's line, from 1, and the number of brackets that are open there."""
    depth = 0
    for number, line in enumerate(lines, 1):
        for char in line:
            if char in "[]{}":
                depth += 1 if char in "[{" else -1
                yield number, depth


def config_file() -> Path:
    """The configuration that is read unless another is named; it does not have to exist."""
    return user_config_path("oshihiki", appauthor=False) / "config.toml"


@contextmanager
def locked(file: int, seconds: float = 5.0, wanted: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Hold the lock of an open file or folder until the block ends, or the program; one at a time can have it.

    Where the system or the disk has no such locks, the block runs without.

    Args:
        file: its descriptor.
        seconds: how long another program is waited for.
        wanted: whether it is still to be waited for.

    Raises:
        OSError: another program still holds it then, or it is no longer wanted.
    """
    until = time.monotonic() + seconds
    while lock(file) is False:
        if not wanted():
            raise OSError(errno.ECANCELED, "it is no longer wanted")
        if time.monotonic() >= until:
            raise OSError(errno.EAGAIN, f"another program has kept it locked for {seconds:g} s")
        time.sleep(0.01)
    try:
        yield
    finally:
        if sys.platform != "win32":
            with suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def locked_folder(folder: Path, seconds: float = 5.0, wanted: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Hold the lock of a folder, as :func:`locked` does; for files in it that are replaced and so have none to hold.

    Raises:
        OSError: the folder cannot be opened, or another program holds its lock.
    """
    if sys.platform == "win32":  # folders cannot be opened there
        yield
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        with locked(file, seconds, wanted):
            yield
    finally:
        os.close(file)


def lock(file: int) -> bool | None:
    """Whether the lock of a file is held from now on: False if another program holds it, None if there are no locks."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def open_private(path: Path, flags: int = 0) -> int:
    """A descriptor for appending to a file, which is created if necessary.

    Raises:
        OSError: it cannot be opened.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | flags, PRIVATE)


def append(file: int, data: bytes) -> None:
    """Write all of ``data`` or nothing.

    Raises:
        OSError: it cannot be written, or the file has been removed; the file is unchanged.
    """
    status = os.fstat(file)
    if not status.st_nlink:
        raise FileNotFoundError(errno.ENOENT, "the file has been removed")
    size = status.st_size
    left = data
    try:
        while left:
            written = os.write(file, left)
            left = left[written:]
            if not written:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # noqa: TRY301 - as a write that fails
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise


def create_private(path: Path, data: bytes) -> None:
    """Create a file with this content, or none.

    Raises:
        OSError: it exists already or cannot be written.
    """
    file = open_private(path, os.O_EXCL)
    try:
        append(file, data)
    except OSError:
        with suppress(OSError):
            path.unlink()
        raise
    finally:
        os.close(file)


def replace_file(path: Path, data: bytes, mode: int = SHARED) -> None:
    """Write a file whole or not at all: it is written beside its place under another name, and then renamed.

    A file that exists keeps its permissions and, if possible, its owner. A link stays, and what it leads to is
    replaced. A device or a pipe is written to directly. What a program that was killed has left beside it is removed.

    Args:
        path: the file.
        data: its content.
        mode: mode of a new file, before the process's umask.

    Raises:
        OSError: it cannot be written; what was there is unchanged.
    """
    try:
        there = path.stat()
    except FileNotFoundError:
        there = None
    if str(path.absolute()).startswith(_OPEN_ALREADY) or (there is not None and not stat.S_ISREG(there.st_mode)):
        with path.open("ab") as stream:
            stream.write(data)
        return
    target = Path(os.path.realpath(path))
    if there is not None and not os.access(target, os.W_OK):  # renaming would not ask
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    _sweep(target.parent)
    part, file = _new_part(target.parent, mode)
    try:
        with os.fdopen(file, "wb") as stream:
            if there is not None:
                with suppress(OSError):
                    os.fchown(file, there.st_uid, there.st_gid)
                os.fchmod(file, stat.S_IMODE(there.st_mode))
            stream.write(data)
            stream.flush()
            os.fsync(file)
            part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _new_part(folder: Path, mode: int) -> tuple[Path, int]:
    """A new file under a passing name, open and locked, so that :func:`_sweep` of another program leaves it alone."""
    while True:
        part = folder / _PART.replace("*", token_hex(4))
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        if lock(file) is not False and os.fstat(file).st_nlink:
            return part, file
        os.close(file)  # it was swept between the two


@lru_cache(maxsize=1_024)
def _sweep(folder: Path) -> None:
    """Remove what programs that were killed while they wrote have left in a folder; done once for each."""
    for part in folder.glob(_PART):
        with suppress(OSError):
            file = os.open(part, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
            try:
                if lock(file):
                    part.unlink()
            finally:
                os.close(file)
