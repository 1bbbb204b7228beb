"""The only place that configures numba.

A *kernel* is called from Python; its machine code is kept on disk. A *part* is called only by kernels and parts, and is
compiled into the kernels that call it.

The machine code of the kernels lies in a folder named by a hash of every source that it can depend on, because numba
itself does not notice an edit in a callee. How kernels and parts are compiled and kept is :mod:`engine._numba_parts`,
which overrides inner parts of numba. Where a numba has others, kernels are compiled as it does by itself, which takes
longer.

The kernels cannot run as plain Python, because there the integers of numpy overflow where those of numba widen: with
``NUMBA_DISABLE_JIT`` set, this module refuses to be imported.
"""

import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numpy.typing import NDArray
from platformdirs import user_cache_path

try:
    import numba
except ValueError as error:
    given = ", ".join(f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_"))
    raise ImportError(f"numba cannot be started with {given or 'its settings'}: {error}", name="numba") from None
except ImportError as error:
    raise ImportError(f"numba cannot be used: {error}", name="numba") from None

if numba.config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set, but the kernels have to be compiled; unset it", name="numba")

try:
    from engine._numba_parts import make_kernel, make_part
except ImportError:  # a numba with other inner parts
    OVERRIDES = False
    # that numba warns where a part is given a record of the type that it takes
    warnings.filterwarnings(
        "ignore", category=numba.NumbaExperimentalFeatureWarning, module=r".*[\\/]engine[\\/].*_kernels"
    )
else:
    OVERRIDES = True

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
CONSTANTS: Final = ("_jit.py", "_numba_parts.py", "model/bounds.py", "model/rules.py", "model/tiles.py")
"""Modules beside those of kernels that decide the machine code."""


def _source_key() -> str:
    """Hash over what decides the machine code: kernels, the constants they import, numba, Python, the processor."""
    processor = f"{get_host_cpu_name()} {get_host_cpu_features().flatten()}"
    checks = " checks indices" if numba.config.BOUNDSCHECK else ""
    whole = "" if OVERRIDES else " as numba compiles"
    digest = hashlib.sha256(f"{numba.__version__} {sys.implementation.cache_tag} {processor}{checks}{whole}".encode())
    for source in sorted((*(_ENGINE / name for name in CONSTANTS), *_ENGINE.rglob("*_kernels.py"))):
        digest.update(source.relative_to(_ENGINE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


CACHE_DIR: Final = user_cache_path("oshihiki", appauthor=False) / "kernels" / _source_key()
if not OVERRIDES:
    numba.config.CACHE_DIR = str(CACHE_DIR)
# records of four floats are added to one another as one vector: a seventh off the search
numba.config.SLP_VECTORIZE = 1


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
        module, name = builder.module, "llvm.prefetch.p0"
        ask = module.globals[name] if name in module.globals else ir.Function(module, kind, name)
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
        if OVERRIDES:
            home = Path(function.__code__.co_filename).relative_to(_ENGINE).with_suffix("")
            file = CACHE_DIR / ".".join(home.parts) / f"{function.__name__}.code"
            dispatcher: Any = make_kernel(function, {**_OPTIONS, **options}, file)
        else:
            dispatcher = numba.jit(function, cache=True, **_OPTIONS, **options)
        KERNELS[dispatcher] = effort
        return cast(F, dispatcher)

    return made


def _part(function: F, **options: bool) -> F:
    wanted = {**_OPTIONS, **options}
    return cast(F, make_part(function, wanted) if OVERRIDES else numba.jit(function, **wanted))


def name_of(function: Callable[..., Any]) -> str:
    """Its module within the engine and its name: ``search.dag.search_kernels.list_hands``."""
    return f"{function.__module__.removeprefix('engine.')}.{function.__name__}"


def has_to_be_compiled(function: Callable[..., Any]) -> bool:
    """Whether a call of the kernel would compile it, and another process could do that for this one."""
    if function not in KERNELS or (kernel := cast(Any, function)).overloads:
        return False
    if OVERRIDES:
        return not kernel.is_kept()
    return not any(Path(kernel.stats.cache_path).glob(f"*.{kernel.__name__}-*.nbi"))


def compile_kernel(function: Callable[..., Any]) -> None:
    """Compile a kernel for its :func:`signature`, or load it if that has been done."""
    if function in KERNELS:
        cast(Any, function).compile(signature(cast(Any, function).py_func))


@cache
def machine_code(function: F) -> F:
    """The compiled code of a kernel, for what is called at every event of a game.

    It is called without a look at the types of its arguments, which takes longer than an event does where they are
    arrays of records. Arguments that are not of the kernel's types are refused with less clear errors.
    """
    compile_kernel(function)
    (overload,) = cast(Any, function).overloads.values()
    return cast(F, overload.entry_point)


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
