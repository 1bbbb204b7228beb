"""What we know of the hand is not what the server knows, or a part of us fails: the game goes on."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from tests.bot.play.scripted import BACK, DROP, END, GO, REINIT, SAIKAI, STALL, START, UN, play, player_of, said, server


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"tag": "T4"}, id="a tile that is held already"),
        pytest.param('{"tag":"E5', id="a frame cut short"),
    ],
)
async def test_who_has_lost_track_asks_how_the_hand_stands(damage):
    async with server([*START, damage, STALL], [*BACK, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END]) as (url, heard):
        result, tally = await play(url)
    assert result.placement == 1
    assert (tally.drops, tally.resumed) == (1, 1)
    assert said(heard, "D") == [{"tag": "D", "p": 120}]


async def test_a_ron_that_is_not_offered_is_not_taken():
    """After coming back our own rules know of no furiten; what the server does not offer may not be had."""
    ready = {**REINIT, "hai": "0,4,8,12,16,20,24,28,32,36,37,104,105"}
    offers = [{"tag": "U"}, {"tag": "E106", "t": "1"}, {"N"}, END]
    async with server([*START, DROP], [*BACK[:-1], ready, *offers]) as (url, heard):
        _, tally = await play(url, policy="simple")
    passed = said(heard, "N")
    assert passed
    assert all(frame.get("type") != 6 for frame in passed)
    assert tally.illegal == tally.failed == 0


async def test_a_thought_that_breaks_is_answered_for():
    player = player_of()

    async def broken(*_):
        raise RuntimeError("no idea")

    player.answer = broken
    async with server([*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END]) as (url, heard):
        result, _ = await play(url, player=player)
    assert result.placement == 1
    assert {"tag": "D", "p": 120} in heard
    assert player.tally.failed == 1


async def test_a_watcher_that_breaks_looks_no_more():
    class Broken:
        def happened(self, *_):
            raise RuntimeError("a torn terminal")

        decided = noted = happened

    player = player_of(watchers=[Broken()])
    async with server([*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END]) as (url, _):
        result, _ = await play(url, player=player)
    assert result.placement == 1
    assert player.watchers == ()


async def test_it_asks_as_often_as_that_helps():
    """Frames that come damaged are no one's fault; what follows a snapshot shows that asking was worth it."""
    round_of = [{"tag": "U"}, {"tag": "E{}"}, {"tag": "V"}, {"tag": "F{}"}, {"tag": "W"}, {"tag": "G{}"}]
    tiles = iter((46, 47, 54, 58, 62, 66, 70, 74, 78, 82, 86, 90, 94, 98, 102, 106))

    def turns():
        drawn = next(tiles)
        yield {"tag": f"T{drawn}"}
        yield {"D"}
        yield {"tag": f"D{drawn}"}
        for step in round_of:
            yield {"tag": step["tag"].format(next(tiles))} if "{}" in step["tag"] else step

    plain = {**REINIT, "kawa0": ""}
    back = [{"HELO"}, GO, UN, SAIKAI, {"GOK"}, plain]
    damaged = [[*back, *turns(), '{"tag":"U'] for _ in range(3)]
    async with server([*START, '{"tag":"U'], *damaged, [*back, END]) as (url, _):
        result, tally = await play(url)
    assert result.placement == 1
    assert (tally.drops, tally.resumed, tally.malformed) == (4, 4, 4)


async def test_it_does_not_ask_again_and_again_in_vain():
    vain = [*BACK, '{"tag":"U']
    last = [*vain, {"tag": "T120"}, {"D"}, {"tag": "T121"}, {"D"}, END]
    with capture_logs() as lines:
        async with server([*START, '{"tag":"U'], vain, last) as (url, heard):
            result, tally = await play(url)
    assert result.placement == 1
    assert (tally.drops, tally.malformed, tally.lost) == (2, 3, 1)
    assert [frame["p"] for frame in said(heard, "D")] == [120, 121]
    told = [line for line in lines if "lost track" in line["event"]]
    assert [(line["log_level"], line["damaged"]) for line in told] == [("warning", 1)]
