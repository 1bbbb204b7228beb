"""The samples of the wait networks of Matsuda and Ito: rivers as sparse inputs, and the truth about them.

A sample is a winner's river just before the win, and what the hand waited on, recomputed. For each kind, one network
separates rivers that wait on it from others. It is trained on equal numbers of both, and evaluated on all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.events import Discard, Event, StartKyoku, Win
from engine.model.tiles import HONOURS, KINDS
from engine.opponents.facts import STANCES, kinds_of
from engine.papers.waits.estimator import (
    CURVES,
    NETS,
    PAIRS,
    RENAMES,
    WaitNets,
    brought_first,
    pair_bits,
    renamed_codes,
    river_codes,
    set_bits,
)
from engine.papers.waits.net_kernels import Net, logits
from engine.rules.recordings import Split
from engine.state import RiverTile
from engine.train.fits import logistic
from engine.train.yardstick import OPPONENTS, discards_of, waits_of

Bits = NDArray[np.int64]

LONG: Final = 10
"""Minimum number of discards in conditions (c) and (d)."""
RARE: Final = 640
"""Ordered pairs seen in fewer than one in this many rivers, with suits exchanged, are left out."""


class Condition(NamedTuple):
    """One of the paper's four conditions: ``pairs`` of discards or their set, and a minimum number of ``discards``."""

    name: str
    pairs: bool
    discards: int


CONDITIONS: Final = (
    Condition("a", pairs=False, discards=0),
    Condition("b", pairs=True, discards=0),
    Condition("c", pairs=False, discards=LONG),
    Condition("d", pairs=True, discards=LONG),
)


@dataclass
class WaitSamples:
    """Rivers of winners."""

    # river of each sample, see :mod:`engine.papers.waits.estimator`
    codes: list[NDArray[np.int64]] = field(default_factory=list)
    waits: list[NDArray[np.bool_]] = field(default_factory=list)  # (34,) flags of each sample
    splits: list[Split] = field(default_factory=list)  # split of each sample's game

    def observe(self, events: Sequence[Event], split: Split) -> None:
        """Add the wins of one game."""
        for event, rivers in with_rivers(events):
            if isinstance(event, Win) and event.concealed and rivers[event.seat]:
                self.codes.append(river_codes(rivers[event.seat]))
                self.waits.append(waits_of(event))
                self.splits.append(split)

    def chosen(self, splits: Sequence[Split], discards: int = 0) -> NDArray[np.intp]:
        """The samples that belong to the splits and have at least that many discards."""
        fits = [
            split in splits and len(codes) >= discards for split, codes in zip(self.splits, self.codes, strict=True)
        ]
        return np.flatnonzero(fits)


def with_rivers(events: Sequence[Event]) -> Iterator[tuple[Event, list[list[RiverTile]]]]:
    """Every event of a game, with the rivers by seat as they are before it."""
    rivers: list[list[RiverTile]] = [[], [], [], []]
    for event in events:
        yield event, rivers
        if isinstance(event, StartKyoku):
            rivers = [[], [], [], []]
        elif isinstance(event, Discard):
            rivers[event.seat].append(RiverTile(event.tile, event.tsumogiri))


class SparseRows(NamedTuple):
    """Sparse inputs: row ``i`` has ``bits[starts[i] : starts[i + 1]]``."""

    starts: Bits
    bits: Bits


def sparse_rows(rivers: Sequence[NDArray[np.int64]], pairs: bool) -> SparseRows:
    """The inputs of rivers, as pairs or as sets."""
    rows = [pair_bits(codes) if pairs else set_bits(codes) for codes in rivers]
    starts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return SparseRows(starts, np.concatenate(rows) if rows else np.zeros(0, np.int64))


