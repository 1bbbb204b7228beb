"""A client's seat, also while the client is disconnected, and the state of the hand with which it returns."""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from bot.lobby.connection import Connection
from bot.lobby.members import Member
from bot.lobby.seats import Prompt, Reply, Seat, TurnClock
from engine.model import events as ev
from engine.model.actions import Action
from engine.model.rules import HANCHAN
from engine.state import GameState, Phase, visible_to
from engine.state.snapshot import resume_of
from protocol.errors import RemoteProtocolError
from protocol.tenhou import client
from protocol.tenhou.actions import Asked, hear
from protocol.tenhou.events import Announcer, TableFacts
from protocol.tenhou.schema import Message

_ASKING: Final = (ev.Draw, ev.Discard, ev.Call)
"""Events after which somebody may be asked."""
_ASIDE: Final = (ev.Disconnected, ev.Reconnected)
"""Events that do not belong to the hand."""
_GONE: Final = None
"""Marks in the inbox that the client has left."""


class Snapshot(NamedTuple):
    """The hand as a returning player is shown it."""

    resume: ev.Resume  # the hand before the current draw
    # that draw (anyone's) if its discard has not followed yet, and a riichi declared since
    pending: tuple[ev.Draw | ev.RiichiDeclared, ...]
    over: bool  # whether the hand has ended and the next one has not begun


def snapshot(events: Sequence[ev.Event], seat: int) -> Snapshot:
    """The running hand as ``seat`` is shown it.

    Args:
        events: full information, the last :class:`StartKyoku` among them.
        seat: whose view.

    Raises:
        ValueError: no hand is running.
    """
    first = next((at for at in reversed(range(len(events))) if isinstance(events[at], ev.StartKyoku)), None)
    if first is None:
        raise ValueError("no hand has begun")
    hand = [event for event in events[first:] if not isinstance(event, ev.EndGame)]  # which pays out the sticks left
    state = GameState(seat, next((event.rules for event in events if isinstance(event, ev.StartGame)), HANCHAN))
    for event in hand:
        state.apply(visible_to(event, seat))
    acted = max((at for at, event in enumerate(hand) if isinstance(event, ev.Discard | ev.Call)), default=0)
    pending = tuple(event for event in hand[acted:] if isinstance(event, ev.Draw | ev.RiichiDeclared))
    return Snapshot(resume_of(state), pending, state.phase is Phase.ENDED)


Answer = client.Discard | client.N | client.Reach


