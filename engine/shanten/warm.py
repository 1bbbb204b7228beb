"""What shanten and the reading of complete hands need before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.shanten import reading_kernels, shanten_kernels, table_kernels
from engine.shanten.readings import reading_tables
from engine.shanten.tables import shanten_tables

SHANTEN: Final = Preparation(
    "shanten",
    {
        table_kernels.merge_vectors: 1.0,
        table_kernels.fill_rows: 2.0,
        table_kernels.fill_row_numbers: 0.5,
        shanten_kernels.check_hand: 0.2,
        shanten_kernels.suit_row: 0.2,
        shanten_kernels.honour_row: 0.2,
        shanten_kernels.checked_shanten: 0.5,
        shanten_kernels.neighbour_shanten: 1.0,
        shanten_kernels.batch_shanten: 1.0,
    },
    shanten_tables,
)
READINGS: Final = Preparation("complete hands", {reading_kernels.list_readings: 1.5}, reading_tables)
