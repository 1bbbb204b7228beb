"""Fitting, calibrating and measuring the danger network on recorded games, in plain numpy."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.opponents.facts import STANCES, kinds_of
from engine.opponents.layout_kernels import ABOVE_WAYS, BELOW_WAYS, PLANES
from engine.opponents.network import (
    DEAL,
    NEUTRAL,
    OUTPUTS,
    VALUE,
    WAIT,
    Blocks,
    DangerWeights,
    Floats,
    Layers,
    Shape,
    blocks_of,
    calibrated,
    chance,
    features_hash,
    forward,
)
from engine.rules.recordings import Recordings
from engine.train.fits import Adam, MomentShares, chunks, logistic
from engine.train.sample_kernels import I_DISCARD, I_SITUATION, Rows
from engine.train.scores import Scores, score

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
    return kinds_of(masks).astype(np.float32)


def start(shape: Shape, seed: int) -> Floats:
    """Initial weights, as one vector."""
    random = np.random.default_rng(seed)
    flat = np.zeros(shape.size, np.float32)
    weights = shape.named(flat)
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


@dataclass(frozen=True)
class DangerSettings:
    """Settings of a fit."""

    shape: Shape = field(default_factory=Shape)  # shape of the network
    epochs: int = 2  # number of passes over all hands; each pass keeps other moments of them
    # share of moments kept, by stance; highest for opponents in riichi, where discards are decided
    keep: MomentShares = (0.7, 0.3, 0.06)
    batch: int = 512  # rows per step
    rate: float = 2e-3  # highest learning rate
    seed: int = 1  # seed of everything random


@dataclass(frozen=True)
class Progress:
    """Progress of a fit: hands processed and in total, rows seen, mean loss of the epoch."""

    hands: int
    of: int
    rows: int
    loss: float


OnProgress = Callable[[Progress], None]


def fit(
    recordings: Recordings, hands: NDArray[np.int64], settings: DangerSettings, on_progress: OnProgress | None = None
) -> tuple[DangerWeights, list[dict[str, float]]]:
    """Weights fitted on the hands (rows of ``recordings.kyoku``), not yet calibrated, and a log entry per epoch."""
    random = np.random.default_rng(settings.seed)
    flat = start(settings.shape, settings.seed)
    weights = settings.shape.named(flat)
    gradient = np.zeros_like(flat)
    into = settings.shape.named(gradient)
    total = len(hands) * settings.epochs
    optimiser = Adam(flat, settings.rate)
    log: list[dict[str, float]] = []
    seen = played = 0
    for epoch in range(settings.epochs):
        losses: list[float] = []
        shuffled = random.permutation(hands)
        done = 0
        for rows, through in chunks(recordings, shuffled, settings.keep, settings.seed * 1000 + epoch):
            truth = truth_of(rows)
            order = random.permutation(len(rows.safe))
            steps = max(1, len(order) // settings.batch)
            for number, some in enumerate(np.array_split(order, steps)):
                blocks, true = blocks_of(rows.features[some]), Truth(*(array[some] for array in truth))
                mirror(blocks, true, random.random((len(some), 3)) < 0.5)
                losses.append(gradients(weights, into, blocks, true))
                optimiser.step(gradient, (played + done + (through - done) * number / steps) / total)
            done = through
            seen += len(order)
            if on_progress is not None:
                on_progress(Progress(played + done, total, seen, float(np.mean(losses[-200:]))))
        played += len(hands)
        log.append({"epoch": epoch + 1, "rows": seen, "loss": round(float(np.mean(losses)), 5)})
    calibration = np.tile(np.array(NEUTRAL, np.float32), (3, 1))
    return DangerWeights(settings.shape, flat, calibration, features_hash()), log


def truth_of(rows: Rows) -> Truth:
    """The targets of the network for these rows."""
    return Truth(
        1.0 - bits(rows.safe),
        bits(rows.waits),
        bits(rows.deals),
        rows.points / np.float32(1000.0),
        (rows.waits != 0).astype(np.float32),
    )


# -- calibration -------------------------------------------------------------------------------------------------------


def calibrate(
    weights: DangerWeights, recordings: Recordings, hands: NDArray[np.int64], keep: MomentShares, seed: int = 0
) -> DangerWeights:
    """A copy of the network whose log-odds are scaled and shifted, by stance, to fit the hands best."""
    asked: list[list[list[Floats]]] = [[[] for _ in range(6)] for _ in STANCES]
    points = np.ones((3, 2))
    arrays = weights.arrays()
    for rows, _ in chunks(recordings, hands, keep, seed):
        layers = _layers(arrays, rows)
        truth = truth_of(rows)
        held = bits(rows.held) * truth.open > 0
        for situation in range(3):
            here = rows.info[:, I_SITUATION] == situation
            if not here.any():
                continue
            where = held[here]
            asked[situation][0].append(layers.kinds[here, :, DEAL][where])
            asked[situation][1].append(truth.deals[here][where])
            every = slice(None, None, 5)  # a sample of all kinds is enough
            asked[situation][2].append(layers.kinds[here, :, WAIT].ravel()[every])
            asked[situation][3].append(truth.waits[here].ravel()[every])
            asked[situation][4].append(layers.tenpai[here])
            asked[situation][5].append(truth.tenpai[here])
            won = truth.deals[here] > 0
            points[situation] += (
                truth.points[here][won].sum(),
                np.exp(layers.kinds[here, :, VALUE][won]).sum(dtype=np.float64),
            )
    fitted = np.tile(np.array(NEUTRAL, np.float32), (3, 1))
    for situation, parts in enumerate(asked):
        if parts[0]:
            for at in range(3):
                if situation == 0 and at == 2:
                    continue  # riichi is always tenpai
                fitted[situation, 2 * at : 2 * at + 2] = logistic(
                    np.concatenate(parts[2 * at]), np.concatenate(parts[2 * at + 1]), towards=(1.0, 0.0), pull=1.0
                )
            fitted[situation, 6] = np.log(points[situation, 0] / points[situation, 1])
    return DangerWeights(weights.shape, weights.flat, fitted, weights.features)


def _layers(arrays: dict[str, Floats], rows: Rows) -> Layers:
    """The network's outputs for many rows, computed in parts."""
    parts = [forward(arrays, blocks_of(some)) for some in np.array_split(rows.features, len(rows.safe) // 2048 + 1)]
    kinds, tenpai = (np.concatenate([part[at] for part in parts]) for at in (-2, -1))
    return parts[0]._replace(kinds=kinds, tenpai=tenpai)


# -- measuring ---------------------------------------------------------------------------------------------------------


@dataclass
class _Heap:
    """Collects chances and outcomes."""

    said: list[Floats] = field(default_factory=list)
    happened: list[Floats] = field(default_factory=list)

    def add(self, said: Floats, happened: Floats) -> None:
        self.said.append(said.ravel())
        self.happened.append(happened.ravel())

    def score(self) -> Scores:
        nothing = [np.zeros(0, np.float32)]
        return score(np.concatenate(self.said or nothing), np.concatenate(self.happened or nothing))


def measure(
    weights: DangerWeights, recordings: Recordings, hands: NDArray[np.int64], share: float = 1.0, seed: int = 0
) -> dict[str, dict[str, Any]]:
    """Figures on hands that the network has not seen, with an equal share of moments for all stances.

    Returns:
        ``held``: every kind that the discarder held and that the rules do not make safe, against each opponent;
        ``discarded``: the kind that it did discard, including safe ones; ``tenpai``: whether the opponent was tenpai.
        Each for ``all`` and by stance of the opponent, as :meth:`Scores.to_dict`. ``points``: mean points of a deal-in,
        predicted and paid.
    """
    heaps = {(what, who): _Heap() for what in ("held", "discarded", "tenpai") for who in ("all", *STANCES)}
    points = np.zeros((3, 3))
    arrays = weights.arrays()
    for rows, _ in chunks(recordings, hands, (share, share, share), seed):
        layers = _layers(arrays, rows)
        situations = rows.info[:, I_SITUATION].astype(np.int64)
        tenpai, _, deals, worth = calibrated(layers, rows.safe, situations, weights.calibration)
        truth = truth_of(rows)
        held = bits(rows.held) * truth.open > 0
        discarded = np.arange(len(tenpai)), rows.info[:, I_DISCARD]
        for at, who in enumerate(("all", *STANCES)):
            here = np.ones(len(tenpai), bool) if at == 0 else situations == at - 1
            where = held & here[:, None]
            heaps["held", who].add(deals[where], truth.deals[where])
            heaps["discarded", who].add(deals[discarded][here], truth.deals[discarded][here])
            if at != 1:
                heaps["tenpai", who].add(tenpai[here], truth.tenpai[here])
            if at:
                won = (truth.deals > 0) & here[:, None]
                points[at - 1] += (won.sum(), worth[won].sum(), rows.points[won].sum())
    found: dict[str, dict[str, Any]] = {}
    for (what, who), heap in heaps.items():
        if heap.said:
            found.setdefault(what, {})[who] = heap.score().to_dict()
    found["points"] = {
        who: {"n": int(n), "said": round(said / max(n, 1)), "true": round(true / max(n, 1))}
        for who, (n, said, true) in zip(STANCES, points.tolist(), strict=True)
    }
    return found
