"""What the simulator needs before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.shanten.tables import hand_tables
from engine.simulator import observation_kernels, play_kernels, position_kernels

SIMULATOR: Final = Preparation(
    "simulator",
    {
        play_kernels.advance_all: 16.0,
        play_kernels.deal_all: 6.0,
        play_kernels.answer_randomly: 0.4,
        play_kernels.first_illegal: 0.4,
        play_kernels.list_questions: 0.3,
    },
    hand_tables,
)

RESEARCH: Final = Preparation(
    "simulator, observations",
    {
        play_kernels.fill_masks: 0.3,
        position_kernels.reshuffle_all: 6.0,
        observation_kernels.observe: 2.0,
    },
    hand_tables,
)
"""Besides, for the door that :mod:`bot.api.simulator` is."""
