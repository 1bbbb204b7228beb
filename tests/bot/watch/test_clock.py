from __future__ import annotations

from types import SimpleNamespace

from bot.deciding.person import Question
from bot.watch.seat import Seat
from bot.watch.shown import Shown
from engine.arena.referee import Referee
from engine.state import GameState


def test_the_page_hears_what_the_clock_answered():
    told = []
    history = SimpleNamespace(add=lambda key, fields: told.append((key, fields)))
    feed = Seat(Shown(3, "guest", person=True), history)
    step = Referee(seed=1).start()
    state = GameState(0)
    for event in step.events:
        state.apply(event)
    legal = tuple(state.legal_actions())
    feed.missed(Question(state, legal, 7.4, 1), legal[0])
    ((key, fields),) = told
    assert key == 3
    assert fields["clock"]["seconds"] == 7
    assert fields["clock"]["action"]["kind"] == legal[0].kind.name.lower()
