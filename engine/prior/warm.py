"""What the network that imitates players needs before the first decision."""

from __future__ import annotations

from typing import Final

from engine.model.actions import Action, ActionKind
from engine.preparation import Preparation
from engine.prior import input_kernels
from engine.prior.inputs import inputs_of
from engine.prior.weights import shipped_network
from engine.state import GameState


def _ask() -> None:
    legal = (Action(ActionKind.DISCARD, 0),)
    inputs = inputs_of(GameState(0), legal, input_kernels.WHO_PHOENIX)
    shipped_network().log_chances(inputs.planes[None], inputs.numbers[None], inputs.question[None])


PRIOR: Final = Preparation("network that imitates", {input_kernels.fill_inputs: 8.0}, _ask)
