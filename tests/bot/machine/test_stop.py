"""Stopping: before a table is found, after the game, at once."""

from __future__ import annotations

import asyncio
import errno
import threading

from bot.deciding.thinker import Thinker
from bot.machine.gate import route
from bot.machine.stop import run
from bot.play.client import Client
from bot.play.clock import ClockTracker
from bot.play.patience import Manner, Patience
from bot.play.player import Player
from bot.play.tally import Tally
from engine.policy.registry import make_policy
from protocol.tenhou.session import Login, Session
from tests.bot.play.scripted import END, LOGIN, START, play, server


async def test_stop_leaves_the_search_for_a_table_but_no_game():
    stop = asyncio.Event()
    stop.set()
    async with server([*LOGIN, {"BYE"}]) as (url, _):
        result, _ = await play(url, stop=stop)
    assert result is None
    stop.clear()

    class Heard(list):
        def append(self, frame):
            super().append(frame)
            if frame == {"tag": "NEXTREADY"}:
                stop.set()

    async with server([*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END], heard=Heard()) as (url, _):
        result, _ = await play(url, stop=stop)
    assert stop.is_set()
    assert result.placement == 1


async def test_stop_ends_the_wait_for_a_server_that_was_there_before():
    stop = asyncio.Event()
    thinker = Thinker(make_policy("tsumogiri"))
    player = Player(thinker, ClockTracker(), Tally())
    patience = Patience(first_retry=60.0, longest_retry=60.0)
    manner = Manner(patience=patience, stop=stop, reached=True)
    client = Client(route("ws://127.0.0.1:9/"), Session(Login(1)), player, manner=manner)
    playing = asyncio.create_task(client.play())
    await asyncio.sleep(0.2)
    assert not playing.done()
    stop.set()
    async with asyncio.timeout(120):
        assert await playing is None
    thinker.close()
    assert player.tally.drops == 0


async def _accepting(times):
    for _ in range(times):
        fault = {"message": "no connection", "exception": OSError(errno.EMFILE, "Too many open files")}
        asyncio.get_running_loop().call_exception_handler(fault)


def test_a_system_without_room_for_connections_is_one_line(capfd):
    run(_accepting(100))
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert "Too many open files" in said


def test_a_run_does_not_wait_for_its_threads():
    held = threading.Event()

    async def leave():
        asyncio.get_running_loop().run_in_executor(None, held.wait)

    run(leave())  # a run that waited for the thread would never end
    held.set()
