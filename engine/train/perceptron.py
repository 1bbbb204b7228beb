"""Fit the perceptron on recorded discards, and measure how often it agrees with them.

The sampling is the CHE paper's: discards of phoenix-room players in hands that they won or declared riichi in, before
anybody's riichi and their own first call, the discard of the riichi included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.prior.layout_kernels import WHO_PHOENIX
from engine.search.perceptron.input_kernels import ACTIVE, WEIGHTS
from engine.search.perceptron.weights import Weights
from engine.shanten.tables import shanten_tables
from engine.train import event_kernels as codes
from engine.train import perceptron_kernels as kernels
from engine.train.decisions import who_of
from engine.train.perceptron_kernels import Rows
from engine.train.recordings import KyokuColumn, Recordings
from engine.train.samples import empty_table

CHUNK: Final = 1_000
"""Hands collected at once."""
REPORT: Final = 20_000
"""Rows between two reports."""
FIRST: Final = 5
"""Number of ranks that are reported."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a fit.

    Attributes:
        epochs: number of passes over the rows.
        seed: seed of their order.
    """

    epochs: int = 5
    seed: int = 1


def paper_rows(recordings: Recordings, hands: NDArray[np.int64]) -> Rows:
    """The discards of the paper's sampling; ``hands`` are rows of ``recordings.kyoku``."""
    return _collect(recordings, hands, _phoenix(recordings) & _attackers(recordings), kernels.QUIET)


def quiet_rows(recordings: Recordings, hands: NDArray[np.int64]) -> Rows:
    """The discards of all phoenix-room players before anybody's riichi and their own first call."""
    return _collect(recordings, hands, _phoenix(recordings), kernels.QUIET)


def all_rows(recordings: Recordings, hands: NDArray[np.int64]) -> Rows:
    """All discards of phoenix-room players who are not in riichi."""
    return _collect(recordings, hands, _phoenix(recordings), kernels.ANY)


def _phoenix(recordings: Recordings) -> NDArray[np.bool_]:
    """(hands, 4) whether a seat is played by a phoenix-room player."""
    return np.asarray(who_of(recordings) == WHO_PHOENIX)


def _attackers(recordings: Recordings) -> NDArray[np.bool_]:
    """(hands, 4) whether a seat declared riichi or won."""
    events, kyoku = recordings.events, recordings.kyoku
    winners = kyoku[:, KyokuColumn.WINNERS, None] >> np.arange(4) & 1 != 0
    declared = (events & codes.TYPE == codes.DISCARD) & (events >> codes.SECOND_AT & 2 != 0)
    at = np.flatnonzero(declared)
    hand = np.searchsorted(kyoku[:, KyokuColumn.FIRST_EVENT], at, side="right") - 1
    winners[hand, events[at] >> codes.SEAT_AT & 3] = True
    return np.asarray(winners)


def _collect(recordings: Recordings, hands: NDArray[np.int64], players: NDArray[np.bool_], sampling: int) -> Rows:
    table = empty_table()
    room = CHUNK * kernels.MOST_ROWS
    rows = Rows(*np.zeros((4, room, 34), np.uint8), *np.zeros((2, room), np.uint8))
    seats = (players << np.arange(4)).sum(axis=1)
    parts = [Rows(*(array[:0].copy() for array in rows))]
    for first in range(0, len(hands), CHUNK):
        which = hands[first : first + CHUNK]
        n = kernels.collect_discards(
            table, which, seats[which], recordings.kyoku, recordings.hands, recordings.events, sampling,
            *shanten_tables(), rows,
        )  # fmt: skip
        parts.append(Rows(*(array[:n].copy() for array in rows)))
    return Rows(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def fit(rows: Rows, settings: Settings, report: Callable[[int, int, float], None]) -> Weights:
    """The average of the weights over all steps.

    Args:
        rows: what to learn from.
        settings: of the fit.
        report: called with the number of rows learned from, the total number, and the share of mistakes since the last
            call.
    """
    weights, totals = np.zeros(WEIGHTS, np.float32), np.zeros(WEIGHTS)
    random = np.random.default_rng(settings.seed)
    number = len(rows.discards)
    step = 0
    for _ in range(settings.epochs):
        order = random.permutation(number)
        for first in range(0, number, REPORT):
            part = order[first : first + REPORT]
            mistakes = kernels.learn_rows(rows, part, step, weights, totals, *shanten_tables(), _space())
            step += len(part)
            report(step, settings.epochs * number, mistakes / len(part))
    return Weights((weights - totals / max(step, 1)).astype(np.float16))


def measure(weights: Weights, rows: Rows) -> dict[str, float]:
    """The number of rows, and the shares in which the discard made is among the first 1, 2 … of the perceptron."""
    ranks = np.empty(len(rows.discards), np.int64)
    kernels.rank_rows(rows, weights.flat.astype(np.float32), *shanten_tables(), _space(), ranks)
    shares = {f"top{first}": round(float((ranks < first).mean()), 4) for first in range(1, FIRST + 1)}
    return {"n": len(ranks), **(shares if len(ranks) else {})}


def _space() -> kernels.Space:
    return kernels.Space(np.empty(34, np.uint8), np.empty(34, np.uint8), np.empty(ACTIVE, np.int64), np.empty(34))
