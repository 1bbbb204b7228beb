"""Files that are kept from one run for the next: compiled kernels and tables, each behind a checksum.

The checksum is also over the file's name, so that a file that was overwritten in part, cut, or put in the place of
another is found before anything in it is believed. It stands in the file itself, because files are replaced as a whole:
what one process writes is never taken with the checksum of another.
"""

import hashlib
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

_CHECKSUM: Final = 16


class DamagedError(Exception):
    """A file is not as it was written."""


def write_kept(path: Path, content: bytes) -> None:
    """Write a file for :func:`read_kept`: the whole file or nothing, whatever other processes do.

    Raises:
        OSError: it cannot be written.
    """
    part = path.with_name(f"{path.stem}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(_checksum(path, content) + content)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def read_kept(path: Path) -> bytes:
    """The content of a file.

    Raises:
        OSError: there is no such file, or it cannot be read.
        DamagedError: its checksum is another, or it has none.
    """
    if not path.is_file():  # to read a pipe would mean to wait for its writer
        raise FileNotFoundError(f"{path} is no file")
    data = path.read_bytes()
    content = data[_CHECKSUM:]
    if _checksum(path, content) != data[:_CHECKSUM]:
        raise DamagedError(f"{path} is damaged")
    return content


def _checksum(path: Path, content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM, key=path.name.encode()[-64:]).digest()


_said: Final[list[str]] = []


def say_damaged(error: Exception) -> None:
    """Say once in a process on standard error that what was kept is made again.

    A disk that damages one file damages many, and nobody has to do anything about it.
    """
    if _said or sys.stderr is None:
        return
    _said.append(str(error))
    with suppress(OSError, ValueError):
        sys.stderr.write(f"oshihiki: {str(error) or type(error).__name__}; it is made again, as all that is damaged\n")
