"""Scores of predicted chances: log loss, AUC, calibration; and of an imitating network by head."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.networks.imitation import Network
from engine.networks.imitation_layout_kernels import (
    A_CALLS,
    A_KANS,
    A_RIICHI,
    CALL_KAN,
    Q_CALLS,
    Q_KANS,
    Q_OFFERED,
    Q_RIICHI,
)
from engine.networks.trunk import Floats
from engine.opponents.facts import STANCES
from engine.rules.recordings import Recordings
from engine.train.decision_kernels import D_ANSWER, Decisions
from engine.train.fits import decision_chunks

BINS: Final = 20
LEAST: Final = 1e-6
"""For the log loss, chances are kept this far from 0 and 1, so that a miss costs 14 nats instead of infinitely many."""
BANDS: Final = 10
HEADS: Final = ("discard", "riichi", "call", "kan")


@dataclass(frozen=True)
class Bin:
    """A group of similar chances: how many, their mean, and how often the event happened."""

    n: int
    said: float
    happened: float


@dataclass(frozen=True)
class Scores:
    """Scores of one estimator on one set of rows."""

    n: int  # number of rows
    events: int  # number of rows where the event happened
    log_loss: float  # mean, in nats
    brier: float  # mean squared error
    # chance that a row where the event happened has a higher prediction than one where it did not; NaN without both
    auc: float
    calibration_error: float  # mean distance between prediction and outcome over ``bins``, weighted by rows
    bins: tuple[Bin, ...]  # rows in order of prediction, in groups of about equal size; equal predictions stay together

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain values with five digits; a bin is ``[n, said, happened]``."""
        figures = {name: round(value, 5) if isinstance(value, float) else value for name, value in asdict(self).items()}
        return figures | {"bins": [[each.n, round(each.said, 5), round(each.happened, 5)] for each in self.bins]}


def score(chances: NDArray[np.floating[Any]], happened: NDArray[Any], bins: int = BINS) -> Scores:
    """Compare predicted chances, (n,) in 0-1, with outcomes, (n,) 0 or 1."""
    said = np.asarray(chances, np.float64).ravel()
    true = np.asarray(happened, np.float64).ravel()
    if not len(said):
        return Scores(0, 0, float("nan"), float("nan"), float("nan"), float("nan"), ())
    order = np.argsort(said, kind="stable")
    said, true = said[order], true[order]
    held = np.clip(said, LEAST, 1 - LEAST)
    log_loss = -np.where(true > 0, np.log(held), np.log(1 - held)).mean()
    groups = _bins(said, true, bins)
    error = sum(group.n * abs(group.said - group.happened) for group in groups) / len(said)
    return Scores(
        n=len(said),
        events=int(true.sum()),
        log_loss=float(log_loss),
        brier=float(((said - true) ** 2).mean()),
        auc=_auc(said, true),
        calibration_error=float(error),
        bins=groups,
    )


def scores_by_stance(
    stances: NDArray[np.integer[Any]], chances: NDArray[np.floating[Any]], happened: NDArray[Any]
) -> dict[str, Scores]:
    """The scores of rows, all (n,), by the stance of the opponent that each is about, and of all rows."""
    groups = {name: stances == stance for stance, name in enumerate(STANCES)}
    found = {name: score(chances[some], happened[some]) for name, some in groups.items()}
    return found | {"all": score(chances, happened)}


