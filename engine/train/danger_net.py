"""Fitting the danger network: gradients and log loss, in plain numpy."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.opponents.feature_kernels import ABOVE_WAYS, BELOW_WAYS, PLANES
from engine.opponents.network import DEAL, OUTPUTS, VALUE, WAIT, Blocks, Floats, Layers, Shape, chance, forward, named

WAIT_WEIGHT: Final = 0.3
TENPAI_WEIGHT: Final = 1.0
VALUE_WEIGHT: Final = 0.1
"""Weights of the other losses relative to the log loss of deal-ins, which is what the network is for."""


class Truth(NamedTuple):
    """The targets of n rows: (n, 34) of 0 or 1, except ``points`` in thousands and ``tenpai`` (n,)."""

    open: Floats
    """1 for kinds that are not safe by the rules."""
    waits: Floats
    deals: Floats
    points: Floats
    tenpai: Floats


_TERMS: Final = {"suit_globals": 400, "honour_globals": 50, "summary_suits": 400, "summary_honours": 250}
"""Approximate number of terms in a sum, where it is not the length of the array because blocks are added up."""


def bits(masks: NDArray[np.int64]) -> Floats:
    """Bit sets of kinds as (n, 34) of 0 or 1."""
    return (masks[:, None] >> np.arange(34) & 1).astype(np.float32)


def start(shape: Shape, seed: int) -> Floats:
    """Initial weights, as one vector."""
    random = np.random.default_rng(seed)
    flat = np.zeros(shape.size, np.float32)
    weights = named(flat, shape)
    for name, array in weights.items():
        if array.ndim == 2:
            array[:] = random.standard_normal(array.shape) * np.sqrt(1.0 / _TERMS.get(name, len(array)))
    for name in ("suit_answer", "honour_answer", "tenpai"):
        weights[name] *= 0.1
    for name in ("suit_answer_bias", "honour_answer_bias"):
        weights[name].reshape(-1, OUTPUTS)[:] = (-4.0, -4.0, 1.5)
    weights["tenpai_bias"][:] = -1.5
    return flat


def mirror(blocks: Blocks, truth: Truth, flips: NDArray[np.bool_]) -> None:
    """Reverse the suits selected by ``flips`` (n, 3), so that they count from 9 down to 1, in place.

    The rules do not distinguish the two, so each hand is learned from as eight, which the few hands in riichi need.
    """
    tiles = blocks.suits[:, : 9 * PLANES].reshape(-1, 9, PLANES)
    turned = tiles[flips.ravel(), ::-1]
    turned[:, :, [ABOVE_WAYS, BELOW_WAYS]] = turned[:, :, [BELOW_WAYS, ABOVE_WAYS]]
    tiles[flips.ravel()] = turned
    for array in (truth.open, truth.waits, truth.deals, truth.points):
        kinds = array[:, :27].reshape(-1, 3, 9)
        kinds[flips] = kinds[flips][:, ::-1]
        array[:, :27] = kinds.reshape(-1, 27)


def gradients(weights: dict[str, Floats], into: dict[str, Floats], blocks: Blocks, truth: Truth) -> float:
    """Write the mean gradient of the loss over the rows into ``into``; returns the mean loss."""
    layers = forward(weights, blocks)
    n = len(blocks.globals)
    loss, to_kinds, to_tenpai = _loss(layers, truth)
    to_kinds /= n
    to_tenpai /= n
    w, g = weights, into

    to_suit_answer = to_kinds[:, :27].reshape(3 * n, 9 * OUTPUTS)
    to_honour_answer = to_kinds[:, 27:].reshape(7 * n, OUTPUTS)
    g["suit_answer"][:] = layers.suit_out.T @ to_suit_answer
    g["suit_answer_bias"][:] = to_suit_answer.sum(axis=0)
    g["honour_answer"][:] = layers.honour_out.T @ to_honour_answer
    g["honour_answer_bias"][:] = to_honour_answer.sum(axis=0)
    g["tenpai"][:] = layers.summary_out.T @ to_tenpai[:, None]
    g["tenpai_bias"][:] = to_tenpai.sum()

    to_summary_out = to_tenpai[:, None] * w["tenpai"][:, 0]
    to_blocks = {}
    for name, answer, out, inner, times in (
        ("suit", to_suit_answer, layers.suit_out, layers.suit, 3),
        ("honour", to_honour_answer, layers.honour_out, layers.honour, 7),
    ):
        to_out = answer @ w[f"{name}_answer"].T
        to_out *= out > 0
        whole = to_out.reshape(n, times, -1).sum(axis=1)
        g[f"{name}_again"][:] = inner.T @ to_out
        g[f"{name}_summary"][:] = layers.summary_out.T @ whole
        g[f"{name}_again_bias"][:] = whole.sum(axis=0)
        to_summary_out += whole @ w[f"{name}_summary"].T
        to_blocks[name] = to_out @ w[f"{name}_again"].T

    to_summary_out *= layers.summary_out > 0
    g["summary_again"][:] = layers.summary.T @ to_summary_out
    g["summary_again_bias"][:] = to_summary_out.sum(axis=0)
    to_summary = to_summary_out @ w["summary_again"].T
    to_summary *= layers.summary > 0
    g["summary_globals"][:] = blocks.globals.T @ to_summary
    g["summary_bias"][:] = to_summary.sum(axis=0)
    for name, inner, entering, times in (
        ("suit", layers.suit, blocks.suits, 3),
        ("honour", layers.honour, blocks.honours, 7),
    ):
        g[f"summary_{name}s"][:] = inner.reshape(n, times, -1).sum(axis=1).T @ to_summary
        to_block = to_blocks[name].reshape(n, times, -1)
        to_block += (to_summary @ w[f"summary_{name}s"].T)[:, None, :]
        flat = to_blocks[name]
        flat *= inner > 0
        whole = to_block.sum(axis=1)
        g[f"{name}_in"][:] = entering.T @ flat
        g[f"{name}_globals"][:] = blocks.globals.T @ whole
        g[f"{name}_bias"][:] = whole.sum(axis=0)
    return loss / n


def _loss(layers: Layers, truth: Truth) -> tuple[float, Floats, Floats]:
    """The summed loss, and its gradients with respect to the outputs for kinds and tenpai."""
    to_kinds = np.empty_like(layers.kinds)
    deal = chance(layers.kinds[:, :, DEAL])
    wait = chance(layers.kinds[:, :, WAIT])
    tenpai = chance(layers.tenpai)
    to_kinds[:, :, DEAL] = (deal - truth.deals) * truth.open
    to_kinds[:, :, WAIT] = (wait - truth.waits) * WAIT_WEIGHT
    # points use the deviance of a gamma distribution, whose minimum is the mean
    value = np.clip(layers.kinds[:, :, VALUE], -4.0, 5.0)
    ratio = truth.points * np.exp(-value)
    to_kinds[:, :, VALUE] = (1.0 - ratio) * truth.deals * VALUE_WEIGHT
    to_tenpai = (tenpai - truth.tenpai) * TENPAI_WEIGHT
    loss = float((_log_loss(deal, truth.deals) * truth.open).sum())
    loss += WAIT_WEIGHT * float(_log_loss(wait, truth.waits).sum())
    loss += TENPAI_WEIGHT * float(_log_loss(tenpai, truth.tenpai).sum())
    loss += VALUE_WEIGHT * float(((ratio + value) * truth.deals).sum())
    return loss, to_kinds, to_tenpai


def _log_loss(chances: Floats, truth: Floats) -> Floats:
    return np.asarray(-np.log(np.clip(np.where(truth > 0, chances, 1.0 - chances), 1e-9, 1.0)), np.float32)
