"""``oshihiki bench danger`` on games played for it: every figure is there, and bad input is reported."""

from xml.etree import ElementTree as ET

import pytest

from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.bot.commands.program import oshihiki
from tests.games import game_of


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
def test_the_figures(figures, games, tmp_path, plotted):
    if plotted:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: the extra train")
    plot = tmp_path / "plot.svg"
    asked = ("--logs", games, "--every-game", "--points", 20, "--wins", 6, "--estimator", "suji", "--estimator", "mj1")
    found = figures("bench", "danger", *asked, *(("--plot", plot) if plotted else ()))
    assert found["questions"] == 20
    assert set(found["estimators"]) == {"suji", "mj1"}
    for one in found["estimators"].values():
        assert one["thrown"]["all"]["rows"] == 60
        assert one["thrown"]["anyone"]["rows"] == 20
        parts = [one["could"][group] for group in ("riichi", "open", "closed")]
        assert sum(part["rows"] for part in parts) == one["could"]["all"]["rows"]
        assert sum(part["events"] for part in parts) == one["could"]["all"]["events"]
        assert one["us"]["median"] > 0
        assert set(one["f1"]) == {"even"}
    rows = [each["could"]["all"]["rows"] for each in found["estimators"].values()]
    assert rows[0] == rows[1]
    if plotted:
        words = [text.text for text in ET.parse(plot).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314 - our own
        assert words.count("came, %") == 4
        assert {"suji", "mj1"} <= set(words)


def test_the_tables(monkeypatch, capsys, games):
    asked = ("--logs", games, "--every-game", "--points", 20, "--wins", 2, "--estimator", "suji")
    code, out, err = oshihiki(monkeypatch, capsys, "bench", "danger", *asked)
    assert code == 0, err
    assert "broken.xml" in err
    for text in ("the tile discarded", "log loss", "F1 even", "against", "suji"):
        assert text in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--estimator", "tea leaves"], "tea leaves"),
        (["--logs", "{games}/broken.xml"], "--every-game"),
        ([], "OSHIHIKI_CORPUS"),
    ],
)
def test_bad_input(refused, monkeypatch, games, arguments, says):
    monkeypatch.delenv("OSHIHIKI_CORPUS", raising=False)
    assert says in refused("bench", "danger", *(each.format(games=games) for each in arguments))
