"""``oshihiki audit`` and ``bench audit`` as they are called."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from bot import cli
from bot.machine.errors import InputError
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.games import game_of


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    game = GameLog(game_of("tsumogiri", 3).events)
    start = replace(game.start, names=("\x1b[2Jone", "two", "three", "four"))
    path = tmp_path_factory.mktemp("logs") / "game.xml"
    path.write_text(write_log(replace(game, events=(start, *game.events[1:])), "mjlog"), encoding="utf-8")
    return path


def run(*arguments, command="audit"):
    result = CliRunner().invoke(cli.app, [command, *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_page(log, tmp_path):
    page = tmp_path / "deep" / "report.html"
    result = run(log, "--seat", 2, "--policy", "tsumogiri", "-o", page, "--lang", "ja")
    assert result.exit_code == 0
    assert "decisions judged, no rating" in result.stderr  # it weighs one action a decision: nothing can be lost
    assert '<html lang="ja">' in page.read_text(encoding="utf-8")


def test_json(log):
    result = run(log, "--seat", "three", "--policy", "tsumogiri", "--json")
    found = json.loads(result.stdout)
    assert found["format"] == "oshihiki-audit"
    assert found["seat"] == 2
    assert len(found["decisions"]) == found["score"]["decisions"] > 10


def test_text(log):
    result = run(log, "--seat", 0, "--policy", "tsumogiri")
    assert result.stdout.startswith("Audit of [2Jone")
    assert "\x1b" not in result.stdout


def test_many(log, tmp_path):
    folder = tmp_path / "review"
    arguments = (log.parent, "--seat", 1, "--policy", "tsumogiri", "-j", 1, "-o", folder)
    assert run(*arguments).exit_code == 0
    assert (folder / "index.html").is_file()
    found = json.loads(run(*arguments, "--json").stdout)
    assert found["games"] == 1
    (log.parent / "bad.xml").write_text("<mjloggm")
    try:
        result = run(*arguments)
    finally:
        (log.parent / "bad.xml").unlink()
    assert result.exit_code == 2
    assert "bad.xml" in result.stderr
    assert "1 game" in result.stdout


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "choose a player"),
        (("--seat", "nobody"), "no player is named 'nobody'"),
        (("--seat", 4), "1, 2 or 3, or the player's name"),
        (("--seat", 1, "--policy", "best"), "there are"),
    ],
)
def test_bad_input(log, options, says):
    with pytest.raises(InputError, match=says):
        run(log, *options)


def test_a_page_shows_all_four_players_unless_one_is_named(log, tmp_path):
    page = tmp_path / "report.html"
    told = run(log, "--policy", "tsumogiri", "-j", 1, "-o", page).stderr
    assert [f"seat {seat} " in told for seat in range(4)] == [True] * 4
    assert "seat" not in run(log, "--seat", 1, "--policy", "tsumogiri", "-o", page).stderr


def test_bad_places(log, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        run(tmp_path / "none.xml", "--seat", 0)
    with pytest.raises(InputError, match="name a folder"):
        run(log, log, "--seat", 0, "-o", tmp_path / "one.html")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        run(log, "--seat", 0, "--policy", "tsumogiri", "-o", tmp_path / "file" / "report.html")
    with pytest.raises(InputError, match="no player is named"):
        run(log.parent, "--seat", "nobody", "--policy", "tsumogiri", "-o", tmp_path / "many")


def test_bench(log):
    found = json.loads(run("audit", "--logs", log, "--policy", "tsumogiri", "--json", command="bench").stdout)
    assert found["decisions"] > 10
    assert 30_000 < found["page_bytes"] < 1_000_000
    assert 30_000 < found["four_page_bytes"] < 1_000_000
