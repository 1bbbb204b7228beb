"""What the network that imitates players needs before the first decision."""

from __future__ import annotations

from typing import Final

from engine.imitation import batch_kernels
from engine.imitation.input_kernels import fill_inputs
from engine.imitation.inputs import inputs_of
from engine.imitation.layout_kernels import WHO_PHOENIX
from engine.imitation.network import shipped_network
from engine.model.actions import Action, ActionKind
from engine.preparation import Preparation
from engine.shanten.tables import hand_tables
from engine.state import GameState
from engine.tables import WeightsError


def _ask() -> None:
    legal = (Action(ActionKind.DISCARD, 0),)
    inputs = inputs_of(GameState(0), legal, WHO_PHOENIX)
    try:
        network = shipped_network()
    except WeightsError:
        return  # the policies that use it say so, or refuse to play
    network.log_chances(inputs.planes[None], inputs.numbers[None], inputs.question[None])


PRIOR: Final = Preparation("network that imitates", {fill_inputs: 8.0}, _ask)
PRIOR_IN_BATCHES: Final = Preparation(
    "network that imitates, in batches",
    {batch_kernels.fill_asked: 9.0, batch_kernels.choose: 1.0, batch_kernels.answer_forced: 0.4},
    hand_tables,
)
