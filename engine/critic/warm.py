"""What the critic needs before it is first asked."""

from __future__ import annotations

from typing import Final

from engine.critic.input_kernels import fill_critic_inputs
from engine.preparation import Preparation
from engine.rules.moment_kernels import collect_moments
from engine.shanten.tables import hand_tables

CRITIC: Final = Preparation("critic", {fill_critic_inputs: 5.0, collect_moments: 4.0}, hand_tables)
"""For the luck of games that were played."""
