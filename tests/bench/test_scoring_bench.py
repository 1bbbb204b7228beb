"""Scoring: bar 10 microseconds a win."""

from __future__ import annotations

import pytest

from engine.model.melds import Meld, MeldKind
from engine.scoring import WinContext, score_win

CLOSED = WinContext(
    (0, 4, 8, 48, 52, 56, 76, 80, 84, 92, 96, 100, 104, 105),
    92,
    False,
    28,
    27,
    riichi=1,
    dora_indicators=(96,),
    ura_indicators=(5,),
)
OPEN = WinContext(
    (0, 4, 8, 48, 53, 56, 96, 97, 76, 80, 84), 84, True, 27, 27, (Meld(MeldKind.PON, (108, 109, 110), 108, 1),)
)


@pytest.mark.parametrize("context", [CLOSED, OPEN], ids=["closed", "open"])
def test_single(benchmark, context):
    assert score_win(context)
    benchmark(score_win, context)
