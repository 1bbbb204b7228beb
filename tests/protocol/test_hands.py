"""The tracker of a hand's tiles."""

from __future__ import annotations

import pytest

from engine.model import events as ev
from engine.model.melds import Meld, MeldKind
from protocol.errors import LogError
from protocol.logs.hands import Hands


def test_a_closed_kan_needs_a_drawn_tile():
    hands = Hands()
    dealt = ((0, 1, 2, 3, 4, 5, *range(8, 15)), (6, *range(40, 52)), tuple(range(52, 65)), tuple(range(65, 78)))
    hands.apply(ev.StartKyoku(1, 0, 0, 1, 135, (25_000, 25_000, 25_000, 25_000), dealt))
    hands.apply(ev.Draw(1, 100))
    hands.apply(ev.Discard(1, 6, tsumogiri=False))
    hands.apply(ev.Call(0, Meld(MeldKind.PON, (4, 5, 6), 6, 1)))
    with pytest.raises(LogError, match="seat 0 declares a kan without having drawn"):
        hands.apply(ev.Call(0, Meld(MeldKind.ANKAN, (0, 1, 2, 3), None, 0)))
