"""The example that the modules of the search follow: 23m 99p 1z beside three open sets, and one tile may come in."""

from __future__ import annotations

import numpy as np

from engine.model.tiles import parse_tiles37
from engine.search.dag.graph import Bounds, list_hands, list_wins
from engine.search.dag.graph_kernels import Root
from engine.search.dag.search_kernels import count_edges, link_hands
from tests.engine.parts import callable_part

MAN2, MAN3, PIN9, EAST = 1, 2, 17, 27


def listed():
    held = np.zeros(34, np.int8)
    for kind in parse_tiles37("23m99p1z"):
        held[kind] += 1
    root, bounds = Root(held, 4 - held, 4 - held), Bounds(1)
    wins = list_wins(root, bounds)
    hands = list_hands(root, bounds, wins)
    return wins, hands, link_hands(hands, root, bounds.limits)


def test_two_exchanges_complete_it_and_outs_have_numbers():
    wins, _, _ = listed()
    assert list(zip(wins.keys.tolist(), wins.codes.tolist(), strict=True)) == [(4, 12), (1, 12)]
    assert [int(wins.outs.stride[kind]) for kind in (MAN2, MAN3, PIN9, EAST)] == [1, 2, 4, 12]
    assert wins.outs.less_kind.tolist() == [MAN2, MAN3, PIN9, EAST]


def test_the_first_row_has_every_legal_discard_and_the_others_are_completed_by_east():
    _, hands, _ = listed()
    assert hands.rows.key.tolist() == [0, 4, 1]
    assert hands.rows.level_start.tolist() == [0, 1, 3]
    assert hands.full_out.tolist() == [4, 4]
    assert hands.node_start.tolist() == [0, 4, 4, 4]
    assert hands.node_out.tolist() == [1, 2, 3, 4]


def test_its_links_are_the_four_discards_and_the_two_wins():
    _, _, graph = listed()
    assert graph.draw_link.tolist() == [11, 531, 1162, 1755]
    assert sorted(graph.win_link.tolist()) == [3 << 9 | 0 << 3 | 4, 3 << 9 | 3 << 3 | 4] == [1540, 1564]
    assert graph.win_level.tolist() == [0, 0, 2]
    assert callable_part(count_edges)(graph) == 6
