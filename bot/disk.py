"""Writing files that only their owner may read, so that a full disk leaves no incomplete line or file behind."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
"""Mode of files that only their owner may read."""


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


def _no_room() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
