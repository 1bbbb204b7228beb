"""The tiles to come around an average table: others read what a hand waits for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import oshihiki
import pytest
from oshihiki import Written

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import allocate136, parse_tiles37
from engine.search import read_waits as module
from engine.search.discard_tables import LATE, SORTS, discard_tables, group_of
from engine.search.evaluator import AS_IT_STANDS, DECLARING
from engine.search.position import Sketch
from engine.search.read_waits import read_waits
from engine.search.registry import make_evaluator


def position(text, **facts):
    return Sketch(allocate136(parse_tiles37(text)), **({"turn": 8} | facts)).position()


def worths(hand, model="read"):
    found = make_evaluator("dag", {"model": model}).evaluate(hand, budget=Budget(nodes=20_000))
    return {worth.choice: worth for worth in found.actions}


@pytest.mark.parametrize("text", ["123m456p1123567s1z", "147m258p369s12345z", "11223344m55p667s1z"])
def test_waits_that_nobody_reads_are_the_full_model(text, monkeypatch):
    """But for silent tenpai, which the full model lets declare riichi a turn later; the player has the last draw."""
    tables = discard_tables()
    monkeypatch.setattr(module, "discard_tables", lambda: replace(tables, waited=np.ones_like(tables.waited)))
    hand = next(one for one in (position(text, dealer_distance=distance) for distance in range(4)) if one.tail == 0)
    full, read = worths(hand, "full"), worths(hand)
    tenpai = any(choice.kind is ActionKind.RIICHI for choice in full)
    for choice, worth in full.items():
        if tenpai and choice.kind is ActionKind.DISCARD:
            assert read[choice].value <= worth.value + 1.0
        else:
            assert read[choice].p_win == pytest.approx(worth.p_win, rel=1e-4)
            assert read[choice].value == pytest.approx(worth.value, rel=1e-3, abs=1.0)


def test_a_kind_comes_as_rarely_as_it_was_counted():
    hand = position("123m456p1123567s1z")
    read, tables, draws = read_waits(hand), discard_tables(), hand.draws_left
    kind, copies = 27, hand.unseen[27]  # east, of which one is held
    sort = SORTS.index("honour")
    for how, stance in ((AS_IT_STANDS, 0), (DECLARING, 2)):
        counted = tables.waited[1, stance, 0, sort, copies - 1, group_of(draws)]
        assert read.draws[how, 0, kind] == pytest.approx(counted)
    late = read.discards[DECLARING, 0, :, kind] / read.discards[DECLARING, 0, 0, kind]
    assert late[draws] < 1.0  # with the last tiles less than now
    assert LATE[-1] > draws


@pytest.mark.parametrize(
    ("hand", "melds", "turn", "seldom", "often"),
    [
        ("22m3m567p40s6s55z", "666z", 6, "3m", "2m"),  # a pair of honours and 2m, or both sides of 23m
        ("22m3m567p40s6s55z", "666z", 12, "3m", "2m"),
        ("13m4m567p40s6s55z", "666z", 6, "4m", "1m"),  # the gap of 13m, or both sides of 34m
        ("99m567p40s6s55z7z", "666z", 6, "9m", "7z"),  # one honour of three left, or a pair of honours and 9m
    ],
)
def test_open_waits_are_won_on_as_players_see_them(hand, melds, turn, seldom, often):
    found = {row.tile: row.p_win for row in oshihiki.evaluate(Written(hand, melds=melds, turn=turn), nodes=20_000)}
    assert found[seldom] < found[often]


def test_a_riichi_on_one_kind_is_no_even_chance():
    found = {row.action: row.p_win for row in oshihiki.evaluate(Written("11223m1123789p55z", dora="9s", turn=6))}
    assert 0.2 < found["riichi 1p"] < 0.4
