"""Code from outside: where it is found, how it is called, and the count of what it does wrong.

Policies, evaluators and danger estimators may be anyone's (``module:Class``). Whatever they do, the game goes on, and
standard output contains what our own commands write, and nothing else.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import is_dataclass
from functools import cache, partial
from math import isfinite, isinf
from numbers import Integral
from operator import attrgetter, is_not
from pathlib import Path, PurePath
from traceback import walk_tb
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

from bot.machine.errors import RunError
from bot.machine.outlet import print_error, prints_to_stderr
from bot.machine.text import brief
from engine.registry import is_its_own

MOST_KINDS: Final = 100
"""Number of kinds of faults that are counted separately; further ones are counted together."""
SHOWN: Final = 300
"""Maximum length of the text of an error from outside."""


def find_here_too(*texts: object) -> None:
    """Let imports find modules in the current directory, after all other places, if the text may name one."""
    if not any(isinstance(text, str) and ":" in text for text in texts):
        return
    with suppress(FileNotFoundError):  # the current directory was removed
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)


class FaultKind(NamedTuple):
    """A kind of fault."""

    who: str  # what is at fault, as people name it: ``policy tired:Sleeper``
    method: str  # the method at fault
    what: str  # what it did, without details: ``raised ValueError``

    def __str__(self) -> str:
        return f"{self.who}: {self.method} {self.what}"


class OutsideError(RunError):
    """Code from outside is at fault; the message names it and its method.

    Attributes:
        kind: the kind of fault.
        detail: more about this one; may be empty.
    """

    def __init__(self, kind: FaultKind, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else str(kind))
        self.kind = kind
        self.detail = detail


Counted = Mapping[FaultKind, tuple[int, str]]
"""How often each kind of fault occurred, and the detail of the first."""


class Faults:
    """Counts what code from outside does wrong, and reports the first fault of each kind in one line. For any thread.

    Attributes:
        report: reports the first fault of a kind; by default on standard error.
    """

    def __init__(self) -> None:
        self.report: Callable[[str], None] = lambda text: print_error(
            f"{text}; further faults of this kind are only counted"
        )
        self._lock = threading.Lock()
        self._found: dict[FaultKind, tuple[int, str]] = {}

    def note(self, error: OutsideError, number: int = 1) -> None:
        """Count a fault ``number`` times."""
        kind = error.kind
        with self._lock:
            if kind not in self._found and len(self._found) >= MOST_KINDS:
                kind = FaultKind("code from outside", "methods", "failed in further ways")
            count, detail = self._found.get(kind, (0, error.detail))
            self._found[kind] = count + number, detail
        if not count:
            self.report(brief(str(OutsideError(kind, detail)), 2 * SHOWN))

    def add(self, others: Counted) -> None:
        """Count what another process has counted."""
        for kind, (number, detail) in others.items():
            self.note(OutsideError(kind, detail), number)

    def take(self) -> Counted:
        """The counts so far; they begin again at zero."""
        with self._lock:
            found, self._found = self._found, {}
        return found

    def lines(self) -> list[str]:
        """One line for each kind of fault, with its number."""
        with self._lock:
            found = list(self._found.items())
        return [f"{kind} ({'once' if number == 1 else f'{number} times'})" for kind, (number, _) in found]

    def fields(self) -> list[dict[str, Any]]:
        """The kinds of faults and their numbers, as JSON shows them."""
        with self._lock:
            return [{**kind._asdict(), "count": number} for kind, (number, _) in self._found.items()]


FAULTS: Final = Faults()
"""The faults of the running command. The command line reports their number at its end and then exits with 1."""


@contextmanager
def outside(who: str, method: str, passing: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Run code from outside: what it prints goes to standard error, and whatever it raises becomes one error.

    Args:
        who: whose code it is, as people name it: ``policy tired:Sleeper``.
        method: the method that is called.
        passing: errors that the method may raise; they pass unchanged.

    Raises:
        OutsideError: it raised anything else.
    """
    try:
        with prints_to_stderr():
            yield
    except BaseException as error:
        if isinstance(error, (OutsideError, *passing)) or not is_its_own(error):
            raise
        raise OutsideError(FaultKind(who, method, f"raised {_name(error)}"), _detail(error)) from None


