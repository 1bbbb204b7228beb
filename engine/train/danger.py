"""Fitting, calibrating and measuring the danger network on recorded games. Only this module and its network need torch.

The learning rate is constant and then falls to zero. The weights that are calibrated are a running mean.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from engine.opponents.facts import STANCES, kinds_of
from engine.opponents.layout_kernels import ABOVE_WAYS, BELOW_WAYS, PLANES
from engine.opponents.network import (
    DEAL,
    NEUTRAL,
    OUTPUTS,
    VALUE,
    WAIT,
    Blocks,
    DangerOutputs,
    DangerWeights,
    Floats,
    Shape,
    blocks_of,
    calibrated,
    features_hash,
    forward,
)
from engine.rules.recordings import Recordings
from engine.rules.table_kernels import RIICHI
from engine.train.fits import MomentShares, logistic, row_chunks
from engine.train.nets import Descent
from engine.train.sample_kernels import I_DISCARD, I_SITUATION, Rows
from engine.train.scores import Heap, scores_by_stance

DECAY: Final = 1e-2
"""Weight decay, relative to the learning rate."""
STEADY: Final = 0.3
"""Share of the hands after which the learning rate starts to fall."""
WAIT_WEIGHT: Final = 0.3
TENPAI_WEIGHT: Final = 1.0
VALUE_WEIGHT: Final = 0.1
"""Weights of the other losses relative to the log loss of deal-ins, which is what the network is for."""


class DangerNet(nn.Module):  # type: ignore[misc]
    """The network of :mod:`engine.opponents.network`; its parameters have the names and shapes that ``shape`` states.

    Attributes:
        weights: the parameters by name.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        first = {name: nn.Parameter(_first(name, dims)) for name, dims in shape.parameters().items()}
        self.weights = nn.ParameterDict(first)

    def forward(self, suits: Tensor, honours: Tensor, whole: Tensor) -> tuple[Tensor, Tensor]:
        """(n, 34, OUTPUTS), the outputs for each kind, and (n,) log-odds of being tenpai.

        Args:
            suits: (3n, SUIT).
            honours: (7n, HONOUR).
            whole: (n, GLOBALS), about the table as a whole.
        """
        w, relu, n = self.weights, functional.relu, len(whole)
        to_suits = whole @ w["suit_globals"] + w["suit_bias"]
        to_honours = whole @ w["honour_globals"] + w["honour_bias"]
        suit = relu((suits @ w["suit_in"]).unflatten(0, (n, 3)) + to_suits[:, None])
        honour = relu((honours @ w["honour_in"]).unflatten(0, (n, 7)) + to_honours[:, None])
        parts = suit.sum(1) @ w["summary_suits"] + honour.sum(1) @ w["summary_honours"]
        summary = relu(parts + whole @ w["summary_globals"] + w["summary_bias"])
        summary = relu(summary @ w["summary_again"] + w["summary_again_bias"])
        to_suits = summary @ w["suit_summary"] + w["suit_again_bias"]
        to_honours = summary @ w["honour_summary"] + w["honour_again_bias"]
        suit = relu(suit @ w["suit_again"] + to_suits[:, None])
        honour = relu(honour @ w["honour_again"] + to_honours[:, None])
        numbers = (suit @ w["suit_answer"] + w["suit_answer_bias"]).reshape(n, 27, OUTPUTS)
        kinds = torch.cat([numbers, honour @ w["honour_answer"] + w["honour_answer_bias"]], 1)
        return kinds, (summary @ w["tenpai"])[:, 0] + w["tenpai_bias"]


_TERMS: Final = {"suit_globals": 400, "honour_globals": 50, "summary_suits": 400, "summary_honours": 250}
"""Approximate number of terms in a sum, where it is not the length of the array because blocks are added up."""
_USUAL: Final = {"suit_answer_bias": (-4.0, -4.0, 1.5), "honour_answer_bias": (-4.0, -4.0, 1.5), "tenpai_bias": (-1.5,)}
"""Initial biases of the outputs: about the mean over all rows."""


