"""The tables that the inputs and the one-player game are computed from."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.search.neat import shape_kernels
from engine.search.neat.input_kernels import Tables
from engine.shanten.readings import reading_tables
from engine.shanten.table_kernels import HONOUR_ROWS, SUIT_ROWS
from engine.shanten.tables import cached, shanten_tables


@cache
def hand_tables() -> Tables:
    """All tables; loaded or built at the first call."""
    shapes, traits = cached("shapes", build_shapes)
    return Tables(*shanten_tables(), *reading_tables(), shapes, traits)  # type: ignore[arg-type]


def build_shapes() -> tuple[NDArray[np.uint16], NDArray[np.uint32]]:
    """Build the tables of :mod:`engine.search.neat.shape_kernels`."""
    words = shanten_tables().words
    shapes = np.zeros(SUIT_ROWS + HONOUR_ROWS, np.uint16)
    traits = np.zeros(SUIT_ROWS + HONOUR_ROWS, np.uint32)
    digits = np.zeros(9, np.int64)
    shape_kernels.fill_shapes(digits, np.zeros(9, np.int64), np.zeros(shape_kernels.CODES, np.int64), words, shapes)
    shape_kernels.fill_traits(digits, words, traits)
    return shapes, traits
