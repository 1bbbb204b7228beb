"""Games to watch: real ones over a websocket, and the events of one fed by hand."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from bot import results
from bot.accounts import read_accounts
from bot.config import build
from bot.deciding.ask import Outcome
from bot.season import Season
from bot.watch.serving import page_of
from engine.arena import Referee
from engine.model.events import StartKyoku
from engine.policy.decision import Budget
from engine.policy.registry import make_policy
from engine.state import GameState, visible_to


def config_for(folder, policy="simple", **more):
    content = {
        "policy": {"name": policy},
        "game": {"length": "tonpu"},
        "lobby": {"seats": ["tsumogiri"] * 3},
        "record": {"folder": str(folder)},
    }
    return build({**content, **more}, "test")


@asynccontextmanager
async def watched(config, pace=0.0, games=1, person=None):
    """A page, and a season that can be watched there: ``(server, season)``; the season is not yet played."""
    folder = config.record.folder

    def watch(sitting):
        feed = server.stage.open(sitting.account, sitting.names, sitting.record)
        sitting.stack.callback(server.stage.close, feed)
        if person is not None:
            person.askers[:] = [feed]
        return (feed,)

    async with page_of(partial(results.read, Path(folder))) as server:
        yield server, Season(config, read_accounts(config), games, pace, watch, person)


@asynccontextmanager
async def playing(season):
    """The season is played in the background, and broken off at the end."""
    task = asyncio.create_task(season.play())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def feed_game(watcher, decisions=None, names=("Anna", "Boris", "Clara", "Dmitri"), seed=3):
    """Show a watcher a game of ``simple`` as seat 0 sees it, up to a number of its decisions."""
    referee = Referee(seed=seed, names=names)
    states = [GameState(seat) for seat in range(4)]
    deciders = [make_policy("simple") for _ in range(4)]
    step = referee.start()
    while not step.over:
        for event in step.events:
            for seat, state in enumerate(states):
                state.apply(visible_to(event, seat))
            watcher.happened(states[0], visible_to(event, 0))
            if isinstance(event, StartKyoku):
                for decider in deciders:
                    decider.start_kyoku()
        answers = {}
        for seat in step.prompts:
            decision = deciders[seat].decide(states[seat], states[seat].legal_actions(), Budget())
            answers[seat] = decision.action
            if seat == 0:
                watcher.decided(states[0], decision, Outcome.DECIDED)
                decisions = None if decisions is None else decisions - 1
        if decisions == 0:
            return states[0]
        step = referee.answer(answers)
    for event in step.events:
        watcher.happened(states[0], visible_to(event, 0))
    return states[0]
