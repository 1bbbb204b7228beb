"""Writing files so that a full disk or the end of the process leaves no incomplete line or file behind."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

PRIVATE: Final = 0o600
"""Mode of files that only their owner may read."""
_SHARED: Final = 0o666
"""Mode of other new files, before the process's umask."""
_OPEN_ALREADY: Final = ("/dev/std", "/dev/fd/", "/proc/")
"""Where the system shows files that some process has open; what goes there is added to what it has written."""


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
                _no_room()
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


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: it is written beside its place under another name, and then renamed.

    A file that exists keeps its permissions and, if possible, its owner. A link stays, and what it leads to is
    replaced. A device or a pipe is written to directly.

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
    part = target.with_name(f".oshihiki-{token_hex(4)}.part")
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _SHARED)
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


def _no_room() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
