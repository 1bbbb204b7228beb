"""Fitting final ranks; needs torch, and is skipped, saying so, without it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.train.final_ranks import Collector, inputs_of, log_loss
from engine.worth.placement import INPUTS, placement_model, rank_chances, read_model

torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
fitting = pytest.importorskip("engine.train.placement")


def standings(games=400):
    """A toy: final ranks are the standing in the last hand."""
    rng = np.random.default_rng(3)
    known = Collector()
    known.rows = [
        (game, 7, 0, 0, 7, tuple(scores), tuple(np.argsort(np.argsort(-scores, kind="stable"))))
        for game, scores in enumerate(rng.permuted(np.tile([10_000, 20_000, 30_000, 40_000], (games, 1)), axis=1))
    ]
    return inputs_of(known.tables())


def loaded(layers):
    """A network of torch with these layers."""
    net = fitting.new_net()
    state = {f"{2 * at}.weight": torch.from_numpy(weight.T.copy()) for at, (weight, _) in enumerate(layers)}
    state |= {f"{2 * at}.bias": torch.from_numpy(bias.copy()) for at, (_, bias) in enumerate(layers)}
    net.load_state_dict(state)
    return net


def test_the_passes_in_torch_and_in_numpy_are_the_same():
    rows = np.random.default_rng(1).normal(0, 1, (50, INPUTS)).astype(np.float32)
    torch.manual_seed(2)
    fresh = fitting.layers_in({name: each.detach().numpy() for name, each in fitting.new_net().state_dict().items()})
    for layers in (fresh, placement_model().layers):
        with torch.no_grad():
            chances = torch.softmax(loaded(layers)(torch.from_numpy(rows)), 1).numpy()
        np.testing.assert_allclose(chances, rank_chances(layers, rows), atol=1e-5)


def test_fitting_learns_who_leads():
    inputs, was = standings()
    told = []
    layers = fitting.fit(inputs, was, inputs, was, 30, 1, lambda *each: told.append(each))
    assert log_loss(rank_chances(layers, inputs), was) == pytest.approx(min(judged for _, _, judged in told))
    assert log_loss(rank_chances(layers, inputs), was) < 0.3
    assert [epoch for epoch, _, _ in told] == list(range(1, 31))
    assert told[-1][1] < told[0][1] / 3


def test_the_best_pass_is_kept_not_the_last():
    """Check rows whose ranks are the opposite: every step makes them worse."""
    inputs, was = standings()
    told = []
    layers = fitting.fit(inputs, was, inputs, 3 - was, 20, 1, lambda *each: told.append(each))
    judged = [each[2] for each in told]
    assert judged[-1] > min(judged) + 0.1
    assert log_loss(rank_chances(layers, inputs), 3 - was) == pytest.approx(min(judged))


def test_a_seed_makes_a_fit_repeatable():
    inputs, was = standings()
    first, again, other = (fitting.fit(inputs, was, inputs, was, 2, seed)[0][0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_file_can_be_read():
    inputs, was = standings(40)
    layers = fitting.fit(inputs, was, inputs, was, 1)
    model = read_model(json.dumps(fitting.document(layers, {"seed": 1})).encode())
    np.testing.assert_allclose(model.ranks(inputs), rank_chances(layers, inputs), atol=1e-3)
