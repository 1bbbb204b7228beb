"""Shanten: bar 100 ns a hand in batch, a few microseconds a single call."""

from __future__ import annotations

import pytest

from engine.shanten import discard_shanten, shanten, shanten_batch, ukeire, waits
from tests.samples import random_hands

THIRTEEN = [1] * 9 + [0] * 18 + [2, 2] + [0] * 5
FOURTEEN = [1] * 9 + [0] * 18 + [3, 2] + [0] * 5


def test_batch_of_100_000_hands(benchmark):
    hands = random_hands(100_000, seed=1)
    shanten_batch(hands[:1])
    benchmark(shanten_batch, hands)


@pytest.mark.parametrize("call", [shanten, waits, ukeire], ids=lambda call: call.__name__)
def test_single(benchmark, call):
    call(THIRTEEN)
    benchmark(call, THIRTEEN)


def test_single_discard_shanten(benchmark):
    discard_shanten(FOURTEEN)
    benchmark(discard_shanten, FOURTEEN)
