"""Fit the perceptron on recorded discards, and measure how often it agrees with them.

The sampling is the CHE paper's: discards of phoenix-room players in hands that they won or declared riichi in, before
anybody's riichi and their own first call, the discard of the riichi included.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import EAST, HAKU, KINDS, RED_FIVES
from engine.networks.imitation_layout_kernels import WHO_PHOENIX
from engine.papers.che import perceptron_kernels as kernels
from engine.papers.che.perceptron import PerceptronWeights
from engine.papers.che.perceptron_kernels import ACTIVE, WEIGHTS, Rows
from engine.rules import code_kernels as codes
from engine.rules.moments import moments, next_kinds
from engine.rules.recordings import KyokuColumn, Recordings
from engine.rules.table_kernels import DRAWN
from engine.shanten.tables import hand_tables
from engine.train.fits import who_of

REPORT: Final = 20_000
"""Rows between two reports."""
FIRST: Final = 5
"""Number of ranks that are reported."""


@dataclass(frozen=True, slots=True)
class PerceptronSettings:
    """Settings of a fit."""

    epochs: int = 5  # number of passes over the rows
    seed: int = 1  # seed of their order


def paper_rows(recordings: Recordings, hands: NDArray[np.int64]) -> Rows:
    """The discards of the paper's sampling; ``hands`` are rows of ``recordings.kyoku``."""
    return _collect(recordings, hands, _phoenix(recordings) & _attackers(recordings), quiet=True)


def quiet_rows(recordings: Recordings, hands: NDArray[np.int64]) -> Rows:
    """The discards of all phoenix-room players before anybody's riichi and their own first call."""
    return _collect(recordings, hands, _phoenix(recordings), quiet=True)


def all_rows(recordings: Recordings, hands: NDArray[np.int64]) -> Rows:
    """All discards of phoenix-room players who are not in riichi."""
    return _collect(recordings, hands, _phoenix(recordings), quiet=False)


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


def _collect(recordings: Recordings, hands: NDArray[np.int64], players: NDArray[np.bool_], *, quiet: bool) -> Rows:
    """The discards of some players, by hand and seat, out of riichi; ``quiet``: the sampling of :func:`quiet_rows`."""
    parts = [Rows(*np.zeros((4, 0, 34), np.uint8), *np.zeros((2, 0), np.uint8))]
    for some in moments(recordings, hands, before=(codes.DISCARD,)):
        by_seat = np.arange(len(some)), some["turn"]
        chosen = players[some["row"], some["turn"]] & (some["riichi"][by_seat] == 0)
        if quiet:
            chosen &= (some["phase"] == DRAWN) & (some["melds"][by_seat] == 0) & ~some["riichi"].any(axis=1)
        parts.append(_rows(some, np.flatnonzero(chosen)))
    return Rows(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _rows(some: NDArray[Any], at: NDArray[np.intp]) -> Rows:
    """Rows of the discards that are about to be made in some of the moments."""
    by_seat = at, some["turn"][at]
    kinds = np.arange(KINDS)
    winds = EAST + np.stack([some["turn"] - some["dealer"] & 3, some["kyoku"] // 4 % 4], axis=1)[at]
    reds = some["copies"][by_seat] & 1
    reds[:, ~np.isin(kinds, [red >> 2 for red in RED_FIVES])] = 0
    return Rows(
        some["counts"][by_seat],
        some["dora"][at],
        reds,
        ((kinds >= HAKU) + (kinds == winds[:, :, None]).sum(axis=1)).astype(np.uint8),
        some["melds"][by_seat].astype(np.uint8),
        next_kinds(some)[at].astype(np.uint8),
    )


def fit(rows: Rows, settings: PerceptronSettings, report: Callable[[int, int, float], None]) -> PerceptronWeights:
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
            mistakes = kernels.learn_rows(rows, part, step, weights, totals, hand_tables(), _space())
            step += len(part)
            report(step, settings.epochs * number, mistakes / len(part))
    return PerceptronWeights((weights - totals / max(step, 1)).astype(np.float16))


def measure(weights: PerceptronWeights, rows: Rows) -> dict[str, float]:
    """The number of rows, and the shares in which the discard made is among the first 1, 2 … of the perceptron."""
    ranks = np.empty(len(rows.discards), np.int64)
    kernels.rank_rows(rows, weights.flat.astype(np.float32), hand_tables(), _space(), ranks)
    shares = {f"top{first}": round(float((ranks < first).mean()), 4) for first in range(1, FIRST + 1)}
    return {"n": len(ranks), **(shares if len(ranks) else {})}


def _space() -> kernels.Space:
    return kernels.Space(np.empty(34, np.uint8), np.empty(34, np.uint8), np.empty(ACTIVE, np.int64), np.empty(34))
