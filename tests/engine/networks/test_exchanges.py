"""Suits, dragons and ranks exchanged: the question stays the same."""

from __future__ import annotations

import numpy as np
import pytest

from engine.networks import imitation_layout_kernels as layout
from engine.networks.exchanges import Exchange
from engine.networks.imitation import legal_answers
from engine.networks.imitation_layout_kernels import A_CALLS, A_KANS, A_PASS, A_RIICHI, CALL_HIGH, CALL_LOW, CALL_PON
from tests.engine.networks.made_up import made_up

SWAP = Exchange(suits=(1, 0, 2), dragons=(0, 2, 1), mirrored=True)


@pytest.mark.parametrize(
    ("answer", "becomes"),
    [
        (0, 17),  # 1m is 9p
        (13, 4),  # 5p is 5m
        (A_RIICHI + 20, A_RIICHI + 24),  # 3s is 7s
        (A_KANS + 27, A_KANS + 27),  # winds stay
        (32, 33),
        (A_CALLS + CALL_LOW, A_CALLS + CALL_HIGH),
        (A_CALLS + CALL_HIGH, A_CALLS + CALL_LOW),
        (A_CALLS + CALL_PON, A_CALLS + CALL_PON),
        (A_PASS, A_PASS),
    ],
)
def test_an_answer_changes_with_the_tiles(answer, becomes):
    assert SWAP.answers[answer] == becomes


@pytest.mark.parametrize(
    "exchange", [SWAP, Exchange(suits=(2, 0, 1)), Exchange(suits=(2, 1, 0), mirrored=True), Exchange(dragons=(1, 2, 0))]
)
def test_the_answers_that_are_legal_move_with_the_tiles(exchange):
    _, planes, numbers, questions = made_up(3, 40)
    shown, _, asked = exchange.inputs(planes, numbers, questions)
    assert (legal_answers(asked)[:, exchange.answers] == legal_answers(questions)).all()
    assert (shown[:, exchange.becomes] == planes).all()
    offered = questions[:, layout.Q_OFFERED]
    assert (np.where(offered >= 0, exchange.becomes[offered], -1) == asked[:, layout.Q_OFFERED]).all()


def test_an_exchange_leaves_its_inputs_alone():
    _, planes, numbers, questions = made_up(3, 4)
    before = [array.copy() for array in (planes, numbers, questions)]
    SWAP.inputs(planes, numbers, questions)
    for array, copy in zip((planes, numbers, questions), before, strict=True):
        np.testing.assert_array_equal(array, copy)
