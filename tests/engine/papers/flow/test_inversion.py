"""The evaluator ``inversion`` against a plain enumeration of the winning forms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.actions import ActionKind
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import RED_FIVES, allocate136, parse_tiles37
from engine.search.evaluator import Choice
from engine.search.position import Sketch
from engine.search.registry import make_evaluator
from engine.search.tiles import RON
from tests.oracles.naive_forms import inverted

PON = Meld(MeldKind.PON, (124, 125, 126), 126, 1)
CHI = Meld(MeldKind.CHI, (36, 40, 44), 44, 3)


def position(text, melds=()):
    used = [tile for meld in melds for tile in meld.tiles]
    tiles = allocate136(parse_tiles37(text), taken=used)
    visible = [red for red in RED_FIVES if red not in (*tiles, *used)]  # the oracle would draw them
    return Sketch(tiles, melds, [4 * 33 + 3], visible, turn=7).position()


def value_of(sums):
    return sum(points for _, points in sums)


@pytest.mark.parametrize(
    ("text", "melds"),
    [
        ("234m340p567s2256s1z", ()),
        ("11m2233p445589s66z", ()),
        ("19m19p19s12345566z", ()),
        ("234m467p88s", (PON, CHI)),
        ("24m4067p18s", (PON, CHI)),
        ("24m19s3z", (PON, CHI, replace(CHI, tiles=(72, 76, 80), called=80))),
    ],
)
def test_it_sums_what_a_plain_enumeration_sums(text, melds):
    asked = position(text, melds)
    found = make_evaluator("inversion", {"forms": 1_000_000}).evaluate(asked)
    worths = {worth.choice: worth for worth in found.actions}
    for kind in {tile >> 2 for tile in asked.concealed}:
        worth = worths[Choice(ActionKind.DISCARD, kind)]
        assert worth.value == pytest.approx(value_of(inverted(asked, kind, asked.draws_left, RON)))


def test_a_hand_without_a_discard_is_summed_as_it_is():
    asked = position("234m340p567s2256s")
    found = make_evaluator("inversion").evaluate(asked)
    assert found.best.choice == Choice(ActionKind.PASS)
    assert found.best.value == pytest.approx(value_of(inverted(asked, None, asked.draws_left, RON)))


def test_a_share_of_too_many_forms_stands_for_all():
    asked = position("1147m258p369s1234z")
    most, few = (make_evaluator("inversion", {"forms": forms}).evaluate(asked) for forms in (1_000_000, 5_000))
    assert few.nodes <= 5_000 < most.nodes
    assert few.best.value == pytest.approx(most.best.value, rel=0.35)


def test_riichi_is_worth_most_without_another_yaku_and_least_with_a_yakuman():
    plain = make_evaluator("inversion").evaluate(position("234m345p99s567s78m1z"))
    assert plain.best.choice.kind is ActionKind.RIICHI
    great = make_evaluator("inversion").evaluate(position("111222333z9m678s1m"))
    assert great.best.choice.kind is ActionKind.DISCARD
