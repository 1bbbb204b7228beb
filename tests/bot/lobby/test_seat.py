"""A client's seat at the lobby's table: what is shown to one who comes back, and when."""

from __future__ import annotations

import asyncio

from bot.lobby.members import Member
from bot.lobby.remote import RemoteSeat
from bot.lobby.seats import Prompt, TurnClock
from engine.model.actions import Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Disconnected,
    Draw,
    EndGame,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
)
from engine.model.melds import Meld, MeldKind
from engine.model.rules import TONPU
from protocol.tenhou import client, server
from protocol.tenhou.events import TableFacts
from protocol.tenhou.game_type import NORMAL_CLOCK

PON = Meld(MeldKind.PON, (0, 1, 2), 2, 0)
OWN = (0, 1, *range(8, 52, 4))
DEALT = StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, (None, OWN, None, None))


class Line:
    """Keeps what is said to the client."""

    def __init__(self):
        self.said = []

    def send(self, *messages):
        self.said += messages


async def test_no_snapshot_shows_a_call_without_its_discard():
    """For whoever leaves after a claim a tile is thrown; who comes back just then is shown both or neither."""
    left, back = Line(), Line()
    seat = RemoteSeat(1, Member("Anna", "Anna"), left, TurnClock(NORMAL_CLOCK, lambda: 0.0), "")
    seat.open(TableFacts(1, ("a", "Anna", "c", "d")))
    events = [StartGame(TONPU), DEALT, Draw(0, 2), Discard(0, 2, True)]
    for event in events:
        seat.tell(event)
    seat.detach()
    coming = asyncio.create_task(seat.attach(back, events))
    await asyncio.sleep(0)
    for event in (Call(1, PON), Disconnected(2)):
        events.append(event)
        seat.tell(event)
    seat.hear(client.Gok())
    for _ in range(5):
        await asyncio.sleep(0)
    assert not any(isinstance(message, server.Reinit) for message in back.said)
    discard = Action(ActionKind.DISCARD, 48)
    reply = await seat.answer(Prompt((discard,), None, lambda _: True, lambda: None))
    assert reply.action == discard
    events.append(Discard(1, 48, False))
    seat.tell(events[-1])
    assert await coming
    (snapshot,) = (message for message in back.said if isinstance(message, server.Reinit))
    assert len(snapshot.hai) == 10


async def test_who_comes_back_in_its_own_turn_is_offered_what_it_was_offered_before():
    """The draw is repeated with its flags: without them a client would neither win nor declare riichi."""
    back = Line()
    seat = RemoteSeat(1, Member("Anna", "Anna"), Line(), TurnClock(NORMAL_CLOCK, lambda: 0.0), "")
    seat.open(TableFacts(1, ("a", "Anna", "c", "d")))
    events = [StartGame(TONPU), DEALT, Draw(0, 2), Discard(0, 2, True), Draw(1, 3)]
    for event in events:
        seat.tell(event, 16 if event == Draw(1, 3) else 0)
    seat.detach()
    coming = asyncio.create_task(seat.attach(back, events))
    await asyncio.sleep(0)
    seat.hear(client.Gok())
    assert await coming
    (draw,) = (message for message in back.said if isinstance(message, server.Draw))
    assert (draw.tile, draw.t) == (3, 16)


async def test_who_comes_back_in_the_moment_the_game_ends_is_shown_its_end():
    """Its GOK comes to no seat any more: whoever waited for it would wait for ever, and the table with it."""
    back = Line()
    seat = RemoteSeat(1, Member("Anna", "Anna"), Line(), TurnClock(NORMAL_CLOCK, lambda: 0.0), "")
    seat.open(TableFacts(1, ("a", "Anna", "c", "d")))
    end = EndGame((25_000,) * 4, (45.0, 5.0, -15.0, -35.0))
    drawn = Ryuukyoku(RyuukyokuKind.NINE_TERMINALS, (0,) * 4, (25_000,) * 4)
    events = [StartGame(TONPU), DEALT, Draw(0, 2), drawn, end]
    for event in events[:3]:
        seat.tell(event)
    seat.detach()
    seat.close()
    async with asyncio.timeout(60.0):
        assert await seat.attach(back, events)
    (shown,) = (message for message in back.said if isinstance(message, server.Ryuukyoku))
    assert shown.owari
