"""What a client may take of a lobby: tables, connections, time without a word; and who may connect at all."""

from __future__ import annotations

import asyncio
import threading

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage, InvalidStatus, WebSocketException

from bot.lobby.door import network
from tests.integration.lobbies import PATIENCE, RawClient, open_lobby


async def test_one_frame_opens_one_table():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        before = threading.active_count()
        await client.say('<HELO name="q"/>' + '<JOIN t="0,0"/><JOIN/>' * 20)
        await client.hear("TAIKYOKU")
        await asyncio.sleep(0.2)
        assert lobby._hall._open == 1
        assert threading.active_count() <= before + 3


async def test_a_frame_of_many_messages_is_a_flood():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.say('<HELO name="q"/>' + '<JOIN t="0,9"/><JOIN/>' * 200)
        assert await client.until_closed() == 1008


async def test_tables_have_a_bound():
    async with open_lobby(tables=1) as lobby, RawClient(lobby.url) as first, RawClient(lobby.url) as second:
        await first.sit()
        await second.log_in()
        await second.say({"tag": "JOIN", "t": "0,0"})
        assert (await second.hear("ERR"))["code"] == "1104"


async def test_tables_of_one_address_have_a_bound():
    async with open_lobby(tables_each=1) as lobby, RawClient(lobby.url) as first, RawClient(lobby.url) as second:
        await first.sit()
        await second.log_in()
        await second.say({"tag": "JOIN", "t": "0,0"})
        assert (await second.hear("ERR"))["code"] == "1104"


async def test_clients_that_waited_open_no_more_tables_than_there_may_be():
    """All of them asked before any table was open."""
    waits = open_lobby(tables=1, people=2, patience=0.3)
    async with waits as lobby, RawClient(lobby.url) as first, RawClient(lobby.url) as second:
        for number, client in enumerate((first, second)):
            await client.log_in()
            await client.say({"tag": "JOIN", "t": f"{1000 + number},1"})
        answers = []
        for client in (first, second):
            question = await client.hear("REJOIN")
            await client.say({"tag": "JOIN", "t": question["t"]})
            answers.append((await client.hear("GO", "ERR"))["tag"])
    assert sorted(answers) == ["ERR", "GO"]


async def test_connections_have_a_bound_which_those_that_end_free():
    async with open_lobby(connections_each=2) as lobby:
        async with RawClient(lobby.url) as first, RawClient(lobby.url):
            await first.log_in()
            with pytest.raises((OSError, InvalidMessage, WebSocketException)):
                await connect(lobby.url, proxy=None)
        async with asyncio.timeout(PATIENCE):
            while lobby._socket.door._inside:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)
        async with RawClient(lobby.url) as again:
            await again.log_in()


async def test_who_says_nothing_is_dropped():
    async with open_lobby(login=0.2) as lobby, RawClient(lobby.url) as mute:
        assert await mute.until_closed() == 1008


async def test_who_seeks_nothing_is_dropped(monkeypatch):
    wait, logged_in = asyncio.sleep, asyncio.Event()

    async def standing(seconds):
        """The minute for the login is over as soon as it has come."""
        await (logged_in.wait() if seconds == 60.0 else wait(seconds))

    monkeypatch.setattr(asyncio, "sleep", standing)
    async with open_lobby(login=60.0, idle=0.2) as lobby, RawClient(lobby.url) as idle:
        await idle.log_in()
        logged_in.set()
        assert await idle.until_closed() == 1001


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1", "null"])
async def test_pages_of_other_sites_may_not_connect(origin):
    async with open_lobby() as lobby:
        with pytest.raises(InvalidStatus) as caught:
            await connect(lobby.url, origin=origin, proxy=None)
        assert caught.value.response.status_code == 403
        async with connect(lobby.url, origin="https://tenhou.net", proxy=None):
            pass


async def test_names_are_forgotten():
    async with open_lobby(names=2) as lobby:
        for name in ("Anna", "Boris", "Clara"):
            async with RawClient(lobby.url) as client:
                await client.log_in(name)
        assert list(lobby._hall.members._known) == ["Boris", "Clara"]


def test_an_ipv6_network_counts_as_one_address():
    assert network(("2001:db8::1", 1, 0, 0)) == network(("2001:db8::2", 1, 0, 0)) != network(("2001:db8:0:1::1", 1))
    assert network(("::ffff:127.0.0.1", 1)) == network(("127.0.0.1", 2))
