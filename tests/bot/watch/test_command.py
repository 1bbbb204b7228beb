"""`oshihiki play --watch`, `play --policy human` and `watch`, as commands."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot import cli
from bot.config import build
from bot.machine.errors import InputError
from bot.machine.programs import RunningProgram
from bot.watch.reviews import Reviews, judge
from bot.wording.languages import Lang
from tests.bot.commands.program import asking
from tests.bot.entering import fetch

PATIENCE = 240.0


def fails(monkeypatch, capsys, *arguments):
    """Run a command that must be refused; what it says."""
    return asking(monkeypatch, capsys)(*arguments, code=2)


def test_a_person_plays_one_account(monkeypatch, capsys):
    monkeypatch.setenv("OSHIHIKI_ID", "Anna first,Boris second")
    assert "2 accounts are configured" in fails(monkeypatch, capsys, "play", "--policy", "human")


def test_files_that_cannot_be_watched_are_refused(monkeypatch, capsys, tmp_path):
    assert "no such file" in fails(monkeypatch, capsys, "watch", str(tmp_path / "none"))
    assert "holds no log" in fails(monkeypatch, capsys, "watch", str(tmp_path))
    (tmp_path / "log.jsonl").write_text("{}\n")
    assert "log.jsonl" in fails(monkeypatch, capsys, "watch", str(tmp_path / "log.jsonl"))
    (tmp_path / "log.xml").write_text('<mjloggm ver="2.3"><GO type="169"/></mjloggm>')
    assert "log.xml: " in fails(monkeypatch, capsys, "watch", str(tmp_path / "log.xml"))


@contextlib.asynccontextmanager
async def started(*arguments):
    """A command in its own process: the process, and the link that it shows."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "from bot.cli import program; program()", *arguments,
        env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])},
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(PATIENCE):
            link = None
            while link is None:
                line = await process.stderr.readline()
                assert line, "the command ended"
                link = re.search(r"http://127\.0\.0\.1:\d+/\S+/", line.decode())
            yield process, link[0]
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.slow
async def test_play_shows_its_games_on_a_page_and_ends_with_them(tmp_path):
    arguments = ("play", "--watch", "--tonpu", "--policy", "tsumogiri", "--against", "tsumogiri", "--pace", "0")
    async with started(*arguments, "--record", str(tmp_path / "records")) as (process, link):
        status, page, _ = await fetch(link)
        assert status == 200
        assert "Oshihiki" in page
        out, _ = await process.communicate()
    assert process.returncode == 0
    lines = out.decode().splitlines()
    assert lines[0].startswith("E1 ")
    assert any(line.startswith("record: ") for line in lines)

    async with started("watch", str(tmp_path / "records")) as (process, link):
        assert (await fetch(link))[0] == 200
        process.send_signal(signal.SIGINT)
        await process.communicate()
    assert process.returncode == 0


async def test_a_name_is_for_a_person_who_plays(monkeypatch, capsys):
    assert "--policy human" in fails(monkeypatch, capsys, "play", "--name", "Anna")
    for name in ("\x1b[31m", " ", "x" * 17):
        assert "printable" in fails(monkeypatch, capsys, "play", "--policy", "human", "--name", name)


async def test_a_review_that_cannot_be_made_says_why(tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text("nonsense\n")
    async with Reviews() as reviews:
        async with asyncio.timeout(PATIENCE):
            made = await reviews.make(bad, None)
        assert made.why["ja"]
        assert "Traceback" not in made.why["en"]
        assert reviews.page(made.name, Lang.EN) is None


@pytest.mark.slow
async def test_a_process_that_reviews_and_dies_is_said_and_the_next_review_has_another(tmp_path, monkeypatch):
    async with Reviews() as reviews, asyncio.timeout(PATIENCE):
        why = (await reviews.make(tmp_path / "none.xml", None)).why
        reviews._process.close()
        assert (await reviews.make(tmp_path / "none.xml", None)).why == why
        monkeypatch.setattr(RunningProgram, "send", lambda program, _: program.kill())
        assert "exit code -9); try again" in (await reviews.make(tmp_path / "none.xml", None)).why["en"]
        monkeypatch.undo()
        assert (await reviews.make(tmp_path / "none.xml", None)).why == why
        monkeypatch.setattr("bot.watch.reviews.PATIENCE", 0.0)
        monkeypatch.setattr(RunningProgram, "send", lambda *_: None)
        assert "said nothing for 0 s" in (await reviews.make(tmp_path / "none.xml", None)).why["en"]


def test_the_judge_is_the_policy_of_the_configuration_that_is_named(tmp_path, monkeypatch):
    (tmp_path / "oshihiki").mkdir()
    (tmp_path / "oshihiki" / "config.toml").write_text('[policy]\nname = "flow"\n', encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    section = build({"policy": {"name": "value", "utility": "rank"}}, "test").policy
    assert (judge(None).name, judge([section.name, section.settings]).options["utility"]) == ("flow", "rank")
    with pytest.raises(InputError, match="a program values no actions"):
        judge(["mjai:bot", {}])


async def test_play_reviews_by_the_policy_of_its_configuration_whoever_plays(tmp_path, monkeypatch, capsys):
    found = []

    @asynccontextmanager
    async def page_of(_read, _port, policy, _key):
        found.append(policy.name)
        raise InputError("enough")
        yield

    monkeypatch.setattr("bot.watch.place.page_of", page_of)
    config = tmp_path / "my.toml"
    config.write_text('[policy]\nname = "flow"\n', encoding="utf-8")
    arguments = ("play", "--watch", "--policy", "tsumogiri", "-c", str(config), "--record", str(tmp_path))
    assert "enough" in await asyncio.to_thread(fails, monkeypatch, capsys, *arguments)
    assert found == ["flow"]


@pytest.mark.slow
async def test_a_finished_game_is_reviewed(tmp_path):
    record = tmp_path / "game.jsonl"
    arguments = ("play", "--watch", "--tonpu", "--policy", "tsumogiri", "--against", "tsumogiri", "--pace", "0")
    async with started(*arguments, "--record", str(record)) as (process, _):
        await process.communicate()
    async with Reviews() as reviews:
        told = []
        made = await reviews.make(record, None, lambda at, of: told.append((at, of)))
        assert not made.why
        assert told[-1][0] == told[-1][1] > 20
        for lang in Lang:
            assert f'<html lang="{lang}">' in reviews.page(made.name, lang)
        assert len(reviews.rows(made.name)) > 20
