"""The place of practice: questions on a page.

The page has one websocket, by which it gets questions and says what was clicked. Everything is judged here: a question
holds nothing that would give its answer away.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

from bot.machine.errors import InputError
from bot.machine.sockets import Flow
from bot.machine.text import brief
from bot.page.loopback import Asked
from bot.page.server import Browser, Place
from bot.page.table import COLUMNS
from bot.page.template import Design, render_page
from bot.review.learner import Learner
from bot.review.measure import COSTLY, Grade
from bot.review.questions import Question
from bot.review.verdicts import Category
from bot.review.wording import page_words
from bot.store.database import FILE
from bot.wording.languages import Lang
from bot.wording.troubles import trouble_words

DESIGN: Final = Design(
    "bot.review",
    "practice.html.j2",
    ("door.js", "table.js", "practice.js"),
    ("page.css", "screen.css", "practice.css"),
    connects=True,
)
WORDS: Final = partial(page_words, "bot.review", (
    "seat_", "wind_", "act_", "c_", "wall", "sticks", "dora", "furiten", "waits", "offered_by", "bot", "both",
    "turn", "mode", "grade_", "resumed_table", "grounds", "played", "part_", "sum_",
    "cat_",
), name="practice")  # fmt: skip
"""The labels and sentences of the page in a language."""


@cache
def practice_page(lang: Lang, *, at_home: bool = False) -> str:
    """The page as HTML; ``at_home``: whether it is one of several places."""
    return render_page(DESIGN, lang, WORDS(lang), {"words": WORDS(lang), "columns": COLUMNS}, at_home=at_home)


def unread(learner: Learner) -> dict[str, str]:
    """What of a learner's earlier answers cannot be read, by language; empty if all can."""
    try:
        learner.refresh()
    except InputError as error:
        return trouble_words(error, brief(str(error), 300))
    return trouble_words(InputError(learner.damaged[0], source=FILE)) if learner.damaged else {}


class Session:
    """Rounds of questions in one browser.

    Attributes:
        asked: number of questions answered in this round.
        right: how many of them without a mistake.
        streak: number of answers in a row without a mistake, over all rounds.
        about: the category of decisions that is asked about; "" for all.
    """

    def __init__(self, questions: Sequence[Question], learner: Learner, count: int, lang: Lang) -> None:
        """Begin.

        Args:
            questions: all questions, in the order in which new ones come.
            learner: who answers.
            count: number of questions in a round.
            lang: language of the sentences.
        """
        self._all, self._learner, self._count, self._lang = questions, learner, count, lang
        self._questions = questions
        self._open: Question | None = None
        self._last = ""
        self.asked = self.right = self.streak = 0
        self.about = ""

    def next(self) -> dict[str, Any]:
        """The next question, or the end of the round."""
        if self.asked < self._count and self._open is None:
            self._open = self._learner.next(self._questions, self._last)
        if self.asked >= self._count or self._open is None:
            done = {"round": self.asked, "right": self.right}
            return {"done": self._learner.summary(self._questions) | done | self._sets()}
        known = self._learner.learnt.get(self._open.key)
        place = {"number": self.asked + 1, "of": self._count, "again": bool(known and known.missed)}
        return {"question": self._open.asked(self._lang) | place | self._sets()}

    def _sets(self) -> dict[str, Any]:
        """The sets that can be practised, with the number of questions in each; which one is; and the streak."""
        counts = Counter(question.row["category"] for question in self._all)
        found = {each.value: counts[each.value] for each in Category if each.value in counts}
        return {"sets": {"": len(self._all), **found}, "about": self.about, "streak": self.streak}

    def choose(self, about: str) -> dict[str, Any] | None:
        """The first question about a category of decisions, "" for all; None if there is none."""
        found = [each for each in self._all if about in {"", each.row["category"]}]
        if not found:
            return None
        self.about, self._questions, self._open = about, found, None
        return self.again()

    def answer(self, key: str, choice: int) -> dict[str, Any] | None:
        """The result of an answer; None if it is not one to the open question."""
        question = self._open
        if question is None or question.key != key or not 0 <= choice < len(question.choices):
            return None
        found = question.answered(choice, self._lang)
        grade = Grade(found["row"]["grade"])
        due = self._learner.answer(key, grade)
        self.asked += 1
        self.right += grade not in COSTLY
        self.streak = 0 if grade in COSTLY else self.streak + 1
        self._open, self._last = None, key
        return {"result": found | {"due": due.isoformat(timespec="seconds"), "streak": self.streak}}

    def again(self) -> dict[str, Any]:
        """The first question of another round."""
        self.asked = self.right = 0
        return self.next()


class Practising(Place):
    """Asks the questions."""

    flow = Flow(rate=16e3, burst=64e3, unsent=1 << 22)
    most = 8
    longest = 1_024

    def __init__(
        self, read: Callable[[], Sequence[Question]], learner: Learner, count: int, lang: Lang, *, at_home: bool = False
    ) -> None:
        """Prepare.

        Args:
            read: the questions as they are now, in the order in which new ones come.
            learner: who answers.
            count: number of questions in a round.
            lang: language of the page, unless its address names another.
            at_home: whether the page is one of several places.
        """
        super().__init__()
        self._read, self._learner, self._count, self._lang = read, learner, count, lang
        self._at_home = at_home

    def page(self, asked: Asked) -> str | None:
        """The page, or that of a game in a review."""
        if asked.path == "":
            return practice_page(asked.lang(self._lang), at_home=self._at_home)
        name = asked.path.removeprefix("games/")
        found = next((one for one in self._read() if one.page == name), None)
        try:
            return found.read_page(asked.lang(self._lang)) if found is not None and name != asked.path else None
        except (OSError, ValueError, InputError):
            return None

    async def talk(self, browser: Browser) -> None:
        """Ask a browser, and hear its answers."""
        session = Session(self._read(), self._learner, self._count, browser.asked.lang(self._lang))
        if why := await asyncio.to_thread(unread, self._learner):
            await browser.send_json({"unread": why})
        await browser.send_json(session.next())
        async for said in browser.hear():
            found = await asyncio.to_thread(self._heard, session, said)  # another program may be writing the state
            if found is not None:
                await browser.send_json(found)

    @staticmethod
    def _heard(session: Session, said: object) -> dict[str, Any] | None:
        """The response to a browser's message; unknown ones are ignored."""
        try:
            match said:
                case {"do": "answer", "key": str(key), "choice": int(choice)}:
                    return session.answer(key, choice)
                case {"do": "next"}:
                    return session.next()
                case {"do": "again"}:
                    return session.again()
                case {"do": "choose", "about": str(about)}:
                    return session.choose(about)
        except InputError as error:  # the state cannot be written
            return {"failed": trouble_words(error)}
        return None
