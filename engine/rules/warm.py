"""What follows a hand: needed before the first hand has ended."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.rules.course_kernels import next_kyoku, settle_sticks
from engine.shanten.tables import hand_tables

COURSE: Final = Preparation("course of the game", {next_kyoku: 0.3, settle_sticks: 0.2}, hand_tables)
