"""Servers that fall silent, forget answers, or put questions twice; keep-alives and pings."""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.play.client import GameLostError
from bot.play.patience import Patience
from tests.bot.play.scripted import (
    BACK,
    END,
    GO,
    HELLO,
    INIT,
    LOGIN,
    REINIT,
    SAIKAI,
    STALL,
    START,
    TAIKYOKU,
    UN,
    listening,
    play,
    player_of,
    said,
    server,
)
from tests.tiers import mostly_slow


def hasty(**limits):
    """A client that soon takes one silence for the end of a connection, and no other, however busy the machine is."""
    return Patience(first_retry=0.01, longest_retry=0.05, give_up=60.0, **limits)


@mostly_slow(
    ("limit", "first"),
    [
        pytest.param("login", [{"HELO"}, STALL], id="login"),
        pytest.param("waiting", [*LOGIN, STALL], id="waiting"),
        pytest.param("playing", [*START, STALL], id="playing"),
    ],
)
async def test_a_silent_server_is_left_and_come_back_to(limit, first):
    second = [*BACK, END] if first[-2] is INIT else [*START, END]
    async with server(first, second) as (url, _):
        result, tally = await play(url, patience=hasty(**{limit: 1.0}))
    assert result.placement == 1
    assert tally.drops == tally.resumed == 1


async def test_a_half_open_connection_shows_by_its_pings():
    player, left = player_of(), asyncio.Event()

    async def talk(socket):
        await socket.recv()
        while not player.clock.trips.count:  # noqa: ASYNC110 - until a ping was answered, of which nothing tells
            await asyncio.sleep(0.01)
        socket.transport.pause_reading()
        await left.wait()

    patience = Patience(pong=0.2, beat=0.05, give_up=0.0)
    async with listening(talk, close_timeout=0.1) as url:
        with pytest.raises(GameLostError, match="not even a pong"):
            await play(url, patience=patience, player=player)
        left.set()


async def test_keep_alives_go_on_after_coming_back():
    beats = []

    async def talk(socket):
        beats.append(0)
        number = len(beats) - 1
        frames = [GO, UN, SAIKAI, REINIT] if number else [HELLO, GO, UN, TAIKYOKU, INIT]
        await socket.recv()
        for frame in frames:
            await socket.send(json.dumps(frame))
        while True:
            beats[number] += (await socket.recv()) == "<Z/>"
            if beats[number] == 3:
                if not number:
                    socket.transport.abort()
                return await socket.send(json.dumps(END))

    async with listening(talk) as url:
        await play(url, patience=Patience(beat=0.02, first_retry=0.01))
    assert beats == [3, 3]


# -- answers that are forgotten ------------------------------------------------------------------------------------


async def test_an_answer_of_which_nothing_comes_is_said_again():
    async with server([*START, {"tag": "T120"}, {"D"}, {"D"}, {"tag": "D120"}, END]) as (url, heard):
        _, tally = await play(url, patience=hasty(echo=0.3))
    assert said(heard, "D") == [{"tag": "D", "p": 120}] * 2
    assert (tally.forgotten, tally.drops) == (1, 0)


async def test_after_that_the_client_comes_back_to_see():
    first = [*START, {"tag": "T120"}, {"D"}, {"D"}, STALL]
    async with server(first, [*BACK, END]) as (url, _):
        _, tally = await play(url, patience=hasty(echo=0.3))
    assert (tally.forgotten, tally.drops, tally.resumed) == (1, 1, 1)


async def test_a_question_that_comes_twice_is_answered_once():
    draw = {"tag": "T120"}
    async with server([*START, draw, draw, {"D"}, {"tag": "D120"}, {"tag": "D120"}, END]) as (url, heard):
        _, tally = await play(url)
    assert len(said(heard, "D")) == 1
    assert (tally.repeated, tally.unexpected, tally.drops) == (2, 0, 0)
