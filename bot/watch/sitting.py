"""Games that are being played, on the live page; a person who plays sits down there."""

import asyncio
from collections.abc import Sequence

from bot.deciding.person import Person
from bot.play import wiring
from bot.play.player import Watcher
from bot.play.season import Season, Sitting
from bot.watch.stage import Stage
from engine.policy.decision import Decider


def show(season: Season, stage: Stage) -> None:
    """Show each game of a season on a stage until it is over."""

    def watch(sitting: Sitting) -> Sequence[Watcher]:
        feed = stage.open(sitting.account, sitting.record)
        sitting.stack.callback(stage.close, feed)
        return [feed]

    season.watch.append(watch)


def sit_down(season: Season, person: Person, stage: Stage, stop: asyncio.Event, *, hints: bool) -> None:
    """Let a person play a season on a stage, ask for hints and, until ``stop``, for another game."""

    def advisor() -> Decider:
        return wiring.player(season.config).make(season.config.policy.seed)

    def watch(sitting: Sitting) -> Sequence[Watcher]:
        person.asker = seat = stage.open_seat(sitting.account, sitting.record, advisor)
        sitting.stack.callback(stage.close, seat)
        return [seat]

    async def again() -> bool:
        waiting = [asyncio.ensure_future(stage.wait_for_another()), asyncio.ensure_future(stop.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        return not stop.is_set()

    season.watch.append(watch)
    season.again = again
    stage.choose(hints=hints, pace=stage.history.run.get("pace", "normal"))
