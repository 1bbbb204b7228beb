"""What clients say to the lobby: logging in, waiting, nonsense, leaving, coming back, being slow."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import unquote

import pytest

from bot.lobby import remote
from bot.lobby.settings import Limits
from tests.integration.lobbies import PATIENCE, RawClient, open_lobby

KEY = "ID0A1B2C3D-4e5f6a7b"


# -- logging in ----------------------------------------------------------------------------------------------------


async def test_a_guest_gets_a_name_and_no_record():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        hello = await client.log_in("NoName")
    assert hello["uname"] == "%4E%6F%4E%61%6D%65"
    assert "ratingscale" in hello
    assert "PF4" not in hello


async def test_whoever_runs_the_lobby_is_told_who_comes_plays_and_goes():
    told = asyncio.Queue()
    async with asyncio.timeout(PATIENCE), open_lobby(news=told.put_nowait) as lobby:
        async with RawClient(lobby.url) as client:
            await client.log_in("NoName")
            assert await told.get() == "NoName comes (1 client here)"
            await client.say({"tag": "JOIN", "t": "0,8"})
            begins = await told.get()
        assert begins.startswith("a table begins: ")
        assert "NoName" in begins
        assert await told.get() == "NoName is gone from a table that plays on (0 clients here)"


async def test_an_account_gets_its_record_and_its_key_is_not_told():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        hello = await client.log_in(KEY)
    assert len(hello["PF4"].split(",")) == 14
    assert KEY not in json.dumps(hello)
    assert "0A1B2C3D" not in bytes.fromhex(hello["uname"].replace("%", "")).decode()


@pytest.mark.parametrize("name", ["", "ID1234", "ID0A1B2C3D-4e5f6a7bX", "x" * 40, "a%0Ab"])
async def test_other_names_are_refused(name):
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.say({"tag": "HELO", "name": name, "sx": "M"})
        assert (await client.hear("ERR"))["code"] == "1003"
        assert await client.until_closed() == 1000


async def test_the_older_forms_of_messages_are_understood():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.say('<HELO name="NoName" tid="f0" sx="F"/>')
        await client.hear("HELO")
        await client.say('<AUTH val="20180117-c1ebb26f"/>', "<Z/>", '<PXR V="1" /><PXR v="9"/>')
        assert {"n", "j", "g"} <= set(await client.hear("LN"))
        await client.hear("LN")
        await client.say('<CHAT text="/lobby%207994" />')
        assert bytes.fromhex((await client.hear("CHAT"))["text"].replace("%", "")) == b"/lobby 7994"
        await client.say({"tag": "LOBBY", "id": 1717}, "<ECHO/>")
        assert (await client.hear("CHAT"))["lobby"] == "1717"
        await client.hear("ECHO")
        await client.say("<BYE/>")
        assert await client.until_closed() == 1000


async def test_a_second_hello_says_less():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.log_in(KEY)
        assert set(await client.log_in(KEY)) == {"tag", "uname"}


# -- waiting -------------------------------------------------------------------------------------------------------


async def test_three_player_tables_are_refused_clearly_and_nobody_else_minds():
    async with open_lobby() as lobby, RawClient(lobby.url) as other, RawClient(lobby.url) as client:
        await other.sit()
        await client.log_in()
        await client.say({"tag": "JOIN", "t": "0,25"})
        reason = bytes.fromhex((await client.hear("CHAT"))["text"].replace("%", "")).decode()
        assert "three-player" in reason
        assert "25" in reason
        await client.hear("ERR")
        await client.say({"tag": "JOIN", "t": "0,0"})
        await client.hear("TAIKYOKU")
        await other.say("<ECHO/>")
        await other.hear("ECHO")


@pytest.mark.parametrize("t", ["0,513", "0,4095"])
async def test_unknown_type_bits_are_refused(t):
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.log_in()
        await client.say({"tag": "JOIN", "t": t})
        await client.hear("CHAT")
        await client.hear("ERR")


async def test_a_practice_table_opens_at_once():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.log_in()
        await client.say({"tag": "JOIN", "t": "0,8"})
        go = await client.hear("GO")
        names = await client.hear("UN")
    assert go == {"tag": "GO", "type": "8", "lobby": "0"}
    assert [unquote(names[f"n{who}"]) for who in (1, 2, 3)] == ["tsumogiri"] * 3


async def test_who_does_not_answer_rejoin_is_left_out(monkeypatch):
    loop, wait, waits_alone = asyncio.get_running_loop(), asyncio.wait, asyncio.Queue()
    later = loop.call_later

    def standing(seconds, act, *given):
        """The time for others to come is up when the test says so."""
        if seconds == 77.0:
            waits_alone.put_nowait(lambda: act(*given))
        return later(seconds, act, *given)

    def answered(waits, **how):
        """The time for the answer to REJOIN is up when one has answered."""
        return wait(waits, return_when=asyncio.FIRST_COMPLETED) if how == {"timeout": 66.0} else wait(waits, **how)

    monkeypatch.setattr(loop, "call_later", standing)
    monkeypatch.setattr(asyncio, "wait", answered)
    async with (
        open_lobby(people=2, confirm=66.0, patience=77.0) as lobby,
        RawClient(lobby.url) as silent,
        RawClient(lobby.url) as client,
    ):
        await silent.log_in("Silent")
        await silent.say({"tag": "JOIN", "t": "0,1"})
        await silent.hear("RANKING")
        assert "TAIKYOKU" not in [message["tag"] for message in silent.heard]
        await client.log_in("Anna")
        await client.say({"tag": "JOIN", "t": "0,1"})
        assert (await client.hear("REJOIN"))["t"] == "0,1,r"  # with the silent one
        await client.say({"tag": "JOIN", "t": "0,1,r"})
        async with asyncio.timeout(PATIENCE):
            await waits_alone.get()  # of the silent one
            (await waits_alone.get())()
        assert (await client.hear("REJOIN"))["t"] == "0,1,r"  # alone, when patience ends
        await client.say({"tag": "JOIN", "t": "0,1,r"})
        names = await client.hear("UN")
    assert bytes.fromhex(names["n0"].replace("%", "")) == b"Anna"
    assert all(bytes.fromhex(names[f"n{who}"].replace("%", "")) != b"Silent" for who in (1, 2, 3))


async def test_join_without_a_table_cancels():
    async with open_lobby(people=1, confirm=0.05, patience=0.05) as lobby, RawClient(lobby.url) as client:
        await client.log_in()
        await client.say('<JOIN t="0,1"/><JOIN/><JOIN t="0,1,r"/>', "<ECHO/>")
        await client.hear("ECHO")
        await asyncio.sleep(0.2)
        await client.say("<ECHO/>")
        await client.hear("ECHO")
    assert "GO" not in [message["tag"] for message in client.heard]


# -- nonsense ------------------------------------------------------------------------------------------------------

NONSENSE = [
    "",
    "hello",
    "{",
    "[]",
    "null",
    "{}",
    '{"tag": 5}',
    '{"tag": "HELO"}',
    '{"tag": "D"}',
    '{"tag": "D", "p": "x"}',
    '{"tag": "D", "p": 136}',
    '{"tag": "N", "type": 99}',
    '{"tag": "JOIN", "t": "x"}',
    '{"tag": "JOIN", "t": "0,99999"}',
    '{"tag": "' + "A" * 500 + '"}',
    "<HELO",
    "<D p='1'/>",
    "<<>>",
    "\0\0\0",
    "[" * 5000,
    '{"tag":"CHAT","text":"\\ud800"}',
    b"\x00\xff\x00",
]


@pytest.mark.parametrize("frame", NONSENSE)
async def test_nonsense_at_every_place_stops_nobody(frame):
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.say(frame)
        await client.log_in()
        await client.say(frame, {"tag": "JOIN", "t": "0,0"})
        await client.hear("TAIKYOKU")
        await client.say(frame, {"tag": "GOK"}, {"tag": "NEXTREADY"})
        await client.hear("INIT")
        await client.say({"tag": "Z"} if isinstance(frame, str) and frame.startswith('{"tag": "D') else frame)
        tile = await client.own_draw()
        await client.say({"tag": "D", "p": tile})
        await client.hear("D")


async def test_who_talks_nothing_but_nonsense_is_dropped():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.say(*["nonsense"] * 30)
        assert await client.until_closed() == 1008
        async with RawClient(lobby.url) as other:
            await other.log_in()


async def test_who_floods_is_dropped():
    async with open_lobby(limits=Limits(burst=20, rate=1.0)) as lobby, RawClient(lobby.url) as client:
        await client.log_in()
        await client.say(*["<Z/>"] * 40)
        assert await client.until_closed() == 1008


async def test_a_huge_frame_closes_the_connection_alone():
    async with open_lobby() as lobby, RawClient(lobby.url) as other, RawClient(lobby.url) as client:
        await other.sit()
        await client.log_in()
        await client.say("x" * 300_000)
        assert await client.until_closed() == 1009
        await other.say("<ECHO/>")
        await other.hear("ECHO")


# -- at the table --------------------------------------------------------------------------------------------------


async def finish(client):
    """Throw what is drawn until the game is over."""
    while (tile := await client.own_draw()) is not None:
        await client.say({"tag": "D", "p": tile})


@pytest.mark.slow
async def test_an_illegal_answer_is_counted_and_played_for():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        dealt = await client.sit()
        drawn = await client.own_draw()
        held = {*map(int, dealt["hai"].split(",")), drawn}
        await client.say({"tag": "D", "p": next(tile for tile in range(136) if tile not in held)})
        assert (await client.hear("D"))["tag"] == f"D{drawn}"
        for wrong in (
            {"tag": "N", "type": 7},
            {"tag": "REACH"},
            {"tag": "N", "type": 6},
            {"tag": "N", "type": 4, "hai": 0},
        ):
            drawn = await client.own_draw()
            await client.say(wrong)
            await client.hear("D")
        await finish(client)
        result = await lobby.ended(1)
    (seat,) = result.clients
    assert result.illegal == len(result.tallies[seat].illegal) == 5
    assert all(reason.startswith("E1") for reason in result.tallies[seat].illegal)
    assert result.late == 0


async def test_a_client_that_never_answers_is_late_and_stops_no_one():
    async with open_lobby(action=0.001, bank=0.002, ready=0.01) as lobby, RawClient(lobby.url) as client:
        await client.log_in()
        await client.say({"tag": "JOIN", "t": "0,0"})
        result = await lobby.ended(1)
    (seat,) = result.clients
    tally = result.tallies[seat]
    assert tally.late == tally.answers > 0
    assert result.illegal == 0


async def test_an_answer_that_comes_too_late_does_not_count_twice(monkeypatch):
    limits, timeout_at = [], asyncio.timeout_at

    def standing(until):
        limits.append(timeout_at(until))
        return limits[-1]

    monkeypatch.setattr(remote.asyncio, "timeout_at", standing)
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        await client.sit()
        first = await client.own_draw()
        limits[-1].reschedule(asyncio.get_running_loop().time())  # the time is up
        assert (await client.hear("D"))["tag"] == f"D{first}"
        second = await client.own_draw()
        await client.say({"tag": "D", "p": first}, {"tag": "D", "p": second})
        assert (await client.hear("D"))["tag"] == f"D{second}"
        await finish(client)
        result = await lobby.ended(1)
    (seat,) = result.clients
    assert (result.tallies[seat].late, result.tallies[seat].illegal) == (1, [])


async def test_one_who_leaves_throws_what_it_draws_and_the_others_hear_of_it():
    async with open_lobby(people=2, ready=0.2) as lobby, RawClient(lobby.url) as stays:
        async with RawClient(lobby.url) as leaves:
            await asyncio.gather(stays.sit(1, "Stays"), leaves.sit(1, "Leaves"))
        await finish(stays)
        result = await lobby.ended(1)
    assert any(message["tag"] == "BYE" for message in stays.heard)
    assert (result.illegal, result.late) == (0, 0)
    gone = next(event for event in result.log.events if type(event).__name__ == "Disconnected")
    assert result.log.start.names[gone.seat] == "Leaves"


@pytest.mark.parametrize("by", ["key", "gpid"])
async def test_one_who_comes_back_gets_its_seat_and_hand(by):
    name = KEY if by == "key" else "NoName"
    async with open_lobby(people=2) as lobby, RawClient(lobby.url) as stays:
        async with RawClient(lobby.url) as leaves:
            await asyncio.gather(stays.sit(1, "Stays"), leaves.sit(1, name))
            gpid = next(message["gpid"] for message in leaves.heard if message["tag"] == "GO")
        playing = asyncio.create_task(finish(stays))
        await stays.wait_for("BYE")
        async with RawClient(lobby.url) as back:
            hello = {"tag": "HELO", "name": name, "sx": "M"}
            await back.say(hello if by == "key" else {**hello, "gpid": gpid})
            await back.hear("SAIKAI")
            assert [message["tag"] for message in back.heard] == ["GO", "UN", "SAIKAI"]
            await back.say({"tag": "GOK"})
            hand = await back.hear("REINIT")
            assert len(hand["hai"].split(",")) == 13
            await stays.wait_for("UN", times=2)
            await asyncio.gather(playing, finish(back))
            result = await lobby.ended(1)
    kinds = [type(event).__name__ for event in result.log.events]
    assert kinds.count("Disconnected") == kinds.count("Reconnected") == 1
    assert (result.illegal, result.late) == (0, 0)


async def test_a_wrong_gpid_gives_no_seat():
    async with open_lobby(people=2) as lobby, RawClient(lobby.url) as stays:
        async with RawClient(lobby.url) as leaves:
            await asyncio.gather(stays.sit(1, "Stays"), leaves.sit(1))
        await stays.hear("BYE")
        async with RawClient(lobby.url) as stranger:
            await stranger.say({"tag": "HELO", "name": "NoName", "gpid": "00000000-00000000"})
            await stranger.hear("HELO")


async def test_after_a_game_a_client_may_play_another():
    async with open_lobby() as lobby, RawClient(lobby.url) as client:
        for number in (1, 2):
            await client.sit()
            await finish(client)
            await client.say({"tag": "NEXTREADY"})
            await lobby.ended(number)


async def test_the_lobby_closes_with_games_running():
    async with open_lobby() as lobby:
        client = RawClient(lobby.url)
        await client.__aenter__()
        await client.sit()
    assert await client.until_closed() == 1001
