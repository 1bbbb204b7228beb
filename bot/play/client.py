"""The asyncio client: plays one game, over as many connections as necessary."""

import asyncio
import contextlib
import time
from dataclasses import dataclass
from typing import Final

import structlog

from bot.machine.gate import Route
from bot.machine.text import SECRETS
from bot.play.conversation import Conversation
from bot.play.link import open_link
from bot.play.losses import LOST, DoubtError, GameLostError, ResyncError, reason, retryable
from bot.play.patience import Heard, Manner, Watchdog, delays
from bot.play.player import Player
from bot.play.record import GameRecord
from bot.wording.events import NoteKind
from engine.model.events import Points4
from engine.model.seats import by_score
from protocol.tenhou.server import AccountRecord
from protocol.tenhou.session import NoticeKind, Session, State

__all__ = ["Client", "GameLostError", "GameResult"]

log = structlog.get_logger()

MOST_DROPS: Final = 1_000
"""Number of connections lost in one game after which it is given up."""
STEADY: Final = 30.0
"""Seconds after which a connection counts as good, even without progress."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game."""

    seat: int  # our seat, absolute
    names: tuple[str, str, str, str]  # names by seat, untrusted
    scores: Points4 | None  # points by seat; None if the game ended while the connection was lost
    # result points in thousands by seat; None if the server did not send them
    results: tuple[float, float, float, float] | None
    placement: int | None  # our placement, 1 to 4; None if it is not known
    log_id: str  # id of the game's log at the server; may be empty
    game_type: int = 0  # Tenhou's type bits of the table
    standing: AccountRecord | None = None  # the account's record before the game; None for a guest


