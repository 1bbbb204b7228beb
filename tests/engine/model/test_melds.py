"""The discards that a call forbids."""

from __future__ import annotations

import pytest

from engine.model.melds import Meld, MeldKind, kuikae_after, kuikae_mask

CHIS = [
    ((3, [4, 5]), [3, 6]),
    ((6, [4, 5]), [3, 6]),
    ((4, [3, 5]), [4]),
    ((6, [7, 8]), [6]),  # 7 with 89: nothing lies beyond
    ((2, [0, 1]), [2]),
    ((9, [10, 11]), [9, 12]),
]


def kinds(mask):
    return [kind for kind in range(34) if mask >> kind & 1]


@pytest.mark.parametrize(("call", "forbidden"), [*CHIS, ((27, [27, 27]), [27])])
def test_kinds_that_may_not_be_discarded_after_a_call(call, forbidden):
    assert kinds(kuikae_mask(*call)) == forbidden


@pytest.mark.parametrize(("call", "forbidden"), CHIS)
def test_a_chi_already_made_forbids_the_same(call, forbidden):
    called, own = call
    tiles = tuple(sorted(4 * kind for kind in (called, *own)))
    assert kinds(kuikae_after(Meld(MeldKind.CHI, tiles, 4 * called, 3))) == forbidden


def test_a_closed_kan_forbids_nothing():
    assert kuikae_after(Meld(MeldKind.ANKAN, (0, 1, 2, 3), None, 0, 0)) == 0
