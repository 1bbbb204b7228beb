"""The files of tables and weights shipped with the package, and their hashes for records of decisions."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files


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
