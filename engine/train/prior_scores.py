"""Scores of an imitating network by head: agreement of its first answer and first three, log loss, calibration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.imitation.layout_kernels import A_CALLS, A_KANS, A_RIICHI, CALL_KAN, Q_CALLS, Q_KANS, Q_OFFERED, Q_RIICHI
from engine.imitation.network import Network
from engine.network.trunk import Floats
from engine.train.chunks import decision_chunks
from engine.train.decision_kernels import D_ANSWER, Decisions
from engine.train.recordings import Recordings

BINS: Final = 10
HEADS: Final = ("discard", "riichi", "call", "kan")


@dataclass
class _Heap:
    """The chances of the answers of one head, and the answers given, row by row."""

    first: list[NDArray[np.bool_]] = field(default_factory=list)
    third: list[NDArray[np.bool_]] = field(default_factory=list)
    losses: list[Floats] = field(default_factory=list)
    sure: list[Floats] = field(default_factory=list)

    def add(self, chances: Floats, given: NDArray[np.int64]) -> None:
        """Add rows of chances, (n, answers), that sum to one, with the answers given."""
        if not len(given):
            return
        true = chances[np.arange(len(given)), given]
        above = (chances > true[:, None]).sum(axis=1)
        self.first.append(above == 0)
        self.third.append(above < 3)
        self.losses.append(-np.log(np.maximum(true, 1e-9)))
        self.sure.append(chances.max(axis=1))

    def scores(self) -> dict[str, float]:
        """The scores as the card shows them."""
        if not self.first:
            return {"n": 0}
        first, third = np.concatenate(self.first), np.concatenate(self.third)
        sure = np.concatenate(self.sure)
        bins = np.minimum((sure * BINS).astype(np.int64), BINS - 1)
        off = [abs(float((first[bins == at] - sure[bins == at]).sum())) for at in range(BINS)]
        return {
            "n": len(first),
            "top1": round(float(first.mean()), 5),
            "top3": round(float(third.mean()), 5),
            "log_loss": round(float(np.concatenate(self.losses).mean()), 5),
            "calibration_error": round(sum(off) / len(first), 5),
        }


def measure(
    network: Network, recordings: Recordings, hands: NDArray[np.int64], who: int, most: int = 0
) -> dict[str, dict[str, float]]:
    """Scores by head on hands that the network was not fitted on.

    Args:
        network: the network.
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        who: WHO_ number of the players whose decisions are measured.
        most: maximum number of decisions; 0: all.
    """
    keep = np.zeros((4, 2))
    keep[who] = 1.0
    heaps = {head: _Heap() for head in HEADS}
    seen = 0
    for rows, _ in decision_chunks(recordings, hands, keep, size=8_192):
        count(network, rows, heaps)
        seen += len(rows.planes)
        if 0 < most <= seen:
            break
    return {head: heap.scores() for head, heap in heaps.items()}


def count(network: Network, rows: Decisions, heaps: dict[str, _Heap]) -> None:
    """Add the chances of the rows to the heap of each head."""
    logs, _ = network.log_chances(rows.planes, rows.numbers, rows.questions)
    chances = np.exp(logs)
    given = rows.info[:, D_ANSWER].astype(np.int64)
    own = rows.questions[:, Q_OFFERED] < 0
    discards, riichi = chances[:, :A_RIICHI], chances[:, A_RIICHI:A_KANS]
    either = discards + riichi
    several = (either > 0).sum(axis=1) > 1
    where = own & several & (given < A_KANS)
    heaps["discard"].add(_shares(either[where]), given[where] % 34)
    where = own & (rows.questions[:, Q_RIICHI] != 0) & (given < A_KANS)
    declared = riichi.sum(axis=1)
    heaps["riichi"].add(
        _shares(np.stack([discards.sum(axis=1), declared], axis=1)[where]), (given[where] >= A_RIICHI).astype(np.int64)
    )
    heaps["call"].add(_shares(chances[~own, A_CALLS:]), given[~own] - A_CALLS)
    called = rows.questions[:, Q_CALLS] >> CALL_KAN & 1 != 0
    where = (rows.questions[:, Q_KANS] != 0) | called
    kan = chances[:, A_KANS:A_CALLS].sum(axis=1) + chances[:, A_CALLS + CALL_KAN]
    made = ((given >= A_KANS) & (given < A_CALLS)) | (given == A_CALLS + CALL_KAN)
    heaps["kan"].add(np.stack([1.0 - kan, kan], axis=1)[where], made[where].astype(np.int64))


def _shares(chances: Floats) -> Floats:
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float32)
