"""``oshihiki train waits`` and ``train suji``, end to end on a few recorded games."""

import json

import pytest

from engine.opponents.danger_tables import SHAPES, read_tables
from engine.papers.waits.estimator import CURVES, read_nets

SHARDS = ("houou-hanchan-00", "houou-tonpu-00")


@pytest.fixture(scope="module")
def logs(corpus):
    return [corpus / f"{shard}.tar.xz" for shard in SHARDS]


@pytest.mark.corpus
@pytest.mark.usefixtures("torch_there")
def test_the_papers_table(figures, logs, monkeypatch):
    monkeypatch.setattr("engine.papers.waits.training.PAPER_EPOCHS", 3)
    found = figures("train", "waits", "--paper", "--games", 40, *logs)
    assert set(found["f1"]) >= {"1m", "9s", "1z", "7z"}
    assert set(found["f1"]["5p"]) == {"a", "b", "c", "d"}
    assert found["differences"]["b - a"]["paper"] == 4.16
    mean = found["mean_f1"]
    assert found["differences"]["d - b"]["ours"] == pytest.approx(mean["all"]["d"] - mean["all"]["b"], abs=0.02)
    assert sum(found["samples"].values()) > 200
    assert all(number % 2 == 0 for row in found["trained_on"].values() for number in row.values())


@pytest.mark.corpus
@pytest.mark.usefixtures("torch_there")
def test_the_nets_of_the_estimator(figures, logs, tmp_path):
    card = figures("train", "waits", "--games", 60, "--out", tmp_path, *logs)
    assert card["wins"]["train"] > card["wins"]["test"] > 0
    nets = read_nets(tmp_path)
    assert nets.slope.shape == CURVES
    assert (nets.rows >= 0).sum() == card["ordered_pairs"]


@pytest.mark.corpus
def test_the_counted_tables(printed, logs, tmp_path):
    out = tmp_path / "danger.json"
    printed("train", "suji", "--games", 4, "--out", out, *logs)
    kept = json.loads(out.read_text())
    assert kept["card"]["games"] == 4
    assert read_tables(kept).wait.shape == SHAPES["wait"]


@pytest.mark.parametrize("command", [["waits"], ["waits", "--paper"], ["suji"]])
def test_nothing_to_learn_from(request, refused, tmp_path, command):
    if "waits" in command:
        request.getfixturevalue("torch_there")
    assert "give logs" in refused("train", *command, tmp_path)
