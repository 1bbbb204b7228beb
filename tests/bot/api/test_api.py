"""The doorway for programmers, and its examples."""

from __future__ import annotations

import re
import runpy
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot import api
from engine.model.budget import Budget
from engine.model.events import Discard
from engine.model.rules import Rules
from engine.policy.registry import make_policy

DOCS = Path(__file__).parents[3] / "docs"
GAME = DOCS / "examples" / "game.xml"


def test_the_study_of_many_logs_runs(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["batch.py", str(GAME)])
    runpy.run_path(str(DOCS / "examples" / "batch.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert said.startswith("399 decisions\n")
    assert "1-shanten: 29 of 34 kept the shanten" in said


def test_the_four_notations_name_the_same_tiles():
    texts = ["1m 0p 3s 1z 7z", "1m0p3s1z7z", "1m0p3sEC", "1m0p3s東中", "1m 5pr 3s E C"]
    assert {api.Tiles(text).tile37 for text in texts} == {(0, 35, 20, 27, 33)}
    tiles = api.Tiles(texts[0])
    for notation in api.Notation:
        assert api.Tiles(tiles.text(notation)) == tiles


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: api.danger("1m"), "danger: state is '1m', of type str; it must be GameState"),
        (lambda: api.evaluate(5), "evaluate: hand is 5, of type int; it must be str or Written"),
        (lambda: api.evaluate(api.Written(5)), "evaluate: hand.hand is 5, of type int; it must be str"),
        (lambda: api.evaluate("123m", nodes="many"), "evaluate: nodes is 'many', of type str; it must be int"),
        (lambda: api.rank(None), "rank: state is None, of type NoneType; it must be GameState"),
        (lambda: api.table("123m"), "table: written is '123m', of type str; it must be Written"),
        (lambda: api.score("123m"), "score: won is '123m', of type str; it must be WonHand"),
        (lambda: api.shanten("123m", 5), "shanten: melds is 5, of type int; it must be str"),
        (lambda: api.decisions(5), "decisions: logs is 5, of type int; it must be str or PathLike"),
        (lambda: api.columns(["row"]), "columns: a row is 'row', of type str; it must be LoggedDecision"),
        (lambda: api.Tiles.of34(5), "5, of type int, must be a list of tiles, as tile34"),
        (lambda: api.Tiles.of37("1m"), "'1m', of type str, must be a list of tiles, as tile37"),
        (lambda: api.counts_of(5), "5, of type int, must be a list of hands"),
        (lambda: api.danger([[[0] * 999]] * 999), "danger: state is [[[0, 0"),
    ],
)
def test_a_value_of_another_type_is_a_type_error_that_says_what_is_expected(call, words):
    with pytest.raises(TypeError) as refused:
        call()
    assert str(refused.value).startswith(words)
    assert len(str(refused.value)) < 200


def test_numbers_of_numpy_are_numbers():
    assert api.evaluate("11223m1123789p55z", nodes=np.int64(2_000))
    assert api.Tiles.of34(np.array([0, 1], np.uint8)).text() == "12m"


