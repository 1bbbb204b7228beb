"""A guest's game is taken up by a program started anew, and what lets it in stays where it is."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.config import build
from bot.play.accounts import Guests, read_accounts
from bot.play.season import Season
from bot.replay.exact import replay_exactly
from protocol.logs.record import read_record
from tests.bot.play.scripted import BACK, END, GO, LOGIN, STALL, START, server

GPID = GO["gpid"]


def season_at(url: str, folder: Path) -> Season:
    config = build(
        {
            "server": {"url": url},
            "policy": {"name": "tsumogiri"},
            "game": {"against": "people"},
            "record": {"folder": str(folder)},
        },
        "test",
    )
    return Season(config, read_accounts(config))


async def test_a_program_started_anew_takes_up_a_guests_game(tmp_path):
    again = [*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END]
    back = [*BACK, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END]
    dealt = asyncio.Event()

    class Heard(list):
        def append(self, frame):
            super().append(frame)
            if frame == {"tag": "NEXTREADY"}:
                dealt.set()

    async with server([*START, STALL], back, again, heard=Heard()) as (url, heard):
        first = asyncio.create_task(season_at(url, tmp_path).play())
        async with asyncio.timeout(120):
            await dealt.wait()
            first.cancel()  # as a process that is killed: nothing is said or cleared away
            await asyncio.gather(first, return_exceptions=True)
            second = season_at(url, tmp_path)
            await second.play()
            assert Guests(tmp_path, url).running("guest") is None
            third = season_at(url, tmp_path)
            await third.play()
    assert [season.results[0].placement for season in (second, third)] == [1, 1]
    hellos = [frame for frame in heard if isinstance(frame, dict) and frame["tag"] == "HELO"]
    assert [frame.get("gpid") for frame in hellos] == [None, GPID, None]
    for path in second.records:
        assert GPID not in path.read_text()
        assert (await asyncio.to_thread(replay_exactly, read_record(path.read_bytes()))).exact


async def test_where_the_game_is_over_a_table_is_sought(tmp_path, capsys):
    async with server([*LOGIN, *START[3:], END]) as (url, heard):
        Guests(tmp_path, url).keep("guest", GPID)
        async with asyncio.timeout(120):
            await season_at(url, tmp_path).play()
    said = [frame["tag"] for frame in heard if isinstance(frame, dict)]
    assert said[:1] == ["HELO"]
    assert "JOIN" in said
    assert Guests(tmp_path, url).running("guest") is None
    assert GPID not in "".join(capsys.readouterr())


def test_each_guest_of_each_server_has_its_own(tmp_path):
    here, there = Guests(tmp_path, "ws://here/"), Guests(tmp_path, "ws://there/")
    here.keep("first", "a")
    here.keep("second", "b")
    there.keep("first", "c")
    assert (here.running("first"), here.running("second"), there.running("first")) == ("a", "b", "c")
    here.keep("first", None)
    assert (here.running("first"), here.running("second"), there.running("first")) == (None, "b", "c")


def test_a_disk_that_fails_ends_no_game(tmp_path, caplog):
    folder = tmp_path / "a file"
    folder.write_text("")
    Guests(folder, "ws://here/").keep("first", "a-secret")
    assert "a-secret" not in caplog.text
