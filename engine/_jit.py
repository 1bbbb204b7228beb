"""The only place that configures numba.

A *kernel* is called from Python; its machine code is kept on disk. A *part* is called only by kernels and parts, and is
compiled into the kernels that call it. Left alone, numba would give each part an entry from Python and a file of its
own, and would compile it once for every constant that it is called with: more than half of the time to compile.

The machine code lies in a folder named by a hash of every source that it can depend on, because numba itself does not
notice an edit in a callee. Set ``NUMBA_DISABLE_JIT=1`` to run all of it as plain Python.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.registry import CPUDispatcher
from numpy.typing import NDArray
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])
Number = TypeVar("Number", bound=np.generic)
Array2 = Annotated[NDArray[Number], 2]
Array3 = Annotated[NDArray[Number], 3]
Array4 = Annotated[NDArray[Number], 4]
"""An argument of a kernel with so many dimensions; a plain ``NDArray`` has one."""

_ENGINE: Final = Path(__file__).parent
CONSTANTS: Final = ("_jit.py", "model/rules.py", "model/tiles.py")
"""Modules beside those of kernels that decide the machine code."""


def _source_key() -> str:
    """Hash over what decides the machine code: sources of kernels, the constants they import, numba, the processor."""
    processor = f"{get_host_cpu_name()} {get_host_cpu_features().flatten()}"
    digest = hashlib.sha256(f"{numba.__version__} {processor}".encode())
    for source in sorted((*(_ENGINE / name for name in CONSTANTS), *_ENGINE.rglob("*_kernels.py"))):
        digest.update(source.relative_to(_ENGINE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


CACHE_DIR: Final = user_cache_path("oshihiki", appauthor=False) / "kernels" / _source_key()
numba.config.CACHE_DIR = str(CACHE_DIR)
# records of four floats are added to one another as one vector: a seventh off the search
numba.config.SLP_VECTORIZE = 1


class _Locator(UserProvidedCacheLocator):
    """Places the machine code by module, wherever the sources lie: two clones of one version share it."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder of a module within ``numba.config.CACHE_DIR``."""
        return ".".join(Path(py_file).relative_to(_ENGINE).with_suffix("").parts)

    def get_source_stamp(self) -> str:
        """The same for all, since the name of the folder holds the hash of the sources."""
        return ""


class _CacheImpl(CompileResultCacheImpl):
    """numba's own, with that place."""

    _locator_classes = (_Locator,)


class _Cache(FunctionCache):
    """The files of one kernel; what cannot be read is compiled again."""

    _impl_class = _CacheImpl

    def is_filled(self) -> bool:
        """Whether numba has written the index of these files."""
        return Path(self.cache_path, f"{self._impl.filename_base}.nbi").is_file()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None if there is none or its file is damaged."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001 - a damaged file may raise anything in pickle, zlib and LLVM
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the compiled kernel; if the disk is full, each process compiles for itself."""
        with suppress(OSError):
            super().save_overload(sig, data)


class _Kernel(CPUDispatcher):
    """numba's dispatcher, except that constants as arguments do not get machine code of their own.

    If a version of numba stops calling these methods, kernels compile longer, and each clone has its own files.
    """

    def enable_caching(self) -> None:
        """Keep the machine code on disk."""
        self._cache: Any = _Cache(self.py_func)

    def is_missing_on_disk(self) -> bool:
        """Whether there could be machine code of this kernel on disk, and is none."""
        return isinstance(self._cache, _Cache) and not self._cache.is_filled()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The function that compiled code calls with arguments of these types."""
        return super().get_call_template([numba.types.unliteral(one) for one in args], kws)


class _Part(_Kernel):
    """The dispatcher of a part."""

    def __call__(self, *_args: Any) -> Any:
        """Raise TypeError, where numba would call an entry that is not there.

        Raises:
            TypeError: always.
        """
        name = f"{self.py_func.__module__}.{self.py_func.__name__}"
        raise TypeError(f"{name} is a part of kernels: only they can call it")


_OPTIONS: Final = {"nopython": True, "nogil": True, "boundscheck": False, "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    """Compile ``function`` for calls from Python, without the GIL, cached on disk.

    Unsigned overflow wraps, indices are not checked: a kernel is called through a public function that validates. Its
    annotations say what it is compiled for (see :func:`signature`).

    A kernel takes no memory: it does not count references to the arrays it is given. Counting is an atomic operation
    for each array, also for those within a tuple, at every call; it took a third of the time of the DAG search. Arrays
    can be neither made, cut nor returned.
    """
    return _kernel(function, _nrt=False)


def allocating_kernel(function: F) -> F:
    """Likewise a kernel that makes, cuts or returns arrays."""
    return _kernel(function)


def part(function: F) -> F:
    """Compile ``function`` as a part of the kernels that call it. It takes no memory."""
    return _part(function, _nrt=False)


def allocating_part(function: F) -> F:
    """Likewise a part that makes, cuts or returns arrays."""
    return _part(function)


def inlined_part(function: F) -> F:
    """Likewise a part that takes no memory, written out wherever it is called.

    For what depends on arguments known when the caller is compiled, and for what is called in a loop with many arrays:
    seven numbers are handed over for each of them, which took a twelfth of the time of the DAG search.
    """
    return _part(function, _nrt=False, forceinline=True)


def _kernel(function: F, **options: bool) -> F:
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = _Kernel(function, targetoptions={**_OPTIONS, **options})
    with suppress(RuntimeError):  # the folder cannot be written: each process compiles for itself
        dispatcher.enable_caching()
    return cast(F, dispatcher)


def _part(function: F, **options: bool) -> F:
    if numba.config.DISABLE_JIT:
        return function
    return cast(F, _Part(function, targetoptions={**_OPTIONS, **options, "no_cpython_wrapper": True}))


def name_of(function: Callable[..., Any]) -> str:
    """Its module within the engine and its name: ``search.dag.search_kernels.list_hands``."""
    return f"{function.__module__.removeprefix('engine.')}.{function.__name__}"


def has_to_be_compiled(function: Callable[..., Any]) -> bool:
    """Whether a call of the kernel would compile it, and another process could do that for this one."""
    return isinstance(function, _Kernel) and not function.overloads and function.is_missing_on_disk()


def compile_kernel(function: Callable[..., Any]) -> None:
    """Compile a kernel for its :func:`signature`, or load it if that has been done."""
    if isinstance(function, _Kernel):
        function.compile(signature(function.py_func))


def signature(function: Callable[..., Any]) -> tuple[Any, ...]:
    """The argument types that a kernel is compiled for: those of its annotations, its arrays contiguous."""
    hints = get_type_hints(function, include_extras=True)
    return tuple(_numba_type(hint) for name, hint in hints.items() if name != "return")


def _numba_type(hint: Any) -> Any:
    array, dimensions = get_args(hint) if get_origin(hint) is Annotated else (hint, 1)
    if get_origin(array) is np.ndarray:
        number = get_args(get_args(array)[1])[0]
        return numba.types.Array(numba.from_dtype(np.dtype(number)), dimensions, "C")
    if issubclass(hint, tuple):
        fields = get_type_hints(hint, include_extras=True).values()
        return numba.types.BaseTuple.from_types([_numba_type(field) for field in fields], hint)
    return numba.from_dtype(np.dtype(hint))
