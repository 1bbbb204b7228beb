"""The asyncio client: one connection, one queue, one consumer, one game."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.typing import Origin

from bot.errors import RunError
from bot.live.player import Player
from bot.live.thinker import Thought
from bot.record.writer import GameRecord
from bot.text import brief
from engine.model.actions import Action
from engine.model.events import Points4
from protocol.errors import LocalProtocolError
from protocol.tenhou.session import (
    KEEP_ALIVE_SECONDS,
    Notice,
    NoticeKind,
    Output,
    Prompt,
    Send,
    Session,
    State,
)

log = structlog.get_logger()

ORIGIN: Final = Origin("https://tenhou.net")
OPEN_SECONDS: Final = 10.0
"""For a connection to open."""
SILENCE_SECONDS: Final[dict[State, float | None]] = {
    State.LOGIN: 20.0,
    State.WAITING: None,
    State.SEATED: 60.0,
    State.BETWEEN: 120.0,
    State.PLAYING: 120.0,
    State.REACHED: 60.0,
}
"""How long a server may say nothing before it counts as gone; None: for as long as it takes to fill a table."""
NONSENSE_LIMIT: Final = 100
"""Malformed frames after which the other side is taken for something that does not speak Tenhou."""
LOUD: Final = (NoticeKind.UNEXPECTED, NoticeKind.MALFORMED, NoticeKind.UNSUPPORTED, NoticeKind.REFUSED)

Answer = tuple[Action | None, Thought]


class GameLostError(RunError):
    """The game could not be finished; the message says why."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game.

    Attributes:
        seat: ours, absolute.
        names: by seat, untrusted.
        scores: points by seat.
        results: result points in thousands by seat, None where the server did not say.
        placement: ours, 1 to 4.
        log_id: of the game's log at the server; may be empty.
    """

    seat: int
    names: tuple[str, str, str, str]
    scores: Points4
    results: tuple[float, float, float, float] | None
    placement: int
    log_id: str


class Client:
    """Plays one game. Whatever the server sends, it ends with a result or a :class:`GameLostError`."""

    def __init__(
        self,
        url: str,
        session: Session,
        player: Player,
        record: GameRecord | None = None,
        pace: float = 0.0,
    ) -> None:
        """Prepare.

        Args:
            url: websocket address of the server.
            session: fresh.
            player: fresh.
            record: written to; the caller closes it.
            pace: seconds to wait before each answer, for people who look on.
        """
        self._url = url
        self._session = session
        self._player = player
        self._record = record
        self._pace = pace
        self._asking: asyncio.Task[Answer] | None = None
        self._prompt: Prompt | None = None

    async def play(self) -> GameResult:
        """Log in, join, play to the end, leave.

        Raises:
            GameLostError: no connection, refused, or the connection ended before the game did.
        """
        try:
            async with connect(
                self._url, origin=ORIGIN, open_timeout=OPEN_SECONDS, max_size=1 << 20, close_timeout=2.0
            ) as socket:
                return await self._converse(socket)
        except ConnectionClosed as error:
            raise GameLostError(f"the server closed the connection {self._where()}: {error}") from None
        except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as error:
            raise GameLostError(f"{self._url}: no connection: {brief(str(error)) or type(error).__name__}") from None

    async def _converse(self, socket: ClientConnection) -> GameResult:
        frames: asyncio.Queue[str | None] = asyncio.Queue()
        async with _background(_read(socket, frames), _keep_alive(socket, self._session)):
            try:
                if self._record is not None:
                    self._record.connecting()
                await self._send(socket, self._session.connect())
                while self._session.state not in (State.OVER, State.CLOSED):
                    await self._step(socket, frames)
            finally:
                await self._stop_asking()
        return self._result()

    async def _step(self, socket: ClientConnection, frames: asyncio.Queue[str | None]) -> None:
        """Wait for the next frame or for our own answer, whichever is first."""
        reading = asyncio.create_task(frames.get())
        waiting: set[asyncio.Task[Any]] = {reading}
        if self._asking is not None:
            waiting.add(self._asking)
        silence = None if self._asking is not None else SILENCE_SECONDS.get(self._session.state)
        try:
            done, _ = await asyncio.wait(waiting, timeout=silence, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not reading.done():
                reading.cancel()
        if not done:
            raise GameLostError(f"the server has been silent for {silence:.0f} s {self._where()}")
        if reading in done:
            frame = reading.result()
            if frame is None:
                raise GameLostError(f"the server closed the connection {self._where()}")
            await self._hear(socket, frame)
        elif self._asking is not None and self._asking.done():
            await self._answer(socket)

    async def _hear(self, socket: ClientConnection, frame: str) -> None:
        if self._record is not None:
            self._record.received(frame)
        outputs = self._session.receive(frame)
        prompt = next((output for output in outputs if isinstance(output, Prompt)), None)
        await self._send(socket, [output for output in outputs if isinstance(output, Send)])
        for output in outputs:
            if isinstance(output, Notice):
                self._notice(output, frame)
            elif not isinstance(output, Send | Prompt):
                self._player.apply(output, self._session.seat or 0)
        events = [output for output in outputs if not isinstance(output, Send | Prompt | Notice)]
        if self._record is not None:
            self._record.happened(events)
        if events:
            self._player.check_flags(events[-1], prompt)
        if self._asking is not None and self._session.prompt is not self._prompt:
            log.warning("the server did not wait for our answer", where=self._where())
            self._player.tally.late += 1
            await self._stop_asking()
        if prompt is not None:
            self._prompt = prompt
            self._asking = asyncio.create_task(self._think(prompt))

    async def _think(self, prompt: Prompt) -> Answer:
        started = time.monotonic()
        answer = await self._player.answer(prompt)
        if self._pace:
            await asyncio.sleep(self._pace)
        self._player.clock.spend(time.monotonic() - started)
        return answer

    async def _answer(self, socket: ClientConnection) -> None:
        asking, prompt = self._asking, self._prompt
        self._asking = self._prompt = None
        if asking is None or prompt is None:
            return
        action, thought = asking.result()
        if action is None:  # nothing we could say; the server's clock will decide
            return
        if self._record is not None:
            state = self._player.state
            self._record.decided(
                state.place() if state else "",
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
        await self._send(socket, sends)

    async def _send(self, socket: ClientConnection, sends: Sequence[Output]) -> None:
        for send in sends:
            if isinstance(send, Send):
                if self._record is not None:
                    self._record.sent(send.frame)
                with contextlib.suppress(ConnectionClosed):  # what came before the end is still to be read
                    await socket.send(send.frame)

    async def _stop_asking(self) -> None:
        asking, self._asking, self._prompt = self._asking, None, None
        if asking is not None:
            asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asking

    def _notice(self, notice: Notice, frame: str) -> None:
        text = brief(notice.text)
        tally = self._player.tally
        if notice.kind in LOUD:
            log.warning(notice.kind.name.lower(), text=text, raw=brief(frame))
        else:
            log.debug(notice.kind.name.lower(), text=text)
        for watcher in self._player.watchers:
            watcher.told(f"{notice.kind.name.lower()}: {text}")
        tally.unexpected += notice.kind is NoticeKind.UNEXPECTED
        if notice.kind is NoticeKind.MALFORMED:
            tally.malformed += 1
            if tally.malformed >= NONSENSE_LIMIT:
                raise GameLostError(f"{tally.malformed} frames made no sense; the last: {text}")
        if notice.kind is NoticeKind.REFUSED:
            raise GameLostError(f"the server refused the login ({text}): check the account's key")
        if notice.kind is NoticeKind.UNSUPPORTED:
            raise GameLostError(text)

    def _result(self) -> GameResult:
        end, seat = self._player.end, self._session.seat
        if end is None or seat is None:
            raise GameLostError(f"the game ended without a result {self._where()}")
        order = sorted(range(4), key=lambda one: (-end.scores[one], one))
        return GameResult(
            seat, self._player.names, end.scores, end.results, order.index(seat) + 1, self._session.log_id
        )

    def _where(self) -> str:
        state = self._player.state
        hand = f" of {state.place()}" if state is not None and self._session.state is not State.LOGIN else ""
        return f"in state {self._session.state.name.lower()}{hand}"


@contextlib.asynccontextmanager
async def _background(*jobs: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read(socket: ClientConnection, frames: asyncio.Queue[str | None]) -> None:
    """Put every frame in the queue, bytes as text that will be told as malformed; None at the end."""
    try:
        async for frame in socket:
            await frames.put(frame if isinstance(frame, str) else frame.decode("utf-8", "replace"))
    except ConnectionClosed:
        pass
    finally:
        frames.put_nowait(None)


async def _keep_alive(socket: ClientConnection, session: Session) -> None:
    with contextlib.suppress(ConnectionClosed):
        while True:
            await asyncio.sleep(KEEP_ALIVE_SECONDS)
            for send in session.keep_alive():
                await socket.send(send.frame)
