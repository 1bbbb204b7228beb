"""``oshihiki train hidden``: what it answers, and what becomes of bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bot.lab.train import hidden
from bot.machine.errors import InputError
from engine.worlds.network import HiddenShape, HiddenWeights, read_hidden
from tests.bot.commands.program import oshihiki
from tests.bot.lab.train.test_critic import games  # noqa: F401 - a fixture

pytestmark = pytest.mark.usefixtures("nothing_kept")


def test_without_torch_it_says_what_to_install(monkeypatch, capsys, games):  # noqa: F811
    def missing():
        raise InputError("training needs torch (not here); install it with: pip install 'oshihiki[train]'")

    monkeypatch.setattr(hidden, "_fitting", missing)
    code, _, err = oshihiki(monkeypatch, capsys, "train", "hidden", games)
    assert code == 2
    assert "oshihiki[train]" in err


def test_it_fits_and_measures(monkeypatch, capsys, games, tmp_path):  # noqa: F811
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    out = tmp_path / "hidden.npz"
    monkeypatch.setattr(hidden, "MEASURED", 40)
    arguments = ("--jobs", 1, "--out", out, "--channels", 8, "--blocks", 1, "--views", 400)
    code, text, err = oshihiki(monkeypatch, capsys, "train", "hidden", games, *arguments, "--json")
    assert code == 0, err
    card = json.loads(text)
    assert card["games"]["test"] == 2
    assert set(card["metrics"]) <= {"riichi", "open", "closed"}
    assert read_hidden(out.read_bytes(), "it").digest() == card["digest"]
    code, text, err = oshihiki(monkeypatch, capsys, "train", "hidden", games, *arguments)
    assert code == 0, err
    assert "drawn tenpai" in text


def test_lessons_reveal_a_share_of_every_hand():
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train.hidden import revealed  # noqa: PLC0415 - it needs torch

    hidden = np.zeros((3, 3, 34), np.uint8)
    hidden[:, :, :13] = 1
    hidden[:, 1, :4], hidden[:, 1, 4:] = 1, 0
    known = revealed(hidden, np.array([0.0, 0.5, 0.99]), np.random.default_rng(1))
    assert (known <= hidden).all()
    assert known.sum(axis=2).tolist() == [[0, 0, 0], [6, 2, 6], [12, 3, 12]]


def test_the_passes_in_torch_and_in_numpy_are_the_same():
    torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train.nets import HiddenNet  # noqa: PLC0415 - it needs torch
    from engine.worlds.network import KINDS, WHOLE  # noqa: PLC0415

    torch.manual_seed(1)
    net = HiddenNet(HiddenShape(8, 2, 8))
    weights = HiddenWeights.of(net.shape, {name: value.detach().numpy() for name, value in net.weights.items()})
    net.load_state_dict({f"weights.{name}": torch.from_numpy(array) for name, array in weights.arrays().items()})
    random = np.random.default_rng(1)
    planes = random.integers(0, 4, (5, 34, len(KINDS))).astype(np.uint8)
    numbers = random.integers(0, 20, (5, len(WHOLE))).astype(np.uint8)
    with torch.no_grad():
        found = net(torch.from_numpy(planes), torch.from_numpy(numbers)).numpy()
    assert np.allclose(found, weights.network().next_kinds(planes, numbers), atol=1e-3)
