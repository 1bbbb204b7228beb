"""Logs in any format as games to watch: each is shown when somebody opens it, as the seat that is chosen saw it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.audit.hands import Holdings
from bot.audit.sources import Recording, read_recording
from bot.deciding.person import Person
from bot.live.clock import ClockTracker
from bot.live.player import Player
from bot.live.tally import Tally
from bot.machine.text import brief
from bot.page.table import action_fields, sorted_text
from bot.replay.decisions import Known
from bot.runs.inputs import file_stem
from bot.watch.feed import Feed, LogView, Stage
from engine.model.actions import Action
from engine.model.events import Resume, StartGame, StartKyoku
from engine.model.seats import turn_order
from engine.state import GameState, visible_to
from protocol.errors import LogError
from protocol.logs.formats import FORMATS, LogFile

MOST: Final = 1_000
"""Number of logs that are listed; of more, the first ones."""
AT_ONCE: Final = 50
"""Number of events after which others get their turn."""


_KNOWN: Final = frozenset((Known.ACTED, Known.LET_GO))


class Library:
    """The logs that can be opened on the page.

    Attributes:
        files: the logs, in the order of the list.
    """

    def __init__(self, files: Sequence[LogFile], seat: int | None, stage: Stage) -> None:
        """List the logs on the page.

        Args:
            files: the logs.
            seat: whose view is shown first; None: that of the link or file name, else of the first dealer.
            stage: what the page shows.
        """
        self.files = tuple(files)
        self._seat = seat
        self._stage = stage
        self._opening = asyncio.Lock()
        stage.open_log = self.open
        stage.history.tell(logs=[brief(file_stem(file), 80) for file in self.files])

    async def open(self, number: int, seat: int | None = None) -> None:
        """Show a log, unless that view of it is being shown already; the page says what is wrong with it."""
        if not 0 <= number < len(self.files):
            return
        async with self._opening:
            try:
                await self.show(number, seat)
                trouble = ""
            except LogError as error:
                trouble = brief(str(error), 400)
        self._stage.history.tell(trouble={"log": number, "why": trouble} if trouble else None)

    async def show(self, number: int, seat: int | None = None) -> None:
        """Show a log.

        Raises:
            LogError: it cannot be read, or holds no game that can be shown.
        """
        file = self.files[number]
        recording = await asyncio.to_thread(read_recording, file)
        chosen = next((each for each in (recording.viewer, seat, file.seat, self._seat) if each is not None), 0)
        if self._stage.shows(number, chosen):
            return
        view = LogView(number, chosen, recording.viewer is None, file)
        await _Showing(recording, view, self._stage).run()


class _Showing:
    """One recording on its way to the page."""

    def __init__(self, recording: Recording, view: LogView, stage: Stage) -> None:
        self._recording = recording
        self._view = view
        self._stage = stage
        self._holdings = Holdings()
        self._player = Player(Person(), ClockTracker(), Tally())

    async def run(self) -> None:
        """Show all of it.

        Raises:
            LogError: nothing of it can be shown.
        """
        recording, player, seat = self._recording, self._player, self._view.seat
        if not any(isinstance(event, StartKyoku | Resume) for _, event in recording.events):
            raise LogError("contains no hand that was dealt; there is nothing to show", recording.name)
        answers = await asyncio.to_thread(_answers, recording, seat)
        feed = self._stage.open(brief(file_stem(self._view.file), 60), lambda: player.names, at_once=True)
        feed.shown.view = self._view
        self._stage.list_games()
        for number, (position, event) in enumerate(recording.events):
            self._holdings.take(event)
            seen = visible_to(event, seat) if recording.viewer is None else event
            player.apply(seen, seat)
            if player.state is not None and (isinstance(event, StartGame) or not player.suspended):
                feed.happened(player.state, seen, self._truth(player.state))
                self._chose(feed, answers.get(position))
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
        if player.tally.lost:
            feed.noted("this log contradicts the rules: parts of it could not be followed")
        self._stage.close(feed)

    def _truth(self, state: GameState) -> dict[str, Any] | None:
        """What the others hold, right, across, left; None of a session, which shows one seat."""
        if self._recording.viewer is not None:
            return None
        held = [self._holdings.concealed[seat] for seat in turn_order(state.seat)[1:]]
        red = state.rules.red_fives
        return {"hands": [None if tiles is None else sorted_text(tiles, red) for tiles in held]}

    def _chose(self, feed: Feed, answer: Action | None) -> None:
        if answer is not None:
            feed.chose(action_fields(answer, self._recording.rules.red_fives))


def _answers(recording: Recording, seat: int) -> Mapping[int, Action]:
    """What the seat answered where it had a choice, by the position of the event that asked."""
    return {
        point.place.event: point.played
        for point in recording.points(seat, [])
        if point.played is not None and point.known in _KNOWN and len(point.legal) > 1
    }


def is_whole(file: LogFile) -> bool:
    """Whether a log holds a whole game, or a session that is over, and not a record that may be written."""
    return file.error is None and FORMATS[file.format].name != "record"
