"""The only place that configures numba.

A *kernel* is called from Python; its machine code is kept on disk. A *part* is called only by kernels and parts, and is
compiled into the kernels that call it. Left alone, numba would give each part an entry from Python and a file of its
own, and would compile it once for every constant that it is called with: more than half of the time to compile.

The machine code lies in a folder named by a hash of every source that it can depend on, because numba itself does not
notice an edit in a callee. Each file of it has a checksum, because LLVM ends the process where machine code is damaged.

All this overrides methods that numba keeps for itself, so that only versions with which it was tried are taken.

The kernels cannot run as plain Python, because there the integers of numpy overflow where those of numba widen: with
``NUMBA_DISABLE_JIT`` set, this module refuses to be imported.
"""

import hashlib
import os
import pickle
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
from engine.kept import DamagedError, read_kept, say_damaged, with_checksum

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
    from numba.core.caching import (
        CompileResultCacheImpl,
        FunctionCache,
        IndexDataCacheFile,
        UserProvidedCacheLocator,
    )
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.registry import CPUDispatcher
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
"""An argument of a kernel with so many dimensions; a plain ``NDArray`` has one."""


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
    """So many records, all zero: a numpy array, whose fields can also be read for all records, ``records["field"]``."""
    return cast("Records[R]", np.zeros(number, dtype_of(cast("Any", record))))


_ENGINE: Final = Path(__file__).parent
CONSTANTS: Final = ("_jit.py", "model/rules.py", "model/tiles.py")
"""Modules beside those of kernels that decide the machine code."""


def _source_key() -> str:
    """Hash over what decides the machine code: sources of kernels, the constants they import, numba, the processor."""
    processor = f"{get_host_cpu_name()} {get_host_cpu_features().flatten()}"
    checks = " checks indices" if numba.config.BOUNDSCHECK else ""
    digest = hashlib.sha256(f"{numba.__version__} {processor}{checks}".encode())
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


class _Files(IndexDataCacheFile):
    """The files of one kernel, an index and machine code, kept as :mod:`engine.kept` says."""

    def has_code(self) -> bool:
        """Whether there is machine code, all of it as it was written.

        Raises:
            DamagedError: a file is damaged.
        """
        names = set(self._load_index().values())
        for name in names:
            read_kept(Path(self._data_path(name)))
        return bool(names)

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, names = pickle.loads(read_kept(Path(self._index_path)))  # noqa: S301 - see the module
        except FileNotFoundError:
            return {}
        return cast("dict[Any, str]", names) if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, names: dict[Any, str]) -> None:
        self._save(self._index_path, (self._version, self._source_stamp, names))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(read_kept(Path(self._data_path(name))))  # noqa: S301 - see the module

    def _save_data(self, name: str, data: Any) -> None:
        self._save(self._data_path(name), data)

    def _save(self, path: str, value: Any) -> None:
        with self._open_for_write(path) as file:
            file.write(with_checksum(Path(path), self._dump(value)))


class _Cache(FunctionCache):
    """The files of one kernel; what is damaged is compiled again."""

    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        impl = self._impl
        self._cache_file = _Files(self.cache_path, impl.filename_base, impl.locator.get_source_stamp())

    def is_filled(self) -> bool:
        """Whether there is machine code that can be read."""
        with interrupts_held():
            try:
                return self._cache_file.has_code()
            except DamagedError as error:
                self._empty(error)
                return False
            except Exception:  # noqa: BLE001 - as in load_overload
                return False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None if there is none or its file cannot be read.

        Ctrl-C waits: within what LLVM calls back it would be lost, or come out as an error of the file. Only damage
        empties the files. Whatever else pickle and LLVM raise, as where memory or handles are short, says nothing
        against them, and what is compiled instead is written over them.
        """
        with interrupts_held():
            try:
                return super().load_overload(sig, target_context)
            except DamagedError as error:
                self._empty(error)
                return None
            except Exception:  # noqa: BLE001 - code that another version of a library wrote may raise anything
                return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the compiled kernel; if the disk is full, each process compiles for itself."""
        with interrupts_held():
            try:
                with suppress(OSError):
                    super().save_overload(sig, data)
            except DamagedError as error:
                self._empty(error)
                with suppress(OSError):
                    super().save_overload(sig, data)

    def _empty(self, error: DamagedError) -> None:
        """Forget what is stored, which cannot be read."""
        say_damaged(error)
        with suppress(OSError):
            self.flush()


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
        """The function that compiled code calls with arguments of these types, and no other that might take them.

        A record can stand for one with fewer fields; numba would weigh that against the exact types, with a warning.
        """
        template, pysig, exact, rest = super().get_call_template([numba.types.unliteral(one) for one in args], kws)
        template.cases = [case for case in template.cases if case.args == tuple(exact)]
        return template, pysig, exact, rest


class _PartLibrary(JITCodeLibrary):
    """The code of a part, to be linked into kernels.

    numba would also emit machine code for it and for all that it calls, and once more with each part above.
    """

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
        """0, which stands for a function that Python cannot call."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """What would write the environment for Python objects, which no part uses, into the machine code."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing."""


class _AllocatingPartLibrary(_PartLibrary):
    """Likewise, but left to be optimized with the kernels that call it.

    To optimize each part with all that it calls took more than half of the time to compile a kernel of many layers.
    Parts that take no memory are optimized by themselves, too, because the DAG search is a twentieth faster for it.
    """

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel."""


class _PartCompiler(Compiler):
    """The compiler of parts."""

    def __init__(self, typing: Any, target: Any, _: Any, args: Any, result: Any, flags: Any, names: Any) -> None:
        library = (_AllocatingPartLibrary if flags.nrt else _PartLibrary)(target.codegen(), "part")
        library.enable_object_caching()
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
    """Likewise a kernel that makes, cuts or returns arrays."""
    return _kernel(Effort(needs, seconds))


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


_LINE: Final = 64
"""Bytes that memory hands over at a time."""


@numba.extending.intrinsic  # type: ignore[untyped-decorator]
def fetch(typing_context: Any, records: Any, place: Any) -> Any:  # noqa: ARG001 - numba's signature
    """In a part or kernel, ``fetch(records, place)`` asks for the memory of a record without waiting for it.

    Whoever reads it somewhat later finds it in the cache: with more records than the cache holds, the wait took half of
    the time.
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
        with suppress(RuntimeError):  # the folder cannot be written: each process compiles for itself
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
