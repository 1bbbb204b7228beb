"""``oshihiki train danger`` and ``train outcomes``: what they answer, and what becomes of bad input."""

from __future__ import annotations

import json

import pytest

from engine.opponents.network import read_weights

pytestmark = pytest.mark.usefixtures("nothing_kept")


@pytest.mark.usefixtures("torch_there")
def test_a_path_that_is_not_there(refused, tmp_path):
    assert "none.tar.xz" in refused("train", "danger", tmp_path / "none.tar.xz")


@pytest.mark.parametrize("command", ["danger", "outcomes"])
@pytest.mark.usefixtures("torch_there")
def test_a_broken_log_is_named_and_nothing_is_left(refused, tmp_path, command):
    (tmp_path / "broken.xml").write_text('<mjloggm ver="2.3"><INIT')
    said = refused("train", command, tmp_path, "--jobs", 1)
    assert "broken.xml" in said
    assert "no game to learn from" in said


@pytest.mark.parametrize("command", ["critic", "danger", "perceptron", "phoenix"])
def test_weights_go_into_a_file_of_arrays(refused, tmp_path, command):
    assert ".npz" in refused("train", command, tmp_path, "--out", tmp_path / "weights.pickle")


@pytest.mark.usefixtures("torch_there")
def test_outcomes_want_weights_that_fit(refused, tmp_path):
    (tmp_path / "weights.npz").write_bytes(b"none")
    assert "oshihiki train danger" in refused("train", "outcomes", tmp_path, "--weights", tmp_path / "weights.npz")


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.usefixtures("torch_there")
def test_end_to_end_on_a_few_games(figures, tmp_path, corpus):
    shard, out = corpus / "houou-hanchan-00.tar.xz", tmp_path / "net.npz"
    few = ("--games", 120, "--jobs", 1)
    card = figures("train", "danger", shard, *few, "--out", out)
    assert card["games"]["test"] > 0
    assert card["metrics"]["held"]["all"]["auc"] > 0.7
    weights = read_weights(out.read_bytes(), "net")
    assert weights.digest() == card["digest"] == json.loads(out.with_suffix(".json").read_text())["digest"]
    tables = tmp_path / "outcomes.json"
    card = figures("train", "outcomes", shard, *few, "--weights", out, "--out", tables)
    assert card["metrics"]["log_loss"] < 1.5
    assert set(json.loads(tables.read_text())) == {"card", "tables"}
    assert len(list((tmp_path / "kept").iterdir())) == 1  # read once
