"""The evaluator ``gametree`` against a plain recursion over draws and discards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import RED_FIVES, allocate136, counts34, parse_tiles37
from engine.papers.flow.gametree import GROWTH
from engine.papers.flow.handscore import POINT
from engine.search.evaluator import Choice
from engine.search.position import Sketch
from engine.search.registry import make_evaluator
from engine.shanten import shanten, ukeire
from tests.oracles.naive_forms import hand_score
from tests.oracles.naive_tree import Tree
from tests.samples import parse_tile37

PON = Meld(MeldKind.PON, (124, 125, 126), 126, 1)
CHI = Meld(MeldKind.CHI, (36, 40, 44), 44, 3)


def position(text, melds=(), unseen=None, **facts):
    used = [tile for meld in melds for tile in meld.tiles]
    tiles = allocate136(parse_tiles37(text), taken=used)
    if "offered" in facts:
        facts |= {"offered": allocate136([parse_tile37(facts["offered"])], taken=tiles)[0], "offered_by": 3}
    visible = [red for red in RED_FIVES if red not in (*tiles, *used)]  # the oracle would draw them
    found = Sketch(tiles, melds, [4 * 33 + 3], visible, **{"turn": 15, **facts}).position()
    if unseen is None:
        return found
    left = tuple(counts34(allocate136(parse_tiles37(unseen), taken=[*used, *tiles])))
    return replace(found, unseen=left)


def without(asked, kind):
    return tuple(count - (at == kind) for at, count in enumerate(asked.counts))


@pytest.mark.parametrize(
    ("text", "melds", "unseen"),
    [
        pytest.param("234m345p99s567s78m1z", (), None, marks=pytest.mark.slow),  # the oracle draws from a whole wall
        ("234m340p567s2256s1z", (), "147m5m3p47s122z"),
        ("11m2233p445589s66z", (), "1m3p4589s6z3z"),
        ("24m4067p11s78s", (PON,), "3m5p691s5z"),
        ("24m406p18s1z", (PON, CHI), "3m5p691s5z"),
    ],
)
def test_it_finds_what_a_plain_recursion_finds(text, melds, unseen):
    asked = position(text, melds, unseen)
    found = make_evaluator("gametree", {"hands": 200_000}).evaluate(asked)
    assert found.complete
    assert found.exchanges == asked.draws_left - 1
    tree = Tree(asked)
    for worth in found.actions:
        hand = without(asked, worth.choice.tile34)
        if worth.choice.kind is ActionKind.RIICHI:
            assert worth.value == pytest.approx(tree.riichi(hand, asked.draws_left))
        else:
            assert worth.value == pytest.approx(tree.silent(hand, found.exchanges, asked.draws_left))


def test_a_hand_without_a_discard_is_valued_as_it_is():
    asked = position("234m340p567s2256s", unseen="147m5m3p47s122z")
    found = make_evaluator("gametree", {"hands": 200_000}).evaluate(asked)
    assert found.best.choice == Choice(ActionKind.PASS)
    assert found.best.value == pytest.approx(Tree(asked).silent(asked.counts, found.exchanges, asked.draws_left))


def test_the_budget_decides_the_depth():
    asked = position("2345m4067p34588s1z", turn=6)
    few, more = (make_evaluator("gametree").evaluate(asked, budget=Budget(nodes)) for nodes in (1_000, 20_000))
    assert few.exchanges < more.exchanges
    assert few.nodes <= 1_000 < more.nodes <= 20_000
    assert few.nodes * GROWTH > 1_000


def test_beyond_its_depth_it_counts_the_hand_score_and_the_chance_to_come_nearer():
    asked = position("1147m258p369s1234z", turn=6)
    found = make_evaluator("gametree").evaluate(asked, budget=Budget(expired=lambda: True))
    assert not found.complete
    assert found.exchanges == 0
    for worth in found.actions:
        hand = without(asked, worth.choice.tile34)
        if shanten(hand) > asked.shanten:
            assert worth.value == 0.0
            continue
        chance = 1.0 - (1.0 - ukeire(hand, 0, asked.unseen).total / sum(asked.unseen)) ** asked.draws_left
        assert worth.value == pytest.approx(POINT * hand_score(hand) * chance)


def test_a_budget_that_ends_within_a_layer_keeps_the_answer_of_the_last_whole_one():
    asked = position("1147m258p369s1234z", turn=6)
    looks = iter([False] * 20 + [True] * 1_000)
    found = make_evaluator("gametree").evaluate(asked, budget=Budget(expired=lambda: next(looks)))
    assert 0 < found.exchanges < asked.shanten
    assert found.best.value > 0.0
