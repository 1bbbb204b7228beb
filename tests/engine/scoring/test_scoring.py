"""The scoring interface: the table of yaku, the batch form, and what is refused. Rules are in tests/rules."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.model.melds import Meld, MeldKind
from engine.model.yaku import YAKU_NAMES
from engine.scoring import YAKU, WinContext, WinError, pack_melds, score_win, win_flags
from engine.scoring import win_kernels as kernels
from engine.scoring import yaku_kernels as table
from tests.engine.parts import callable_part

RULES = Path(__file__).resolve().parents[2] / "rules"
PINFU = WinContext((0, 4, 8, 48, 52, 56, 76, 80, 84, 96, 100, 104, 105, 92), 92, False, 28, 27)
PON = Meld(MeldKind.PON, (108, 109, 110), 108, 1)
OPEN = WinContext((0, 4, 8, 48, 53, 56, 96, 97, 76, 80, 84), 84, True, 27, 27, (PON,))


def test_rows_stand_under_their_ids_and_have_names():
    assert [row.id for row in YAKU] == list(range(len(YAKU)))
    assert len(YAKU) <= kernels.FU_AT, "no bit is left: take the row of RENHOU, which nobody awards"
    assert len(YAKU_NAMES) == len(YAKU), "each row has its name in engine/model/yaku.py"
    for row in YAKU:
        constant = getattr(table, row.name, None)
        assert constant in {None, 1 << row.id}, f"{row.name}: its constant below the rows of yaku_kernels.py"
        english = YAKU_NAMES[row.id].english
        assert any(word in english.split() for word in row.name.lower().split("_")), (
            f"{row.name}: its name in engine/model/yaku.py is {english!r}"
        )


def test_kernels_name_every_yaku_but_those_that_they_count_from_another():
    winds = {f"{whose}_{wind}" for whose in ("SEAT", "ROUND") for wind in ("SOUTH", "WEST", "NORTH")}
    derived = winds | {"HATSU", "CHUN", "DORA", "URA_DORA", "RED_FIVE"}
    awarded = {row.name for row in YAKU if row.closed or row.open}
    for name in awarded - derived:
        assert hasattr(table, name), f"{name}: its constant below the rows of engine/scoring/yaku_kernels.py"


@pytest.mark.parametrize("name", [row.name.lower() for row in YAKU if row.closed or row.open])
def test_every_yaku_has_an_example_among_the_rules(name):
    said = any(re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")) for path in RULES.glob("test_*.py"))
    assert said, f"{name}: a hand that has it in tests/rules/test_yaku.py or test_yakuman.py"


def test_han_of_every_single_yaku():
    for row in YAKU:
        if table.YAKUMAN not in {row.closed, row.open}:
            assert callable_part(table.han_of)(1 << row.id, False) == row.closed
            assert callable_part(table.han_of)(1 << row.id, True) == row.open


def test_han_of_sets_is_their_sum():
    generator = np.random.default_rng(5)
    common = [row for row in YAKU if table.YAKUMAN not in {row.closed, row.open}]
    for _ in range(200):
        chosen = [row for row in common if generator.random() < 0.3]
        mask = sum(1 << row.id for row in chosen)
        assert callable_part(table.han_of)(mask, False) == sum(row.closed for row in chosen)
        assert callable_part(table.han_of)(mask, True) == sum(row.open for row in chosen)


@pytest.mark.parametrize("bits", [0, 1, 0b1011, (1 << 55) - 1, 1 << 61, (1 << 62) - 1])
def test_popcount(bits):
    assert callable_part(table.popcount)(bits) == bits.bit_count()


@pytest.mark.parametrize(
    ("context", "message"),
    [
        (replace(PINFU, concealed=PINFU.concealed[1:]), r"13 concealed tiles with 0 melds"),
        (replace(PINFU, melds=(PON,)), r"14 concealed tiles with 1 meld are"),
        (replace(PINFU, win_tile=135), r"winning tile 7z is not among"),
        (replace(OPEN, concealed=(108, 109, *OPEN.concealed[2:])), r"five of 1z"),
    ],
)
def test_impossible_wins_are_refused_in_words(context, message):
    with pytest.raises(WinError, match=message):
        score_win(context)


def test_not_complete_or_without_yaku_is_none():
    assert score_win(PINFU) is not None
    assert score_win(replace(PINFU, concealed=(*PINFU.concealed[:-1], 132), win_tile=132)) is None
    assert score_win(replace(OPEN, seat_wind=28, round_wind=28)) is None


def test_flags_and_melds_pack_into_small_numbers():
    circumstances = dict.fromkeys(("ippatsu", "rinshan", "chankan", "last_tile", "first_turn"), True)
    assert win_flags(WinContext((), 0, True, 30, 30, riichi=2, **circumstances)) < 1 << 16
    kan = Meld(MeldKind.ANKAN, (132, 133, 134, 135), None, 0)
    assert pack_melds((kan,) * 4) < 1 << 32
    assert pack_melds(()) == 0
    assert callable_part(kernels.open_melds)(pack_melds((kan, PON)))
    assert not callable_part(kernels.open_melds)(pack_melds((kan, kan)))
