"""Shanten against its definition, against an independent library, and laws that hold for every hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jansou.analysis.shanten import shanten_counts

from engine.shanten import (
    decompose,
    discard_shanten,
    discard_ukeire,
    seven_pairs_shanten,
    shanten,
    shanten_batch,
    standard_shanten,
    thirteen_orphans_shanten,
    ukeire,
    waits,
)
from tests.oracles import naive_shanten as naive
from tests.samples import random_hands


@st.composite
def hands(draw, tiles):
    """Counts and melds; half of the hands from few kinds, where shapes are dense and four of a kind are common."""
    melds = draw(st.integers(0, 4))
    few = draw(st.booleans())
    kinds = draw(st.lists(st.integers(0, 33), min_size=5, max_size=9, unique=True)) if few else range(34)
    wall = [kind for kind in kinds for _ in range(4)]
    places = draw(
        st.lists(st.integers(0, len(wall) - 1), min_size=tiles - 3 * melds, max_size=tiles - 3 * melds, unique=True)
    )
    counts = [0] * 34
    for place in places:
        counts[wall[place]] += 1
    return counts, melds


@pytest.mark.slow
@settings(max_examples=250)
@given(hands(13) | hands(14))
def test_as_defined(hand):
    counts, melds = hand
    assert standard_shanten(counts, melds) == naive.standard(counts, melds)
    assert shanten(counts, melds) == naive.shanten(counts, melds)
    if not melds:
        assert seven_pairs_shanten(counts) == naive.seven_pairs(counts)
        assert thirteen_orphans_shanten(counts) == naive.thirteen_orphans(counts)


@settings(max_examples=200)
@given(hands(14))
def test_complete_is_minus_one(hand):
    counts, melds = hand
    assert (shanten(counts, melds) == -1) == naive.is_complete(counts, melds)


@settings(max_examples=150)
@given(hands(13))
def test_a_draw_brings_one_nearer_exactly_when_ukeire_says_so(hand):
    counts, melds = hand
    found = ukeire(counts, melds)
    accepted = dict(found.tiles)
    assert found.shanten == shanten(counts, melds)
    for kind in range(34):
        if counts[kind] < 4:
            counts[kind] += 1
            change = shanten(counts, melds) - found.shanten
            counts[kind] -= 1
            assert change == (-1 if kind in accepted else 0)
        else:
            assert kind not in accepted
    assert accepted  # some tile always helps
    assert waits(counts, melds) == (tuple(accepted) if found.shanten == 0 else ())


@settings(max_examples=150)
@given(hands(14))
def test_the_best_discard_keeps_the_shanten(hand):
    counts, melds = hand
    before = shanten(counts, melds)
    after = discard_shanten(counts, melds)
    for kind in range(34):
        if counts[kind]:
            counts[kind] -= 1
            assert after[kind] == shanten(counts, melds)
            counts[kind] += 1
        else:
            assert after[kind] == 99
    assert min(after) == max(before, 0)


@settings(max_examples=150)
@given(hands(14), st.lists(st.integers(0, 4), min_size=34, max_size=34))
def test_each_discard_leaves_the_shanten_of_the_rest_of_the_hand(hand, unseen):
    counts, melds = hand
    after = discard_ukeire(counts, melds, unseen)
    assert after.shanten == discard_shanten(counts, melds)
    for kind in range(34):
        if counts[kind]:
            counts[kind] -= 1
            left = ukeire(counts, melds, unseen)
            counts[kind] += 1
            assert (after.ukeire[kind], after.kinds[kind]) == (left.total, sum(1 << each for each, _ in left.tiles))
        else:
            assert (after.ukeire[kind], after.kinds[kind]) == (0, 0)


@given(hands(13) | hands(14), st.permutations([0, 1, 2]), st.permutations(range(7)), st.booleans())
def test_suits_and_honours_may_be_swapped_and_numbers_mirrored(hand, suits, honours, mirrored):
    counts, melds = hand
    moved = []
    for suit in suits:
        numbers = counts[9 * suit : 9 * suit + 9]
        moved += numbers[::-1] if mirrored else numbers
    moved += [counts[27 + honour] for honour in honours]
    assert shanten(moved, melds) == shanten(counts, melds)


@pytest.mark.parametrize("tiles", [13, 14])
def test_batch_agrees_with_another_library(tiles):
    hands = random_hands(3000, seed=tiles, tiles=tiles)
    ours = shanten_batch(hands)
    assert ours.tolist() == [shanten_counts(row, 0) for row in hands.tolist()]


@pytest.mark.parametrize("melds", [1, 2, 3, 4])
def test_melded_hands_agree_with_another_library(melds):
    hands = random_hands(500, seed=melds, tiles=14 - 3 * melds)
    ours = shanten_batch(hands, np.full(len(hands), melds, np.uint8))
    assert ours.tolist() == [shanten_counts(row, melds) for row in hands.tolist()]


@settings(max_examples=300)
@given(st.data())
def test_decompose_finds_every_reading(data):
    melds = data.draw(st.integers(0, 3))
    sets = [(kind, kind, kind) for kind in range(34)] + [
        (9 * suit + number, 9 * suit + number + 1, 9 * suit + number + 2) for suit in range(3) for number in range(7)
    ]
    near = [chosen for chosen in sets if all(tile < 6 or tile in (27, 28) for tile in chosen)]
    chosen = data.draw(st.lists(st.sampled_from(near), min_size=4 - melds, max_size=4 - melds))
    pair = data.draw(st.sampled_from([0, 1, 2, 3, 4, 5, 27, 33]))
    counts = [0] * 34
    for tile in (*(tile for each in chosen for tile in each), pair, pair):
        counts[tile] += 1
    if max(counts) > 4:
        return
    expected = set()
    for eyes in range(34):
        if counts[eyes] >= 2:
            counts[eyes] -= 2
            expected |= {(eyes, *reading) for reading in _readings(tuple(counts))}
            counts[eyes] += 2
    found = [(each.pair, each.runs, each.triplets) for each in decompose(counts, melds)]
    assert set(found) == expected
    assert len(found) == len(expected)


def _readings(counts):
    kind = next((kind for kind, count in enumerate(counts) if count), None)
    if kind is None:
        return {((), ())}
    found = set()
    if counts[kind] >= 3:
        rest = (*counts[:kind], counts[kind] - 3, *counts[kind + 1 :])
        found |= {(runs, tuple(sorted((kind, *triplets)))) for runs, triplets in _readings(rest)}
    if kind < 27 and kind % 9 < 7 and counts[kind + 1] and counts[kind + 2]:
        rest = list(counts)
        for tile in range(kind, kind + 3):
            rest[tile] -= 1
        found |= {(tuple(sorted((kind, *runs))), triplets) for runs, triplets in _readings(tuple(rest))}
    return found
