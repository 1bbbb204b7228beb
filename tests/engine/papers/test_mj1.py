"""Random hands are dealt as the exact enumeration of all of them says, and wait on what the shanten tables say."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.tiles import HONOURS, KINDS, parse_tiles37
from engine.opponents.registry import make_estimator
from engine.papers.mj1 import wait_shares
from engine.papers.mj1_kernels import wait_mask
from engine.shanten import waits
from tests.engine.parts import callable_part

PLAIN = np.ones(KINDS)


def unseen(text):
    counts = np.zeros(KINDS, np.int64)
    for kind in parse_tiles37(text):
        counts[kind] += 1
    return counts


def groups():
    for kind in range(KINDS):
        yield (kind,) * 3
        if kind < HONOURS and kind % 9 < 7:
            yield kind, kind + 1, kind + 2


def ways(left, tiles):
    result = 1
    for kind, number in Counter(tiles).items():
        result *= comb(left[kind], number)
    return result


def exact(left, sets, safe=(), bias=PLAIN):
    """Chances of each wait: every order of drawing the sets, then every pair, then every tile taken out."""
    found = Counter()

    def finish(hand, chance):
        tiles = [kind for kind in range(KINDS) for _ in range(hand[kind])]
        for kind in set(tiles):
            rest = list(hand)
            rest[kind] -= 1
            waiting = waits(rest, 4 - sets)
            if waiting and not set(waiting) & set(safe):
                found[waiting] += chance * tiles.count(kind) / len(tiles)

    def draw(left, hand, sets, chance):
        choices = [(kind, kind) for kind in range(KINDS)] if sets == 0 else list(groups())
        weights = [ways(left, tiles) * bias[tiles[0]] for tiles in choices]
        total = sum(weights)
        for tiles, weight in zip(choices, weights, strict=True):
            if weight:
                now, then = list(left), list(hand)
                for kind in tiles:
                    now[kind] -= 1
                    then[kind] += 1
                if sets == 0:
                    finish(then, chance * weight / total)
                else:
                    draw(now, then, sets - 1, chance * weight / total)

    draw([int(count) for count in left], [0] * KINDS, sets, 1.0)
    total = sum(found.values())
    result = np.zeros(KINDS)
    for waiting, chance in found.items():
        result[list(waiting)] += chance / total
    return result


@pytest.mark.parametrize(
    ("tiles", "sets", "safe"),
    [
        ("1123344455667m11z", 1, ()),
        ("12234455667789p111z", 2, ()),
        ("12233445567s22z", 2, (19,)),
        ("111m11122z", 0, ()),
        ("33344455566777m", 3, (3,)),
    ],
)
def test_waits_come_as_often_as_all_hands_counted_one_by_one(tiles, sets, safe):
    left = unseen(tiles)
    mask = sum(1 << kind for kind in safe)
    shares, hands = wait_shares(left, np.array([sets]), [mask], PLAIN[None], 200_000, 5)
    truth = exact(left, sets, safe)
    assert hands[0] > 2_000
    assert np.abs(shares[0] - truth).max() < 5 * np.sqrt(0.25 / hands[0])
    assert shares[0][truth == 0].max(initial=0) < 1e-4  # the trace


def test_a_bias_weighs_whole_suits():
    left = unseen("1122334455m1122334455p")
    bias = np.where(np.arange(KINDS) < 9, 0.25, 1.0)
    shares, hands = wait_shares(left, np.array([2]), [0], bias[None], 200_000, 5)
    assert np.abs(shares[0] - exact(left, 2, (), bias)).max() < 5 * np.sqrt(0.25 / hands[0])
    assert shares[0][:9].sum() < shares[0][9:18].sum()


@given(st.randoms(use_true_random=False))
def test_the_waits_are_those_of_the_shanten_tables(chance):
    sets = chance.randrange(5)
    hand = [0] * KINDS
    every = list(groups())
    while sum(hand) < 3 * sets:
        for kind in chance.choice(every):
            hand[kind] += 1
    hand[chance.randrange(KINDS)] += 2
    if max(hand) > 4:
        return
    out = chance.choice([kind for kind in range(KINDS) if hand[kind]])
    hand[out] -= 1
    mask = callable_part(wait_mask)(np.array(hand), np.zeros(9, np.int64))
    assert tuple(kind for kind in range(KINDS) if mask >> kind & 1) == waits(hand, 4 - sets) or _pairs(hand, sets)


def _pairs(hand, sets):
    """Seven pairs and thirteen orphans are not dealt: four sets, all of twos, can be read as pairs too."""
    return sets == 4 and sum(count >= 2 for count in hand) == 6


def test_equal_seeds_deal_equal_hands():
    left = np.full(KINDS, 3)
    arguments = (left, np.array([4, 3, 2]), [0, 1 << 5, 0], np.ones((3, KINDS)), 500)
    one, two, other = wait_shares(*arguments, 7), wait_shares(*arguments, 7), wait_shares(*arguments, 8)
    assert (one[0] == two[0]).all()
    assert (one[0] != other[0]).any()


def test_tiles_that_make_no_hand_count_for_nothing():
    shares, hands = wait_shares(unseen("147m147p147s1234z"), np.array([4]), [0], PLAIN[None], 100, 3)
    assert shares.max() <= 0.02
    assert hands[0] == 0


def test_the_estimate_knows_suji_by_itself(riichi_table):
    deal = riichi_table()
    danger = make_estimator("mj1").estimate(deal.state)
    row = danger.p_deal_in[1]
    assert row[22] == 0.0  # 5s
    assert row[19] < row[10]  # 2s is suji, 2p is not
    assert (make_estimator("mj1").estimate(deal.state).p_wait == danger.p_wait).all()
