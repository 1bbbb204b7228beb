"""Records on the live page: what was shown live is shown again, also while the record is written."""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.machine.errors import InputError
from bot.page.history import KEPT
from bot.play.accounts import read_accounts
from bot.play.season import Season
from bot.watch.library import Folder, Follower
from bot.watch.stage import Stage
from tests.bot.watch.games import config_for

MOMENT = ("text", "hand", "table", "end")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A record, and the messages that were shown while it was played."""
    folder = tmp_path_factory.mktemp("played")
    stages = []

    def watch(sitting):
        stages.append(Stage())
        return (stages[-1].open("guest", sitting.record, at_once=True),)

    config = config_for(folder)
    season = Season(config, read_accounts(config), 1, 0.0, [watch])
    asyncio.run(season.play())
    return season.records[0], messages(stages[0])


def messages(stage):
    return [json.loads(text) for lines in stage.history.games.values() for text in lines]


def moments(found):
    return [{name: one.get(name) for name in MOMENT} for one in found if "moment" in one]


def decisions(found):
    return [(one["at"], one["decision"]) for one in found if "decision" in one]


@pytest.mark.slow
async def test_a_record_shows_what_was_shown_live(played):
    path, live = played
    stage = Stage()
    await Follower(path, stage).look()
    found = messages(stage)
    assert moments(found) == moments(live)
    assert len(decisions(found)) > 50
    for (at, again), (live_at, first) in zip(decisions(found), decisions(live), strict=True):
        assert at == live_at
        assert {**again, "ms": 0} == {**first, "ms": 0}
    assert stage.games[0].over
    assert stage.games[0].end is not None


async def test_a_record_is_followed_while_it_is_written(played, tmp_path):
    path, _ = played
    data = path.read_bytes()
    growing = tmp_path / "growing.jsonl"
    stage = Stage()
    follower = Follower(growing, stage)
    size = 0
    for part in (1, 200, len(data) // 3, len(data) // 2 + 7, len(data) - 1, len(data)):
        with growing.open("ab") as file:
            file.write(data[size:part])
        size = part
        await follower.look()
    whole = Stage()
    await Follower(path, whole).look()
    assert messages(stage) == messages(whole)
    assert stage.games[0].over


async def test_a_decision_whose_time_is_not_recorded_is_shown_without(played, tmp_path):
    path, live = played
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    untimed = tmp_path / "untimed.jsonl"
    untimed.write_text(
        "".join(json.dumps({key: value for key, value in line.items() if key != "ms"}) + "\n" for line in lines)
    )
    stage = Stage()
    await Follower(untimed, stage).look()
    found = decisions(messages(stage))
    assert len(found) == len(decisions(live))
    assert {decision["ms"] for _, decision in found} == {0.0}


async def test_a_frame_that_cannot_be_read_costs_the_rest_of_its_hand_alone(played, tmp_path):
    path, live = played
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    deals = [at for at, line in enumerate(lines) if '"in":' in line and "INIT" in line]
    drawn = next(at for at in range(deals[0] + 20, deals[1]) if '"in":' in lines[at])
    lines[drawn] = json.dumps({**json.loads(lines[drawn]), "in": "<T"}) + "\n"
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("".join(lines), encoding="utf-8")
    stage = Stage()
    await Follower(damaged, stage).look()
    found, whole = moments(messages(stage)), moments(live)
    assert len(found) < len(whole)
    assert found[-50:] == whole[-50:]
    assert stage.games[0].over


async def test_the_newest_records_of_a_folder_and_new_ones(played, tmp_path):
    path, _ = played
    for number in range(KEPT + 2):
        (tmp_path / f"{number:02}.jsonl").write_bytes(path.read_bytes()[:20_000])
    (tmp_path / "results.ndjson").write_text("{}\n")
    records, stage = Folder(tmp_path), Stage()
    following = asyncio.create_task(records.follow(stage))
    try:
        async with asyncio.timeout(60):
            while len(stage.games) < KEPT:  # noqa: ASYNC110 - the folder has no event for it
                await asyncio.sleep(0.05)
            (tmp_path / "99.jsonl").write_bytes(path.read_bytes())
            (tmp_path / "bad.jsonl").write_text("nonsense\n")
            while len(stage.games) < KEPT + 1 or not stage.games[-1].over:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    finally:
        following.cancel()
    assert [shown.account for shown in stage.games] == [*(f"{number:02}" for number in range(2, KEPT + 2)), "99"]


async def test_a_file_that_is_no_record_is_an_error_for_people(tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"format": "oshihiki-record", "version": 99}\n')
    with pytest.raises(InputError, match="version 99"):
        await Folder(bad).follow(Stage())


async def test_a_folder_shows_its_records_alone(played, tmp_path):
    path, _ = played
    (tmp_path / "game.jsonl").write_bytes(path.read_bytes())
    (tmp_path / "mjai.jsonl").write_text('{"type": "start_game"}\n')
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "folder.jsonl").mkdir()
    assert [one.name for one in Folder(tmp_path).paths()] == ["game.jsonl"]
