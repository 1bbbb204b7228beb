"""What the evaluator ``neat`` needs before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.search.neat import points_kernels, shape_kernels, solo_kernels
from engine.search.neat.tables import shape_tables

NEAT: Final = Preparation(
    "evolved networks",
    {
        points_kernels.solo_points: 0.3,
        points_kernels.solo_win: 2.0,
        shape_kernels.fill_shapes: 1.0,
        shape_kernels.fill_traits: 1.0,
        solo_kernels.play_walls: 5.0,
        solo_kernels.value_hand: 2.0,
    },
    shape_tables,
)
