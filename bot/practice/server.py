"""The server of practice: loopback only, behind a secret link.

The page has one websocket, by which it gets questions and says what was clicked. Everything is judged here: a question
holds nothing that would give its answer away.
"""

import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Final

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from bot.audit.measure import COSTLY, Grade
from bot.audit.wording import words
from bot.machine.errors import InputError
from bot.machine.sockets import LOG, Bounded, Flow
from bot.page.loopback import Door, foreign, response
from bot.page.template import Design, render_page
from bot.practice.learner import Learner
from bot.practice.questions import Question
from bot.wording.languages import Lang, table

DESIGN: Final = Design(
    "bot.practice", "practice.html.j2", ("table.js", "practice.js"), ("page.css", "practice.css"), connects=True
)
_OF_THE_REPORT: Final = (
    "seat_", "wind_", "act_", "c_", "wall", "honba", "sticks", "dora", "furiten", "waits", "offered_by", "bot", "both",
    "turn", "grade_", "resumed_table", "grounds", "played",
)  # fmt: skip
"""Beginnings of the keys of words that the page has in common with the report."""
MOST: Final = 8
"""Maximum number of browsers at once."""
_ASKED: Final = 1_024
"""Maximum size in bytes of what a browser sends."""


def practice_page(lang: Lang) -> str:
    """The page as HTML."""
    found = page_words(lang)
    return render_page(DESIGN, lang, found, {"words": found})


def page_words(lang: Lang) -> dict[str, Any]:
    """The labels and sentences of the page in a language."""
    shared = {key: text for key, text in words(lang).items() if key.startswith(_OF_THE_REPORT)}
    return {**shared, **table("bot.practice", "assets/words", lang)}


class PracticeSocket(Bounded, ServerConnection):
    """The connection of a browser, bounded in both directions."""

    flow = Flow(rate=16e3, burst=64e3, unsent=1 << 22)


class Session:
    """One round of questions in one browser.

    Attributes:
        asked: number of questions answered in it.
        right: how many of them without a mistake.
    """

    def __init__(self, questions: Sequence[Question], learner: Learner, count: int, lang: Lang) -> None:
        """Begin.

        Args:
            questions: all questions, in the order in which new ones come.
            learner: who answers.
            count: number of questions in a round.
            lang: language of the sentences.
        """
        self._questions, self._learner, self._count, self._lang = questions, learner, count, lang
        self._open: Question | None = None
        self._last = ""
        self.asked = self.right = 0

    def next(self) -> dict[str, Any]:
        """The next question, or the end of the round."""
        if self.asked < self._count and self._open is None:
            self._open = self._learner.next(self._questions, self._last)
        if self.asked >= self._count or self._open is None:
            return {"done": self._learner.summary(self._questions) | {"round": self.asked, "right": self.right}}
        known = self._learner.learnt.get(self._open.key)
        place = {"number": self.asked + 1, "of": self._count, "again": bool(known and known.missed)}
        return {"question": self._open.asked(self._lang) | place}

    def answer(self, key: str, choice: int) -> dict[str, Any] | None:
        """The result of an answer; None if it is not one to the open question."""
        question = self._open
        if question is None or question.key != key or not 0 <= choice < len(question.choices):
            return None
        found = question.answered(choice, self._lang)
        grade = Grade(found["grade"])
        due = self._learner.answer(key, grade)
        self.asked += 1
        self.right += grade not in COSTLY
        self._open, self._last = None, key
        return {"result": found | {"due": due.isoformat(timespec="seconds")}}

    def again(self) -> dict[str, Any]:
        """The first question of another round."""
        self.asked = self.right = 0
        return self.next()


class PracticeServer:
    """Asks the questions to browsers on this machine.

    Attributes:
        link: the address of the page, secret included.
    """

    def __init__(
        self, questions: Sequence[Question], learner: Learner, listening: socket.socket, count: int, lang: Lang
    ) -> None:
        """Prepare; ``listening`` comes from :func:`bot.page.loopback.listen`, for the others see :class:`Session`."""
        self._questions, self._learner, self._count, self._lang = questions, learner, count, lang
        self._listening = listening
        self._door = Door(listening)
        self._pages = {one.page.name: one.page for one in questions if one.page is not None}
        self._browsers = 0
        self.link = self._door.link

    @asynccontextmanager
    async def serve(self) -> "AsyncIterator[PracticeServer]":
        """Answer until the block ends."""
        async with serve(
            self._welcome,
            sock=self._listening,
            process_request=self._answer,
            close_timeout=1.0,
            max_size=_ASKED,
            max_queue=4,
            server_header=None,
            logger=LOG,
            create_connection=PracticeSocket,
        ):
            yield self

    def _answer(self, _connection: ServerConnection, request: Request) -> Response | None:
        """The response to a request; None for a websocket that may open."""
        asked = self._door.enter(request)
        if isinstance(asked, Response):
            return asked
        if asked.path == "live":
            if self._browsers >= MOST:
                return response(HTTPStatus.SERVICE_UNAVAILABLE, "Too many browsers are open.\n")
            return foreign(asked, request)
        if asked.path == "":
            return response(HTTPStatus.OK, practice_page(self._lang), "text/html")
        page = self._pages.get(asked.path.removeprefix("games/")) if asked.path.startswith("games/") else None
        try:
            if page is not None:
                return response(HTTPStatus.OK, page.read_text(encoding="utf-8"), "text/html")
        except (OSError, ValueError):
            pass
        return response(HTTPStatus.NOT_FOUND, "There is no such page.\n")

    async def _welcome(self, browser: ServerConnection) -> None:
        """Serve one browser until it leaves."""
        session = Session(self._questions, self._learner, self._count, self._lang)
        self._browsers += 1
        try:
            await browser.send(json.dumps(session.next()))
            async for message in browser:
                found = self._hear(session, message)
                if found is not None:
                    await browser.send(json.dumps(found))
        except ConnectionClosed:
            return
        finally:
            self._browsers -= 1

    @staticmethod
    def _hear(session: Session, message: str | bytes) -> dict[str, Any] | None:
        """What follows from what a browser says; anything unknown is ignored."""
        try:
            said = json.loads(message)
        except (ValueError, RecursionError):
            return None
        try:
            match said:
                case {"do": "answer", "key": str(key), "choice": int(choice)}:
                    return session.answer(key, choice)
                case {"do": "next"}:
                    return session.next()
                case {"do": "again"}:
                    return session.again()
        except InputError as error:  # the state cannot be written
            return {"failed": str(error)}
        return None
