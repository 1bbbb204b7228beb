"""``oshihiki train waits`` and ``train suji``, end to end on a few recorded games."""

import json

import pytest
from typer.testing import CliRunner

from bot import cli
from bot.machine.errors import InputError
from engine.opponents.danger_tables import SHAPES, read_tables
from engine.papers.waits.estimator import CURVES, read_nets

run = CliRunner()
SHARDS = ("houou-hanchan-00", "houou-tonpu-00")


@pytest.fixture(scope="module")
def logs(corpus):
    return [str(corpus / f"{shard}.tar.xz") for shard in SHARDS]


@pytest.fixture
def torch_there():
    pytest.importorskip("torch", reason="torch is not installed: the extra train")


@pytest.mark.corpus
@pytest.mark.usefixtures("torch_there")
def test_the_papers_table(logs, monkeypatch):
    monkeypatch.setattr("engine.papers.waits.training.PAPER_EPOCHS", 3)
    done = run.invoke(cli.app, ["train", "waits", "--paper", "--games", "40", "--json", *logs])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert set(figures["f1"]) >= {"1m", "9s", "1z", "7z"}
    assert set(figures["f1"]["5p"]) == {"a", "b", "c", "d"}
    assert figures["differences"]["b - a"]["paper"] == 4.16
    mean = figures["mean_f1"]
    assert figures["differences"]["d - b"]["ours"] == pytest.approx(mean["all"]["d"] - mean["all"]["b"], abs=0.02)
    assert sum(figures["samples"].values()) > 200
    assert all(number % 2 == 0 for row in figures["trained_on"].values() for number in row.values())


@pytest.mark.corpus
@pytest.mark.usefixtures("torch_there")
def test_the_nets_of_the_estimator(logs, tmp_path):
    done = run.invoke(cli.app, ["train", "waits", "--games", "60", "--out", str(tmp_path), "--json", *logs])
    assert done.exit_code == 0, done.output
    card = json.loads(done.stdout)
    assert card["wins"]["train"] > card["wins"]["test"] > 0
    nets = read_nets(tmp_path)
    assert nets.slope.shape == CURVES
    assert (nets.rows >= 0).sum() == card["ordered_pairs"]


@pytest.mark.corpus
def test_the_counted_tables(logs, tmp_path):
    out = tmp_path / "danger.json"
    done = run.invoke(cli.app, ["train", "suji", "--games", "4", "--out", str(out), *logs])
    assert done.exit_code == 0, done.output
    kept = json.loads(out.read_text())
    assert kept["card"]["games"] == 4
    assert read_tables(kept).wait.shape == SHAPES["wait"]


@pytest.mark.parametrize("command", [["waits"], ["waits", "--paper"], ["suji"]])
def test_nothing_to_learn_from(request, tmp_path, command):
    if "waits" in command:
        request.getfixturevalue("torch_there")
    done = run.invoke(cli.app, ["train", *command, str(tmp_path)])
    assert isinstance(done.exception, InputError)
    assert "give logs" in str(done.exception)
