"""The terminal's alternate screen: the table while it is played, and the place where a person types an answer."""

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

from bot.deciding.ask import Outcome, Question
from bot.play.view import Faces, TableView
from engine.model.actions import DISCARDS, PASS, Action, ActionKind
from engine.model.events import Event
from engine.model.tiles import format_tile, format_tiles
from engine.policy.decision import Decision
from engine.state import GameState

LETTERS: Final = {
    ActionKind.RIICHI: "r", ActionKind.TSUMO: "t", ActionKind.RON: "t", ActionKind.NINE_TERMINALS: "9",
    ActionKind.CHI: "c", ActionKind.PON: "p", ActionKind.DAIMINKAN: "k", ActionKind.ANKAN: "k", ActionKind.KAKAN: "k",
}  # fmt: skip
"""What begins the answer for each kind of action; a discard is the tile alone."""
HONOURS: Final = {"e": "1z", "s": "2z", "w": "3z", "n": "4z", "東": "1z", "南": "2z", "西": "3z", "北": "4z",
                  "白": "5z", "發": "6z", "発": "6z", "中": "7z"}  # fmt: skip
"""Other ways to write honours."""
_READ: Final = 6.0
"""Seconds for which a person reads how a hand ended."""
_TYPED: Final = 256
"""Maximum number of bytes of a typed line."""


def answers(state: GameState, legal: Sequence[Action]) -> dict[str, Action]:
    """The legal actions by what is typed for each; a tile that was just drawn is preferred to its look-alikes."""
    found: dict[str, Action] = {}
    red_fives = state.rules.red_fives
    for action in sorted(legal, key=lambda one: one.tile != state.drawn):
        if action == PASS:
            found.setdefault("", action)
            continue
        tile = format_tile(action.tile, red_fives) if action.tile >= 0 else ""
        letter = LETTERS.get(action.kind, "")
        if action.kind is ActionKind.CHI:
            text = letter + format_tiles(action.own, red_fives)
        elif action.kind in DISCARDS or action.kind in {ActionKind.ANKAN, ActionKind.KAKAN}:
            text = letter + tile
        else:
            text = letter + (format_tiles(action.own, red_fives) if action.own and letter in found else "")
        found.setdefault(text, action)
    drawn = next((one for one in legal if one.kind is ActionKind.DISCARD and one.tile == state.drawn), None)
    if drawn is not None:
        found["d"] = drawn
    return found


def choices(state: GameState, legal: Sequence[Action]) -> str:
    """The possible inputs, in words."""
    found = answers(state, legal)
    discards = any(action.kind is ActionKind.DISCARD for action in legal)
    parts = ["type a tile to discard it (0m 0p 0s: red), d: the drawn tile"] if discards else []
    parts += [
        f"{text}: {action.kind.name.lower().replace('_', ' ')}"
        for text, action in found.items()
        if text and text != "d" and action.kind is not ActionKind.DISCARD
    ]
    parts += ["Enter: pass"] if "" in found else []
    return ", ".join(parts)


HELP: Final = (
    "a tile: 5p, 0p (red), 1z to 7z or e s w n, also 東 白 中; before it r: riichi, k: kan; d: the drawn tile; "
    "p: pon, c and the two tiles from your hand: chi; t: win; 9: nine terminals; Enter: pass"
)
"""What may be typed, for whoever types a question mark."""


def parse_answer(text: str, state: GameState, legal: Sequence[Action]) -> Action | str:
    """The action that was typed, or what is wrong with it."""
    typed = text.strip().lower()
    found = answers(state, legal)
    named = HONOURS.get(typed, HONOURS.get(typed[1:], "") and typed[:1] + HONOURS[typed[1:]])
    action = found.get(typed) or (found.get(named) if named else None)
    if action is not None:
        return action
    if typed in {"?", "h", "help"}:
        return HELP
    return f"{typed!r} is not possible here" if typed.isprintable() and len(typed) < 20 else "that is not possible here"


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

        # what was typed before the question answers nothing
        with suppress(ImportError, OSError, ValueError):
            import termios  # noqa: PLC0415 - not on every system

            termios.tcflush(descriptor, termios.TCIFLUSH)
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

    def missed(self, question: Question, action: Action) -> None:
        """Say that the clock answered."""
        self.answered_by_the_clock(action, question.seconds)
        self._show()

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
        asked = Text(f"{choices(question.state, question.legal)}, ?: help   ({left:.0f} s)", "bold")
        complaint = Text(self._complaint, "red")
        lines = [
            line for text in (asked, complaint) for line in text.wrap(self._console, self._console.width) or [Text()]
        ]
        for line in lines:
            line.truncate(self._console.width, overflow="ellipsis", pad=True)
        return [*lines, Text("> ")]
