"""Identifies the code that made a record, because only that code reproduces its decisions byte for byte."""

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import engine


@cache
def made_by() -> dict[str, str]:
    """Versions of this program and of the libraries that its figures depend on, and a hash of the engine."""
    return {
        "oshihiki": _version("oshihiki"),
        "engine": engine_hash(),
        "python": platform.python_version(),
        "numba": _version("numba"),
        "numpy": _version("numpy"),
        "machine": platform.machine(),
    }


@cache
def engine_hash() -> str:
    """A hash of every file of the engine that can change a decision."""
    root = Path(engine.__file__).parent
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(root.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