def balanced(labels: NDArray[np.bool_], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Random positions, as many with a label as without, at most ``most`` of each."""
    positive, negative = np.flatnonzero(labels), np.flatnonzero(~labels)
    number = min(len(positive), len(negative), most)
    chosen = (rng.choice(part, number, replace=False) for part in (positive, negative))
    return np.concatenate(list(chosen))


def net_logits(net: Net, rows: SparseRows) -> NDArray[np.float32]:
    """The score of each row, as log-odds."""
    out = np.empty(len(rows.starts) - 1, np.float32)
    logits(net, *rows, out)
    return out


def grouped_samples(
    samples: WaitSamples, fit: NDArray[np.intp], kinds: Sequence[int], most: int, rng: np.random.Generator
) -> tuple[list[Bits], NDArray[np.bool_]]:
    """Rivers and labels to train the one network of some kinds, with equal numbers of both classes, ``most`` of each.

    Every river is a sample of each of the kinds, renamed so that this kind comes first.
    """
    labels = np.array([samples.waits[i] for i in fit], bool).reshape(-1, KINDS)[:, kinds].T.ravel()
    chosen = balanced(labels, most, rng)
    rivers = [RENAMES[kinds[i // len(fit)]][samples.codes[fit[i % len(fit)]]] for i in chosen]
    return rivers, labels[chosen]


def common_pairs(samples: WaitSamples) -> NDArray[np.int64]:
    """(5476,) row of each ordered pair that is not rare; -1 for the others."""
    seen = np.zeros(PAIRS, np.int64)
    renames = [renamed_codes(brought_first(kind)) for kind in (0, 9, 18)]
    fit = samples.chosen((Split.TRAIN,))
    for i in fit:
        for codes in renames:
            seen[pair_bits(codes[samples.codes[i]])] += 1
    common = (seen > 0) & (RARE * seen >= len(renames) * len(fit))
    return np.where(common, np.cumsum(common) - 1, -1)


def only_common(rows: SparseRows, rows_of: NDArray[np.int64]) -> SparseRows:
    """The inputs without rare pairs, renumbered."""
    bits = rows_of[rows.bits]
    kept = np.concatenate([[0], np.cumsum(bits >= 0)])
    return SparseRows(kept[rows.starts], bits[bits >= 0])


class Curves(NamedTuple):
    """Logistic curves that turn a score into a chance, ``CURVES`` each."""

    slope: NDArray[np.float64]
    offset: NDArray[np.float64]


class CurveSamples:
    """Scores and truth for tenpai opponents in games of the validation split."""

    def __init__(self, nets: WaitNets) -> None:
        self._nets = nets
        self._logits: dict[tuple[int, int], list[NDArray[np.float32]]] = {}
        self._truth: dict[tuple[int, int], list[NDArray[np.bool_]]] = {}

    def observe(self, events: Sequence[Event]) -> None:
        """Add a game: every tenpai opponent at every discard, without genbutsu."""
        moments, rows = discards_of(events)
        rivers = (rivers for event, rivers in with_rivers(events) if isinstance(event, Discard))
        for at, by_seat in enumerate(rivers):
            red_fives = bool(moments["red_fives"][at])
            some = rows[OPPONENTS * at : OPPONENTS * (at + 1)]
            some = some[some["waits"] != 0]
            each = zip(some, kinds_of(some["safe"]), kinds_of(some["waits"]), strict=True)
            for row, safe, truth in each:
                logits = self._nets.logits(river_codes(by_seat[row["seat"]], red_fives))
                for group, part in enumerate((_NUMBERS & ~safe, ~_NUMBERS & ~safe)):
                    key = int(row["stance"]), group
                    self._logits.setdefault(key, []).append(logits[part])
                    self._truth.setdefault(key, []).append(truth[part])

    def curves(self) -> Curves:
        """Fit all curves."""
        slope, offset = np.ones(CURVES), np.zeros(CURVES)
        for key in self._logits:
            slope[key], offset[key] = logistic(np.concatenate(self._logits[key]), np.concatenate(self._truth[key]))
        return Curves(slope, offset)

    def rows(self) -> dict[str, int]:
        """Number of rows of each stance."""
        return {
            name: sum(len(part) for group in range(2) for part in self._truth.get((stance, group), ()))
            for stance, name in enumerate(STANCES)
        }


_NUMBERS: Final = np.arange(KINDS) < HONOURS


def stacked(nets: Sequence[Net]) -> Net:
    """The networks as one, with the network as first axis."""
    if len(nets) != NETS:
        raise ValueError(f"{len(nets)} networks instead of {NETS}")
    return Net(*(np.stack(parts) for parts in zip(*nets, strict=True)))
