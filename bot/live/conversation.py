"""What is said over one connection, from HELO to BYE: a queue, one consumer, and a limit to every wait."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import structlog

from bot.deciding.ask import Thought
from bot.live.link import GRACE, UNREAD, Arrived, Link
from bot.live.losses import GameLostError, ResyncError, SilentError
from bot.live.manner import Manner
from bot.live.player import Player
from bot.live.watchdog import Watchdog, moves
from bot.record.writer import GameRecord
from bot.text import brief
from engine.model.actions import Action
from engine.model.events import Event
from protocol.errors import LocalProtocolError
from protocol.tenhou.session import Notice, NoticeKind, Output, Prompt, Send, Session
from protocol.tenhou.session_table import State

log = structlog.get_logger()

NONSENSE_LIMIT: Final = 100
"""Malformed frames after which the other side is taken for something that does not speak Tenhou."""
OVERDUE: Final = 4 * UNREAD
"""Frames that are still heard once patience has ended: they may have come in time, and waited for us."""
DOUBT: Final = 0.25
"""Seconds, beside the round trip, until an answer is said again when the server has repeated its question."""
LOUD: Final = (
    NoticeKind.UNEXPECTED,
    NoticeKind.UNKNOWN,
    NoticeKind.MALFORMED,
    NoticeKind.UNSUPPORTED,
    NoticeKind.REFUSED,
)
_DONE: Final = (State.OVER, State.CLOSED)
_BEFORE_A_GAME: Final = (State.OFFLINE, State.LOGIN, State.WAITING)
_IN_STEP: Final = (State.SEATED, State.BETWEEN, State.PLAYING, State.REACHED)

Answer = tuple[Action | None, Thought]
Heard = Callable[[Sequence[Output]], None]


class Conversation:
    """Hears and answers until the session is over. Raises what :class:`Link` raises, or :class:`GameLostError`."""

    def __init__(
        self,
        link: Link,
        session: Session,
        player: Player,
        watchdog: Watchdog,
        manner: Manner,
        record: GameRecord | None = None,
        heard: Heard = lambda _: None,
    ) -> None:
        """Prepare.

        Args:
            link: open.
            session: of the login; a game that was on goes on.
            player: of the game.
            watchdog: of the game; it knows when something last moved.
            manner: of playing.
            record: written to.
            heard: told what follows from each frame, after it was taken in.
        """
        self._link = link
        self._session = session
        self._player = player
        self._watchdog = watchdog
        self._manner = manner
        self._record = record
        self._heard = heard
        self._asking: asyncio.Task[Answer] | None = None
        self._prompt: Prompt | None = None
        self._thought: Thought | None = None
        """What came of the thought on the prompt, until it is said."""
        self._said_at = time.monotonic()
        self._overdue = 0
        """Frames heard since patience ended."""
        self._repeats = 0
        self._doubted = False
        """The server has put a question again that was answered."""
        self._nonsense = 0

    async def run(self) -> None:
        """Log in, play to the end, leave."""
        try:
            if self._record is not None:
                self._record.connecting()
            await self._send(self._session.connect())
            while self._session.state not in _DONE:
                await self._step()
        finally:
            await self._stop_asking()

    # -- waiting ---------------------------------------------------------------------------------------------------

    async def _step(self) -> None:
        """Wait for the next frame, our own answer, the wish to stop, or the end of patience: whichever is first.

        The wish to stop and the end of patience go first, however many frames keep coming.
        """
        if self._leaves() and self._manner.stop.is_set():
            log.info("leaves before a game has begun")
            await self._send(self._session.leave())
            return
        left = self._left()
        if left == 0.0 and not (self._link.unread and self._overdue < OVERDUE):
            await self._lose_patience()
            return
        reading = asyncio.create_task(self._link.receive())
        waiting: set[asyncio.Task[Any]] = {reading}
        if self._asking is not None:
            waiting.add(self._asking)
        leaving = None
        if self._leaves():
            leaving = asyncio.create_task(self._manner.stop.wait())
            waiting.add(leaving)
        try:
            done, _ = await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, leaving):
                if task is not None and not task.done():
                    task.cancel()
        if reading in done:
            await self._hear(reading.result())
        elif self._asking is not None and self._asking.done():
            await self._answer()

    def _leaves(self) -> bool:
        """The wish to stop is heeded: no game is on."""
        return not self._session.playing and self._session.state in _BEFORE_A_GAME

    def _left(self) -> float | None:
        """Seconds until patience ends; None while we think, which has a limit of its own."""
        if self._asking is not None:
            return None
        until = self._watchdog.until(self._session.state)
        if self._session.answered is not None:
            until = min(until, self._said_at + self._echo(self._session.answered))
        return max(until - time.monotonic(), 0.0)

    def _echo(self, prompt: Prompt) -> float:
        """Seconds until something must have come of an answer: at once in our own turn, else once all have spoken."""
        trip = self._player.clock.trips.margin
        if self._doubted:
            return DOUBT + trip
        clock = self._player.clock.clock
        others = 0.0 if prompt.asked.own_turn else clock.action + clock.bank
        return self._manner.patience.echo + trip + others

    async def _lose_patience(self) -> None:
        if not self._overdue:
            await asyncio.sleep(GRACE)
            if self._link.unread:  # it has come meanwhile
                return
        self._watchdog.check()
        answered = self._session.answered
        if answered is None or time.monotonic() >= self._watchdog.until(self._session.state):
            raise SilentError(self._watchdog.why(self._session.state))
        if self._repeats:
            raise SilentError("no response to our answer, which was sent twice")
        log.warning("no response to our answer: sending it again", where=self._player.place())
        self._player.tally.forgotten += 1
        self._repeats += 1
        self._doubted = False
        self._said_at = time.monotonic()
        await self._send(self._session.repeat())

    # -- hearing ---------------------------------------------------------------------------------------------------

    async def _hear(self, arrived: Arrived) -> None:
        frame = arrived.frame
        if self._record is not None:
            self._record.received(frame)
        session, player = self._session, self._player
        before = session.state
        outputs = session.receive(frame)
        prompt = next((output for output in outputs if isinstance(output, Prompt)), None)
        await self._send([output for output in outputs if isinstance(output, Send)])
        for output in outputs:
            if isinstance(output, Notice):
                self._notice(output, frame)
            elif not isinstance(output, Send | Prompt):
                player.apply(output, session.seat or 0)
        events: list[Event] = [output for output in outputs if not isinstance(output, Send | Prompt | Notice)]
        if self._record is not None:
            self._record.happened(events)
        self._watch(events, before, arrived.at)
        if events:
            player.check_flags(events[-1], prompt)
        if self._asking is not None and session.prompt is not self._prompt:
            log.warning("the server did not wait for our answer", where=player.place())
            player.tally.late += 1
            await self._stop_asking()
        self._heard(outputs)
        self._stay_in_step(outputs, before)
        if prompt is not None:
            self._prompt = prompt
            self._asking = asyncio.create_task(self._think(prompt, arrived.at))

    def _watch(self, events: Sequence[Event], before: State, at: float) -> None:
        """Tell the watchdog what came of a frame."""
        for event in events:
            self._watchdog.followed(event)
        if self._session.playing:
            self._watchdog.seated()
        moved = self._session.state is not before or any(map(moves, events))
        self._watchdog.heard(at, moved=moved)
        self._overdue = 0 if moved or self._left() != 0.0 else self._overdue + 1

    def _stay_in_step(self, outputs: Sequence[Output], before: State) -> None:
        """Where what we know of the hand is no longer what the server knows, come back to be told.

        That is so when an event cannot happen, when a frame was lost for nonsense, and when the play goes on without
        a deal. It is done only where the server will know who comes back, and not again and again in vain.
        """
        kinds = {output.kind for output in outputs if isinstance(output, Notice)}
        undealt = NoticeKind.UNEXPECTED in kinds and before in (State.SEATED, State.BETWEEN)
        astray = self._player.suspended and any(not isinstance(output, Send | Prompt | Notice) for output in outputs)
        lost = NoticeKind.MALFORMED in kinds or undealt or astray
        if lost and self._session.resumable and self._session.state in _IN_STEP and self._player.may_resync():
            raise ResyncError("what we know of the hand is not what the server knows")

    def _notice(self, notice: Notice, frame: str) -> None:
        text = brief(notice.text)
        tally = self._player.tally
        if notice.kind in LOUD:
            log.warning(notice.kind.name.lower(), text=text, raw=brief(frame))
        else:
            log.debug(notice.kind.name.lower(), text=text)
        self._player.tell(f"{notice.kind.name.lower()}: {text}")
        tally.unexpected += notice.kind in (NoticeKind.UNEXPECTED, NoticeKind.UNKNOWN)
        tally.repeated += notice.kind is NoticeKind.REPEATED
        if notice.kind is NoticeKind.REPEATED and self._session.answered is not None and not self._doubted:
            self._doubted, self._said_at = True, time.monotonic()
        if notice.kind is NoticeKind.SEATED and self._session.game_type is not None:
            self._player.clock.sit(self._session.game_type)
        if notice.kind is NoticeKind.MALFORMED:
            tally.malformed += 1
            self._player.damaged += 1
            self._nonsense += 1
            if self._nonsense >= NONSENSE_LIMIT:
                raise GameLostError(f"{self._nonsense} frames made no sense; the last: {text}")
        if notice.kind is NoticeKind.DOUBTED:
            raise SilentError(text)
        if notice.kind is NoticeKind.REFUSED:
            raise GameLostError(f"the server refused the login ({text}): check the account's key")
        if notice.kind is NoticeKind.UNSUPPORTED:
            raise GameLostError(text)

    # -- answering -------------------------------------------------------------------------------------------------

    async def _think(self, prompt: Prompt, arrived: float) -> Answer:
        answer = await self._player.answer(prompt, time.monotonic() - arrived)
        self._thought = answer[1]
        if self._manner.pace:
            await asyncio.sleep(self._manner.pace)
        self._player.clock.spend(time.monotonic() - arrived)
        return answer

    async def _answer(self) -> None:
        asking, prompt = self._asking, self._prompt
        self._asking = self._prompt = self._thought = None
        if asking is None or prompt is None:
            return
        try:
            action, thought = asking.result()
        except Exception:
            log.exception("no thought came of a question", where=self._player.place())
            self._player.tally.failed += 1
            action, thought = self._player.answer_blindly(prompt.asked)
        if action is None:  # nothing we could say; the server's clock will decide
            return
        if self._record is not None:
            self._record.decided(
                self._player.place(),
                thought.decision,
                str(thought.outcome),
                thought.digest,
                thought.number,
                thought.spent,
            )
        try:
            sends = self._session.act(prompt, action)
        except LocalProtocolError as error:
            log.error("no answer to what the server asked", error=brief(str(error)))  # noqa: TRY400
            self._player.tally.failed += 1
            return
        self._said_at = time.monotonic()
        self._repeats, self._doubted = 0, False
        await self._send(sends)

    async def _send(self, sends: Sequence[Output]) -> None:
        for send in sends:
            if isinstance(send, Send):
                if self._record is not None:
                    self._record.sent(send.frame)
                await self._link.send(send.frame)

    async def _stop_asking(self) -> None:
        asking, self._asking, self._prompt = self._asking, None, None
        if asking is not None:
            asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asking
        thought, self._thought = self._thought, None
        if thought is not None and thought.spent is not None and self._record is not None:
            self._record.overran(thought.number, thought.spent)  # thought to its end, and not said
