"""The graph of the DAG search compared with plain definitions: every exchange, every part of one, every discard."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from engine.model.tiles import parse_tiles37
from engine.search.dag.graph import Bounds, complete_patterns, list_hands
from engine.search.dag.graph_kernels import NODE_AT, SLOT_BITS, Root
from engine.search.dag.search_kernels import count_edges, link_hands
from engine.shanten import shanten, shanten_batch
from tests.engine.parts import callable_part


def root_of(counts, limit=None):
    held = np.array(counts, np.int8)
    free = (4 - held).astype(np.int8) if limit is None else np.array(limit, np.int8)
    return Root(held, free, free)


def counts_of(text):
    counts = [0] * 34
    for tile in parse_tiles37(text):
        counts[tile] += 1
    return counts


def complete_by_force(counts, reach):
    """Every complete hand with at most ``reach`` tiles that are not in the root, by exchanging one more tile a time."""
    seen = {tuple(counts)}
    edge = set(seen)
    for _ in range(reach):
        grown = set()
        for hand in edge:
            for out in range(34):
                if not hand[out]:
                    continue
                for come in range(34):
                    if come != out and hand[come] < 4 and hand[come] >= counts[come] and hand[out] <= counts[out]:
                        other = list(hand)
                        other[out] -= 1
                        other[come] += 1
                        grown.add(tuple(other))
        edge = grown - seen
        seen |= edge
    hands = np.array(sorted(seen), np.uint8)
    return [tuple(hand) for hand in hands[shanten_batch(hands, np.zeros(len(hands), np.uint8)) == -1].tolist()]


def parts(bag, number):
    return {tuple(sorted(part)) for part in combinations(sorted(bag.elements()), number)}


def hands_by_definition(counts, reach):
    """Q_S0: the root with k tiles in and k + 1 out, both part of one exchange that completes it; and every discard."""
    found = {((), (kind,)) for kind in range(34) if counts[kind]}
    for hand in complete_by_force(counts, reach):
        come = Counter({kind: hand[kind] - counts[kind] for kind in range(34) if hand[kind] > counts[kind]})
        out = Counter({kind: counts[kind] - hand[kind] for kind in range(34) if hand[kind] < counts[kind]})
        for k in range(come.total()):
            found |= {(one, other) for one in parts(come, k) for other in parts(out, k + 1)}
    return found


def tiles_of(key):
    return [(key >> shift & 63) - 1 for shift in range(0, key.bit_length(), 6)]


def hands_listed(hands, counts):
    kinds = [kind for kind in range(34) if counts[kind]]
    found = []
    for row, key in enumerate(hands.rows.key.tolist()):
        come = tiles_of(key)
        for variant in range(hands.var_first[row], hands.var_last[row]):
            for node in range(hands.node_start[variant], hands.node_start[variant + 1]):
                packed = int(hands.outs.packed[hands.node_out[node]])
                out = [kind for at, kind in enumerate(kinds) for _ in range(packed >> SLOT_BITS * at & 7)]
                found.append((tuple(come), tuple(out), int(hands.melds[variant])))
    return found


HANDS = [
    "123m456p112357s1z5m",
    "1199m2288p335s77z1z",
    "2268m1333p236789s",
    "19m19p19s1234567z5m",
    "111222333m4445s2z",
]


@pytest.mark.parametrize("text", HANDS)
def test_hands_are_those_of_the_definition(text):
    counts = counts_of(text)
    reach = max(shanten(counts), 0) + 1
    hands = list_hands(root_of(counts), Bounds(reach))
    found = [(come, out) for come, out, _ in hands_listed(hands, counts)]
    assert len(found) == len(set(found))
    assert set(found) == hands_by_definition(counts, reach)


def test_complete_patterns_are_counted():
    assert len(complete_patterns(9)) == 21_743
    assert len(complete_patterns(7)) == 498


@pytest.mark.parametrize("text", ["2268m1333p236789s", "4679m2379p45689s1z"])
def test_variants_take_their_melds_from_the_hand(text):
    counts = counts_of(text)
    hands = list_hands(root_of(counts), Bounds(shanten(counts) + 1, 2, 0, False, False))
    listed = hands_listed(hands, counts)
    assert len(set(listed)) == len(listed)
    called = [hand for hand in listed if hand[2]]
    assert called
    for come, out, melds in called:
        left = Counter({kind: counts[kind] for kind in range(34)}) + Counter(come)
        left.subtract(out)
        for shift in range(0, melds.bit_length(), 7):
            meld = (melds >> shift & 127) - 1
            low = meld // 7 * 9 + meld % 7
            tiles = range(low, low + 3) if meld < 21 else [meld - 21] * 3
            assert any(tile in come for tile in tiles)
            left.subtract(tiles)
        assert min(left.values()) >= 0


@pytest.mark.slow  # link_hands alone is compiled for this
@pytest.mark.parametrize("text", ["123m456p112357s1z5m", "2268m1333p236789s", "5556m2338p3678s66z"])
def test_links_are_every_single_exchange(text):
    """Two hands meet at 14 tiles exactly when one draw and one discard lead from one to the other (eq. 15)."""
    counts = counts_of(text)
    root = root_of(counts)
    bounds = Bounds(shanten(counts) + 1, 0, 0, False, False)
    hands = list_hands(root, bounds)
    graph = link_hands(hands, root, bounds.limits)
    kinds = [kind for kind in range(34) if counts[kind]]
    rows = np.repeat(np.arange(len(hands.melds)), np.diff(hands.node_start))
    whole = np.empty((graph.nodes, 34), np.int64)
    row_of = np.empty(len(hands.melds), np.int64)
    for row in range(len(hands.rows.key)):
        row_of[hands.var_first[row] : hands.var_last[row]] = row
    for node in range(graph.nodes):
        hand = list(counts)
        for kind in tiles_of(int(hands.rows.key[row_of[rows[node]]])):
            hand[kind] += 1
        packed = int(hands.outs.packed[hands.node_out[node]])
        for at, kind in enumerate(kinds):
            hand[kind] -= packed >> SLOT_BITS * at & 7
        whole[node] = hand
    met = set()
    groups = [
        graph.draw_link[first : first + degree]
        for starts in graph.draw_start
        for degree in range(2, len(starts) - 1)
        for first in range(starts[degree], starts[degree + 1], degree)
    ]
    groups += [graph.win_link[a:b] for a, b in zip(graph.win_start[:-1], graph.win_start[1:], strict=True)]
    for group in groups:
        nodes = (group >> NODE_AT).tolist()
        fourteen = whole[nodes].max(axis=0) if len(nodes) > 1 else None
        for one in nodes:
            met |= {(one, other) for other in nodes if other != one}
            if fourteen is not None:
                assert fourteen.sum() == 14
    apart = np.abs(whole[:, None] - whole[None]).sum(axis=2)
    assert met == {(a, b) for a, b in np.argwhere(apart == 2).tolist()}


@pytest.mark.slow  # link_hands alone is compiled for this
def test_order_of_suits_and_tiles_does_not_matter():
    source = random.Random(5)
    counts = counts_of("2268m1333p236789s")
    sizes = set()
    for _ in range(4):
        suits = source.sample(range(3), 3)
        turned = [counts[9 * suits[kind // 9] + kind % 9] if kind < 27 else counts[kind] for kind in range(34)]
        root = root_of(turned)
        bounds = Bounds(3, 2, 2)
        graph = link_hands(list_hands(root, bounds), root, bounds.limits)
        sizes.add((graph.nodes, callable_part(count_edges)(graph)))
    assert len(sizes) == 1
