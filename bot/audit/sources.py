"""What an audit reads: a whole log, or one client's session (a capture or a record), in a common shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.replay.decisions import DecisionPoint, Fault, Hear, decision_points, session_points
from engine.model.events import Event, StartGame
from engine.model.rules import Rules
from protocol.errors import LogError
from protocol.logs.formats import LogFile, read_log, read_session
from protocol.logs.game_log import GameLog, LogInfo
from protocol.logs.wire import Seen, WireSession, play

Names = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Recording:
    """One log to be audited.

    Attributes:
        source: the log or the session.
        events: the events, each with its position as in :attr:`~bot.replay.decisions.Place.event`.
        rules: rules of the (first) table.
        names: names of the players by absolute seat; untrusted text.
        info: what the log says besides the play.
        viewer: the seat of a captured session, the only one that can be audited; None for a log.
    """

    source: GameLog | WireSession
    events: tuple[tuple[int, Event], ...]
    rules: Rules
    names: Names
    info: LogInfo
    viewer: int | None = None

    @property
    def name(self) -> str:
        """Where it was read from."""
        return self.source.source

    def points(self, seat: int, faults: list[Fault], hear: Hear | None = None) -> Iterator[DecisionPoint]:
        """Yield every decision of a seat, in order; hands that cannot be followed are added to ``faults``.

        ``hear`` is called with every event as the seat sees it.
        """
        if isinstance(self.source, WireSession):
            return session_points(self.source, faults, hear)
        return decision_points(self.source, seat, faults, hear)


def read_recording(file: LogFile) -> Recording:
    """Read a log in any format that contains play.

    Raises:
        LogError: it cannot be read, or contains no game.
    """
    session = read_session(file)
    if session is not None:
        return _of_session(session)
    log = read_log(file, partly=True)
    return Recording(log, tuple(enumerate(log.events)), log.start.rules, log.start.names, log.info)


def _of_session(session: WireSession) -> Recording:
    steps = [step for step in play(session) if isinstance(step, Seen)]
    starts = [(step.viewer, step.event) for step in steps if isinstance(step.event, StartGame)]
    if not starts:
        raise LogError("this session contains no game: it ends before one begins", session.source)
    viewer, start = starts[0]
    events = tuple((step.line, step.event) for step in steps)
    return Recording(session, events, start.rules, start.names, LogInfo(), viewer)
