"""The only place that configures numba.

Compiled kernels are cached under a folder named by a hash of every kernel source, because numba's own cache does
not notice an edit in a kernel's callee. Set ``NUMBA_DISABLE_JIT=1`` to run kernels as plain Python.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

_ENGINE: Final = Path(__file__).parent


def _source_key() -> str:
    """Hash over what decides the machine code: all kernel sources, the constants they import, numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    sources = [Path(__file__), *_ENGINE.glob("model/*.py"), *_ENGINE.rglob("*_kernels.py")]
    for source in sorted(sources):
        digest.update(source.relative_to(_ENGINE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


CACHE_DIR: Final = user_cache_path("oshihiki", appauthor=False) / "kernels" / _source_key()
numba.config.CACHE_DIR = str(CACHE_DIR)
# records of four floats are added to one another as one vector: a seventh off the search
numba.config.SLP_VECTORIZE = 1


def kernel(function: F) -> F:
    """Compile ``function`` in nopython mode, without the GIL, cached on disk.

    Unsigned overflow wraps, indices are not checked: a kernel is called through a public function that validates.
    """
    return cast(F, numba.njit(cache=True, nogil=True, boundscheck=False)(function))


def inner(function: F) -> F:
    """Likewise a kernel that takes no memory: it does not count references to the arrays it is given.

    Counting is an atomic operation for each array, also for those within a tuple, at every call; it took a third of the
    time of the DAG search. Arrays can be neither made, cut nor returned.
    """
    return cast(F, numba.njit(cache=True, nogil=True, boundscheck=False, _nrt=False)(function))


def inlined(function: F) -> F:
    """Likewise, made a part of each kernel that calls it.

    For what depends on arguments known when that is compiled, and for what is called in a loop with many arrays: seven
    numbers are handed over for each of them, which took a twelfth of the time of the DAG search.
    """
    return cast(F, numba.njit(cache=True, nogil=True, boundscheck=False, _nrt=False, forceinline=True)(function))
