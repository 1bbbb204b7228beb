"""A guest's game is taken up by a program started anew, and what lets it in stays where it is."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import stat
from pathlib import Path

import pytest

from bot.config import build
from bot.play.accounts import GUESTS, Guests, read_accounts
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
    file = tmp_path / GUESTS
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
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            second = season_at(url, tmp_path)
            await second.play()
            assert not file.exists()
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
    assert not (tmp_path / GUESTS).exists()
    assert GPID not in "".join(capsys.readouterr())


def test_each_guest_of_each_server_has_its_own(tmp_path):
    here, there = Guests(tmp_path, "ws://here/"), Guests(tmp_path, "ws://there/")
    here.keep("first", "a")
    here.keep("second", "b")
    there.keep("first", "c")
    assert (here.running("first"), here.running("second"), there.running("first")) == ("a", "b", "c")
    here.keep("first", None)
    assert (here.running("first"), here.running("second"), there.running("first")) == (None, "b", "c")


@pytest.mark.parametrize("text", ["", "[]", '{"ws://here/": 3}', '{"ws://here/": {"first": 3}}', "[" * 100_000, "\xff"])
def test_a_file_that_tells_nothing_is_no_fault(tmp_path, text):
    (tmp_path / GUESTS).write_text(text, encoding="latin-1")
    here = Guests(tmp_path, "ws://here/")
    assert here.running("first") is None
    here.keep("first", "a")
    assert json.loads((tmp_path / GUESTS).read_text())["ws://here/"] == {"first": "a"}


def test_a_disk_that_fails_ends_no_game(tmp_path, caplog):
    folder = tmp_path / "a file"
    folder.write_text("")
    Guests(folder, "ws://here/").keep("first", "a-secret")
    assert "a-secret" not in caplog.text


def _keep(folder, server):
    for number in range(40):
        Guests(folder, server).keep(f"guest {number}", f"{server}{number}")


def test_programs_that_keep_guests_at_once_lose_none(tmp_path):
    context = multiprocessing.get_context("spawn")
    keeping = [context.Process(target=_keep, args=(tmp_path, f"ws://{name}/")) for name in "abc"]
    for each in keeping:
        each.start()
    for each in keeping:
        each.join()
    for name in "abc":
        server = f"ws://{name}/"
        assert [Guests(tmp_path, server).running(f"guest {number}") for number in range(40)] == [
            f"{server}{number}" for number in range(40)
        ]
