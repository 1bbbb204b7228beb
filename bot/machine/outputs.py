"""The files that a command writes because its user named them."""

import os
from collections.abc import Iterable
from pathlib import Path

from bot.logs.sources import Source, is_log
from bot.machine.errors import InputError, writing_trouble
from bot.machine.files import SHARED, replace_file
from bot.machine.text import clean

Identity = tuple[int, int] | str
"""A file, whatever it is called: its device and number or, if it does not exist, its real path."""


class Outputs:
    """Writes files whole or not at all, and none that the command was given to read."""

    def __init__(self, option: str, read: Iterable[Source | Path | None], *written: Path | None) -> None:
        """Note which files the command reads.

        Args:
            option: option or argument that names what is written, for errors; empty if none does.
            read: everything that the command was given to read; None is skipped. Of a folder, all logs are read.
            written: files that will be written, as far as they are known; see :meth:`refuse_inputs`.

        Raises:
            InputError: one of them is read.
        """
        self._option = option
        self._read: dict[Identity, Path | None] = {}  # None: it was named itself
        for each in read:
            source = each if isinstance(each, Source) else Source("", each)
            self._read |= {_identity(file): None if file == source.path else file for file in source.files()}
        self.refuse_inputs(*written)

    def refuse_inputs(self, *paths: Path | None) -> None:
        """Refuse to write what the command reads, so that this is known before any work is done; None is skipped.

        Raises:
            InputError: a path is a file that was given to be read, by whatever name.
        """
        for path in filter(None, paths):
            which = _identity(path)
            if which in self._read and ((found := self._read[which]) is None or is_log(found)):
                raise InputError(f"{self._named(path)}: is a file that this command reads; name another one to write")

    def write(self, path: Path, data: str | bytes, mode: int = SHARED) -> None:
        """Write a file, text as UTF-8; missing folders are created.

        Args:
            path: the file.
            data: its content.
            mode: mode of a new file, before the process's umask.

        Raises:
            InputError: it is one that the command reads, or it cannot be written; what was there is unchanged.
        """
        self.refuse_inputs(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, data.encode("utf-8", "replace") if isinstance(data, str) else data, mode)
        except OSError as error:
            reason = error.strerror or str(error)
            why = f"{self._named(path)}: cannot be written: {reason}"
            raise InputError(why, writing_trouble(error), clean(path.name)) from None

    def _named(self, path: Path) -> str:
        return f"{self._option} {clean(str(path))}".lstrip()


def _identity(path: Path) -> Identity:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return os.path.realpath(path)
    return status.st_dev, status.st_ino
