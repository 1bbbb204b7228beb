"""The network's output compared with a plain implementation of its definition, number by number."""

from __future__ import annotations

import numpy as np
import pytest

from engine.networks.imitation import (
    AT_KIND,
    FILES,
    SCALES,
    ImitationWeights,
    Network,
    Shape,
    legal_answers,
    shipped_weights,
)
from engine.networks.imitation_layout_kernels import (
    A_CALLS,
    A_NINE,
    A_PASS,
    A_RIICHI,
    ANSWERS,
    Q_DISCARDS,
    Q_OFFERED,
)
from engine.networks.trunk import PLACE_OF, PLACES
from engine.tables import WeightsError
from tests.engine.networks.made_up import SHAPE, made_up


def plainly(arrays, planes, numbers, offered):
    """Logits of one decision."""
    w = {name: array.astype(np.float64) for name, array in arrays.items()}
    whole = w["numbers"] @ ((numbers - SCALES.zeros) * SCALES.numbers) + w["bias"]
    rows = w["places"] + whole
    for kind in range(34):
        rows[PLACE_OF[kind]] += w["planes"] @ (planes[kind] * SCALES.planes)
    for block in range(SHAPE.blocks):
        inner = np.maximum(rows, 0)
        pooled = w[f"pool{block}"] @ np.concatenate([inner.mean(0), inner.max(0)]) + w[f"bias{block}"]
        nothing = np.zeros(SHAPE.channels)
        for at in range(PLACES):
            before = inner[at - 1] if at else nothing
            after = inner[at + 1] if at + 1 < PLACES else nothing
            mixed = np.maximum(w[f"near{block}"] @ np.concatenate([before, inner[at], after]) + pooled, 0)
            rows[at] = rows[at] + w[f"back{block}"] @ mixed + w[f"back_bias{block}"]
    inner = np.maximum(rows, 0)
    summary = np.maximum(w["summary"] @ np.concatenate([inner.mean(0), inner.max(0)]) + w["summary_bias"], 0)
    tail = w["tail"] @ summary + w["tail_bias"]
    kinds = (inner @ w["answer"].T + w["answer_bias"])[PLACE_OF]
    assert kinds.shape == (34, AT_KIND)
    return np.concatenate([kinds[:, 0], kinds[:, 1], kinds[:, 2], kinds[offered, 4:] + tail[2:], tail[:2]]), kinds[:, 3]


def test_answers_are_what_the_layers_make():
    arrays, planes, numbers, questions = made_up()
    logs, reds = Network(SHAPE, arrays).log_chances(planes, numbers, questions)
    legal = legal_answers(questions)
    for row in range(len(planes)):
        logits, red = plainly(arrays, planes[row], numbers[row], questions[row, Q_OFFERED])
        chances = np.where(legal[row], np.exp(logits - logits.max()), 0)
        np.testing.assert_allclose(np.exp(logs[row]), chances / chances.sum(), rtol=1e-3, atol=1e-6)
        np.testing.assert_allclose(reds[row], red, rtol=1e-3, atol=1e-4)


def test_many_rows_are_answered_as_one_is():
    arrays, planes, numbers, questions = made_up(2, 75)
    network = Network(SHAPE, arrays)
    logs, reds = network.log_chances(planes, numbers, questions)
    for row in (0, 33, 74):
        some = slice(row, row + 1)
        log, red = network.log_chances(planes[some], numbers[some], questions[some])
        np.testing.assert_allclose(log[0], logs[row], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(red[0], reds[row], rtol=1e-4, atol=1e-4)


def test_legal_answers():
    _, _, _, questions = made_up()
    legal = legal_answers(questions)
    assert legal.shape == (3, ANSWERS)
    assert np.flatnonzero(legal[2]).tolist() == [A_CALLS + 1, A_CALLS + 3, A_PASS]
    assert not legal[:2, A_PASS].any()
    assert not legal[:, A_NINE].any()
    held = [kind for kind in range(34) if questions[0, Q_DISCARDS] >> kind & 1]
    assert np.flatnonzero(legal[0, :A_RIICHI]).tolist() == held


def test_weights_come_back_from_their_file():
    arrays, *_ = made_up()
    weights = ImitationWeights.of(SHAPE, arrays)
    again = ImitationWeights.read(weights.to_bytes(), "here")
    assert again.digest() == weights.digest()
    assert again.shape == SHAPE
    for name, array in again.arrays().items():
        np.testing.assert_allclose(array, arrays[name], atol=1e-3)


@pytest.mark.parametrize("change", [{"shape": np.array([8, 3, 5])}, {"inputs": np.array("other")}, {"flat": None}])
def test_weights_of_another_network_are_refused(change, tmp_path):
    weights = ImitationWeights.of(SHAPE, made_up()[0])
    kept = {"shape": np.array([8, 2, 5]), "flat": weights.flat, "inputs": np.array(weights.inputs)} | change
    file = tmp_path / "weights.npz"
    np.savez(file, **{name: array for name, array in kept.items() if array is not None})
    with pytest.raises(WeightsError, match="oshihiki train phoenix"):
        ImitationWeights.read(file.read_bytes(), "weights.npz")


@pytest.mark.parametrize("shape", [Shape(0, 0, 0), Shape(0, 1, 5), Shape(8, 1, 0)])
def test_a_network_without_channels_is_refused(shape):
    weights = ImitationWeights(shape, np.zeros(shape.size, np.float16), shipped_weights().inputs)
    with pytest.raises(WeightsError, match=r"is damaged \(its layer '[a-z]+' is empty\)"):
        ImitationWeights.read(weights.to_bytes(), "weights.npz")


@pytest.mark.parametrize("name", FILES)
def test_shipped_weights_are_small(name):
    weights = shipped_weights(name)
    assert weights.shape.size == len(weights.flat)
    assert len(weights.to_bytes()) < 5_000_000
