"""``oshihiki train perceptron``: what it answers, and what becomes of bad input."""

from __future__ import annotations

import json

import pytest

from engine.papers.che.perceptron import read_weights

pytestmark = [pytest.mark.corpus, pytest.mark.usefixtures("nothing_kept")]


@pytest.mark.slow
def test_end_to_end_on_a_few_games(figures, tmp_path, corpus):
    out = tmp_path / "perceptron.npz"
    few = ("--games", 120, "--jobs", 1, "--out", out)
    card = figures("train", "perceptron", corpus / "houou-hanchan-00.tar.xz", *few)
    assert card["games"]["test"] > 0
    assert card["metrics"]["paper"]["top3"] > 0.8
    assert read_weights(out.read_bytes(), "it").digest() == card["digest"]
    assert json.loads(out.with_suffix(".json").read_text())["digest"] == card["digest"]


def test_a_room_without_phoenix_players_is_refused(refused, corpus):
    said = refused("train", "perceptron", corpus / "tokujou-hanchan-00.tar.xz", "--games", 60, "--jobs", 1)
    assert "none of the games is of the phoenix room" in said
