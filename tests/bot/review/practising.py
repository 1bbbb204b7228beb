"""A page of practice that is served."""

from __future__ import annotations

from bot.page.loopback import listen
from bot.page.server import PageServer
from bot.review.practice import Practising
from bot.wording.languages import Lang


def practising(questions, learner, count):
    return PageServer({"": Practising(lambda: questions, learner, count, Lang.EN)}, listen(0)).serve()
