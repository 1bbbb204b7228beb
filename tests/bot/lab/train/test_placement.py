"""``oshihiki train placement`` from logs to a file that can be read."""

from __future__ import annotations

import pytest

from engine.worth.placement import read_model

pytestmark = pytest.mark.usefixtures("torch_there")


def test_too_few_games(refused, tmp_path):
    assert "give logs of at least 40 finished games" in refused("train", "placement", tmp_path)


@pytest.mark.corpus
def test_fits_and_judges(figures, tmp_path, corpus):
    out = tmp_path / "placement.json"
    card = figures("train", "placement", corpus / "houou-tonpu-00.tar.xz", "--games", 300, "--out", out)
    judged = card["on_held_back"]
    assert card["games"] == 300
    assert judged["log_loss"] < judged["log_loss_naive"]
    assert set(judged["by_hands_left"]) >= {"3", "2", "1", "0"}
    model = read_model(out.read_bytes())
    assert model.card["features"] == card["features"]
