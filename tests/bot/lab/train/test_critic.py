"""``oshihiki train critic`` and ``train chances``: what they answer; networks asked through torch."""

from __future__ import annotations

import numpy as np
import pytest

from engine.critic.network import CriticWeights, inputs_of, shipped_critic_weights
from engine.model.rules import TONPU
from engine.networks.chances import ChanceWeights, inputs_hash
from engine.networks.imitation import shipped_weights
from engine.networks.imitation_batch_kernels import fill_asked
from engine.networks.imitation_layout_kernels import GLOBALS, PLANES, QUESTION, WHO_PHOENIX
from engine.rules.code_kernels import DRAW
from engine.rules.moments import game_moments
from engine.shanten.tables import hand_tables
from engine.simulator.tables import Tables
from tests.engine.critic.games import simple_games

pytestmark = pytest.mark.usefixtures("nothing_kept")


@pytest.mark.usefixtures("torch_there")
def test_it_fits_and_measures(printed, figures, learned_from, tmp_path):
    out = tmp_path / "critic.npz"
    command = ("train", "critic", learned_from, "--jobs", 1, "--out", out, "--draws", 1_500)
    card = figures(*command)
    assert card["games"]["test"] == 2
    assert card["metrics"]["points"]["width"] > 0
    assert set(card["metrics"]["ends"]) >= {"56 and more", "42 to 55"}
    assert CriticWeights.read(out.read_bytes(), "it").digest() == card["digest"]
    assert "without luck" in printed(*command)


@pytest.mark.usefixtures("torch_there")
def test_the_chances_are_fitted_and_measured(printed, figures, learned_from, tmp_path):
    out = tmp_path / "chances.npz"
    command = ("train", "chances", learned_from, "--jobs", 1, "--out", out, "--views", 1_000)
    card = figures(*command)
    assert card["games"]["test"] == 2
    assert card["inputs"] == inputs_hash()
    assert card["metrics"]["rows"] > 30
    assert ChanceWeights.read(out.read_bytes(), "it").digest() == card["digest"]
    assert "own draw" in printed(*command)


def test_the_passes_in_torch_and_in_numpy_are_the_same():
    torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train import critic as fitting  # noqa: PLC0415 - it needs torch
    from engine.train.nets import CriticNet  # noqa: PLC0415

    inputs = inputs_of(game_moments(simple_games(1)[0].events, before=(DRAW,)))
    torch.manual_seed(1)
    net = CriticNet(fitting.CriticShape(8, 2, 8))
    arrays = {name: value.detach().numpy() for name, value in net.weights.items()}
    weights = fitting.CriticWeights.of(net.shape, arrays)
    net.load_state_dict({f"weights.{name}": torch.from_numpy(array) for name, array in weights.arrays().items()})
    with torch.no_grad():
        outputs = net(torch.from_numpy(inputs.planes), torch.from_numpy(inputs.numbers)).numpy()
    chances = torch.softmax(torch.from_numpy(outputs[:, :, : fitting.ENDS]), 2).numpy()
    forecast = weights.critic().forecast(inputs)
    uncertain = forecast.ends.max(axis=2) < 1.0
    assert uncertain.mean() > 0.5
    assert np.allclose(chances[uncertain], forecast.ends[uncertain], atol=1e-4)


def network_inputs(tables):
    """What the imitating network is asked at the tables."""
    asked = tables.questions()
    rows = np.arange(len(asked.tables))
    inputs = (
        np.empty((len(rows), 34, PLANES), np.uint8),
        np.empty((len(rows), GLOBALS), np.uint8),
        np.empty((len(rows), QUESTION), np.int64),
    )
    fill_asked(tables.games, asked, rows, WHO_PHOENIX, hand_tables(), *inputs)
    return inputs


def test_networks_asked_through_torch_answer_alike():
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train.nets import TorchCritic, TorchNetwork  # noqa: PLC0415 - it needs torch

    inputs = inputs_of(game_moments(simple_games(1)[0].events, before=(DRAW,)))
    weights = shipped_critic_weights()
    known, found = weights.critic().ends_before(inputs), TorchCritic(weights).ends_before(inputs)
    assert np.abs(known - found).mean() < 0.003
    tables = Tables(80, TONPU, seed=3)
    tables.deal()
    asked = network_inputs(tables)
    logs, _ = shipped_weights().network().log_chances(*asked)
    others, _ = TorchNetwork(shipped_weights()).log_chances(*asked)
    assert np.array_equal(np.isinf(logs), np.isinf(others))
    assert np.abs(np.exp(logs) - np.exp(others)).mean() < 0.003
