"""``oshihiki train phoenix`` and ``bench policy``: what they answer, and what becomes of bad input."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import quote

import numpy as np
import pytest

from engine.arena import play_game
from engine.model.rules import HANCHAN, TONPU
from engine.networks.imitation import ImitationWeights, shipped_weights
from engine.policy.registry import make_policy
from engine.rules.recordings import PROGRAM, Split, split_of
from tests.engine.critic.games import write_games

pytestmark = pytest.mark.usefixtures("nothing_kept")


@pytest.fixture
def games(tmp_path):
    """A folder with a hanchan of the phoenix room to learn from, and an east-only game that is held back."""
    seats = [make_policy("simple") for _ in range(4)]
    games = [
        (split, play_game(seats, rules, int(split))) for split, rules in ((Split.TRAIN, HANCHAN), (Split.TEST, TONPU))
    ]
    return write_games(tmp_path / "games", games)


@pytest.mark.usefixtures("torch_there")
def test_it_fits_measures_and_goes_on(refused, figures, games, tmp_path):
    out = tmp_path / "phoenix.npz"
    arguments = ("train", "phoenix", games, "--jobs", 1, "--out", out, "--channels", 16, "--blocks", 1)
    assert "checkpoint" in refused(*arguments, "--resume")
    card = figures(*arguments, "--decisions", 600)
    assert card["learned_from"]["decisions"] >= 600
    assert card["metrics"]["phoenix"]["discard"]["n"] > 50
    assert card["sources"][0]["digest"]
    assert ImitationWeights.read(out.read_bytes(), "it").digest() == card["digest"]
    assert json.loads(out.with_suffix(".json").read_text())["digest"] == card["digest"]
    assert figures(*arguments, "--decisions", 900, "--resume")["learned_from"]["decisions"] >= 900
    assert "16 channels and 1 blocks" in refused(*arguments, "--decisions", 900, "--resume", "--channels", 24)
    first = tmp_path / "first.npz"
    first.write_bytes(out.read_bytes())
    larger = "--start-from", first, "--decisions", 300, "--blocks", 2, "--channels", 24
    assert figures(*arguments, *larger)["settings"]["shape"] == {"channels": 24, "blocks": 2, "summary": 64}
    wider = tmp_path / "wider.npz"
    wider.write_bytes(out.read_bytes())
    assert "have 2 already" in refused(*arguments, "--start-from", wider, "--blocks", 1, "--channels", 24)


@pytest.mark.usefixtures("torch_there")
def test_it_imitates_programs_alone(refused, figures, games):
    arguments = ("train", "phoenix", games, "--jobs", 1, "--channels", 8, "--blocks", 1, "--decisions", 256)
    assert "fit on more games" in refused(*arguments, "--imitate", "programs")
    for path in games.iterdir():
        names = (f'n{seat}="{quote(PROGRAM if seat else "a person")}"' for seat in range(4))
        path.write_text(re.sub(r'n0="[^"]*" n1="[^"]*" n2="[^"]*" n3="[^"]*"', " ".join(names), path.read_text()))
    card = figures(*arguments, "--imitate", "programs")
    assert card["settings"]["keep"][2] == [0.0, 0.0]
    assert card["metrics"]["program"]["discard"]["n"] > 50


def test_bench_policy_tells_agreement_by_head(figures, games):
    found = figures("bench", "policy", "--logs", games, "--policy", "phoenix", "--policy", "simple")
    assert set(found["phoenix"]) == {"discard", "riichi", "call", "kan", "push/fold"}
    discards = found["phoenix"]["discard"]
    assert discards["n"] > 10
    assert 0 < discards["log_loss"] < 5
    assert found["simple"]["discard"]["top1"] == 1.0
    assert found["simple"]["discard"]["log_loss"] is None
    assert found["lucky"]["phoenix"]["discard"]["n"] == 0
    calls = found["rates"]["simple"]["call"]
    assert calls["n"] > 0
    assert calls["ours"] == calls["played"], "the recorded players are simple themselves"
    assert found["ms"]["phoenix"]["mean"] > 0
    assert found["seats"] == {"phoenix_room": 1, "lucky": 0}


def test_bench_network_compares_on_the_same_decisions(printed, figures, monkeypatch, games, tmp_path):
    worse = tmp_path / "worse.npz"
    first = shipped_weights()
    worse.write_bytes(replace(first, flat=first.flat * np.float16(0.9)).to_bytes())
    arguments = ("bench", "network", "--logs", games, "--weights", "phoenix", "--weights", worse, "--jobs", 1)
    found = figures(*arguments)
    assert found["weights"]["phoenix"] == first.digest() != found["weights"][str(worse)]
    assert found["players"]["phoenix room, hanchan"] == found["players"][PROGRAM] == {}
    discards = found["players"]["phoenix room, east-only"]["discard"]
    assert list(discards) == ["phoenix", str(worse)]
    assert len({row["n"] for row in discards.values()}) == 1
    assert discards["phoenix"]["above_first"] == discards["phoenix"]["error"] == 0
    assert 0 < discards[str(worse)]["error"] < 0.1
    for name, row in discards.items():
        more = row["log_loss"] - discards["phoenix"]["log_loss"]
        assert row["above_first"] == pytest.approx(more, abs=2e-5), name
    monkeypatch.setenv("COLUMNS", "240")  # a narrow table folds cells
    assert f"{discards[str(worse)]['above_first']:+.4f} ±" in printed(*arguments)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--weights", "nothing.npz"), "nothing.npz: cannot be read"),
        (("--weights", "games"), "games: cannot be read"),
        (("--logs", "games"), "see --every-game"),
    ],
)
def test_bench_network_refuses_what_it_cannot_measure(refused, monkeypatch, games, more, says):
    monkeypatch.chdir(games.parent)
    for path in games.iterdir():  # held back is none any more
        if split_of(path.stem) is Split.TEST:
            path.unlink()
    assert says in refused("bench", "network", "--logs", "games", "--jobs", 1, *more)


def test_bench_policy_names_the_policies_there_are(refused, games):
    assert "phoenix" in refused("bench", "policy", "--logs", games, "--policy", "nobody")