@pytest.mark.parametrize("value", [5, None, "zz", b"1m", [1], {}, 3.5, object(), api.Rivers()])
@pytest.mark.parametrize("name", [name for name in api.__all__ if name[0].islower()])
def test_no_function_fails_in_another_way(name, value):
    def call() -> None:
        found = getattr(api, name)(value)
        list(found if name in {"decisions", "positions"} else (found,))

    if value == {} and name in {"columns", "counts_of", "shanten_many"}:
        call()  # no rows, no hands
        return
    with pytest.raises((TypeError, api.InputError)):
        call()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: api.shanten([0, 1, 2]), "Tiles.of34, Tiles.of37 or Tiles.of136"),
        (lambda: api.shanten(np.zeros(34, np.uint8)), "is not text"),
        (lambda: api.shanten("123mX"), "'X' at position 5"),
        (lambda: api.shanten("123m"), "3 concealed tiles with 0 melds; it must be 13 or 14"),
        (lambda: api.discards("123m45p"), "5 concealed tiles with 0 melds; before a discard it must be 14"),
        (lambda: api.ukeire("123m456p789s1122z", visible="22z2z"), "five 2z"),
        (lambda: api.Tiles.of34([34]), "34 is not a tile34: it is a whole number from 0 to 33"),
        (lambda: api.Tiles.of37([-1]), "-1 is not a tile37"),
        (lambda: api.score(api.WonHand("123m456p789s11155z", win="2z")), "the winning tile 2z is not among"),
        (lambda: api.shanten("5p123m456m11z7s", melds="555p"), "no 5p is left: its three plain copies are in use; the"),
        (lambda: api.waits("5s123m456m11z7s", melds="555s"), "the fourth is the red five, written 0s"),
        (lambda: api.ukeire("0m123p456p11z7s", melds="055m"), "no 0m is left: the one red five is in use"),
        (lambda: api.evaluate(api.Written("5p123m456m11z7s", melds="555p")), "the fourth is the red five, written 0p"),
        (lambda: api.evaluate(api.Written("0p123m456m11z7s12p", visible="5555p")), "no 5p is left: all four copies"),
        (lambda: api.score(api.WonHand("5p5p123m456m11z7s", win="7s", melds="555p")), "no 5p is left"),
        (lambda: api.evaluate("123m"), "3 concealed tiles"),
        (lambda: api.evaluate("123m456p789s1122z1m", evaluator="oracle"), "no evaluator is named 'oracle'"),
        (lambda: api.danger(api.table(api.Written("123m456p789s11155z", dora="1m")), "oracle"), "no danger estimator"),
        (lambda: list(api.decisions(GAME, seat=4)), "seat 4 does not exist"),
        (lambda: list(api.decisions(GAME, policy="oracle")), "no policy is named 'oracle'"),
        (lambda: list(api.decisions("nowhere.xml")), "nowhere.xml"),
        (lambda: api.shanten_of([1] * 13), "counts34 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]: it is 34 whole numbers"),
        (lambda: api.shanten_of([5] + [0] * 33), "whole numbers from 0 to 4"),
        (lambda: api.shanten_of([-1] + [0] * 33), "whole numbers from 0 to 4"),
        (lambda: api.shanten_of(np.zeros((34, 34), np.uint8)), "34 whole numbers from 0 to 4"),
        (lambda: api.shanten_of([1] * 34), "34 concealed tiles"),
        (lambda: api.shanten_of([1] * 13 + [0] * 21, 9), "melds 9: a hand has 0 to 4"),
        (lambda: api.ukeire_of([1] * 13 + [0] * 21, 0, [9] * 34), "unseen"),
        (lambda: api.make_policy("oracle"), "no policy is named 'oracle'"),
        (lambda: api.make_evaluator("oracle"), "no evaluator is named 'oracle'"),
        (lambda: api.make_estimator("oracle"), "no danger estimator is named 'oracle'"),
    ],
)
def test_bad_input_is_refused_with_what_to_write(wrong, words):
    with pytest.raises(api.InputError) as refused:
        wrong()
    assert words in str(refused.value)


def test_counts_are_a_hand_too():
    counts = api.Tiles("123m456p78s1122z5m").counts34
    assert api.shanten_of(counts) == api.shanten_of(counts.tolist()) == 1
    assert api.ukeire_of(counts.tolist()).total == api.ukeire("123m456p78s1122z5m").total


def test_a_policy_can_be_made_of_another():
    state = api.table(api.Written("11223m1123789p55z", dora="9s"))
    decision = api.make_policy("simple").decide(state, state.legal_actions(), api.Budget())
    assert isinstance(decision, api.Decision)
    assert api.forced([api.PASS]).action == api.PASS


SHAPE = "234m456m678s22p345p"


@pytest.mark.parametrize(
    ("stated", "both"),
    [
        ({"ippatsu": True}, "ippatsu and no riichi"),
        ({"ura": "2p"}, "ura dora and no riichi"),
        ({"hand": "234m456m678s22p", "melds": "345p", "riichi": True}, "riichi and an open hand"),
        ({"hand": "234m456m678s22p", "melds": "345p", "double_riichi": True}, "double riichi and an open hand"),
        ({"hand": "234m456m22p345p", "melds": "1111z", "riichi": True}, "riichi and an open hand"),
        ({"tsumo": True, "rinshan": True}, "rinshan and a hand without a kan"),
        ({"hand": "234m456m22p345p", "melds": "[1111z]", "rinshan": True}, "rinshan and ron"),
        (
            {"hand": "234m456m22p345p", "melds": "[1111z]", "rinshan": True, "tsumo": True, "haitei": True},
            "rinshan and haitei",
        ),
        (
            {"hand": "234m456m22p345p", "melds": "[1z1z1z1z]", "rinshan": True, "tsumo": True}
            | {"riichi": True, "ippatsu": True},
            "ippatsu and rinshan",
        ),
        ({"haitei": True}, "haitei and ron"),
        ({"houtei": True, "tsumo": True}, "houtei and tsumo"),
        ({"haitei": True, "houtei": True, "tsumo": True}, "haitei and houtei"),
        ({"chankan": True, "tsumo": True}, "chankan and tsumo"),
        ({"chankan": True, "win": "2m", "houtei": True}, "chankan and houtei"),
        ({"chankan": True, "win": "4m"}, "chankan and another copy of the winning tile in the hand"),
        ({"tenhou": True, "tsumo": True}, "tenhou and a seat that is not the dealer's"),
        ({"tenhou": True, "seat": "E"}, "tenhou and ron"),
        ({"tenhou": True, "tsumo": True, "seat": "E", "riichi": True}, "tenhou and riichi"),
        ({"chihou": True, "tsumo": True, "seat": "E"}, "chihou and the dealer's seat"),
        ({"hand": "234m456m22p345p", "melds": "[1111z]", "chihou": True, "tsumo": True}, "chihou and melds"),
        ({"riichi": True, "ippatsu": True, "houtei": True}, "ippatsu and houtei"),
    ],
)
def test_circumstances_that_exclude_each_other_are_refused_by_both_names(stated, both):
    with pytest.raises(api.InputError) as refused:
        api.score(api.WonHand(**{"hand": SHAPE, "win": "4m"} | stated))
    assert str(refused.value).startswith(f"{both} exclude each other: ")


