"""``oshihiki train placement`` from logs to a file that can be read."""

from __future__ import annotations

import json

import pytest

from engine.worth.placement import read_model
from tests.bot.commands.program import oshihiki


@pytest.fixture(autouse=True)
def torch_there():
    pytest.importorskip("torch", reason="torch is not installed: the extra train")


def test_too_few_games(capsys, monkeypatch, tmp_path):
    code, out, err = oshihiki(monkeypatch, capsys, "train", "placement", tmp_path)
    assert (code, out) == (2, "")
    assert "give logs of at least 40 finished games" in " ".join(err.split())


@pytest.mark.corpus
def test_fits_and_judges(capsys, monkeypatch, tmp_path, corpus):
    out = tmp_path / "placement.json"
    words = (corpus / "houou-tonpu-00.tar.xz", "--games", 300, "--out", out, "--json")
    code, said, _ = oshihiki(monkeypatch, capsys, "train", "placement", *words)
    assert code == 0
    card = json.loads(said)
    judged = card["on_held_back"]
    assert card["games"] == 300
    assert judged["log_loss"] < judged["log_loss_naive"]
    assert set(judged["by_hands_left"]) >= {"3", "2", "1", "0"}
    model = read_model(out.read_bytes())
    assert model.card["features"] == card["features"]
