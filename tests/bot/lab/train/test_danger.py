"""``oshihiki train danger`` and ``train outcomes``: what they answer, and what becomes of bad input."""

from __future__ import annotations

import json

import pytest

from engine.opponents.network import read_weights
from tests.bot.commands.program import oshihiki

pytestmark = pytest.mark.usefixtures("nothing_kept")


@pytest.fixture
def torch_there():
    pytest.importorskip("torch", reason="torch is not installed: the extra train")


@pytest.mark.usefixtures("torch_there")
def test_a_path_that_is_not_there(monkeypatch, capsys, tmp_path):
    code, _, err = oshihiki(monkeypatch, capsys, "train", "danger", tmp_path / "none.tar.xz")
    assert code == 2
    assert "none.tar.xz" in err


@pytest.mark.usefixtures("torch_there")
def test_a_broken_log_is_named_and_nothing_is_left(monkeypatch, capsys, tmp_path):
    (tmp_path / "broken.xml").write_text('<mjloggm ver="2.3"><INIT')
    for command in ("danger", "outcomes"):
        code, _, err = oshihiki(monkeypatch, capsys, "train", command, tmp_path, "--jobs", 1)
        assert code == 2
        assert "broken.xml" in err
        assert "no game to learn from" in err


@pytest.mark.parametrize("command", ["critic", "danger", "perceptron", "phoenix"])
def test_weights_go_into_a_file_of_arrays(monkeypatch, capsys, tmp_path, command):
    code, _, err = oshihiki(monkeypatch, capsys, "train", command, tmp_path, "--out", tmp_path / "weights.pickle")
    assert code == 2
    assert ".npz" in err


@pytest.mark.usefixtures("torch_there")
def test_outcomes_want_weights_that_fit(monkeypatch, capsys, tmp_path):
    (tmp_path / "weights.npz").write_bytes(b"none")
    code, _, err = oshihiki(monkeypatch, capsys, "train", "outcomes", tmp_path, "--weights", tmp_path / "weights.npz")
    assert code == 2
    assert "oshihiki train danger" in err


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.usefixtures("torch_there")
def test_end_to_end_on_a_few_games(monkeypatch, capsys, tmp_path, corpus):
    shard, out = corpus / "houou-hanchan-00.tar.xz", tmp_path / "net.npz"
    few = ("--games", 120, "--jobs", 1, "--json")
    code, text, err = oshihiki(monkeypatch, capsys, "train", "danger", shard, *few, "--out", out)
    assert code == 0, err
    card = json.loads(text)
    assert card["games"]["test"] > 0
    assert card["metrics"]["held"]["all"]["auc"] > 0.7
    weights = read_weights(out.read_bytes(), "net")
    assert weights.digest() == card["digest"] == json.loads(out.with_suffix(".json").read_text())["digest"]
    tables = tmp_path / "outcomes.json"
    code, text, err = oshihiki(monkeypatch, capsys, "train", "outcomes", shard, *few, "--weights", out, "--out", tables)
    assert code == 0, err
    assert json.loads(text)["metrics"]["log_loss"] < 1.5
    assert set(json.loads(tables.read_text())) == {"card", "tables"}
    assert len(list((tmp_path / "kept").iterdir())) == 1  # read once
