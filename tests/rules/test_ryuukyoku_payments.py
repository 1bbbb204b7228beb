"""What a hand without a win moves."""

from __future__ import annotations

import pytest

from engine.model.events import RyuukyokuKind
from engine.scoring import ryuukyoku_deltas

EXHAUSTIVE = RyuukyokuKind.EXHAUSTIVE


@pytest.mark.parametrize(
    ("tenpai", "deltas"),
    [
        ((), (0, 0, 0, 0)),
        ((2,), (-1000, -1000, 3000, -1000)),
        ((0, 3), (1500, -1500, -1500, 1500)),
        ((0, 1, 2), (1000, 1000, 1000, -3000)),
        ((0, 1, 2, 3), (0, 0, 0, 0)),
    ],
)
def test_noten_payments(tenpai, deltas):
    assert ryuukyoku_deltas(EXHAUSTIVE, tenpai) == deltas


@pytest.mark.parametrize(
    ("nagashi", "dealer", "deltas"),
    [
        ((2,), 3, (-2000, -2000, 8000, -4000)),
        ((3,), 3, (-4000, -4000, -4000, 12000)),
        ((1, 2), 0, (-8000, 6000, 6000, -4000)),
    ],
)
def test_nagashi_mangan_replaces_them(nagashi, dealer, deltas):
    assert ryuukyoku_deltas(RyuukyokuKind.NAGASHI_MANGAN, (0, 1), dealer, nagashi) == deltas


@pytest.mark.parametrize("kind", [kind for kind in RyuukyokuKind if kind.value not in {"", "nm"}])
def test_abortive_draws_move_nothing(kind):
    assert ryuukyoku_deltas(kind, (0, 1)) == (0, 0, 0, 0)