class RemoteSeat(Seat):
    """A client's seat. While the client is away, its drawn tiles are discarded for it.

    Attributes:
        member: the account that holds the seat.
        gpid: lets a client return to the seat; empty at practice tables.
        connection: the client's connection; None while it is away.
    """

    def __init__(self, index: int, member: Member, connection: Connection, clock: TurnClock, gpid: str) -> None:
        self.index = index
        self.name = member.name
        self.sex = member.sex
        self.dan = member.dan
        self.rate = member.rate
        self.member = member
        self.gpid = gpid
        self.connection: Connection | None = connection
        self._clock = clock
        self._announcer = Announcer(index)
        self._facts: TableFacts | None = None
        self._inbox: asyncio.Queue[Answer | None] = asyncio.Queue()
        self._asked = False
        self._flags = 0
        """What could be declared at the last event that may be followed by a prompt."""
        self._follows = False
        """Whether the client was connected when the prompt was sent."""
        self._shown = asyncio.Event()
        """Unset between an answer given for an absent client and the event that follows from it."""
        self._shown.set()
        self._owed = 0
        """Number of answers that were not there in time and may still come."""
        self._accepted: Answer | None = None
        """The last answer, which a client may repeat if it does not know whether it arrived."""
        self._ready = asyncio.Event()
        self._gok = asyncio.Event()
        self._closed = False
        self._returning: Connection | None = None

    # -- to the client ---------------------------------------------------------------------------------------------

    def open(self, facts: TableFacts) -> None:
        """GO, UN, TAIKYOKU."""
        self._facts = facts
        self._send(*self._announcer.opening(facts, self.gpid or None))

    def tell(self, event: ev.Event, flags: int = 0, end: ev.EndGame | None = None) -> None:
        """See :meth:`Seat.tell`."""
        if isinstance(event, ev.StartKyoku):
            self._clock.refill()
            self._ready.clear()
            self._owed = 0
        if not isinstance(event, _ASIDE):
            self._shown.set()
        if isinstance(event, _ASKING):
            self._follows = not self.away
            self._flags = flags
            if self.away and isinstance(event, ev.Call) and event.seat == self.index:
                self._shown.clear()  # the discard is made for it; a snapshot shows the hand before or after both
        message = self._announcer.announce(event, flags=flags, end=end)
        if message is not None:
            self._send(message)

    def say(self, message: Message) -> None:
        """See :meth:`Seat.say`."""
        self._send(message)

    def _send(self, *messages: Message) -> None:
        if self.connection is not None:
            self.connection.send(*messages)

    # -- from the client -------------------------------------------------------------------------------------------

    def hear(self, message: Message) -> bool:
        """Handle a message of the client; returns False if it means nothing now.

        Answers without a prompt are dropped: those that came too late, or another one after a win.
        """
        if isinstance(message, client.NextReady):
            self._ready.set()
        elif isinstance(message, client.Gok):
            self._gok.set()
        elif isinstance(message, client.Discard | client.N | client.Reach):
            if self._asked:
                self._inbox.put_nowait(message)
        else:
            return False
        return True

    async def ready(self) -> None:
        """Wait until the client sends NEXTREADY or leaves."""
        if self.connection is not None:
            await self._ready.wait()

    async def answer(self, prompt: Prompt) -> Reply:
        """The client's answer, or the default if it is illegal or late."""
        if not self._follows:
            return self._speak_for(prompt)
        self._inbox = asyncio.Queue()
        self._asked = True
        declared = False
        deadline = self._clock.start()
        try:
            async with asyncio.timeout_at(deadline):
                while True:
                    message = await self._inbox.get()
                    if message is _GONE or self.connection is None:
                        return self._speak_for(prompt, declared)
                    self.connection.wanted()
                    action, fault = self._judge(message, prompt, declared)
                    if action is not None:
                        self._accepted = message
                        return Reply(action)
                    if fault and message == self._accepted:
                        continue
                    if not fault:
                        declared = True
                        prompt.declare()
                    elif self._owed:
                        self._owed -= 1  # most likely an answer that came too late
                    else:
                        return Reply(prompt.default(declared), illegal=fault)
        except TimeoutError:
            self._owed += 1
            return Reply(prompt.default(declared), late=True)
        finally:
            self._asked = False
            self._clock.stop()

    def _speak_for(self, prompt: Prompt, declared: bool = False) -> Reply:
        """The answer for a client that is away."""
        if prompt.own_turn:
            self._shown.clear()
        return Reply(prompt.default(declared))

    @staticmethod
    def _judge(message: Answer, prompt: Prompt, declared: bool) -> tuple[Action | None, str]:
        """Return the action, or what is wrong with the answer; for REACH, whose discard follows, neither."""
        try:
            action = hear(message, Asked(prompt.own_turn, prompt.tile, declared))
        except RemoteProtocolError as error:
            return None, str(error)
        if action is None:
            return None, "" if prompt.may_riichi else "REACH where riichi is not legal"
        if prompt.accepts(action):
            return action, ""
        return None, f"{action}; legal are {', '.join(map(str, prompt.actions))}"

    def close(self) -> None:
        """End the game; a client that is returning is shown how it ended."""
        self._closed = True
        self._gok.set()
        self._shown.set()

    # -- leaving and coming back -----------------------------------------------------------------------------------

    @property
    def away(self) -> bool:
        """Whether the client is disconnected."""
        return self.connection is None

    def sits(self, connection: Connection) -> bool:
        """Whether the client on that connection has this seat, or is returning to it."""
        return connection in (self.connection, self._returning)

    def detach(self) -> bool:
        """Stop waiting for the client, which has disconnected; returns whether it had the seat."""
        sat = self.connection is not None
        self.connection = self._returning = None
        self._follows = False
        self._inbox.put_nowait(_GONE)
        self._ready.set()
        self._gok.set()
        return sat

    async def attach(self, connection: Connection, events: Sequence[ev.Event]) -> bool:
        """Resume play for a client that returns: send GO, UN and SAIKAI and, after its GOK, the hand or its end.

        Args:
            connection: the new connection.
            events: events of the game; the sequence still grows.

        Returns:
            Whether it has its seat again; False if it left before its GOK.
        """
        self._gok.set()  # an earlier return that has not sent its GOK yet is given up
        self._gok = asyncio.Event()
        if self._closed:
            self._gok.set()  # the game ended while this return was on its way: no GOK will come to this seat
        self._returning = connection
        go, names, taikyoku = self._announcer.opening(cast("TableFacts", self._facts), self.gpid or None)
        if not any(isinstance(event, ev.StartKyoku) for event in events):
            connection.send(go, names, taikyoku)
            self.connection, self._returning = connection, None
            return True
        connection.send(go, names, self._announcer.saikai(snapshot(events, self.index).resume))
        await self._gok.wait()
        await self._shown.wait()
        if self._returning is not connection:
            return False
        self.connection, self._returning = connection, None
        if isinstance(events[-1], ev.EndGame):
            self._tell_end(events, events[-1])
            return True
        shown = snapshot(events, self.index)
        own_turn = bool(shown.pending) and shown.pending[0].seat == self.index
        flags = self._flags if own_turn else 0
        if not shown.over:
            for event in (shown.resume, *shown.pending):
                self.tell(event, flags if isinstance(event, ev.Draw) else 0)
        self._follows = own_turn and not shown.over
        return True

    def _tell_end(self, events: Sequence[ev.Event], end: ev.EndGame) -> None:
        """Show the last hand and its end to a client that returned after the game had ended."""
        last = max(at for at, event in enumerate(events) if isinstance(event, ev.StartKyoku))
        first = next(at for at in range(last, len(events)) if isinstance(events[at], ev.Win | ev.Ryuukyoku))
        shown = snapshot(events[:first], self.index)
        closing = [event for event in events[first:] if isinstance(event, ev.Win | ev.Ryuukyoku)]
        for event in (shown.resume, *shown.pending, *closing):
            self.tell(event, end=end if event is closing[-1] else None)
