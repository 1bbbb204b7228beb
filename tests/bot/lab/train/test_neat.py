"""``oshihiki train neat`` and ``bench neat``: what they write and answer, and what becomes of bad input."""

from __future__ import annotations

import json
import sys
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from bot.lab.bench import neat as bench_neat
from bot.lab.train import neat
from engine.papers.neat import BEST_IN
from engine.papers.neat.network import Network, read_network
from engine.papers.neat.solo import play_by
from tests.bot.commands.program import oshihiki

SMALL = ("--population", "10", "--walls", "10", "--jobs", "1")


@pytest.fixture
def few(monkeypatch):
    pytest.importorskip("pymoo")
    monkeypatch.setattr("engine.papers.neat.keeping.TRIAL_WALLS", 50)
    monkeypatch.setattr("engine.papers.neat.keeping.FINAL_WALLS", 50)


@pytest.mark.usefixtures("few")
def test_a_run_writes_champions_and_goes_on(refused, figures, tmp_path):
    train = ("train", "neat", *SMALL, "--out", tmp_path)
    cards = figures(*train, "--generations", 2)
    assert set(cards) == set(BEST_IN)
    assert all(card["generations"] == 2 and card["finished"] for card in cards.values())
    for name, card in cards.items():
        network = read_network((tmp_path / f"{name}.npz").read_bytes(), name)
        assert network.digest() == card["digest"]
        assert json.loads((tmp_path / f"{name}.json").read_text()) == card
    assert figures(*train, "--generations", 3)["value"]["generations"] == 3
    assert "other settings" in refused(*train, "--generations", 3, "--seed", 9)


def test_a_run_may_begin_with_lessons_of_the_search(monkeypatch, capsys, tmp_path):
    pytest.importorskip("pymoo")
    code, out, err = oshihiki(
        monkeypatch, capsys, "train", "neat", *SMALL, "--generations", "1", "--lessons", "10", "--json",
        "--out", tmp_path,
    )  # fmt: skip
    assert code == 0, err
    assert "the search has played 20 of 20 hands" in err
    assert json.loads(out)["value"]["settings"]["lessons"] == 10


def test_inputs_that_are_not_known_are_refused(refused, tmp_path):
    assert "choose one of paper, extended" in refused("train", "neat", "--out", tmp_path, "--inputs", "all")


@pytest.mark.usefixtures("few")
def test_a_damaged_checkpoint_is_refused(refused, tmp_path):
    (tmp_path / neat.CHECKPOINT).write_bytes(b"PK")
    assert "is no checkpoint" in refused("train", "neat", *SMALL, "--out", tmp_path)


def test_without_pymoo_it_says_what_to_install(refused, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "engine.papers.neat.evolution", None)
    monkeypatch.delattr("engine.papers.neat.evolution", raising=False)
    assert "oshihiki[train]" in refused("train", "neat", "--out", tmp_path)


def test_lessons_without_torch_say_what_to_install(refused, monkeypatch, tmp_path):
    pytest.importorskip("pymoo")
    for name in ("engine.papers.neat.taught", "engine.train.nets"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    out = tmp_path / "folder" / "inside"
    words = ("--lessons", 10, "--population", 10, "--generations", 1, "--jobs", 1, "--out", out)
    said = refused("train", "neat", *words)
    assert "training needs torch" in said
    assert "pip install 'oshihiki[train]'" in said
    assert not out.parent.exists()


@pytest.mark.parametrize("plotted", [False, True], ids=["figures alone", "with a plot"])
def test_networks_and_searches_play_the_same_walls(figures, tmp_path, plotted):
    if plotted:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: the extra train")
    network = Network(np.eye(215, 2, dtype=np.float32), np.zeros((0, 2), np.int64), np.zeros(0, np.float32), 1)
    (tmp_path / "mine.npz").write_bytes(network.to_bytes())
    plot = tmp_path / "front.svg"
    more = ("--plot", plot) if plotted else ()
    found = figures("bench", "neat", "--networks", tmp_path, "--walls", 100, "--searched", 1, *more)
    assert found["networks"]["mine"]["hands"] == 100
    assert sum(uses["share"] for uses in found["networks"]["mine"]["modules"]) == pytest.approx(100.0)
    assert {"dag, win", "dag, points", "alpha 0.0", "evaluator perceptron"} <= set(found["searched"])
    assert all(row["hands"] == 1 for row in found["searched"].values())
    assert found["published"]["Kaizu 0.9"]["points"] == 931.5
    if plotted:
        words = {text.text for text in ET.parse(plot).iter("{http://www.w3.org/2000/svg}text")}  # noqa: S314 - our own
        assert {"mine", "dag, win", "Kaizu 0.9", "evolved here", "hands won, %"} <= words


@pytest.fixture
def played(monkeypatch):
    """The number of walls in each piece that is played from now on."""
    pieces = []

    def counted(choose, walls, dora):
        pieces.append(len(walls))
        return play_by(choose, walls, dora=dora)

    monkeypatch.setattr(bench_neat, "play_by", counted)
    return pieces


def test_played_games_are_kept_in_a_journal(figures, refused, tmp_path, played):
    journal = tmp_path / "searched.journal"
    command = ("bench", "neat", "--walls", 100, "--journal", journal, "--evaluator")
    for walls, evaluator, pieces in ((30, "handscore", [20, 10]), (40, "handscore", [20]), (40, "handscore", [])):
        played.clear()
        found = figures(*command, evaluator, "--searched", walls)["searched"]
        assert played == pieces
    assert set(found) == {"evaluator handscore"}
    assert found["evaluator handscore"]["hands"] == 40
    journal.write_text("not a journal\n")
    assert "is damaged or not a journal" in refused(*command, "handscore", "--searched", 20)
    assert "nothing" in refused(*command, "nothing", "--searched", 20)


def test_games_of_other_code_are_kept_if_this_code_plays_the_same(printed, refused, tmp_path, played):
    journal = tmp_path / "searched.journal"
    command = ("bench", "neat", "--walls", 100, "--searched", 60, "--journal", journal, "--evaluator", "handscore")
    printed(*command)
    head, *lines = map(json.loads, journal.read_text().splitlines())
    others = [line | {"engine": "of other code"} for line in lines]
    journal.write_text("".join(json.dumps(line) + "\n" for line in (head, *others)))
    for pieces in ([20], []):
        played.clear()
        printed(*command)
        assert played == pieces
    others[0]["results"][7][0] += 1.0
    journal.write_text("".join(json.dumps(line) + "\n" for line in (head, *others)))
    assert "evaluator handscore now plays wall 0 and those after it differently" in refused(*command)


def test_a_folder_without_networks_is_refused(refused, tmp_path):
    assert "there is no network" in refused("bench", "neat", "--networks", tmp_path)
    (tmp_path / "bad.npz").write_bytes(b"PK")
    assert "bad.npz is damaged" in refused("bench", "neat", "--networks", tmp_path)
