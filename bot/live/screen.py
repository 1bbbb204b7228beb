"""The terminal's alternate screen: the table while it is played, and the place where a person answers."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.control import Control
from rich.text import Text

from bot.deciding.ask import Outcome
from bot.deciding.person import Question
from bot.live.answers import choices, parse_answer
from bot.live.faces import Faces
from bot.live.view import TableView
from engine.model.actions import Action
from engine.model.events import Event
from engine.policy.decision import Decision
from engine.state import GameState

_READ: Final = 6.0
"""Seconds for which a person reads how a hand ended."""
_TYPED: Final = 256
"""Maximum number of bytes of a typed line."""


class LiveView(TableView):
    """:class:`TableView` on a terminal, kept up to date while it is entered; it follows the terminal's size."""

    def __init__(self, names: Callable[[], Sequence[str]], console: Console) -> None:
        super().__init__(names, Faces(letters=not (console.encoding or "").lower().startswith("utf")))
        self._console = console
        self._question: Question | None = None
        self._until = 0.0
        self._complaint = ""

    def __enter__(self) -> Self:
        self._console.set_alt_screen(True)
        self._console.show_cursor(False)
        with suppress(RuntimeError, NotImplementedError, ValueError, AttributeError):  # no loop, no such signal
            asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, self._resized)
        self._show()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(RuntimeError, NotImplementedError, ValueError, AttributeError):
            asyncio.get_running_loop().remove_signal_handler(signal.SIGWINCH)
        self._console.show_cursor(True)
        self._console.set_alt_screen(False)

    def happened(self, state: GameState, event: Event) -> None:
        """Show an event."""
        super().happened(state, event)
        self._show()

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Show a decision."""
        super().decided(state, decision, outcome)
        self._show()

    async def ask(self, question: Question) -> Action:
        """Ask whoever sits at the terminal, until a legal answer is typed; cancelled when it is too late."""
        loop = asyncio.get_running_loop()
        typed: asyncio.Queue[str] = asyncio.Queue()
        descriptor = sys.stdin.fileno()

        def read() -> None:
            try:
                data = os.read(descriptor, _TYPED)
            except OSError:
                data = b""
            if not data:  # the terminal is gone; the time runs out
                loop.remove_reader(descriptor)
            typed.put_nowait(data.decode(errors="replace"))

        _forget_typed(descriptor)
        self._question, self._complaint = question, ""
        self._until = time.monotonic() + question.seconds
        self._console.show_cursor(True)
        loop.add_reader(descriptor, read)
        try:
            while True:
                self._show()
                found = parse_answer(await typed.get(), question.state, question.legal)
                if isinstance(found, Action):
                    return found
                self._complaint = found
        finally:
            loop.remove_reader(descriptor)
            self._question = None
            self._console.show_cursor(False)

    async def rest(self, seconds: float) -> None:
        """Leave the end of a hand on the screen for a while."""
        await asyncio.sleep(min(seconds, _READ))

    def _resized(self) -> None:
        self._console.control(Control.clear())
        self._show()

    def _show(self) -> None:
        width, height = self._console.size
        prompt = self._prompt()
        lines = self.lines(width, height - len(prompt))
        lines += [Text(" " * width) for _ in range(height - len(prompt) - len(lines))]
        self._console.control(Control.home())
        self._console.print(Text("\n").join([*lines, *prompt]), end="", soft_wrap=True, highlight=False)

    def _prompt(self) -> list[Text]:
        """The lines that ask a person; none if nobody is asked."""
        question = self._question
        if question is None:
            return []
        left = max(0.0, self._until - time.monotonic())
        asked = Text(f"{choices(question.state, question.legal)}   ({left:.0f} s)", "bold")
        complaint = Text(self._complaint, "red")
        for line in (asked, complaint):
            line.truncate(self._console.width, overflow="ellipsis", pad=True)
        return [asked, complaint, Text("> ")]


def _forget_typed(descriptor: int) -> None:
    """Drop what was typed before the question, so that it answers nothing."""
    with suppress(ImportError, OSError, ValueError):
        import termios  # noqa: PLC0415 - not on every system

        termios.tcflush(descriptor, termios.TCIFLUSH)
