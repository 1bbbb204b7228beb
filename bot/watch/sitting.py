"""A person who sits down at the live page: what is set for a person, who asks, who gives hints, another game."""

import asyncio
from collections.abc import Sequence

from bot.deciding.person import Person
from bot.play import wiring
from bot.play.player import Watcher
from bot.play.season import Season, Sitting
from bot.watch.feed import Stage


def show(sitting: Sitting, stage: Stage, person: Person | None) -> Sequence[Watcher]:
    """Show a game on a stage until it is over; a person, if one plays, answers there."""
    feed = stage.open(sitting.account, sitting.record, person=person is not None)
    sitting.stack.callback(stage.close, feed)
    if person is not None:
        person.asker = feed
    return [feed]


def sit_down(season: Season, stage: Stage, stop: asyncio.Event, *, hints: bool) -> None:
    """Let the person of a season ask for hints and, until ``stop``, for another game."""

    async def again() -> bool:
        waiting = [asyncio.ensure_future(stage.wait_for_another()), asyncio.ensure_future(stop.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        return not stop.is_set()

    season.again = again
    stage.make_advisor = lambda: wiring.player(season.config).make(season.config.policy.seed)
    stage.want_hints(wanted=hints)
    stage.want_pace(stage.pace)