def _first(name: str, dims: tuple[int, ...]) -> Tensor:
    """Initial weights."""
    if len(dims) == 1:
        usual = torch.tensor(_USUAL.get(name, (0.0,)))
        return usual.repeat(dims[0] // len(usual))
    spread = _TERMS.get(name, dims[0]) ** -0.5
    return torch.randn(dims) * (0.1 * spread if f"{name}_bias" in _USUAL else spread)


class Truth(NamedTuple):
    """The targets of n rows: (n, 34) of 0 or 1, except ``points`` in thousands and ``tenpai`` (n,)."""

    open: Floats
    """1 for kinds that are not safe by the rules."""
    waits: Floats
    deals: Floats
    points: Floats
    tenpai: Floats


def truth_of(rows: Rows) -> Truth:
    """The targets of the network for these rows."""
    return Truth(
        1.0 - bits(rows.safe),
        bits(rows.waits),
        bits(rows.deals),
        rows.points / np.float32(1000.0),
        (rows.waits != 0).astype(np.float32),
    )


def bits(masks: NDArray[np.int64]) -> Floats:
    """Bit sets of kinds as (n, 34) of 0 or 1."""
    return kinds_of(masks).astype(np.float32)


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


def loss_of(kinds: Tensor, tenpai: Tensor, truth: Truth) -> Tensor:
    """The mean loss of the outputs for some rows."""
    passable, waits, deals, points, ready = (torch.from_numpy(each).to(kinds.device) for each in truth)
    log_loss = functional.binary_cross_entropy_with_logits
    # points use the deviance of a gamma distribution, whose minimum is the mean
    value = kinds[:, :, VALUE].clamp(-4.0, 5.0)
    loss = (
        log_loss(kinds[:, :, DEAL], deals, passable, reduction="sum")
        + WAIT_WEIGHT * log_loss(kinds[:, :, WAIT], waits, reduction="sum")
        + TENPAI_WEIGHT * log_loss(tenpai, ready, reduction="sum")
        + VALUE_WEIGHT * ((points * (-value).exp() + value) * deals).sum()
    )
    return loss / len(tenpai)


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


def fit(
    recordings: Recordings,
    hands: NDArray[np.int64],
    settings: DangerSettings,
    report: Callable[[int, int, float], None] = lambda _hands, _rows, _loss: None,
) -> tuple[DangerWeights, list[dict[str, float]]]:
    """Weights fitted on the hands (rows of ``recordings.kyoku``), not yet calibrated, and a log entry per epoch.

    ``report`` gets the number of hands done in all epochs, of rows seen, and the recent mean loss.
    """
    torch.manual_seed(settings.seed)
    random = np.random.default_rng(settings.seed)
    descent = Descent(DangerNet(settings.shape), settings.rate, DECAY, steady=STEADY)
    total = len(hands) * settings.epochs
    log: list[dict[str, float]] = []
    seen = played = 0
    for epoch in range(settings.epochs):
        losses: list[float] = []
        shuffled = random.permutation(hands)
        done = 0
        for rows, through in row_chunks(recordings, shuffled, settings.keep, settings.seed * 1000 + epoch):
            truth = truth_of(rows)
            order = random.permutation(len(rows.safe))
            steps = max(1, len(order) // settings.batch)
            for number, some in enumerate(np.array_split(order, steps)):
                blocks, true = blocks_of(rows.features[some]), Truth(*(array[some] for array in truth))
                mirror(blocks, true, random.random((len(some), 3)) < 0.5)
                kinds, tenpai = descent.net(*(torch.from_numpy(each).to(descent.device) for each in blocks))
                progress = (played + done + (through - done) * number / steps) / total
                losses.append(float(descent.follow(loss_of(kinds, tenpai, true), progress)))
            done = through
            seen += len(order)
            report(played + done, seen, float(np.mean(losses[-200:])))
        played += len(hands)
        log.append({"epoch": epoch + 1, "rows": seen, "loss": round(float(np.mean(losses)), 5)})
    weights = descent.mean_arrays()
    flat = np.concatenate([weights[name].ravel() for name in settings.shape.parameters()])
    calibration = np.tile(np.array(NEUTRAL, np.float32), (3, 1))
    return DangerWeights(settings.shape, flat, calibration, features_hash()), log


# -- calibration -------------------------------------------------------------------------------------------------------


def calibrate(
    weights: DangerWeights, recordings: Recordings, hands: NDArray[np.int64], keep: MomentShares
) -> DangerWeights:
    """A copy of the network whose log-odds are scaled and shifted, by stance, to fit the hands best."""
    heaps = {(situation, at): Heap() for situation in range(3) for at in range(3)}
    points = np.ones((3, 2))
    arrays = weights.arrays()
    for rows, _ in row_chunks(recordings, hands, keep, 0):
        outputs = outputs_of(arrays, rows)
        truth = truth_of(rows)
        held = bits(rows.held) * truth.open > 0
        for situation in range(3):
            here = rows.info[:, I_SITUATION] == situation
            kinds, deals, where = outputs.kinds[here], truth.deals[here], held[here]
            every = slice(None, None, 5)  # a sample of all kinds is enough
            heaps[situation, 0].add(said=kinds[:, :, DEAL][where], true=deals[where])
            heaps[situation, 1].add(said=kinds[:, :, WAIT].ravel()[every], true=truth.waits[here].ravel()[every])
            heaps[situation, 2].add(said=outputs.tenpai[here], true=truth.tenpai[here])
            won = deals > 0
            points[situation] += truth.points[here][won].sum(), np.exp(kinds[:, :, VALUE][won]).sum(dtype=np.float64)
    fitted = np.tile(np.array(NEUTRAL, np.float32), (3, 1))
    for (situation, at), heap in heaps.items():
        if (situation, at) != (0, 2):  # riichi is always tenpai
            curve = logistic(heap["said"], heap["true"], towards=(1.0, 0.0), pull=1.0)
            fitted[situation, 2 * at : 2 * at + 2] = curve
    fitted[:, 6] = np.log(points[:, 0] / points[:, 1])
    return DangerWeights(weights.shape, weights.flat, fitted, weights.features)


def outputs_of(arrays: dict[str, Floats], rows: Rows) -> DangerOutputs:
    """The network's outputs for many rows, computed in parts."""
    parts = [forward(arrays, blocks_of(some)) for some in np.array_split(rows.features, len(rows.safe) // 2048 + 1)]
    return DangerOutputs(*(np.concatenate(each) for each in zip(*parts, strict=True)))


# -- measuring ---------------------------------------------------------------------------------------------------------


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
    heaps = {what: Heap() for what in ("held", "discarded", "tenpai")}
    points = np.zeros((3, 3))
    arrays = weights.arrays()
    for rows, _ in row_chunks(recordings, hands, (share, share, share), seed):
        outputs = outputs_of(arrays, rows)
        situations = rows.info[:, I_SITUATION].astype(np.int64)
        tenpai, _, deals, worth = calibrated(outputs, rows.safe, situations, weights.calibration)
        truth = truth_of(rows)
        held = bits(rows.held) * truth.open > 0
        discarded = np.arange(len(tenpai)), rows.info[:, I_DISCARD]
        heaps["held"].add(stance=np.repeat(situations, held.sum(axis=1)), said=deals[held], true=truth.deals[held])
        heaps["discarded"].add(stance=situations, said=deals[discarded], true=truth.deals[discarded])
        heaps["tenpai"].add(stance=situations, said=tenpai, true=truth.tenpai)
        for stance in range(3):
            won = (truth.deals > 0) & (situations == stance)[:, None]
            points[stance] += (won.sum(), worth[won].sum(), rows.points[won].sum())
    found: dict[str, dict[str, Any]] = {}
    for what, heap in heaps.items():
        scores = scores_by_stance(*(heap[name] for name in ("stance", "said", "true")))
        found[what] = {who: scores[who].to_dict() for who in ("all", *STANCES)}
    del found["tenpai"][STANCES[RIICHI]]  # riichi is always tenpai
    found["points"] = {
        who: {"n": int(n), "said": round(said / max(n, 1)), "true": round(true / max(n, 1))}
        for who, (n, said, true) in zip(STANCES, points.tolist(), strict=True)
    }
    return found
