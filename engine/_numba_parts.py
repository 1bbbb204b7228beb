"""Kernels and parts that override inner parts of numba, so that they compile sooner and are kept more safely.

numba keeps these parts for itself, and a later version may move them. Then this module refuses to be imported, and
:mod:`engine._jit` compiles kernels as numba does by itself: that takes longer, and a damaged file is not noticed. As
measured, compiling for the first game takes 58 s of processor time, without the library of a part 83 s, without the
call template of a kernel as well 101 s. A step of the simulator over 4,096 tables takes a third less with that library
and :func:`engine._jit.fetch` than without the two.

The machine code of a kernel is one file with a checksum, because LLVM ends the process where machine code is damaged.
"""

import inspect
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numba
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

from engine.interrupts import interrupts_held
from engine.kept import DamagedError, read_kept, say_damaged, write_kept

OVERRIDDEN: Final[Mapping[type, Mapping[str, str]]] = {
    JITCodeLibrary: {
        "_ensure_finalized": "self",
        "_finalize_final_module": "self",
        "_optimize_final_module": "self",
        "get_pointer_to_function": "self name",
    },
    Compiler: {"__init__": "self typingctx targetctx library args return_type flags locals"},
    CompileResult: {"_reduce": "self"},
    CPUDispatcher: {
        "__init__": "self py_func locals targetoptions pipeline_class",
        "get_call_template": "self args kws",
    },
    NullCache: {"load_overload": "self sig target_context", "save_overload": "self sig cres"},
}
"""What of numba is overridden, or called from what overrides it, with the names of its arguments."""


def require_known(parts: Mapping[type, Mapping[str, str]]) -> None:
    """Raise ImportError if a part of numba is not as it is known.

    Raises:
        ImportError: it is missing, or takes other arguments.
    """
    for owner, methods in parts.items():
        for name, arguments in methods.items():
            method = getattr(owner, name, None)
            found = " ".join(inspect.signature(method).parameters) if method else "missing"
            if found != arguments:
                raise ImportError(f"{owner.__name__}.{name} of numba {numba.__version__} is not known: {found}")


require_known(OVERRIDDEN)


class _Cache:
    """The file of one kernel, compiled for one signature: numba loads machine code from it and saves what it compiles.

    Ctrl-C waits: within what LLVM calls back it would be lost, or come out as an error of the file.
    """

    def __init__(self, path: Path) -> None:
        self.cache_path: Final = str(path.parent)  # as numba's statistics of a kernel name it
        self._path: Final = path

    def is_filled(self) -> bool:
        """Whether there is machine code, as it was written."""
        with interrupts_held():
            return self._content() is not None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel; None if there is none for this signature, or its file cannot be used."""
        with interrupts_held():
            if (content := self._content()) is None:
                return None
            try:
                target_context.refresh()
                written_for, parts = pickle.loads(content)  # noqa: S301 - see the module
                return CompileResult._rebuild(target_context, *parts) if written_for == sig else None  # noqa: SLF001
            except Exception:  # noqa: BLE001 - pickle and LLVM raise anything, as where memory is short
                return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Write the compiled kernel; if the disk is full, each process compiles for itself."""
        with interrupts_held(), suppress(OSError):
            write_kept(self._path, dumps((sig, compiled._reduce())))  # noqa: SLF001

    def _content(self) -> bytes | None:
        try:
            return read_kept(self._path)
        except DamagedError as error:
            say_damaged(error)
            with suppress(OSError):
                self._path.unlink()
        except (OSError, MemoryError):
            pass
        return None


class _Function(CPUDispatcher):
    """numba's dispatcher, except that constants as arguments do not get machine code of their own."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The function that compiled code calls with arguments of these types, and no other that might take them.

        A record can stand for one with fewer fields; numba would weigh that against the exact types, with a warning.
        """
        template, pysig, exact, rest = super().get_call_template([numba.types.unliteral(one) for one in args], kws)
        template.cases = [case for case in template.cases if case.args == tuple(exact)]
        return template, pysig, exact, rest


class Kernel(_Function):
    """The dispatcher of a kernel."""

    def keep_in(self, file: Path) -> None:
        """Keep the machine code in a file."""
        self._cache: Any = _Cache(file)

    def is_kept(self) -> bool:
        """Whether its machine code is on disk, as it was written."""
        return bool(self._cache.is_filled())


class _PartLibrary(JITCodeLibrary):
    """The code of a part, to be linked into kernels; numba would also emit machine code of it and of all that it calls.

    A part that takes memory is optimized with the kernels that call it alone, because that compiles faster. The others
    are optimized by themselves, too: without that the DAG search was a tenth slower.
    """

    takes_memory = False

    def _optimize_final_module(self) -> None:
        if not self.takes_memory:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
        """0, which stands for a function that Python cannot call."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """This object, whose :meth:`set_env` numba calls for the environment of a part, which is never used."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing."""


class _PartCompiler(Compiler):
    """The compiler of parts."""

    def __init__(self, typing: Any, target: Any, _: Any, args: Any, result: Any, flags: Any, names: Any) -> None:
        library = _PartLibrary(target.codegen(), "part")
        library.takes_memory = flags.nrt
        super().__init__(typing, target, library, args, result, flags, names)


class Part(_Function):
    """The dispatcher of a part."""

    def __call__(self, *_args: Any) -> Any:
        """Raise TypeError, where numba would call an entry that is not there.

        Raises:
            TypeError: always.
        """
        name = f"{self.py_func.__module__}.{self.py_func.__name__}"
        raise TypeError(f"{name} is a part of kernels: only they can call it")


def make_kernel(function: Callable[..., Any], options: Mapping[str, bool], file: Path) -> Kernel:
    """A function as a kernel whose machine code is kept in that file."""
    made = Kernel(function, targetoptions=options)
    made.keep_in(file)
    return made


def make_part(function: Callable[..., Any], options: Mapping[str, bool]) -> Part:
    """A function as a part."""
    return Part(function, targetoptions={**options, "no_cpython_wrapper": True}, pipeline_class=_PartCompiler)
