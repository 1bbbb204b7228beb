"""The inputs of the imitating network."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.actions import PASS, Action, ActionKind
from engine.networks import imitation_layout_kernels as kernels
from engine.networks.imitation import NUMBERS, PLANES, SCALES, answer_of, inputs_hash, inputs_of
from engine.networks.imitation_layout_kernels import A_CALLS, A_KANS, A_PASS, A_RIICHI


def test_every_number_has_a_name_and_a_scale():
    assert len(PLANES) == len(SCALES.planes) == kernels.PLANES
    assert len(NUMBERS) == len(SCALES.numbers) == kernels.GLOBALS
    assert len({name for name, _ in PLANES}) == kernels.PLANES
    assert len({name for name, _ in NUMBERS}) == kernels.GLOBALS
    assert len(inputs_hash()) == 16


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        (Action(ActionKind.DISCARD, 16), 4),
        (Action(ActionKind.RIICHI, 135), A_RIICHI + 33),
        (Action(ActionKind.ANKAN, 4), A_KANS + 1),
        (Action(ActionKind.KAKAN, 7), A_KANS + 1),
        (Action(ActionKind.CHI, 0, (4, 8)), A_CALLS + kernels.CALL_LOW),
        (Action(ActionKind.CHI, 4, (0, 8)), A_CALLS + kernels.CALL_MIDDLE),
        (Action(ActionKind.CHI, 8, (0, 4)), A_CALLS + kernels.CALL_HIGH),
        (Action(ActionKind.PON, 0, (1, 2)), A_CALLS + kernels.CALL_PON),
        (Action(ActionKind.DAIMINKAN, 0), A_CALLS + kernels.CALL_KAN),
        (PASS, A_PASS),
    ],
)
def test_numbers_of_answers(action, answer):
    assert answer_of(action) == answer


def test_hand_and_shanten_of_a_dealt_hand(table):
    state = table("123m456p789s1122z").draw(0, "5z").state
    planes, numbers, question = inputs_of(state, state.legal_actions(), kernels.WHO_PHOENIX)
    assert planes[:, kernels.HELD_1].sum() == 12
    assert planes[[27, 28], kernels.HELD_1 + 1].tolist() == [1, 1]
    assert planes[31, kernels.DRAWN] == 1
    assert planes[31, kernels.NEAREST] == 1
    assert planes[31, kernels.UKEIRE] == 4
    assert numbers[kernels.G_SHANTEN] == 1
    assert numbers[kernels.G_WHO + kernels.WHO_PHOENIX] == 1
    assert question[kernels.Q_OFFERED] == -1
    assert question[kernels.Q_RIICHI] == 1 << 31
    assert np.all(planes[:, kernels.MAY_RIICHI].nonzero()[0] == 31)
