"""Logs of every format on the live page: as each seat saw them, one by one, from folders and archives."""

from __future__ import annotations

import asyncio
import json
import zipfile
from contextlib import asynccontextmanager

import pytest

from bot.commands.watch import Watched
from bot.machine.errors import InputError
from bot.watch.library import Library
from bot.watch.stage import Stage
from protocol.logs.formats import FORMATS, LogFile, read_log
from tests.bot.watch.logs import LOG, game

WHOLE = tuple(name for name, row in FORMATS.items() if row.writes)


def written(folder, name):
    """The game in a format, as a file."""
    row = FORMATS[name]
    path = folder / f"game-{name}{row.suffix}"
    path.write_text(row.write(game()))
    return path


def tiles(text):
    return sorted(text[at : at + 2] for at in range(0, len(text), 2))


def messages(stage, key=None):
    return [json.loads(text) for one, lines in stage.history.games.items() if key in {None, one} for text in lines]


async def asked(stage, log, seat):
    """A browser has asked for a log of the list, and got it or been told why not."""
    (listener,) = stage.listeners
    assert listener({"do": "open", "log": log, "seat": 4}) is None
    await listener({"do": "open", "log": log, "seat": seat})


def moments(stage, key=None):
    return [one for one in messages(stage, key) if "moment" in one]


@asynccontextmanager
async def showing(place, seat=None):
    """What is shown of a place, once the first log is over."""
    stage = Stage()
    task = asyncio.create_task(Watched(str(place), seat).show(stage))
    try:
        async with asyncio.timeout(100):
            while not (task.done() or (stage.games and stage.games[0].over)):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        if task.done():
            task.result()
        yield stage
    finally:
        task.cancel()


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("seat", [None, 2])
async def test_a_log_of_every_format_is_shown_as_one_seat_saw_it(tmp_path, name, seat):
    log = game()
    async with showing(written(tmp_path, name), seat) as stage:
        found = moments(stage)
        assert len(found) == len(read_log(LogFile("x", name, written(tmp_path, name).read_bytes())).events)
        assert stage.games[0].end is not None
        assert {one["names"][0] for one in found} == {log.start.names[seat or 0]}
        hidden = [one for one in found if "table" in one and "truth" in one]
        assert all(len(one["truth"]["hands"]) == 3 for one in hidden)
        assert any("choice" in one for one in messages(stage))
        results = [one["result"] for one in found if "result" in one]
        assert {one["kind"] for one in results} <= {"win", "draw"}
        assert sum(one["kind"] == "win" for one in results) == sum(type(each).__name__ == "Win" for each in log.events)


async def test_open_hands_are_what_the_others_hold_in_their_own_view():
    stage = Stage()
    library = Library([LogFile("game.xml", "mjlog", LOG.read_bytes())], None, stage)
    await library.open(0, 0)
    await library.open(0, 1)
    await library.open(0, 1)
    assert [(one.view.log, one.view.seat) for one in stage.games] == [(0, 0), (0, 1)]
    mine, theirs = (moments(stage, one.key) for one in stage.games)
    seen = 0
    for one, other in zip(mine, theirs, strict=True):
        if "result" in one or "table" not in one or "end" in one:
            continue
        held = other["table"]["hand"] + (other["table"]["drawn"] or "")
        shown = one["truth"]["hands"][0]
        assert tiles(held) == tiles(shown)
        seen += 1
    assert seen > 300


async def test_a_folder_and_an_archive_list_their_logs(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    text = FORMATS["mjlog"].write(game())
    for number in range(3):
        (folder / f"{number}.xml").write_text(text)
    (folder / "notes.txt").write_text("nothing")
    (folder / "broken.xml").write_text("<mjloggm ver='2.3'><GO")
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for number in range(3):
            archive.write(folder / f"{number}.xml", f"{number}.xml")
    async with showing(folder) as stage:
        assert stage.history.run["logs"] == ["0", "1", "2", "broken"]
        assert len(stage.games) == 1
        await asked(stage, 2, 3)
        assert [(one.view.log, one.view.seat) for one in stage.games] == [(0, 0), (2, 3)]
        assert stage.history.run["trouble"] is None
        await asked(stage, 3, None)
        assert "broken.xml" in stage.history.run["trouble"]["why"]["en"]
        await asked(stage, 99, None)
    async with showing(tmp_path / "games.zip", 1) as stage:
        assert stage.history.run["logs"] == ["0", "1", "2"]
        assert stage.games[0].view.seat == 1


@pytest.mark.slow
async def test_views_of_many_seats_and_logs_do_not_pile_up():
    stage = Stage()
    library = Library([LogFile(f"{number}.xml", "mjlog", LOG.read_bytes()) for number in range(4)], None, stage)
    for number in range(4):
        for seat in range(4):
            await library.open(number, seat)
    assert len(stage.games) <= len(stage.history.games) + 1


async def test_a_file_that_cannot_be_watched_says_why(tmp_path):
    cases = {
        str(tmp_path / "none.xml"): "no such file",
        str(tmp_path): "holds no log",
        "https://tenhou.net/0/?log=2009010100gm-00a9-0000-00000000": "",
    }
    for name, text, why in (
        ("empty.xml", "", ""),
        ("text.txt", "hello", ""),
        ("three.xml", '<mjloggm ver="2.3"><GO type="185" lobby="0"/><UN n0="A" n1="B" n2="C" n3=""/>', ""),
        ("cut.xml", '<mjloggm ver="2.3"><GO type="169"/></mjloggm>', "cut.xml"),
        ("bad.jsonl", "nonsense\n", "bad.jsonl"),
        ("other.jsonl", '{"format": "other"}\n', "other.jsonl"),
        ("old.jsonl", '{"format": "oshihiki-record", "version": 99}\n', "version 99"),
    ):
        (tmp_path / name).write_text(text)
        cases[str(tmp_path / name)] = why
    cases[str(tmp_path)] = ""
    (tmp_path / "nothing").mkdir()
    cases[str(tmp_path / "nothing")] = "holds no log"
    del cases[str(tmp_path)]
    for place, why in cases.items():
        with pytest.raises(InputError, match=why or "."):
            async with showing(place):
                raise AssertionError(f"{place} was shown")
