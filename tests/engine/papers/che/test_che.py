"""The evaluators ``che`` and ``che-calls`` against a plain enumeration of the complete hands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import allocate136, counts34, parse_tiles37
from engine.search.evaluator import Choice
from engine.search.position import Sketch
from engine.search.registry import make_evaluator
from tests.oracles.naive_forms import extracted
from tests.samples import parse_tile37

CHUN = Meld(MeldKind.PON, (132, 133, 134), 134, 1)


def position(text, melds=(), offered=None, unseen=None, **facts):
    used = [tile for meld in melds for tile in meld.tiles]
    tiles = allocate136(parse_tiles37(text), taken=used)
    if offered:
        facts |= {"offered": allocate136([parse_tile37(offered)], taken=[*used, *tiles])[0], "offered_by": 3}
    found = Sketch(tiles, melds, turn=7, **facts).position()
    if unseen is None:
        return found
    left = tuple(counts34(allocate136(parse_tiles37(unseen), taken=[*used, *tiles])))
    return replace(found, unseen=left)


@pytest.mark.parametrize(
    ("text", "melds", "unseen"),
    [
        ("234m340p567s2256s1z", (), "5m3p47s1z"),
        ("2345m4067p34588s1z", (), "16m3p69s"),
        ("24m4067p11s78s", (CHUN,), "3m5p691s"),
    ],
)
def test_with_all_tiles_drawn_it_finds_what_a_plain_enumeration_finds(text, melds, unseen):
    asked = position(text, melds, unseen=unseen)
    found = make_evaluator("che", {"rounds": 3}).evaluate(asked)
    mean, unused = extracted(asked)
    values = {worth.choice.tile34: worth for worth in found.actions if worth.choice.kind is ActionKind.DISCARD}
    for kind, worth in values.items():
        assert worth.value == pytest.approx(unused[kind])
        assert worth.win_points == pytest.approx(mean)


def test_more_rounds_keep_the_choice_and_an_expired_budget_ends_them():
    asked = position("2345m4067p34588s1z")
    che = make_evaluator("che")
    long, short = che.evaluate(asked), che.evaluate(asked, budget=Budget(expired=lambda: True))
    assert short.nodes < long.nodes
    assert long.best.choice == Choice(ActionKind.DISCARD, 27)


def test_it_calls_for_a_yaku_and_passes_without_one():
    calls = make_evaluator("che-calls")
    yakuhai = calls.evaluate(position("234m4567p3488s55z", offered="5z"))
    assert yakuhai.best.choice == Choice(ActionKind.PON, 31)
    assert yakuhai.best.then34 >= 0
    none = calls.evaluate(position("19m4679p11s12344z", offered="8p"))
    assert none.best.choice == Choice(ActionKind.PASS)
    assert none.best.value == 1_500.0
    assert make_evaluator("che").evaluate(position("234m4567p3488s55z", offered="5z")).actions[1:] == ()


def test_a_closed_tenpai_hand_declares_riichi():
    assert make_evaluator("che").evaluate(position("234m345p99s567s78m1z")).best.choice == Choice(ActionKind.RIICHI, 27)
