"""Code from outside: where it is found, the guard through which it is called, and the count of what it does wrong.

Policies, evaluators and danger estimators may be anyone's (``module:Class``). Whatever they do, the game goes on, and
standard output contains what our own commands write, and nothing else.
"""

import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePath
from traceback import walk_tb
from typing import Any, Final, NamedTuple, TypeVar

from bot.machine.errors import RunError
from bot.machine.outlet import print_error, prints_to_stderr
from bot.machine.text import brief
from engine.registry import is_its_own

Answer = TypeVar("Answer")
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


class Guard:
    """Code from outside as its callers may rely on it: it prints to standard error, and raises one kind of error.

    Attributes:
        who: whose code it is, as people name it: ``policy tired:Sleeper``.
    """

    def __init__(self, who: str) -> None:
        self.who = who

    def call(
        self,
        method: str,
        call: Callable[[], Answer],
        accept: Callable[[Answer], Answer] = lambda answer: answer,
        refused: str = "",
        passing: tuple[type[Exception], ...] = (),
    ) -> Answer:
        """The answer of a method, if it can be relied on.

        Args:
            method: the name of the method, for messages.
            call: calls it.
            accept: returns the answer as it is used, or fails if it cannot be.
            refused: what the method did then.
            passing: errors that the method may raise; they pass unchanged.

        Raises:
            OutsideError: it raised anything else, or its answer cannot be used.
        """
        what = ""
        try:
            with prints_to_stderr():
                answer = call()
                what = refused
                return accept(answer)
        except BaseException as error:
            if isinstance(error, (OutsideError, *passing)) or not is_its_own(error):
                raise
            kind = FaultKind(self.who, method, what or f"raised {brief(type(error).__name__, 60)}")
            raise OutsideError(kind, _detail(error)) from None

    def attempt(self, method: str, call: Callable[[], Answer], otherwise: Answer) -> Answer:
        """The answer of a method; ``otherwise`` if it fails, which is counted."""
        try:
            return self.call(method, call)
        except OutsideError as error:
            FAULTS.note(error)
            return otherwise


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


def is_ours(thing: object) -> bool:
    """Whether the class of an object is one of ours or a plain value's."""
    return type(thing).__module__.partition(".")[0] in {"bot", "engine", "builtins", "numpy"}
