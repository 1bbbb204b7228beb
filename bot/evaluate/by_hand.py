"""The place of positions by hand: tiles that are clicked or pasted, and what each discard is worth beside them."""

import asyncio
from functools import cache, partial
from time import perf_counter
from typing import Any, Final

from bot.evaluate.guarded import evaluator_named
from bot.evaluate.hand_fields import fields
from bot.evaluate.hands import Written, read_position
from bot.machine.errors import InputError
from bot.machine.sockets import Flow
from bot.page.loopback import Asked
from bot.page.server import Browser, Place
from bot.page.template import Design, render_page
from bot.wording.languages import Lang, table
from bot.wording.troubles import trouble_words
from engine.model.budget import Budget
from engine.search.position import PositionError

DESIGN: Final = Design(
    "bot.evaluate", "hand.html.j2", ("door.js", "table.js", "hand.js"), ("page.css", "hand.css"), connects=True
)
WORDS: Final = partial(table, "bot.evaluate", "assets/words")
"""The labels and sentences of the page in a language."""
EVALUATOR: Final = "dag"
NODES: Final = 100_000
"""Maximum number of hands searched; the answer comes well within a second."""


@cache
def by_hand_page(lang: Lang) -> str:
    """The page as HTML."""
    return render_page(DESIGN, lang, WORDS(lang), {"words": WORDS(lang)})


class ByHand(Place):
    """Says what the discards of a hand are worth."""

    flow = Flow(rate=8e3, burst=32e3, unsent=1 << 20)
    most = 8
    longest = 2_048

    def page(self, asked: Asked) -> str | None:
        """The page."""
        return by_hand_page(asked.lang(Lang.EN)) if asked.path == "" else None

    async def talk(self, browser: Browser) -> None:
        """Answer a browser, one position after another."""
        async for said in browser.hear():
            match said:
                case {"do": "evaluate", "number": int(number), "position": dict(position)}:
                    await browser.send_json({"number": number, **await asyncio.to_thread(answer_of, position)})


def answer_of(position: dict[str, Any]) -> dict[str, Any]:
    """The value of each discard of a position as the page states it, or under ``failed`` why there is none."""
    try:
        found = read_position(_written(position))
        started = perf_counter()
        evaluation = evaluator_named(EVALUATOR, {}).evaluate(found, budget=Budget(nodes=NODES))
        return {"answer": fields(found, evaluation, 1_000 * (perf_counter() - started))}
    except InputError as error:
        return {"failed": trouble_words(error)}
    except PositionError as error:
        return {"failed": trouble_words(InputError(str(error)))}


def _written(position: dict[str, Any]) -> Written:
    """The position of a message; what it leaves out is as usual."""
    match position:
        case {
            "hand": str(hand), "melds": str(melds), "dora": str(dora), "visible": str(visible),
            "round": str(wind), "seat": str(seat), "turn": int(turn), "against": int(against),
        }:  # fmt: skip
            return Written(
                hand, melds, dora, visible=visible, round=wind, seat=seat, turn=int(turn), against=int(against)
            )  # true is no number, but equals one
    raise InputError("this is no position")
