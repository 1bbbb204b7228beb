"""``oshihiki bench danger`` on games played for it: every figure is there, and bad input is reported."""

import json
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from bot import cli
from bot.machine.errors import InputError
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.games import game_of

run = CliRunner()


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    for seed in range(2):
        events = game_of("simple", seed).events
        (folder / f"game-{seed}.xml").write_text(write_log(GameLog(events), "mjlog"))
    (folder / "broken.xml").write_text("<mjloggm")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("plotted", [False, True], ids=["figures alone", "with a plot"])
def test_the_figures(games, tmp_path, plotted):
    if plotted:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: the extra train")
    plot = tmp_path / "plot.svg"
    arguments = ["--logs", str(games), "--every-game", "--points", "20", "--wins", "6", "--json"]
    arguments += ["--plot", str(plot)] if plotted else []
    done = run.invoke(cli.app, ["bench", "danger", *arguments, "--estimator", "suji", "--estimator", "mj1"])
    assert done.exit_code == 0, done.output
    assert "broken.xml" in done.stderr
    figures = json.loads(done.stdout)
    assert figures["questions"] == 20
    assert set(figures["estimators"]) == {"suji", "mj1"}
    for found in figures["estimators"].values():
        assert found["thrown"]["all"]["rows"] == 60
        assert found["thrown"]["anyone"]["rows"] == 20
        parts = [found["could"][group] for group in ("riichi", "open", "closed")]
        assert sum(part["rows"] for part in parts) == found["could"]["all"]["rows"]
        assert sum(part["events"] for part in parts) == found["could"]["all"]["events"]
        assert found["us"]["median"] > 0
        assert set(found["f1"]) == {"even"}
    rows = [each["could"]["all"]["rows"] for each in figures["estimators"].values()]
    assert rows[0] == rows[1]
    if plotted:
        words = [text.text for text in ET.parse(plot).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314 - our own
        assert words.count("came, %") == 4
        assert {"suji", "mj1"} <= set(words)


def test_the_tables(games):
    done = run.invoke(
        cli.app,
        [
            "bench",
            "danger",
            "--logs",
            str(games),
            "--every-game",
            "--points",
            "20",
            "--wins",
            "2",
            "--estimator",
            "suji",
        ],
    )
    assert done.exit_code == 0, done.output
    for text in ("the tile discarded", "log loss", "F1 even", "against", "suji"):
        assert text in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--estimator", "tea leaves"], "tea leaves"),
        (["--logs", "{games}/broken.xml"], "--every-game"),
    ],
)
def test_bad_input(games, arguments, says):
    done = run.invoke(cli.app, ["bench", "danger", *(each.format(games=games) for each in arguments)])
    assert isinstance(done.exception, InputError)
    assert says in str(done.exception)


def test_no_recordings_named(monkeypatch):
    monkeypatch.delenv("OSHIHIKI_CORPUS", raising=False)
    done = run.invoke(cli.app, ["bench", "danger"])
    assert "OSHIHIKI_CORPUS" in str(done.exception)
