"""The files of tables and weights that come with the package, and their digests for records of decisions."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files


def table_bytes(package: str, name: str) -> bytes:
    """Contents of a file in a package's folder ``tables``.

    Raises:
        OSError: it is missing.
    """
    return files(package).joinpath("tables", name).read_bytes()


@cache
def table_digest(package: str, name: str) -> str:
    """A hash of that file, 16 hexadecimal digits.

    Raises:
        OSError: it is missing.
    """
    return blake2b(table_bytes(package, name), digest_size=8).hexdigest()
