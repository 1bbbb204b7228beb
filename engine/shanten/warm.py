"""What shanten and the reading of complete hands need before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.shanten import reading_kernels, shanten_kernels, table_kernels
from engine.shanten.tables import hand_tables

HANDS: Final = Preparation(
    "hands",
    {
        table_kernels.merge_vectors: 1.0,
        table_kernels.fill_rows: 2.0,
        table_kernels.fill_row_numbers: 0.5,
        reading_kernels.list_readings: 1.5,
        shanten_kernels.check_hand: 0.2,
        shanten_kernels.find_rows: 0.2,
        shanten_kernels.checked_shanten: 0.5,
        shanten_kernels.neighbour_shanten: 1.0,
    },
    hand_tables,
)
HANDS_IN_BATCHES: Final = Preparation("hands, in batches", {shanten_kernels.batch_shanten: 1.0}, hand_tables)
"""For callers of the library; nothing in play reads many hands at once."""
