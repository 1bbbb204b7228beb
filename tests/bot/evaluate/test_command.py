"""``oshihiki evaluate`` from its arguments to its answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.bot.commands.program import oshihiki

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


@pytest.fixture
def evaluate(capsys, monkeypatch):
    return lambda *words: oshihiki(monkeypatch, capsys, "evaluate", *words)


@pytest.fixture
def answer(evaluate):
    def ask(*words):
        code, out, err = evaluate(*words, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return ask


def test_a_tenpai_hand_best_first(answer):
    data = answer("11223m1123789p55z", "--dora", "9s", "--turn", "6")
    values = [action["value"] for action in data["actions"]]
    assert values == sorted(values, reverse=True)
    assert {action["kind"] for action in data["actions"]} == {"discard", "riichi"}
    first = data["actions"][0]
    assert first["tile"] == "1p"
    assert first["ukeire"] == {"total": 3, "tiles": {"3m": 3}}
    assert 0 < first["p_win"] < 1
    assert len(first["p_win_by_draws"]) == data["draws_left"] + 1
    assert data["shanten"] == 0


def test_models_differ_as_they_should(answer):
    hand = ("2345m4067p34588s1z", "--turn", "9")
    full, draws = answer(*hand), answer(*hand, "--evaluator", "dag:model=draws")
    assert draws["calls"] == 0
    assert draws["actions"][0]["p_win"] < full["actions"][0]["p_win"]  # others' discards are won on too
    few = answer(*hand, "--evaluator", "dag:exchanges=1,calls=0")
    assert (few["exchanges"], few["calls"]) == (1, 0)
    assert few["hands"] < full["hands"]


def test_an_evaluator_from_the_current_directory(evaluate, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setattr(sys, "path", list(sys.path))
    hand = ("2345m4067p34588s1z", "--evaluator", "widest:Widest:win=8000")
    code, out, err = evaluate(*hand, "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert (data["evaluator"], data["unit"], data["actions"][0]["p_win"]) == ("widest", "points", None)
    code, out, _ = evaluate(*hand)
    assert code == 0
    assert "widest: 1-shanten; " in out


def test_an_offer_is_answered(answer):
    data = answer("23m4456p112367s1z", "--state", "offered=1m from=left", "--evaluator", "dag:exchanges=2")
    assert {action["kind"] for action in data["actions"]} == {"pass", "chi"}
    chi = next(action for action in data["actions"] if action["kind"] == "chi")
    assert chi["own"] == ["2m", "3m"]
    across = answer("23m4456p112367s1z", "--state", "offered=1m from=across", "--evaluator", "dag:exchanges=2")
    assert {action["kind"] for action in across["actions"]} == {"pass"}


def test_the_table_for_people(evaluate):
    code, out, _ = evaluate("11223m1123789p55z", "--dora", "9s")
    assert code == 0
    assert "riichi 1p" in out
    assert "3₃m" in out


def test_thirteen_tiles_show_what_each_draw_leads_to(evaluate, answer):
    data = answer("123m456p78s1122z5m")
    assert (data["shanten"], data["ukeire"]["total"]) == (1, 12)
    assert [(one["tile"], one["copies"], one["discards"], one["shanten"]) for one in data["draws"]] == [
        ("6s", 4, ["5m"], 0),
        ("9s", 4, ["5m"], 0),
        ("1z", 2, ["5m"], 0),
        ("2z", 2, ["5m"], 0),
    ]
    assert data["draws"][2]["ukeire"] == {"total": 8, "tiles": {"6s": 4, "9s": 4}}
    _, out, _ = evaluate("123m456p78s1122z5m")
    assert "1-shanten, ukeire 12  6₄9₄s 1₂2₂z" in out


def test_the_waits_of_a_tenpai_hand_show_what_wins_are_worth(evaluate, answer):
    data = answer("123m456p78s11777z", "--dora", "9s")
    worth = {one["tile"]: (one["ron"], one["tsumo"], one["riichi_ron"]) for one in data["draws"]}
    assert worth == {"6s": (1300, 2700, 2600), "9s": (2600, 5200, 5200)}
    _, out, _ = evaluate("23456m567p22s", "--melds", "123s", "--dora", "9s")
    assert "tenpai, waits 11  1₄4₃7₄m" in out
    assert "no yaku" in out  # of an open hand with a terminal run


def test_all_notations_are_read(evaluate):
    for given in ("123m456p78s11777z", "123m456p78sEECCC", "123m456p78s東東中中中", "1m2m3m4p5p6p7s8sEECCC"):
        code, out, _ = evaluate(given)
        assert code == 0
        assert out.startswith("123m456p78s11777z\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["111m"], "3 concealed tiles"),
        (["11223m1123789p55z", "--evaluator", "oracle"], "--evaluator: no evaluator is named 'oracle'; there are: che"),
        (["11223m1123789p55z", "--turn", "18", "--state", "seat=N"], "turn 18"),
    ],
)
def test_nonsense_is_reported_in_one_line_with_exit_code_2(evaluate, words, message):
    code, out, err = evaluate(*words)
    assert code == 2
    assert out == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_an_open_hand_needs_another_yaku_where_tanyao_must_be_closed(answer):
    hand = ("4056p346s", "--melds", "234m 678m", "--state")
    usual, closed_only = (answer(*hand, f"offered=7s rules={rules}") for rules in ("tonpu", "no-open-tanyao"))
    assert closed_only["actions"][0]["p_win"] < usual["actions"][0]["p_win"] / 2


def test_the_table_of_a_log_cannot_be_changed(evaluate):
    code, _, error = evaluate("--state", "game.xml#E1/turn1/seat0", "--dora", "9s")
    assert code == 2
    assert "leave out dora" in error
