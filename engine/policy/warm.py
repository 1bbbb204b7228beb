"""What the policies themselves need before the first decision."""

from __future__ import annotations

from typing import Final

from engine.imitation.batch_kernels import answer_forced
from engine.policy import pushfold_kernels
from engine.policy.simple import answer_kernels, batch_kernels
from engine.policy.value.policy import ValuePolicy
from engine.preparation import Preparation
from engine.shanten.tables import hand_tables

QUICK: Final = Preparation(
    "quick estimates",
    {answer_kernels.answer_question: 12.0},
    hand_tables,
)
QUICK_IN_BATCHES: Final = Preparation(
    "quick estimates, in batches",
    {batch_kernels.answer_simply: 12.0, answer_forced: 0.4},
    hand_tables,
)
PUSH_FOLD: Final = Preparation(
    "push or fold", {pushfold_kernels.attacks: 0.2, pushfold_kernels.deals_again: 0.1}, hand_tables
)
PLACEMENT: Final = Preparation("final ranks", {}, ValuePolicy)
