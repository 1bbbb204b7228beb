"""The only place that configures numba.

A *kernel* is called from Python; its machine code is kept on disk. A *part* is called only by kernels and parts, and is
compiled into the kernels that call it.

The machine code of a kernel is one file, in a folder named by a hash of every source that it can depend on, because
numba itself does not notice an edit in a callee. It has a checksum, because LLVM ends the process where machine code is
damaged.

What is overridden here numba keeps for itself, so that only versions with which it was tried are taken. As measured,
compiling for the first game takes 58 s of processor time, without the library of a part 83 s, without the call template
of a kernel as well 101 s. A step of the simulator over 4,096 tables takes a third less with that library and
:func:`fetch` than without the two. With :func:`fetch` it answers a seventh more questions a second over 4,096 tables,
and as many over 256.

The kernels cannot run as plain Python, because there the integers of numpy overflow where those of numba widen: with
``NUMBA_DISABLE_JIT`` set, this module refuses to be imported.
"""

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numpy.typing import NDArray
from platformdirs import user_cache_path

from engine.interrupts import interrupts_held
from engine.kept import DamagedError, read_kept, say_damaged, write_kept

LOWEST: Final = (0, 62)
BELOW: Final = (0, 69)
"""The versions of numba that are known: those from the first up to, but without, the second; as in pyproject.toml."""


def _unusable(why: object) -> ImportError:
    lowest, below = (".".join(map(str, each)) for each in (LOWEST, BELOW))
    return ImportError(
        f"numba {version('numba')} cannot be used: {why}; install one that can: pip install 'numba>={lowest},<{below}'",
        name="numba",
    )


try:
    import numba
    from numba.core import cgutils
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler, CompileResult
    from numba.core.registry import CPUDispatcher
    from numba.core.serialize import dumps
