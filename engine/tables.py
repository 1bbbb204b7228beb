"""The files of tables and weights: those shipped with the package, their hashes, and what becomes of a damaged one."""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from tokenize import TokenError
from typing import Any, Final, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

W = TypeVar("W")

DAMAGED: Final = (
    *(OSError, EOFError, MemoryError, RuntimeError, ValueError, TypeError, LookupError, ArithmeticError),
    *(AttributeError, SyntaxError, TokenError, BadZipFile, zlib.error, struct.error),
)
"""Exceptions that reading a damaged file of arrays or of JSON raises."""
_WIDEST: Final = 1 << 14
_LARGEST: Final = 256 << 20
"""Bytes to which a file of arrays may unpack; the largest that is shipped has 6 MB."""


class WeightsError(ValueError):
    """Weights or tables are missing, damaged or fitted on other features; the message says how to get them back."""


@contextmanager
def readable(name: str, rebuild: str) -> Iterator[None]:
    """Whatever fails in this block is a fault of a file of weights or tables.

    Args:
        name: the file, as the message names it.
        rebuild: the command that makes it.

    Raises:
        WeightsError: the file is missing, damaged or of another version.
    """
    try:
        yield
    except DAMAGED as error:
        if isinstance(error, FileNotFoundError):
            what = "is missing"
        elif isinstance(error, WeightsError):
            what = str(error)
        else:
            what = f"is damaged ({str(error)[:200] or type(error).__name__})"
        raise WeightsError(f"{name} {what}; install oshihiki again, or make the file with: {rebuild}") from error


def require_features(fitted_on: str, now: str) -> None:
    """Refuse weights that were fitted on features of another meaning than this version's.

    Args:
        fitted_on: hash of the features they were fitted on.
        now: hash of this version's features.

    Raises:
        WeightsError: the hashes differ.
    """
    if fitted_on != now:
        raise WeightsError(f"was fitted on other features ({fitted_on[:16]}) than this version has ({now})")


def arrays_in(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a file that :func:`numpy.savez` has written. It can hold no code.

    Raises:
        one of :data:`DAMAGED`: it is not such a file.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as kept:
        if sum(member.file_size for member in kept.zip.infolist()) > _LARGEST:
            raise ValueError(f"it unpacks to more than {_LARGEST >> 20} MiB")
        return dict(kept)


def packed(**arrays: NDArray[Any]) -> bytes:
    """The contents of a file that holds these arrays, for :func:`arrays_in`."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def widths(values: NDArray[Any]) -> tuple[int, ...]:
    """The widths of the layers of a network, as plain numbers.

    Raises:
        ValueError: one is larger than that of any network.
    """
    found = tuple(int(value) for value in values)
    if not all(0 <= width <= _WIDEST for width in found):
        raise ValueError(f"its layers have the widths {found}")
    return found


def numbers(values: Any, kind: type[Any] = np.float64) -> NDArray[Any]:
    """The values as a contiguous array of a type of float.

    Raises:
        ValueError: one is not a finite number.
    """
    with np.errstate(over="ignore"):
        found = np.ascontiguousarray(values, kind)
    if not np.isfinite(found).all():
        raise ValueError("it has numbers that are not finite")
    return found


def short_hash(*parts: bytes) -> str:
    """Sixteen hexadecimal digits over all parts."""
    digest = blake2b(digest_size=8)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def table_bytes(package: str, name: str) -> bytes:
    """The contents of a file in a package's folder ``tables``.

    Raises:
        OSError: the file is missing.
    """
    return files(package).joinpath("tables", name).read_bytes()


@cache
def table_digest(package: str, name: str) -> str:
    """The :func:`short_hash` of that file.

    Raises:
        OSError: the file is missing.
    """
    return short_hash(table_bytes(package, name))


@dataclass(frozen=True, slots=True)
class ShippedFile:
    """A file of weights or tables that is shipped with the package."""

    package: str  # the package in whose folder ``tables`` it lies
    name: str  # its name there
    command: str  # the command that makes it again; ``{}`` stands for its path

    @property
    def path(self) -> str:
        """Where it lies in the project."""
        return f"{self.package.replace('.', '/')}/tables/{self.name}"

    @property
    def rebuild(self) -> str:
        """The command that makes it again."""
        return self.command.format(self.path)

    def reading(self, name: str = "") -> AbstractContextManager[None]:
        """:func:`readable` for this file, or for one of its kind that a message calls ``name``."""
        return readable(name or self.path, self.rebuild)

    def load(self, read: Callable[[bytes, str], W]) -> W:
        """The result of ``read`` for its contents and its name in messages.

        Raises:
            WeightsError: it is missing, damaged or of another version.
        """
        with self.reading():
            data = self.contents()
        return read(data, self.path)

    def contents(self) -> bytes:
        """The bytes of the file.

        Raises:
            OSError: it is missing.
        """
        return table_bytes(self.package, self.name)

    def digest(self) -> str:
        """The :func:`short_hash` of the file.

        Raises:
            OSError: it is missing.
        """
        return table_digest(self.package, self.name)
