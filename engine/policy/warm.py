"""What the policies themselves need before the first decision."""

from __future__ import annotations

from typing import Final

from engine.policy.players.value import ValuePolicy
from engine.policy.quick import plan_kernels
from engine.preparation import Preparation
from engine.shanten.tables import shanten_tables

PLANS: Final = Preparation("ways to a yaku", {plan_kernels.plan_draws: 0.6}, shanten_tables)
PLACEMENT: Final = Preparation("final ranks", {}, ValuePolicy)