@pytest.mark.parametrize(
    ("stated", "complaint"),
    [
        ({"win": "0m"}, "the winning tile is 0m, but the hand has only 5m: write the red five in both"),
        ({"win": "0p"}, "the winning tile is 0p, but the hand has only 5p"),
        ({"hand": "234m406m678s22p345p", "win": "0p"}, "the winning tile is 0p, but the hand has only 5p"),
        ({"hand": "234m406m678s22p345p", "win": "0s"}, "0s"),
        ({"dora": "2m" * 5}, "there are four"),
        ({"hand": "222m456m678s22p345p", "dora": "3m3m"}, "dora 3m: its indicator would be a fifth 2m; all four"),
        ({"hand": "22m456m678s345p", "melds": "[9999p]", "dora": "1p"}, "dora 1p: its indicator would be a fifth 9p"),
        (
            {"hand": "22m456m678s345p", "melds": "9999p", "dora": "1p", "riichi": False},
            "dora 1p: its indicator would be a fifth 9p",
        ),
        ({"riichi": True, "ura": "1m1m", "dora": "1m1m1m"}, "ura dora 1m: its indicator would be a fifth 9m"),
        ({"hand": "555m678s22p345p678p", "dora": "6m6m", "win": "4p"}, "dora 6m: its indicator would be a fifth 5m"),
        ({"dora": "123m456p"}, "dora: 6 are given; at most 5 indicators are turned"),
        ({"riichi": True, "ura": "123m456p"}, "ura dora: 6 are given; at most 5 indicators are turned"),
    ],
)
def test_tiles_that_cannot_be_together_are_refused(stated, complaint):
    with pytest.raises(api.InputError, match=re.escape(complaint)):
        api.score(api.WonHand(**{"hand": SHAPE, "win": "4m", "riichi": True} | stated))


def test_a_red_five_wins_where_the_hand_holds_it_however_it_is_written():
    for win in ("0p", "5p"):
        won = api.score(api.WonHand("234m456m678s22p340p", win, riichi=True))
        assert "red five" in {each.name for each in won.yaku}
    indicated = api.score(api.WonHand("555m678s22p345p678p", "4p", riichi=True, dora="6m"))  # by the red one
    assert indicated.han == 2


@pytest.mark.parametrize(
    ("stated", "yaku"),
    [
        ({"riichi": True, "ippatsu": True, "tsumo": True, "haitei": True}, {"riichi", "ippatsu", "haitei"}),
        ({"win": "2m", "riichi": True, "ippatsu": True, "chankan": True}, {"riichi", "ippatsu", "chankan"}),
        ({"riichi": True, "houtei": True}, {"riichi", "houtei"}),
        ({"double_riichi": True, "ippatsu": True}, {"double riichi", "ippatsu"}),
        ({"double_riichi": True, "riichi": True, "ura": "2p"}, {"double riichi", "ura dora"}),
        ({"double_riichi": True, "tsumo": True, "haitei": True}, {"double riichi", "haitei"}),
        (
            {"hand": "234m456m22p345p", "melds": "[1111z]", "riichi": True, "tsumo": True, "rinshan": True},
            {"riichi", "rinshan kaihou", "menzen tsumo"},
        ),
        ({"hand": "234m456m22p345p", "melds": "[1111z]", "riichi": True, "ippatsu": True}, {"riichi", "ippatsu"}),
        ({"hand": "234m456m678s22p", "melds": "345p", "tsumo": True, "haitei": True}, {"haitei"}),
        ({"hand": "234m456m22p345p", "melds": "1111z", "tsumo": True, "rinshan": True}, {"rinshan kaihou"}),
        ({"tenhou": True, "tsumo": True, "seat": "E"}, {"tenhou"}),
        ({"chihou": True, "tsumo": True}, {"chihou"}),
    ],
)
def test_circumstances_that_can_come_together_are_counted_together(stated, yaku):
    won = api.score(api.WonHand(**{"hand": SHAPE, "win": "4m"} | stated))
    assert yaku <= {each.name for each in won.yaku}