except ValueError as error:
    given = ", ".join(f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_"))
    raise ImportError(f"numba cannot be started with {given or 'its settings'}: {error}", name="numba") from None
except ImportError as error:
    if isinstance(error, ModuleNotFoundError) and error.name == "numba":
        raise
    raise _unusable(error) from None

if not LOWEST <= tuple(map(int, numba.__version__.split(".")[:2])) < BELOW:
    raise _unusable("oshihiki uses inner parts of it, and does not know this version")
if numba.config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set, but the kernels have to be compiled; unset it", name="numba")

F = TypeVar("F", bound=Callable[..., Any])
Number = TypeVar("Number", bound=np.generic)
Array2 = Annotated[NDArray[Number], 2]
Array3 = Annotated[NDArray[Number], 3]
Array4 = Annotated[NDArray[Number], 4]
"""Array arguments of a kernel, by their number of dimensions; a plain ``NDArray`` has one."""


class Record:
    """Base of a class whose annotations are the fields of one record of a structured array.

    A field is ``Annotated[int, number]`` or, for an array inside the record, ``Annotated[NDArray[number], shape]``.
    Kernels read and write fields by name. A part takes the record itself, a single pointer however many fields there
    are; a kernel takes the array (:class:`Records`), because Python hands over an array ten times as fast as a record
    of it.
    """


R = TypeVar("R", bound=Record)


class Records(Generic[R]):
    """The type of a structured array of :class:`Record`, as an argument; :func:`new_records` makes one."""

    def __getitem__(self, at: int) -> R:
        """One record; not a copy."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


@cache
def dtype_of(record: type[Record]) -> np.dtype[np.void]:
    """The numpy type of a class of records: its fields in order, aligned as in C."""
    fields: list[Any] = []
    for name, hint in get_type_hints(record, include_extras=True).items():
        kind, more = get_args(hint)
        is_array = get_origin(kind) is np.ndarray
        fields.append((name, get_args(get_args(kind)[1])[0], more) if is_array else (name, more))
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_records(record: type[R], number: int = 1) -> Records[R]:
    """Zeroed records, ``number`` of them: a numpy array; ``records["field"]`` is that field of them all."""
    return cast("Records[R]", np.zeros(number, dtype_of(cast("Any", record))))


_ENGINE: Final = Path(__file__).parent
CONSTANTS: Final = ("_jit.py", "model/bounds.py", "model/rules.py", "model/tiles.py")
"""Modules beside those of kernels that decide the machine code."""


def _source_key() -> str:
    """Hash over what decides the machine code: kernels, the constants they import, numba, Python, the processor."""
    processor = f"{get_host_cpu_name()} {get_host_cpu_features().flatten()}"
    checks = " checks indices" if numba.config.BOUNDSCHECK else ""
    digest = hashlib.sha256(f"{numba.__version__} {sys.implementation.cache_tag} {processor}{checks}".encode())
    for source in sorted((*(_ENGINE / name for name in CONSTANTS), *_ENGINE.rglob("*_kernels.py"))):
        digest.update(source.relative_to(_ENGINE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


CACHE_DIR: Final = user_cache_path("oshihiki", appauthor=False) / "kernels" / _source_key()
# records of four floats are added to one another as one vector: a seventh off the search
numba.config.SLP_VECTORIZE = 1


class _Cache:
    """The file of one kernel, compiled for one signature: numba loads machine code from it and saves what it compiles.

    Ctrl-C waits: within what LLVM calls back it would be lost, or come out as an error of the file.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        home = Path(function.__code__.co_filename).relative_to(_ENGINE).with_suffix("")
        folder = CACHE_DIR / ".".join(home.parts)
        self.cache_path: Final = str(folder)  # as numba's statistics of a kernel name it
        self._path: Final = folder / f"{function.__name__}.code"

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


class _Kernel(CPUDispatcher):
    """numba's dispatcher, except that constants as arguments do not get machine code of their own."""

    def enable_caching(self) -> None:
        """Keep the machine code on disk."""
        self._cache: Any = _Cache(self.py_func)

    def is_missing_on_disk(self) -> bool:
        """Whether caching is on and this kernel is not cached."""
        return isinstance(self._cache, _Cache) and not self._cache.is_filled()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The function that compiled code calls with arguments of these types, and no other that might take them.

        A record can stand for one with fewer fields; numba would weigh that against the exact types, with a warning.
        """
        template, pysig, exact, rest = super().get_call_template([numba.types.unliteral(one) for one in args], kws)
        template.cases = [case for case in template.cases if case.args == tuple(exact)]
        return template, pysig, exact, rest


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


@dataclass(frozen=True, slots=True)
class Effort:
    """What a kernel says of itself.

    Attributes:
        needs: what has to be ready before it is called, by the names of :mod:`engine.warmup`; without any, the kernel
            is compiled when it is first called, as those are that only learn from recordings.
        seconds: roughly how long it takes to compile. It decides nothing but the order of work and the pace of a
            progress bar.
    """

    needs: tuple[str, ...]
    seconds: float


KERNELS: Final[dict[Callable[..., Any], Effort]] = {}
"""Every kernel of the modules that have been imported."""


def kernel(*needs: str, seconds: float = 1.0) -> Callable[[F], F]:
    """Compile a function for calls from Python, without the GIL, cached on disk.

    Unsigned overflow wraps, indices are not checked: a kernel is called through a public function that validates. Its
    annotations say what it is compiled for (see :func:`signature`).

    A kernel takes no memory: it does not count references to the arrays it is given. Counting is an atomic operation
    for each array, also for those within a tuple, at every call; it took a third of the time of the DAG search. Arrays
    can be neither made, cut nor returned.

    Args:
        *needs: who needs it, see :class:`Effort`.
        seconds: roughly how long it takes to compile.
    """
    return _kernel(Effort(needs, seconds), _nrt=False)


def allocating_kernel(*needs: str, seconds: float = 1.0) -> Callable[[F], F]:
    """Compile a function as a kernel that makes, cuts or returns arrays; see :func:`kernel`."""
    return _kernel(Effort(needs, seconds))


def part(function: F) -> F:
    """Compile ``function`` as a part of the kernels that call it. It takes no memory."""
    return _part(function, _nrt=False)


def allocating_part(function: F) -> F:
    """Compile ``function`` as a part that makes, cuts or returns arrays."""
    return _part(function)


def inlined_part(function: F) -> F:
    """Compile ``function`` as a part that takes no memory and is written out wherever it is called.

    For what depends on arguments known when the caller is compiled, and for what is called in a loop with many arrays:
    seven numbers are handed over for each of them, which took a twelfth of the time of the DAG search.
    """
    return _part(function, _nrt=False, forceinline=True)


_LINE: Final = 64
"""Bytes that memory hands over at a time."""


@numba.extending.intrinsic  # type: ignore[untyped-decorator]
def fetch(typing_context: Any, records: Any, place: Any) -> Any:  # noqa: ARG001 - numba's signature
    """In a part or kernel, ``fetch(records, place)`` asks for the memory of a record without waiting for it.

    A reader finds it in the cache somewhat later, which counts where there are more records than the cache holds.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        array, size = signature.args[0], signature.args[0].dtype.size
        data = builder.bitcast(context.make_array(array)(context, builder, arguments[0]).data, byte)
        record = builder.gep(data, [builder.mul(arguments[1], ir.Constant(arguments[1].type, size))])
        to_write, keep, is_data = (ir.Constant(number, value) for value in (1, 3, 1))
        for at in range(0, size, _LINE):
            builder.call(ask, [builder.gep(record, [ir.Constant(number, at)]), to_write, keep, is_data])
        return context.get_dummy_value()

    return numba.types.void(records, numba.types.intp), generate


def _kernel(effort: Effort, **options: bool) -> Callable[[F], F]:
    def made(function: F) -> F:
        dispatcher = _Kernel(function, targetoptions={**_OPTIONS, **options})
        dispatcher.enable_caching()
        KERNELS[dispatcher] = effort
        return cast(F, dispatcher)

    return made


def _part(function: F, **options: bool) -> F:
    wanted = {**_OPTIONS, **options, "no_cpython_wrapper": True}
    return cast(F, _Part(function, targetoptions=wanted, pipeline_class=_PartCompiler))


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
    if get_origin(hint) is Records:
        return numba.types.Array(numba.from_dtype(dtype_of(get_args(hint)[0])), 1, "C")
    array, dimensions = get_args(hint) if get_origin(hint) is Annotated else (hint, 1)
    if get_origin(array) is np.ndarray:
        number = get_args(get_args(array)[1])[0]
        return numba.types.Array(numba.from_dtype(np.dtype(number)), dimensions, "C")
    if issubclass(hint, tuple):
        fields = get_type_hints(hint, include_extras=True).values()
        return numba.types.BaseTuple.from_types([_numba_type(field) for field in fields], hint)
    return numba.from_dtype(np.dtype(hint))
