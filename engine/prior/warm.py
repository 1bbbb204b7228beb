"""What the network that imitates players needs before the first decision."""

from __future__ import annotations

from typing import Final

from engine.model.actions import Action, ActionKind
from engine.preparation import Preparation
from engine.prior.input_kernels import fill_inputs
from engine.prior.inputs import inputs_of
from engine.prior.layout_kernels import WHO_PHOENIX
from engine.prior.weights import shipped_network
from engine.state import GameState


def _ask() -> None:
    legal = (Action(ActionKind.DISCARD, 0),)
    inputs = inputs_of(GameState(0), legal, WHO_PHOENIX)
    shipped_network().log_chances(inputs.planes[None], inputs.numbers[None], inputs.question[None])


PRIOR: Final = Preparation("network that imitates", {fill_inputs: 8.0}, _ask)