class Client:
    """Plays one game. Whatever the server sends, it ends with a result or a :class:`GameLostError`.

    A lost connection is reopened and the game resumed. A game that ended in the meantime gives a result without scores,
    with the placement if the account's record shows it.
    """

    def __init__(
        self,
        route: Route,
        session: Session,
        player: Player,
        record: GameRecord | None = None,
        manner: Manner | None = None,
    ) -> None:
        """Prepare.

        Args:
            route: route to the server, from :func:`bot.machine.gate.route`.
            session: a new session.
            player: a new player.
            record: record to write to; closed by the caller.
            manner: how to play.
        """
        manner = manner or Manner()
        self._route = route
        self._session = session
        self._player = player
        self._record = record
        self._manner = manner
        self._watchdog = Watchdog(manner.patience)
        self._delays = delays(manner.patience, manner.rng)
        self._reached = manner.reached
        self._gpid = session.gpid
        SECRETS.add_passing(session.gpid or "")
        self._good_at = time.monotonic()
        """Time at which a connection was last known to be useful."""
        self._lost_at: float | None = None
        self._open_drops = 0
        """Number of losses that have not yet been resolved."""
        self._played = False
        """Whether a game was running when the connection was lost."""
        self._tried = False
        """Whether another connection was tried since the last progress."""
        self._before: AccountRecord | None = None

    async def play(self) -> GameResult | None:
        """Log in, join, play to the end and leave.

        Returns:
            The result; None if ``stop`` was set before a table was found.

        Raises:
            GameLostError: there was no connection, the login was refused, or the game could not be resumed.
        """
        manner = self._manner
        over = False
        while True:
            opened = 0.0
            try:
                trips = self._player.clock.trips
                stop = None if self._session.playing else manner.stop
                async with open_link(self._route, self._keep_alive, trips, manner.patience, manner.flow, stop) as link:
                    opened, self._reached = time.monotonic(), True
                    self._watchdog.begin()
                    await Conversation(
                        link,
                        self._session,
                        self._player,
                        self._watchdog,
                        manner,
                        self._record,
                        (self._heard,),
                    ).run()
                    over = True
            except LOST as error:
                if not over and not self._stopped():
                    await self._lose(error, opened)
                    if not self._stopped():
                        continue
            return self._result()

    def _stopped(self) -> bool:
        """Whether stopping was requested and no game is running."""
        return self._manner.stop.is_set() and not self._session.playing

    def _keep_alive(self) -> list[str]:
        return [send.frame for send in self._session.keep_alive()]

    async def _lose(self, error: Exception, opened: float) -> None:
        """The connection was lost or could not be opened: wait until the next attempt.

        Raises:
            GameLostError: another attempt would be useless.
        """
        now = time.monotonic()
        cause = reason(error, self._route)
        if not self._reached:
            raise GameLostError(f"{self._route.url}: no connection: {cause}") from None
        if opened:
            self._player.tally.drops += 1
            self._open_drops += 1
            self._lost_at = self._lost_at or now
            self._played = self._played or self._session.playing
            if now - opened > STEADY:
                self._good_at, self._tried = now, False
        self._watchdog.check()
        hopeless = self._why_hopeless(error, now)
        if hopeless is not None:
            at_practice = self._session.playing and not self._session.resumable
            raise GameLostError(f"{cause} {self._where()}{hopeless}", again=at_practice) from None
        if opened and (self._good_at >= opened or isinstance(error, ResyncError)):
            self._delays = delays(self._manner.patience, self._manner.rng)
        self._tried = True
        patience = self._manner.patience
        delay, left = next(self._delays), patience.give_up - (now - self._good_at)
        if isinstance(error, DoubtError):
            delay, left = patience.doubt, patience.doubt * error.logins
            cause += f"; it is asked again for {left:.0f} s, then the game counts as lost"
        log.warning(
            "connection lost", cause=cause, where=self._where(), again_in=round(delay, 2), given_up_in=round(left, 1)
        )
        self._player.note(NoteKind.CONNECTION_LOST, f"{cause} ({left:.0f} s left)")
        if self._session.playing:
            await asyncio.sleep(delay)
        else:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await self._manner.stop.wait()

    def _why_hopeless(self, error: Exception, now: float) -> str | None:
        """Why another attempt would be useless; None if it would not."""
        if not retryable(error):
            return ""
        if self._session.playing and not self._session.resumable:
            return ": a guest cannot return to a practice table"
        give_up = self._manner.patience.give_up
        if not give_up:
            return ", and reconnect.give_up is 0"
        if self._tried and give_up <= now - self._good_at:
            return f", and reconnecting has been useless for {give_up:.0f} s"
        if self._player.tally.drops >= MOST_DROPS and self._open_drops >= MOST_DROPS:
            return f", for the {MOST_DROPS}th time"
        return None

    def _heard(self, heard: Heard) -> None:
        """Note the outcome of lost connections."""
        session, received = self._session, heard.received
        if session.gpid != self._gpid:
            self._gpid = session.gpid
            SECRETS.add_passing(session.gpid or "")
            self._manner.keep_gpid(session.gpid)
        notices = {notice.kind for notice in received.notices}
        if NoticeKind.SEATED in notices and session.standing is not None:
            self._before = self._before or session.standing
        if heard.progress:
            self._good_at, self._tried = time.monotonic(), False
        if self._lost_at is None:
            return
        tally = self._player.tally
        if NoticeKind.GONE in notices:
            tally.ended += self._open_drops
        elif received.events or (not self._played and session.state is not State.LOGIN):
            tally.resumed += self._open_drops
            seconds = time.monotonic() - self._lost_at
            tally.resume.add(seconds)
            log.info("connected again", where=self._where(), after=round(seconds, 3))
        else:
            return
        self._open_drops, self._lost_at, self._played = 0, None, False

    def _result(self) -> GameResult | None:
        end, state, session = self._player.end, self._player.state, self._session
        game_type = session.game_type
        code = 0 if game_type is None else game_type.code
        if end is not None and session.seat is not None:
            order = by_score(end.scores)
            place = order.index(session.seat) + 1
            return GameResult(
                session.seat, self._player.names, end.scores, end.results, place, session.log_id, code, self._before
            )
        if game_type is None and self._manner.stop.is_set():
            return None
        if state is None or session.playing:
            raise GameLostError(f"the game ended without a result {self._where()}", again=True)
        before, after = self._before, session.standing
        learned = after.placement_since(before) if before is not None and after is not None else None
        if learned is None and self._uncounted(before, after):
            raise GameLostError(
                "the server no longer knows the game, and its record of the account does not count it: it was "
                f"restarted, or has given the game up; the game is lost {self._where()}",
                again=True,
            )
        if learned is None:
            log.warning(
                "place unknown", cause="the game ended while the connection was lost, or the server has forgotten it"
            )
        return GameResult(state.seat, self._player.names, None, None, learned, session.log_id, code, before)

    def _uncounted(self, before: AccountRecord | None, after: AccountRecord | None) -> bool:
        """Whether the account's record says that a game which it would count has not ended."""
        session = self._session
        counts = session.login.lobby == "0" and session.game_type is not None and session.game_type.people
        return counts and before is not None and after is not None and after.games <= before.games

    def _where(self) -> str:
        place = self._player.place()
        return f"in state {self._session.state.name.lower()}" + (f" of {place}" if place else "")
