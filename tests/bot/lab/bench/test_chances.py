"""``oshihiki bench chances``: how waits are named, which hands are measured, and what came of them."""

from __future__ import annotations

import json
import sys

import pytest

from bot.lab.bench.chances import StatedChances, StatedHand, panels_of, screened, shape_of, tile_of
from bot.lab.experiment import groups_of, rows_of
from bot.lab.seats import Seat
from engine.model.tiles import allocate136, counts34, parse_tiles37
from engine.shanten import ukeire
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.engine.critic.games import simple_games


@pytest.fixture(scope="module")
def log():
    return GameLog(simple_games(1)[0].events, source="game")


@pytest.mark.parametrize(
    ("hand", "shape"),
    [
        ("123m456p78s11222z", "two-sided"),
        ("123m456p2345678s", "three-sided"),
        ("123m456p77s11222z", "shanpon with an honour"),
        ("123m456p7788s222z", "other shanpon"),
        ("123m456p789s111z4z", "single honour"),
        ("123m456p789s1112s", "other"),
        ("123m456p12s11222z", "single 3 to 7"),
        ("123m456p89s11222z", "single 3 to 7"),
        ("123m456p79s11222z", "single 1 2 8 9"),
        ("123m456p68s11222z", "single 3 to 7"),
    ],
)
def test_shapes_of_waits(hand, shape):
    held = counts34(allocate136(parse_tiles37(hand)))
    kinds = [kind for kind, _ in ukeire(held, 0, (4,) * 34).tiles]
    assert shape_of(kinds, held) == shape


def test_kinds_of_tiles():
    unseen = [3] * 34
    assert tile_of([27], unseen) == "honour, 3 unseen"
    assert tile_of([0, 8], unseen) == "terminal"
    assert tile_of([1, 4], unseen) == "middle"
    assert tile_of([0, 3], unseen) == "mixed"


def test_a_river_screens_what_no_two_sided_wait_can_be_for():
    four = 1 << 3
    assert screened(0, four)
    assert screened(6, four)
    assert not screened(5, four)
    assert screened(4, 1 << 1 | 1 << 7)
    assert not screened(4, 1 << 1)


def hands(log, share):
    measured = StatedChances(policy="value:utility=points", nodes=300, share=share).measure
    return [one for seat in range(4) for one in measured(Seat(log, seat))]


def test_each_hand_is_measured_once_at_a_distance(log):
    found = hands(log, 1.0)
    assert {one.shanten for one in found} == {0, 1, 2}
    assert {one.stance for one in found} >= {"riichi", "silent"}
    for one in found:
        assert 0 <= one.p_win <= 1
        assert bool(one.wait) == (one.shanten == 0)
        assert one.stance != "open" or one.melds
    assert hands(log, 0.0) == [one for one in found if one.shanten == 0]


def grouped(every):
    return groups_of(every, StatedChances.groups, StatedChances.columns)


def test_groups_compare_what_was_stated_with_what_came():
    facts = {"stance": "open", "shanten": 0, "wait": "two-sided", "tile": "middle", "suji": "no suji", "unseen": 6}
    facts |= {"turn": 8, "against": 0, "melds": 2, "p_tenpai": 0.1, "result": 100.0, "tenpai": False, "came": 0.0}
    facts |= {"p_deal_in": 0.25, "dealt_in": True}
    every = rows_of(StatedHand, (StatedHand(**facts, p_win=0.5, won=at % 2 == 0) for at in range(100)))
    rows = {(row["by"], row["group"]): row for row in grouped(every)}
    row = rows["wait", "open: two-sided"]
    assert row["n"] == 100
    assert row["win"] == {"stated": 0.5, "came": 0.5, "half_width": 0.098}
    assert row["comes_true"]
    assert row["deal_in"] == {"stated": 0.25, "came": 1.0, "half_width": 0.0}
    assert row["calibration_error"] == pytest.approx(0)
    assert list(panels_of(every)) == ["tenpai"]
    nothing = StatedHand(**facts | {"p_deal_in": None}, p_win=0.5, won=False)
    never = grouped(rows_of(StatedHand, [nothing] * 100))
    assert not any("deal_in" in row for row in never)
    assert not any(row["comes_true"] for row in never)
    assert never[0]["log_loss"] == pytest.approx(0.6931, abs=1e-4)


@pytest.fixture
def command(log, tmp_path):
    (tmp_path / "game.xml").write_text(write_log(log, "mjlog"), encoding="utf-8")
    logs = ("--logs", tmp_path / "game.xml", "--every-game")
    return ("bench", "chances", *logs, "--nodes", 300, "--jobs", 1)


def test_the_journal_has_the_rows_behind_the_figures(figures, command, tmp_path):
    journal = tmp_path / "its.journal"
    found = figures(*command, "--journal", journal)
    _, *seats = map(json.loads, journal.read_text(encoding="utf-8").splitlines())
    rows = [row for seat in seats for row in seat["rows"]]
    assert found["hands"] == len(rows)
    assert {tuple(row) for row in rows} == {StatedHand._fields}
    known = [row["p_win"] for row in rows if row["stance"] == "riichi" and not row["shanten"]]
    (riichi,) = (row for row in found["groups"] if (row["by"], row["group"]) == ("all", "riichi, tenpai"))
    assert riichi["win"]["stated"] == pytest.approx(sum(known) / len(known), abs=1e-4)
    assert {row["by"] for row in found["groups"]} >= {"all", "wait", "tile", "turn", "against", "chance"}


def test_the_plot_has_a_panel_for_each_distance(printed, command, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: the extra train")
    plot = tmp_path / "plot.svg"
    printed(*command, "--plot", plot)
    drawn = plot.read_text(encoding="utf-8")
    assert all(said in drawn for said in ("tenpai", "one away", "two away", "riichi", "silent"))


def test_a_plot_without_matplotlib_says_what_to_install(refused, command, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    plot = tmp_path / "plot.svg"
    assert "pip install 'oshihiki[train]'" in refused(*command, "--plot", plot)
    assert not plot.exists()
