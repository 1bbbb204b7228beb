"""The dialogue over one connection, from HELO to BYE: one consumer of the frames, and a limit for every wait."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog

from bot.deciding.ask import Question, Thought
from bot.machine.text import brief, plural
from bot.play.link import GRACE, UNREAD, Arrived, Link
from bot.play.losses import DoubtError, GameLostError, ResyncError, SilentError
from bot.play.patience import Heard, Manner, Observer, Watchdog
from bot.play.player import Player
from bot.play.record import GameRecord
from bot.wording.events import NoteKind
from engine.model.actions import Action
from engine.model.events import EndGame, Resume, Ryuukyoku, StartKyoku, Win
from protocol.errors import LocalProtocolError
from protocol.tenhou.session import Notice, NoticeKind, Prompt, Received, Send, Session, State

log = structlog.get_logger()

NONSENSE_LIMIT: Final = 100
"""Number of malformed frames after which the other side does not seem to speak the protocol."""
OVERDUE: Final = 4 * UNREAD
"""Number of queued frames that are still processed after a time limit: they may have arrived in time."""
DOUBT: Final = 0.25
"""Seconds, in addition to a round trip, until an answer is resent after the server has repeated its prompt."""
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


@dataclass(slots=True)
class _Exchange:
    """A prompt of the server and our answer: thought about, then sent, and sent again if it had no effect."""

    prompt: Prompt | None = None  # None: nothing was asked on this connection yet
    question: Question | None = None  # the prompt in our own terms; None if we cannot follow the hand
    thinking: asyncio.Task[Answer] | None = None  # None once the answer was sent, or is no longer wanted
    thought: Thought | None = None  # the result of thinking, until the answer is sent
    said_at: float = field(default_factory=time.monotonic)  # time at which the answer was sent
    resent: bool = False  # whether the answer was sent twice
    doubted: bool = False  # whether the server has repeated the prompt after the answer


@dataclass(slots=True)
class _Rest:
    """The time after a hand in which people look at its end."""

    task: asyncio.Task[None]  # waits until they have
    sends: list[Send]  # what asks for the next hand


class Conversation:
    """Receives and answers until the session is over. Raises the errors of :class:`Link`, or :class:`GameLostError`."""

    def __init__(
        self,
        link: Link,
        session: Session,
        player: Player,
        watchdog: Watchdog,
        manner: Manner,
        record: GameRecord | None = None,
        observers: Iterable[Observer] = (),
    ) -> None:
        """Prepare.

        Args:
            link: an open link.
            session: the session of the login; a game that was running continues.
            player: player of the game.
            watchdog: watchdog of the game.
            manner: how to play.
            record: record to write to.
            observers: further observers of what is heard, called after the player, the record and the watchdog.
        """
        self._link = link
        self._session = session
        self._player = player
        self._watchdog = watchdog
        self._manner = manner
        self._record = record
        recording = () if record is None else (record.heard,)
        self._observers: tuple[Observer, ...] = (player.heard, *recording, watchdog.heard, *observers)
        self._exchange = _Exchange()
        self._rest: _Rest | None = None
        self._overdue = 0
        """Frames processed since a time limit passed."""
        self._nonsense = 0

    async def run(self) -> None:
        """Log in, play to the end, leave."""
        stopping = asyncio.create_task(self._manner.stop.wait())
        try:
            if self._record is not None:
                self._record.connecting()
            await self._send(self._session.connect())
            self._link.inbox.expect(stopping)
            while self._session.state not in _DONE:
                await self._step()
        finally:
            stopping.cancel()
            await self._stop_resting()
            await self._stop_asking()

    # -- waiting ---------------------------------------------------------------------------------------------------

    async def _step(self) -> None:
        """Wait for a frame, our own answer, the end of a rest, the request to stop or a time limit: what comes first.

        The request to stop and the time limit are checked first, so that a flood of frames does not delay them.
        """
        inbox, left = self._link.inbox, self._left()
        if self._manner.stop.is_set() and not self._session.playing and self._session.state in _BEFORE_A_GAME:
            log.info("leaving before a game has begun")
            await self._send(self._session.leave())
        elif left == 0.0 and not (inbox and self._overdue < OVERDUE):
            await self._lose_patience()
        else:
            item = await inbox.get(left)
            if isinstance(item, Arrived):
                await self._hear(item)
            elif item is not None and item is self._exchange.thinking:
                await self._answer()
            elif self._rest is not None and item is self._rest.task:
                await self._rested()

    def _left(self) -> float | None:
        """Seconds until the time limit; None while we think or rest, which have limits of their own."""
        if self._exchange.thinking is not None or self._rest is not None:
            return None
        until = self._watchdog.until(self._session.state)
        if self._session.answered is not None:
            until = min(until, self._exchange.said_at + self._echo(self._session.answered))
        return max(until - time.monotonic(), 0.0)

    def _echo(self, prompt: Prompt) -> float:
        """Seconds until an answer must have had an effect: soon in our own turn, otherwise after the others' time."""
        trip = self._player.clock.trips.margin
        if self._exchange.doubted:
            return DOUBT + trip
        clock = self._player.clock.clock
        others = 0.0 if prompt.asked.own_turn else clock.action + clock.bank
        return self._manner.patience.echo + trip + others

    async def _lose_patience(self) -> None:
        if not self._overdue:
            await asyncio.sleep(GRACE)
            if self._link.inbox:  # it has arrived in the meantime
                return
        self._watchdog.check()
        answered = self._session.answered
        if answered is None or time.monotonic() >= self._watchdog.until(self._session.state):
            raise SilentError(self._watchdog.why(self._session.state))
        if self._exchange.resent:
            raise SilentError("no response to our answer, which was sent twice")
        log.warning("no response to our answer; resending", where=self._player.place())
        self._player.tally.forgotten += 1
        self._exchange.said_at, self._exchange.resent, self._exchange.doubted = time.monotonic(), True, False
        await self._send(self._session.repeat())

    # -- hearing ---------------------------------------------------------------------------------------------------

    async def _hear(self, arrived: Arrived) -> None:
        frame = arrived.frame
        if self._record is not None:
            self._record.received(frame)
        session, player = self._session, self._player
        before = session.state
        received = session.receive(frame)
        await self._send_or_rest(received)
        for notice in received.notices:
            self._notice(notice, frame)
        heard = Heard(arrived.at, received, session, before)
        for observer in self._observers:
            observer(heard)
        self._overdue = 0 if self._left() != 0.0 else self._overdue + 1
        if self._exchange.thinking is not None and session.prompt is not self._exchange.prompt:
            log.warning("the server did not wait for our answer", where=player.place())
            player.note(NoteKind.NOT_WAITED)
            player.tally.late += 1
            await self._stop_asking()
        self._stay_in_step(received, before)
        prompt = received.prompt
        if prompt is not None:
            question = player.question(prompt, time.monotonic() - arrived.at)
            self._exchange = exchange = _Exchange(prompt, question)
            exchange.thinking = asyncio.create_task(self._think(exchange, prompt, arrived.at))
            self._link.inbox.expect(exchange.thinking)

    async def _send_or_rest(self, received: Received) -> None:
        """Send what belongs to a frame. After a hand, what asks for the next one waits until somebody has rested."""
        rest = self._manner.rest if self._session.playing else None
        if rest is not None and any(isinstance(event, Win | Ryuukyoku) for event in received.events):
            if self._rest is None:
                self._rest = _Rest(asyncio.create_task(_until(rest)), [])
                self._link.inbox.expect(self._rest.task)
            self._rest.sends += received.sends
            return
        if any(
            isinstance(event, StartKyoku | Resume | EndGame) for event in received.events
        ):  # the server did not wait
            await self._stop_resting()
        await self._send(received.sends)

    async def _rested(self) -> None:
        """The end of the hand has been seen: ask for the next one."""
        rest, self._rest = self._rest, None
        self._watchdog.begin()  # the server had nothing to do in the meantime
        if rest is not None:
            await self._send(rest.sends[-1:])  # one request for the next hand, also after two wins

    async def _stop_resting(self) -> None:
        rest, self._rest = self._rest, None
        if rest is not None:
            rest.task.cancel()
            await asyncio.gather(rest.task, return_exceptions=True)

    def _stay_in_step(self, received: Received, before: State) -> None:
        """Reconnect if what we know of the hand contradicts the server, because that makes the server send its state.

        This is the case after an impossible event, after an unreadable frame, and if play continues without a deal. It
        is done only if the server will recognise us, and only a limited number of times.
        """
        kinds = {notice.kind for notice in received.notices}
        undealt = NoticeKind.UNEXPECTED in kinds and before in (State.SEATED, State.BETWEEN)
        astray = self._player.suspended and bool(received.events)
        lost = NoticeKind.MALFORMED in kinds or undealt or astray
        if lost and self._session.resumable and self._session.state in _IN_STEP and self._player.may_resync():
            raise ResyncError("what we know of the hand contradicts the server")

    def _notice(self, notice: Notice, frame: str) -> None:
        text = brief(notice.text)
        tally = self._player.tally
        if notice.kind in LOUD:
            log.warning(notice.kind.name.lower(), text=text, raw=brief(frame))
            self._player.note(NoteKind.SERVER, f"{notice.kind.name.lower()}: {text}")
        else:
            log.debug(notice.kind.name.lower(), text=text)
        tally.unexpected += notice.kind in (NoticeKind.UNEXPECTED, NoticeKind.UNKNOWN)
        tally.repeated += notice.kind is NoticeKind.REPEATED
        exchange = self._exchange
        if notice.kind is NoticeKind.REPEATED and self._session.answered is not None and not exchange.doubted:
            exchange.doubted, exchange.said_at = True, time.monotonic()
        if notice.kind is NoticeKind.SEATED and self._session.game_type is not None:
            self._player.clock.sit(self._session.game_type)
        if notice.kind is NoticeKind.MALFORMED:
            tally.malformed += 1
            self._player.damaged += 1
            self._nonsense += 1
            if self._nonsense >= NONSENSE_LIMIT:
                raise GameLostError(f"{plural(self._nonsense, 'frame')} could not be read; the last: {text}")
        if notice.kind is NoticeKind.DOUBTED:
            raise DoubtError(text, self._session.logins_left)
        if notice.kind is NoticeKind.REFUSED:
            raise GameLostError(f"the server refused the login ({text}): check the account's key")
        if notice.kind is NoticeKind.UNSUPPORTED:
            raise GameLostError(text)

    # -- answering -------------------------------------------------------------------------------------------------

    async def _think(self, exchange: _Exchange, prompt: Prompt, arrived: float) -> Answer:
        answer = await self._player.answer(prompt, exchange.question)
        exchange.thought = answer[1]
        if self._manner.pace:
            await asyncio.sleep(self._manner.pace)
        self._player.clock.spend(time.monotonic() - arrived)
        return answer

    async def _answer(self) -> None:
        exchange = self._exchange
        thinking, prompt = exchange.thinking, exchange.prompt
        exchange.thinking = exchange.thought = None
        if thinking is None or prompt is None:
            return
        try:
            action, thought = thinking.result()
        except Exception:
            log.exception("a decision failed", where=self._player.place())
            action, thought = self._player.answer_safely(prompt, exchange.question)
        if action is None:  # there is no answer; the server's clock will decide
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
            log.error("the answer does not fit the prompt", error=brief(str(error)))  # noqa: TRY400
            self._player.tally.failed += 1
            return
        exchange.said_at = time.monotonic()
        await self._send(sends)

    async def _send(self, sends: Sequence[Send]) -> None:
        for send in sends:
            if self._record is not None:
                self._record.sent(send.frame)
            await self._link.send(send.frame)

    async def _stop_asking(self) -> None:
        exchange, self._exchange = self._exchange, _Exchange()
        if exchange.thinking is not None:
            exchange.thinking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await exchange.thinking
        thought = exchange.thought
        if thought is not None and thought.spent is not None and self._record is not None:
            self._record.overran(thought.number, thought.spent)  # the decision was completed, but not sent


async def _until(rest: Callable[[], Awaitable[None]]) -> None:
    """Await ``rest``; log its failure and go on."""
    try:
        await rest()
    except Exception:
        log.exception("a rest between two hands failed")