class Heap:
    """Samples that are collected part by part: columns by name, whose rows belong together."""

    def __init__(self) -> None:
        self._parts: dict[str, list[NDArray[Any]]] = defaultdict(list)

    def add(self, **columns: NDArray[Any]) -> None:
        """Add some rows."""
        for name, part in columns.items():
            self._parts[name].append(part)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column of all rows."""
        return np.concatenate(self._parts[name] or [np.zeros(0, np.float32)])

    def __len__(self) -> int:
        return sum(map(len, next(iter(self._parts.values()), [])))


def _auc(said: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """The AUC by rank sums, with ties counted half; ``said`` is ascending."""
    hits = true.sum()
    misses = len(true) - hits
    if not hits or not misses:
        return float("nan")
    _, first, count = np.unique(said, return_index=True, return_counts=True)
    ranks = np.repeat(first + (count + 1) / 2, count)
    return float((ranks[true > 0].sum() - hits * (hits + 1) / 2) / (hits * misses))


def _bins(said: NDArray[np.float64], true: NDArray[np.float64], bins: int) -> tuple[Bin, ...]:
    """Group the rows; ``said`` is ascending."""
    edges = {0, len(said)}
    for cut in range(1, bins):  # each cut falls before the first row of its value
        edges.add(int(np.searchsorted(said, said[cut * len(said) // bins])))
    cuts = sorted(edges)
    return tuple(
        Bin(end - start, float(said[start:end].mean()), float(true[start:end].mean())) for start, end in pairwise(cuts)
    )


def _add(heap: Heap, chances: Floats, given: NDArray[np.int64]) -> None:
    """Add rows of chances, (n, answers), that sum to one, with the answers given, to the heap of their head."""
    true = chances[np.arange(len(given)), given]
    above = (chances > true[:, None]).sum(axis=1)
    losses = -np.log(np.maximum(true, 1e-9))
    heap.add(first=above == 0, third=above < 3, losses=losses, sure=chances.max(axis=1))


def scores_of(heap: Heap) -> dict[str, float]:
    """The scores of one head as the card shows them."""
    if not len(heap):
        return {"n": 0}
    first, sure = heap["first"], heap["sure"]
    bins = np.minimum((sure * BANDS).astype(np.int64), BANDS - 1)
    off = [abs(float((first[bins == at] - sure[bins == at]).sum())) for at in range(BANDS)]
    return {
        "n": len(first),
        "top1": round(float(first.mean()), 5),
        "top3": round(float(heap["third"].mean()), 5),
        "log_loss": round(float(heap["losses"].mean()), 5),
        "calibration_error": round(sum(off) / len(first), 5),
    }


def measure(
    network: Network, recordings: Recordings, hands: NDArray[np.int64], who: int, most: int = 0
) -> dict[str, dict[str, float]]:
    """Scores by head on hands that the network was not fitted on; see :func:`heaps_of`."""
    heaps = heaps_of([network], recordings, hands, who, most)[0]
    return {head: scores_of(heap) for head, heap in heaps.items()}


def heaps_of(
    networks: Sequence[Network], recordings: Recordings, hands: NDArray[np.int64], who: int, most: int = 0
) -> list[dict[str, Heap]]:
    """What several networks say of equal decisions, by head.

    A row says whether the answer given was the likeliest, whether it was among the three likeliest, its log loss, and
    the chance of the likeliest.

    Args:
        networks: the networks.
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        who: WHO_ number of the players whose decisions are measured.
        most: maximum number of decisions; 0: all.
    """
    keep = np.zeros((4, 2))
    keep[who] = 1.0
    found: list[dict[str, Heap]] = [{head: Heap() for head in HEADS} for _ in networks]
    seen = 0
    for rows, _ in decision_chunks(recordings, hands, keep, size=8_192):
        for network, heaps in zip(networks, found, strict=True):
            count(network, rows, heaps)
        seen += len(rows.planes)
        if 0 < most <= seen:
            break
    return found


def difference(heap: Heap, other: Heap) -> tuple[float, float]:
    """The difference of two heaps' mean log losses over equal rows, and its 95% error."""
    each = heap["losses"].astype(np.float64) - other["losses"]
    return float(each.mean()), float(1.96 * each.std() / len(each) ** 0.5)


def count(network: Network, rows: Decisions, heaps: dict[str, Heap]) -> None:
    """Add the chances of the rows to the heap of each head."""
    logs, _ = network.log_chances(rows.planes, rows.numbers, rows.questions)
    chances = np.exp(logs)
    given = rows.info[:, D_ANSWER].astype(np.int64)
    own = rows.questions[:, Q_OFFERED] < 0
    discards, riichi = chances[:, :A_RIICHI], chances[:, A_RIICHI:A_KANS]
    either = discards + riichi
    several = (either > 0).sum(axis=1) > 1
    where = own & several & (given < A_KANS)
    _add(heaps["discard"], _shares(either[where]), given[where] % 34)
    where = own & (rows.questions[:, Q_RIICHI] != 0) & (given < A_KANS)
    declared = riichi.sum(axis=1)
    _add(
        heaps["riichi"],
        _shares(np.stack([discards.sum(axis=1), declared], axis=1)[where]),
        (given[where] >= A_RIICHI).astype(np.int64),
    )
    _add(heaps["call"], _shares(chances[~own, A_CALLS:]), given[~own] - A_CALLS)
    called = rows.questions[:, Q_CALLS] >> CALL_KAN & 1 != 0
    where = (rows.questions[:, Q_KANS] != 0) | called
    kan = chances[:, A_KANS:A_CALLS].sum(axis=1) + chances[:, A_CALLS + CALL_KAN]
    made = ((given >= A_KANS) & (given < A_CALLS)) | (given == A_CALLS + CALL_KAN)
    _add(heaps["kan"], np.stack([1.0 - kan, kan], axis=1)[where], made[where].astype(np.int64))


def _shares(chances: Floats) -> Floats:
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float32)
