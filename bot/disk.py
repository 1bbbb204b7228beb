"""Appending to files so that a disk without room leaves no half line behind."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
"""Mode of files that nobody but their owner may read."""


def open_private(path: Path, flags: int = 0) -> int:
    """A descriptor for appending to a file, which is made where it is not there.

    Raises:
        OSError: it cannot be opened.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | flags, PRIVATE)


def append(file: int, data: bytes) -> None:
    """Write all of it or nothing.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    size = os.fstat(file).st_size
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


def _no_room() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
