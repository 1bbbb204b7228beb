"""The tables that the inputs and the one-player game are computed from."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import KINDS
from engine.papers.neat import shape_kernels
from engine.papers.neat.input_kernels import ShapeTables
from engine.shanten.table_kernels import HONOUR_ROWS, SUIT_ROWS
from engine.shanten.tables import cached, hand_tables


@cache
def shape_tables() -> ShapeTables:
    """All tables; loaded or built at the first call."""
    shapes, traits = cached("shapes", build_shapes)
    return ShapeTables(hand_tables(), shapes, traits)  # type: ignore[arg-type]


def build_shapes() -> tuple[NDArray[np.uint16], NDArray[np.uint32]]:
    """Build the tables of :mod:`engine.papers.neat.shape_kernels`."""
    shapes = np.zeros(SUIT_ROWS + HONOUR_ROWS, np.uint16)
    traits = np.zeros(SUIT_ROWS + HONOUR_ROWS, np.uint32)
    powers, best = np.zeros(9, np.int64), np.zeros(shape_kernels.CODES, np.int64)
    shape_kernels.fill_shapes(np.zeros(KINDS, np.uint8), powers, best, hand_tables(), shapes)
    shape_kernels.fill_traits(np.zeros(KINDS, np.uint8), hand_tables(), traits)
    return shapes, traits
