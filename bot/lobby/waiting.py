"""The waiting room: groups clients by the table they want until there are enough of them, or time runs out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from bot.lobby.settings import LobbyConfig
from bot.lobby.visitor import Place, Visitor
from protocol.tenhou.game_type import Seek, format_seek
from protocol.tenhou.messages import server

Group = list[Visitor]
_MOST: Final = 4


class WaitingRoom:
    """Clients grouped by the table that they want."""

    def __init__(
        self,
        config: LobbyConfig,
        spawn: Callable[[asyncio.Future[None]], None],
        seat: Callable[[Sequence[Visitor], Seek], None],
    ) -> None:
        """Open the room.

        Args:
            config: settings of the lobby.
            spawn: called with each new task, which it keeps.
            seat: called with the clients of a new table.
        """
        self._config = config
        self._spawn = spawn
        self._seat = seat
        self._groups: dict[Seek, Group] = {}

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def add(self, visitor: Visitor, seek: Seek) -> None:
        """Add a waiting client."""
        group = self._groups.setdefault(seek, [])
        group.append(visitor)
        if len(group) >= self._config.people:
            self._gather(seek)
        elif len(group) == 1:
            asyncio.get_running_loop().call_later(self._config.patience, self._out_of_patience, seek, group)

    def remove(self, visitor: Visitor) -> None:
        """Remove a client that no longer waits."""
        for seek, group in list(self._groups.items()):
            if visitor in group:
                group.remove(visitor)
                if not group:
                    del self._groups[seek]
        if visitor.place is Place.WAITING:
            visitor.place = Place.LOBBY
        visitor.seek = None

    def _out_of_patience(self, seek: Seek, group: Group) -> None:
        if group and self._groups.get(seek) is group:
            self._gather(seek)

    def _gather(self, seek: Seek) -> None:
        group = self._groups.pop(seek)
        self._spawn(asyncio.ensure_future(self._confirm(group[:_MOST], seek)))

    async def _confirm(self, group: Group, seek: Seek) -> None:
        """Send REJOIN to all. Those who answer play; the others are removed."""
        question = server.Rejoin(format_seek(seek._replace(again=True)))
        for visitor in group:
            visitor.confirmed.clear()
            visitor.connection.send(question)
        waits = [asyncio.ensure_future(visitor.confirmed.wait()) for visitor in group]
        try:
            await asyncio.wait(waits, timeout=self._config.confirm)
        finally:
            for wait in waits:
                wait.cancel()
        there = [v for v in group if v.confirmed.is_set() and v.place is Place.WAITING and v.seek == seek]
        for visitor in group:
            if visitor not in there:
                self.remove(visitor)
        if len(there) < len(group) and len(there) < self._config.people:
            for visitor in there:
                self.add(visitor, seek)  # wait for others instead of those who did not answer
        elif there:
            self._seat(there, seek)