def test_a_win_is_worth_what_the_rules_of_its_table_say():
    riichi = api.WonHand("234m456m678s22p345p", "4m", riichi=True, ippatsu=True, ura="2p")
    plain = replace(riichi, rules=Rules(ippatsu=False, ura_dora=False))
    assert {each.name for each in api.score(riichi).yaku} - {each.name for each in api.score(plain).yaku} == {
        "ippatsu",
        "ura dora",
    }
    called = api.WonHand("234m456m22p345p", "4m", "678s")
    assert api.score(called) is not None
    assert api.score(replace(called, rules=Rules(open_tanyao=False))) is None
    with pytest.raises(api.InputError, match="the hand: 0p is a red five, which these rules do not have"):
        api.score(api.WonHand("234m456m678s22p340p", "4m", rules=Rules(red_fives=False)))


@pytest.mark.parametrize("name", ["turn", "visible", "against"])
def test_what_has_no_effect_on_a_view_is_refused(name):
    written = api.Written("11223m1123789p55z", dora="9s", **{name: "1z" if name == "visible" else 2})
    with pytest.raises(api.InputError, match=f"{name} has no effect on a view"):
        api.table(written)


WRITTEN_INTO = (
    "counts",
    "visible",
    "hand",
    "rivers",
    "melds",
    "drawn",
    "dora_indicators",
    "waits_mask",
    "seat",
    "rules",
)


@pytest.mark.parametrize("name", WRITTEN_INTO)
def test_a_view_into_which_somebody_has_written_is_refused(name):
    state = api.table(api.Written("11223m1123789p55z", dora="9s"))
    value = getattr(state, name)
    if isinstance(value, list) and value and isinstance(value[0], int):
        value[0] = 200
    else:
        setattr(state, name, 10**6)
    for call in (lambda: api.danger(state, "suji"), lambda: api.rank(state, "simple")):
        with pytest.raises(api.InputError, match="something other than an event has changed this view"):
            call()


def test_where_nobody_is_asked_nothing_is_ranked():
    for call in (lambda: api.danger(api.GameState(0)), lambda: api.rank(api.GameState(0), "simple")):
        with pytest.raises(api.InputError, match="seat 0: no hand is in progress"):
            call()
    asked = api.Game(seed=1).state
    asked.apply(Discard(asked.seat, asked.hand[0], tsumogiri=asked.hand[0] == asked.drawn))
    with pytest.raises(api.InputError, match="has nothing to answer"):
        api.rank(asked, "simple")


def test_values_that_are_ranked_are_points():
    state = next(each.state for each in api.positions(GAME) if len(each.state.legal_actions()) > 3)
    decision = make_policy("value").decide(state, state.legal_actions(), Budget())
    assert decision.unit != "points"
    assert api.rank(state)[0].value == pytest.approx(decision.candidates[0].score / decision.per_point)


def test_batches_agree_with_single_hands():
    rows = [row for row in api.decisions(GAME, seat=2) if not row.melds]
    found = api.shanten_many([row.tiles for row in rows])
    assert found.tolist() == [row.shanten for row in rows] == [api.shanten(row.tiles) for row in rows]


def test_rows_feed_the_other_functions():
    called = [row for row in api.decisions(GAME) if row.melds and row.own_turn]
    assert called
    for row in called:
        assert api.shanten(row.tiles, row.melds) == row.shanten
        best = api.discards(row.tiles, row.melds)[0]
        assert best.after.shanten == max(0, row.shanten)


def test_a_yakuman_counts_thirteen_han():
    won = api.score(api.WonHand("19m19p19s12345677z", win="1m"))
    assert (won.han, won.limit, won.points) == (13, "yakuman", 32000)
    assert api.score(api.WonHand("123m456p789s1155z1m", win="1m")) is None
