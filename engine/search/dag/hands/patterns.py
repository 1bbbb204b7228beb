"""The trees of complete suits, built once and stored beside the compiled kernels."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from engine.search.dag.hands import pattern_kernels
from engine.search.dag.hands.pattern_kernels import SuitTree
from engine.shanten.tables import cached


def suit_trees() -> tuple[SuitTree, SuitTree]:
    """The trees of a number suit and of the honours; built at the first call."""
    arrays = cached("dag-suits", _build)
    return SuitTree(*arrays[:4]), SuitTree(*arrays[4:])  # type: ignore[arg-type]


def complete_patterns(kinds: int) -> NDArray[np.int8]:
    """All complete suits as counts, shape (N, kinds), sorted; nine kinds have runs, seven (honours) have none."""
    triplets = 3 * np.eye(kinds, dtype=np.int8)
    runs = [np.isin(np.arange(9), (at, at + 1, at + 2)).astype(np.int8) for at in range(7)] if kinds == 9 else []
    sets = [*triplets, *runs]
    pairs = [np.zeros(kinds, np.int8), *(2 * np.eye(kinds, dtype=np.int8))]
    zero = np.zeros(kinds, np.int8)
    patterns = [
        np.sum((zero, *chosen), axis=0, dtype=np.int8) + pair
        for number in range(5)
        for chosen in combinations_with_replacement(sets, number)
        for pair in pairs
    ]
    stacked = np.stack(patterns)
    return np.unique(stacked[stacked.max(axis=1) <= 4], axis=0)


def _build() -> tuple[NDArray[np.generic], ...]:
    return (*_tree(9), *_tree(7))


def _tree(kinds: int) -> SuitTree:
    patterns = complete_patterns(kinds)
    room = patterns.size
    tree = SuitTree(np.empty(room, np.int8), np.empty(room, np.int8), np.empty(room, np.int32), np.empty(room, np.int8))
    nodes = pattern_kernels.fill_tree(patterns, *tree)
    return SuitTree(*(array[:nodes].copy() for array in tree))  # type: ignore[arg-type]
