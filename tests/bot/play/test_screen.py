"""The terminal's screen: a person types answers on a real terminal, and the screen follows its size."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import sys

import pytest
from rich.console import Console

from bot.deciding.person import Question
from bot.play.screen import LiveView, answers
from tests.bot.fed import feed_game

NAMES = ("Anna", "Boris", "Clara", "Dmitri")


@pytest.fixture
def keyboard(monkeypatch):
    """A terminal in the place of standard input; writing to the descriptor types."""
    master, slave = pty.openpty()
    with os.fdopen(slave) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield master
    os.close(master)


async def until(shown, text):
    async with asyncio.timeout(20):
        while text not in shown.getvalue():  # noqa: ASYNC110 - the screen has no event for it
            await asyncio.sleep(0.01)


async def test_a_person_types_an_answer(keyboard):
    shown = io.StringIO()
    console = Console(width=80, height=24, file=shown, force_terminal=True, legacy_windows=False)
    with LiveView(lambda: NAMES, console) as view:
        state, _ = feed_game(view, 6)
        legal = tuple(state.legal_actions())
        wanted = answers(state, legal)
        text = next(text for text in wanted if text)
        os.write(keyboard, b"typed before the question\n")
        asking = asyncio.ensure_future(view.ask(Question(state, legal, 30.0, 1)))
        await until(shown, "(30 s)")
        os.write(keyboard, b"nonsense\n")
        await until(shown, "'nonsense' is not possible here")
        assert not asking.done()
        os.write(keyboard, text.encode() + b"\n")
        assert await asyncio.wait_for(asking, 20) == wanted[text]
    assert "typed before" not in shown.getvalue()
    assert shown.getvalue().endswith("\x1b[?1049l")


async def test_a_question_mark_is_answered_and_the_clock_speaks(keyboard):
    shown = io.StringIO()
    console = Console(width=60, height=40, file=shown, force_terminal=True, legacy_windows=False)
    with LiveView(lambda: NAMES, console) as view:
        state, _ = feed_game(view, 6)
        legal = tuple(state.legal_actions())
        question = Question(state, legal, 15.0, 1)
        asking = asyncio.ensure_future(view.ask(question))
        await until(shown, "?: help")
        os.write(keyboard, b"?\n")
        await until(shown, "Enter: pass")
        asking.cancel()
        view.missed(question, legal[0])
    assert "the clock answered for you after 15 s: " in shown.getvalue()


async def test_a_question_that_is_too_late_leaves_the_terminal_alone(keyboard):
    console = Console(width=80, height=24, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    with LiveView(lambda: NAMES, console) as view:
        state, _ = feed_game(view, 6)
        asking = asyncio.ensure_future(view.ask(Question(state, tuple(state.legal_actions()), 30.0, 1)))
        await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert not asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
    assert keyboard


async def test_the_screen_follows_the_size_of_the_terminal():
    shown = io.StringIO()
    console = Console(width=100, height=30, file=shown, force_terminal=True, legacy_windows=False)
    with LiveView(lambda: NAMES, console) as view:
        feed_game(view, 6)
        console.width, console.height = 80, 24
        before = len(shown.getvalue())
        view._resized()
        lines = shown.getvalue()[before:].split("\n")
    assert len(lines) == 24