def _name(value: object) -> str:
    return brief(type.__getattribute__(type(value), "__name__"), 60)


def _detail(error: BaseException) -> str:
    """The text of an error and the line that raised it, also for an error that cannot be printed."""
    try:
        text = brief(str(error), SHOWN)
    except BaseException:  # noqa: BLE001 - its own method raised
        text = "its text cannot be printed"
    place = ""
    for frame, line in walk_tb(error.__traceback__):
        place = f"{PurePath(frame.f_code.co_filename).name}, line {line}"
    return f"{text} ({brief(place)})" if text else brief(place)


Fault = Callable[[Any], str]
"""What is wrong with a value; empty if nothing is."""


def misfit(value: Any, kind: type) -> str:
    """The fault that makes a value from outside unfit for its class; empty if there is none.

    Its fields, and theirs, must have the types with which they are declared. Numbers must be finite; in a tuple of them
    NaN stands for one that is not known.

    Args:
        value: the value.
        kind: a dataclass or a class of named tuples.
    """
    return _fault_of(kind)(value)


@cache
def _fault_of(kind: Any) -> Fault:
    of, args = get_origin(kind), get_args(kind)
    if of in (Union, UnionType) and len(args) == 2 and args[1] is NoneType:
        inner = _fault_of(args[0])
        return lambda value: "" if value is None else inner(value)
    if of is tuple and args == (float, ...):
        return lambda value: "" if _are_numbers(value) else f"{_name(value)} instead of a tuple of numbers"
    if of is tuple and args[1:] == (...,):
        inner = _fault_of(args[0])
        return lambda value: _of_elements(value, inner)
    if kind is float:
        return _not_finite
    if kind is int:
        return lambda value: "" if isinstance(value, (int, Integral)) else f"{_name(value)} instead of a whole number"
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
        return _fault_of_fields(kind)
    known = of or kind
    return lambda value: "" if isinstance(value, known) else f"{_name(value)} instead of {known.__name__}"


def _fault_of_fields(kind: type) -> Fault:
    hints = {name: hint for name, hint in get_type_hints(kind).items() if not name.startswith("_")}
    parts = [(name, attrgetter(name), _fault_of(hint)) for name, hint in hints.items()]
    needed, given = ([name for name, hint in hints.items() if hint == of] for of in (float, float | None))
    others = [part for part in parts if part[0] not in (*needed, *given)]
    # most fields are numbers: all are looked at together, and one by one only to say which of them is at fault
    numbers = attrgetter(*needed, *given) if len(needed) + len(given) > 1 else None
    first = len(needed)

    def fault(value: Any) -> str:
        if not isinstance(value, kind):
            return f"{_name(value)} instead of {kind.__name__}"
        looked_at = parts
        if numbers is not None:
            found = numbers(value)
            if are_finite(found[:first]) and are_finite(filter(_is_given, found[first:])):
                looked_at = others
        for name, get, fault_of in looked_at:
            if what := fault_of(get(value)):
                return f"{name}: {what}"
        return ""

    return fault


_is_given: Final = partial(is_not, None)


def _of_elements(value: Any, fault_of: Fault) -> str:
    if not isinstance(value, tuple):
        return f"{_name(value)} instead of tuple"
    return next(filter(None, map(fault_of, value)), "") if value else ""


def _not_finite(value: Any) -> str:
    if are_finite((value,)):
        return ""
    return f"{value if isinstance(value, float) else _name(value)} is no finite number"


def _are_numbers(values: Any) -> bool:
    try:
        return isinstance(values, tuple) and not any(map(isinf, values))
    except (TypeError, ValueError, OverflowError):
        return False


def are_finite(values: Iterable[Any]) -> bool:
    """Whether all values are numbers, none of them NaN or infinite."""
    try:
        return all(map(isfinite, values))
    except (TypeError, ValueError, OverflowError):
        return False
