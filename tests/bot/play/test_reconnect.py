"""The client loses its connection at every kind of moment, and comes back or learns the end."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from bot.play.client import GameLostError
from bot.play.losses import DISPLACED
from bot.play.patience import Patience
from bot.play.tally import Tally
from engine.model.actions import ActionKind
from engine.model.melds import Meld, MeldKind
from engine.policy.decision import Decision
from protocol.tenhou.meld_bits import format_meld
from tests.bot.play.scripted import (
    BACK,
    DROP,
    END,
    GO,
    HELLO,
    INIT,
    KEY,
    LOGIN,
    PRACTICE,
    REINIT,
    SAIKAI,
    STALL,
    START,
    TAIKYOKU,
    UN,
    Deciding,
    listening,
    play,
    said,
    server,
)

CHI = str(format_meld(Meld(MeldKind.CHI, (4, 8, 13), 13, 3), 0))
ROUND = [{"tag": "T120"}, {"D"}, *({"tag": tag} for tag in ("D120", "U", "E46", "V", "F50", "W", "G13"))]
CALLED = {"tag": "N", "who": "0", "m": CHI}
AFTER_CALLING = {
    **{key: value for key, value in REINIT.items() if key != "kawa0"},
    "hai": "0,12,16,20,24,28,32,36,40,44,108",
    "m0": CHI,
    "kawa0": "120",
    "kawa1": "46",
    "kawa2": "50",
}

MOMENTS = {
    "before the login is answered": [[{"HELO"}, DROP], [*START, END]],
    "while a table is sought": [[*LOGIN, DROP], [*START, END]],
    "before the table is set": [[*LOGIN, GO, DROP], [{"HELO"}, GO, UN, TAIKYOKU, {"NEXTREADY"}, INIT, END]],
    "before the first hand": [[*LOGIN, GO, UN, TAIKYOKU, {"NEXTREADY"}, DROP], [{"HELO"}, GO, UN, SAIKAI, INIT, END]],
    "in a hand": [[*START, DROP], [*BACK, END]],
    "in the middle of its own turn": [[*START, {"tag": "T120"}, DROP], [*BACK, {"tag": "T120"}, {"D"}, END]],
    "asked about another's tile": [
        [*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, {"tag": "U"}, {"tag": "E45", "t": "1"}, DROP],
        [*BACK, END],
    ],
    "between a call of its own and the discard": [
        [*START, *ROUND, CALLED, DROP],
        [*BACK[:-1], AFTER_CALLING, {"D"}, END],
    ],
    "between hands": [
        [*START, {"tag": "T120"}, {**END, "type": "yao9", "owari": None}, DROP],
        [{"HELO"}, GO, UN, SAIKAI, {"GOK"}, INIT, END],
    ],
    "again and again": [[*START, DROP], [*BACK, DROP], [{"HELO"}, DROP], [{"HELO"}, GO, DROP], [*BACK, END]],
}


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_drop_at_any_moment_is_come_back_from(moment):
    scripts = [[{k: v for k, v in s.items() if v} if isinstance(s, dict) else s for s in c] for c in MOMENTS[moment]]
    async with server(*scripts) as (url, _):
        result, tally = await play(url)
    assert result.scores == (25_000,) * 4
    assert result.placement == 1
    assert tally.drops == tally.resumed == len(scripts) - 1
    assert tally.ended == 0
    assert tally.resume.count >= 1


async def test_between_riichi_and_its_discard():
    tenpai = {**INIT, "hai": "0,4,8,12,16,20,24,28,32,36,37,104,105"}
    reach = [{"tag": "T106", "t": "32"}, {"REACH"}, {"tag": "REACH", "who": "0", "step": "1"}, DROP]

    def declare(_state, legal, _budget):
        return Decision(max(legal, key=lambda action: action.kind is ActionKind.RIICHI))

    back = {**REINIT, "hai": tenpai["hai"]}
    async with server([*START[:-1], tenpai, *reach], [*BACK[:-1], back, END]) as (url, heard):
        result, tally = await play(url, policy=Deciding(declare))
    assert result.placement == 1
    assert not said(heard, "D")
    assert tally.resumed == 1


async def test_a_guest_comes_back_by_what_go_told_it():
    async with server([*START, DROP], [*BACK, END]) as (url, heard):
        await play(url)
    first, second = said(heard, "HELO")
    assert "gpid" not in first
    assert second["gpid"] == GO["gpid"]


BEFORE = {**HELLO, "PF4": "10,400,1500.00,100.0,5,6,7,8,1,200,50,30,60,40"}
"""The greeting of an account that has played 26 games."""


def dealt(hello=BEFORE):
    """A connection that is lost in the first hand, after this greeting."""
    return [{"HELO"}, hello, {"JOIN"}, GO, UN, TAIKYOKU, {"NEXTREADY"}, INIT, DROP]


async def test_a_game_that_ended_meanwhile_is_learned_of_and_no_other_is_sought():
    after = {**HELLO, "PF4": "10,415,1503.00,110.0,5,7,7,8,1,209,52,31,61,42"}
    async with server(dealt(), [{"HELO"}, after, {"BYE"}]) as (url, heard):
        result, tally = await play(url, KEY)
    assert (result.scores, result.results, result.placement) == (None, None, 2)
    assert result.standing.points == 400
    assert (tally.drops, tally.resumed, tally.ended) == (1, 0, 1)
    assert len(said(heard, "JOIN")) == 1


async def test_a_greeting_is_not_believed_while_the_record_does_not_count_the_game():
    """The server may not know yet that the connection was lost."""
    async with server(dealt(), [{"HELO"}, BEFORE, STALL], [{"HELO"}, BEFORE, STALL], [*BACK, END]) as (url, heard):
        result, tally = await play(url, KEY)
    assert result.scores == (25_000,) * 4
    assert (tally.drops, tally.resumed) == (3, 3)
    assert len(said(heard, "JOIN")) == 1
    never = [[{"HELO"}, BEFORE, STALL]] * 4
    tally = Tally()
    async with server(dealt(), *never, [{"HELO"}, BEFORE, {"BYE"}]) as (url, _):
        with capture_logs() as lines, pytest.raises(GameLostError, match="no longer knows the game") as caught:
            await play(url, KEY, tally=tally)
    assert caught.value.again
    assert tally.ended == 5
    doubts = [line for line in lines if "has forgotten the game" in line.get("cause", "")]
    assert [line["given_up_in"] for line in doubts] == pytest.approx([0.2, 0.2, 0.1, 0.1], abs=0.06)


async def test_a_server_that_has_forgotten_the_account_too_has_lost_the_game():
    """As one does that was restarted and keeps nothing."""
    after = {**HELLO, "PF4": "10,0,1500.00,0.0,0,0,0,0,0,0,0,0,0,0"}
    async with server(dealt(), [{"HELO"}, after, {"BYE"}]) as (url, _):
        with pytest.raises(GameLostError, match="it was restarted, or has given the game up; the game is lost"):
            await play(url, KEY)


async def test_where_no_record_says_how_a_game_ended_its_place_is_unknown():
    async with server(dealt(HELLO), [{"HELO"}, HELLO, {"BYE"}]) as (url, _):
        with capture_logs() as lines:
            result, _ = await play(url, KEY)
    assert (result.scores, result.placement) == (None, None)
    assert [line["event"] for line in lines if line["log_level"] == "warning"] == ["connection lost", "place unknown"]


async def test_a_program_started_anew_takes_up_the_game_that_is_on():
    async with server([*BACK, END]) as (url, _):
        result, tally = await play(url, KEY)
    assert result.placement == 1
    assert tally.drops == 0


async def test_a_guest_at_a_practice_table_is_lost_and_says_why():
    async with server([*LOGIN, PRACTICE, UN, TAIKYOKU, {"NEXTREADY"}, INIT, DROP]) as (url, _):
        with pytest.raises(GameLostError, match="a guest cannot return to a practice table"):
            await play(url)


async def test_whoever_is_logged_in_elsewhere_stays_away():
    async def talk(socket):
        await socket.recv()
        await socket.close(DISPLACED, "logged in elsewhere")

    async with listening(talk) as url:
        with pytest.raises(GameLostError, match="code 4001, logged in elsewhere"):
            await play(url)


async def test_a_server_that_never_comes_back_is_given_up():
    async with server([*START, DROP]) as (url, _):
        tally = Tally()
        hurried = Patience(first_retry=0.01, longest_retry=0.05, give_up=1.0)
        playing = asyncio.create_task(play(url, patience=hurried, tally=tally))
        while not tally.drops:
            assert not playing.done()
            await asyncio.sleep(0.01)
    with pytest.raises(GameLostError, match="reconnecting has been useless"):
        await playing
