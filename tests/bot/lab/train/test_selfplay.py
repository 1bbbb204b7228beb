"""``oshihiki train selfplay``: what it answers and keeps, how it goes on, and what becomes of bad input."""

from __future__ import annotations

import json

import pytest

from bot.lab.train import selfplay
from engine.networks.imitation import ImitationWeights
from tests.bot.commands.program import oshihiki

pytestmark = pytest.mark.usefixtures("nothing_kept")

QUICK = ("train", "selfplay", "--quick", "--yardstick", 4, "--json")


def test_weights_go_into_a_file_of_arrays(monkeypatch, capsys, tmp_path):
    code, _, err = oshihiki(monkeypatch, capsys, *QUICK, "--out", tmp_path / "weights.pt")
    assert code == 2
    assert ".npz" in err


def test_weights_that_are_none_are_named(monkeypatch, capsys, tmp_path):
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"no weights")
    for option in ("--start-from", "--critic"):
        code, _, err = oshihiki(monkeypatch, capsys, *QUICK, option, bad)
        assert code == 2
        assert "bad.npz" in err
    code, _, err = oshihiki(monkeypatch, capsys, *QUICK, "--resume", "--out", tmp_path / "it.npz")
    assert code == 2
    assert "there is no checkpoint" in err


def test_it_learns_and_goes_on(monkeypatch, capsys, tmp_path):
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    monkeypatch.setattr(selfplay, "QUICK_ROUND", 600)
    monkeypatch.setattr(selfplay, "QUICK_DECISIONS", 1_500)
    out = tmp_path / "it.npz"
    code, text, err = oshihiki(monkeypatch, capsys, *QUICK, "--out", out)
    assert code == 0, err
    card = json.loads(text)
    assert card["decisions"] >= 1_500
    assert card["yardstick"]["games"] == 4
    assert ImitationWeights.read(out.read_bytes(), "it").digest() == card["digest"] != card["start"]
    lines = [json.loads(line) for line in (tmp_path / "it.journal").read_text().splitlines()]
    assert lines[0]["start"] == card["start"]
    assert [line["round"] for line in lines[1:]] == list(range(1, card["rounds"] + 1))
    monkeypatch.setattr(selfplay, "QUICK_DECISIONS", 2 * card["decisions"])
    code, text, err = oshihiki(monkeypatch, capsys, *QUICK, "--out", out, "--resume")
    assert code == 0, err
    again = json.loads(text)
    assert again["rounds"] > card["rounds"]
    assert again["decisions"] >= 2 * card["decisions"]
    lines = (tmp_path / "it.journal").read_text().splitlines()
    assert len(lines) == 1 + again["rounds"]
    code, _, err = oshihiki(monkeypatch, capsys, *QUICK, "--out", out)
    assert code == 2, "nobody loses a run by forgetting --resume"
    assert "go on with --resume" in err
    code, _, err = oshihiki(monkeypatch, capsys, *QUICK, "--out", out, "--resume", "--seed", 2)
    assert code == 2, "another seed is another run"
    assert "other settings" in err
