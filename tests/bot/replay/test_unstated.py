"""What a log does not state is counted apart, never as exact; an export writes it as counted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import typer
from typer.testing import CliRunner

from bot.commands.export import export
from bot.commands.verify import verify
from bot.replay.counting import counted, paid
from bot.replay.verify import verify_files
from engine.model import events as ev
from engine.model.events import Unstated, WinClaim, WinScore
from engine.model.rules import TONPU
from protocol.logs import mjai, mjlog, tenhou6
from protocol.logs.formats import LogFile, write_log
from protocol.logs.game_log import GameLog
from tests.bot.replay.won_hands import NAMES, played_out, won_hand

CHUN = WinScore(30, 1000, 0, ((20, 1),))
"""What the hand that :func:`won_hand` wins is worth."""
KINDS = ("wins", "payments", "hands", "draws", "results")


@pytest.fixture
def document():
    first, _ = won_hand()
    game = GameLog((ev.StartGame(TONPU, NAMES), *first, *played_out()))
    return json.loads(tenhou6.write(game)) | {"rule": {"disp": "般東喰赤", "aka": 1}}


def with_texts(document, texts):
    document["log"][0][16][2][3:] = texts
    return LogFile("game.json", "tenhou6", json.dumps(document).encode(), named=True)


def figures(file, **options):
    tally = verify_files([file], **options)
    assert tally.unreadable == []
    return tally


VALUES = {
    "in Tenhou's words": (["30符1飜1000点", "役牌 中(1飜)"], "exact"),
    "in English": (["30Fu1Han1000点", "Red Dragon(1飜)"], "exact"),
    "in Chinese": (["30符1翻1000点", "役牌 中(1翻)"], "exact"),
    "nothing": ([], "unstated"),
    "points": (["1000点"], "unstated"),
    "fu and points": (["30符1000点"], "unstated"),
    "without its yaku": (["30符1飜1000点"], "unstated"),
    "a yaku that is not known": (["30符1飜1000点", "Sparkles(1飜)"], "unstated"),
    "a yaku that is not known beside a right one": (["1000点", "Red Dragon(1飜)", "Sparkles"], "unstated"),
    "no words of a value": (["won!"], "unstated"),
    "other points": (["8000点"], "wrong"),
    "another fu": (["40符1飜1000点"], "wrong"),
    "another han": (["30符2飜1000点"], "wrong"),
    "a limit": (["満貫1000点"], "wrong"),
    "another yaku": (["30符1飜1000点", "Half Flush(1飜)"], "wrong"),
    "another yaku beside one that is not known": (["1000点", "Half Flush(1飜)", "Sparkles(1飜)"], "wrong"),
    "a yakuman beside one that is not known": (["役満32000点", "国士無双(役満)", "Sparkles(1飜)"], "wrong"),
    "a yakuman": (["役満32000点", "国士無双(役満)"], "wrong"),
    "han that its yaku do not give": (["30符13飜1000点", "役牌 中(1飜)"], "wrong"),
    "everything wrong": (["110符13飜32000点", "Half Flush(3飜)"], "wrong"),
}


@pytest.mark.parametrize("value", VALUES)
def test_a_win_is_compared_in_what_its_log_states(document, value):
    texts, found = VALUES[value]
    tally = figures(with_texts(document, texts))
    assert (tally.wins, tally.wins_exact, tally.wins_unstated) == (1, found == "exact", found == "unstated")
    assert [error.check for error in tally.errors] == ["wins"] * (found == "wrong")
    for kind in KINDS:
        left = getattr(tally, kind) - getattr(tally, f"{kind}_exact") - getattr(tally, f"{kind}_unstated")
        assert left == (found == "wrong" and kind == "wins")


@pytest.mark.parametrize("target", ["tenhou6", "mjlog", "mjai"])
@pytest.mark.parametrize("value", [value for value, (_, found) in VALUES.items() if found != "exact"])
def test_an_export_states_the_win_as_counted(document, value, target):
    texts, found = VALUES[value]
    game = tenhou6.read(with_texts(document, texts).data)
    wholly_wrong = game.events[9].score is not None
    text = write_log(counted(game), target)
    again = {"tenhou6": tenhou6, "mjlog": mjlog, "mjai": mjai}[target].read(text)
    win = next(event for event in again.events if isinstance(event, ev.Win))
    assert win.score == (game.events[9].score if wholly_wrong else CHUN)
    tally = figures(LogFile("again", target, text.encode(), named=True))
    assert (tally.wins_exact, len(tally.errors)) == ((0, 1) if wholly_wrong else (1, 0))
    assert found == "wrong" or not wholly_wrong


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ('ten="30,1000,0" yaku="20,1"', "exact"),
        ('ten="0,1000,0" yaku=""', "unstated"),
        ('ten="30,1000,0"', "unstated"),
        ('ten="40,1000,0"', "wrong"),
        ('ten="0,8000,0" yaku=""', "wrong"),
        ('ten="0,1000,1" yaku=""', "wrong"),
    ],
)
def test_xml_without_yaku(document, stated, found):
    """Tenhou always lists them; other programs leave them out."""
    text = mjlog.write(tenhou6.read(json.dumps(document)))
    assert 'ten="30,1000,0" yaku="20,1"' in text
    text = text.replace('ten="30,1000,0" yaku="20,1"', stated)
    tally = figures(LogFile("a.xml", "mjlog", text.encode(), named=True))
    assert (tally.wins, tally.wins_exact, tally.wins_unstated) == (1, found == "exact", found == "unstated")
    assert len(tally.errors) == (found == "wrong")
    assert next(win for win in counted(mjlog.read(text)).events if isinstance(win, ev.Win)).score == CHUN


def test_a_limit_hand_is_exported_with_its_fu():
    """tenhou.net/6 has none for it, XML and mjai have."""
    first, _ = won_hand()
    win = replace(first[-1], score=WinScore(0, 1000, 1, ((20, 1),)))
    game = GameLog((ev.StartGame(TONPU, NAMES), *first[:-1], win))
    assert next(event for event in counted(game).events if isinstance(event, ev.Win)).score.fu == 30


def test_a_win_whose_value_cannot_be_counted_keeps_the_points_paid_for_it(document):
    texts = with_texts(document, []).data
    game = tenhou6.read(texts)
    at = next(at for at, event in enumerate(game.events) if isinstance(event, ev.Win))
    hidden = replace(game, events=(*game.events[:2], replace(game.events[2], seat=3), *game.events[3:]))
    win = counted(hidden).events[at]
    assert (win.score, win.claim) == (None, WinClaim(points=1000))
    lists = json.loads(tenhou6.write(replace(game, events=(*game.events[:at], win))))["log"][0]
    assert lists[16] == ["和了", [0, 1000, -1000, 0], [1, 2, 1, "1000点"]]


def test_mjai_without_yaku_and_payments(document):
    lines = [json.loads(line) for line in mjai.write(tenhou6.read(json.dumps(document))).splitlines()]
    lines = lines[: next(at for at, line in enumerate(lines) if line["type"] == "end_kyoku")]
    hora = lines[-1]
    for left_out, unstated, errors in (
        (("yakus",), {"wins"}, 0),
        (("yakus", "fu", "fan", "hora_points"), {"wins"}, 0),
        (("yakus", "deltas"), {"wins", "payments"}, 0),
    ):
        lines[-1] = {key: value for key, value in hora.items() if key not in left_out}
        file = LogFile("a.mjson", "mjai", "\n".join(map(json.dumps, lines)).encode(), named=True)
        tally = figures(file)
        assert {kind for kind in ("wins", "payments") if getattr(tally, f"{kind}_unstated")} == unstated
        assert len(tally.errors) == errors
    game = paid(mjai.read(file.data))
    assert (game.events[-1].deltas, game.events[-1].score) == ((0, 1000, -1000, 0), None)
    lines[-1] = {**hora, "hora_points": 2000, "yakus": [["sparkles", 1]]}
    wrong = figures(LogFile("a.mjson", "mjai", "\n".join(map(json.dumps, lines)).encode(), named=True))
    assert (wrong.wins_exact, wrong.wins_unstated, len(wrong.errors)) == (0, 0, 1)
    assert '"sparkles", which is not known' in wrong.errors[0].message


def test_scores_are_carried_on_from_payments_that_were_counted(document):
    """Nothing in the log states a score."""
    lines = [json.loads(line) for line in mjai.write(tenhou6.read(json.dumps(document))).splitlines()]
    kept = [{key: line[key] for key in line if key not in {"deltas", "scores", "tenpais"}} for line in lines]
    read = mjai.read("\n".join(map(json.dumps, kept)))
    assert any(Unstated.PAYMENTS in event.unstated for event in read.events if isinstance(event, ev.Win))
    game = paid(read)
    second = [event for event in game.events if isinstance(event, ev.StartKyoku)][1]
    draw = game.events[-1]
    assert second.scores == (25_000, 26_000, 24_000, 25_000)
    assert draw.deltas == (-1500, -1500, 1500, 1500)
    tally = figures(LogFile("a.mjson", "mjai", "\n".join(map(json.dumps, kept)).encode(), named=True))
    assert (tally.errors, tally.payments_unstated, tally.payments_exact) == ([], 2, 0)


@pytest.mark.parametrize(("ref", "errors"), [("250113-20340fc8-85fd", 0), ("2017010100gm-0001-0000-de8eee52", 1)])
def test_the_uma_of_another_server_is_no_mismatch(document, ref, errors):
    """Tenhou's own is known, and its game would not end here."""
    sums = (23_500, 24_500, 25_500, 26_500)
    results = (-16.5, -5.5, 5.5, 16.5)
    document |= {"ref": ref, "sc": [each for pair in zip(sums, results, strict=True) for each in pair]}
    tally = figures(LogFile("game.json", "tenhou6", json.dumps(document).encode(), named=True))
    assert sum(error.check == "results" for error in tally.errors) == errors


def test_a_draw_whose_kind_is_a_guess_is_no_mismatch(document):
    document["log"][1][16] = ["Spielabbruch", [-1500, -1500, 1500, 1500]]
    tally = figures(LogFile("game.json", "tenhou6", json.dumps(document).encode(), named=True))
    assert (tally.draws, tally.draws_exact, tally.draws_unstated, tally.errors) == (1, 0, 1, [])
    document["log"] = document["log"][:1]
    document["log"][0][16] = ["Spielabbruch"]
    tally = figures(LogFile("game.json", "tenhou6", json.dumps(document).encode(), named=True))
    assert (tally.draws, tally.errors) == (0, [])
    assert "how the hand ended is left open" in tally.notes[0].message


@pytest.mark.parametrize("next_scores", [None, (23_500, 24_500, 25_500, 26_500)])
def test_a_draw_without_its_payments_has_them_counted(document, next_scores):
    document["log"][1][16] = ["流局"]
    if next_scores is not None:
        third = json.loads(json.dumps(document["log"][0]))
        third[0], third[1] = [2, 1, 0], list(next_scores)
        third[16] = ["不明"]
        third[4:16] = document["log"][0][4:16]
        for column in (5, 6, 8, 9, 11, 12, 14, 15):
            third[column] = []
        third[11] = [19]
        document["log"].append(third)
    file = LogFile("game.json", "tenhou6", json.dumps(document).encode(), named=True)
    tally = figures(file)
    assert tally.errors == []
    assert (tally.payments, tally.payments_exact, tally.payments_unstated, tally.draws_unstated) == (2, 1, 1, 1)
    game = paid(tenhou6.read(file.data))
    draw = next(event for event in game.events if isinstance(event, ev.Ryuukyoku))
    assert (draw.deltas, [hand is not None for hand in draw.hands]) == (
        (-1500, -1500, 1500, 1500),
        [False, False, True, True],
    )
    deals = [event.scores for event in game.events if isinstance(event, ev.StartKyoku)]
    assert deals[2:] == ([] if next_scores is None else [next_scores])
    again = tenhou6.read(tenhou6.write(game))
    assert again.events == game.events


def test_who_was_tenpai_is_shown_where_nobody_paid():
    events = played_out()
    draw = replace(events[-1], deltas=(0, 0, 0, 0), hands=(None,) * 4, unstated=Unstated.TENPAI)
    game = GameLog((ev.StartGame(TONPU, NAMES), *events[:-1], draw))
    assert counted(game).events[-1].hands == (None,) * 4  # two were tenpai, so that the log contradicts itself
    silent = replace(draw, unstated=Unstated.TENPAI | Unstated.PAYMENTS)
    shown = counted(replace(game, events=(*game.events[:-1], silent))).events[-1]
    assert [hand is not None for hand in shown.hands] == [False, False, True, True]
    assert shown.deltas == (-1500, -1500, 1500, 1500)


def test_the_table_and_its_verdict(document, tmp_path):
    path = tmp_path / "game.json"
    path.write_bytes(with_texts(document, []).data)
    app = typer.Typer()
    app.command()(verify)
    result = CliRunner().invoke(app, [str(path), "--jobs", "1"])
    assert result.exit_code == 0
    rows = {line[:36].strip(): line[36:].split() for line in result.stdout.splitlines()}
    assert rows["checked"] == ["count", "exact", "not", "stated"]
    assert rows["wins: yaku, han, fu, points"] == ["1", "0", "1"]
    assert rows["payments, honba, sticks, liability"] == ["2", "2", "0"]
    assert "everything that is stated agrees" in result.stdout
    as_json = json.loads(CliRunner().invoke(app, [str(path), "--jobs", "1", "--json"]).stdout)
    assert (as_json["wins"], as_json["wins_exact"], as_json["wins_unstated"]) == (1, 0, 1)


@pytest.mark.parametrize("target", ["tenhou6", "mjlog", "mjai", "link"])
def test_the_command_exports_the_value(document, tmp_path, target):
    path = tmp_path / "game.json"
    path.write_bytes(with_texts(document, []).data)
    app = typer.Typer()
    app.command()(export)
    out = tmp_path / "out"
    assert CliRunner().invoke(app, [str(path), "--to", target, "-o", str(out)]).exit_code == 0
    (written,) = out.iterdir()
    again = CliRunner().invoke(typer_verify(), [str(written), "--jobs", "1", "--json"])
    assert json.loads(again.stdout)["wins_exact"] == 1


def typer_verify():
    app = typer.Typer()
    app.command()(verify)
    return app


def test_who_is_liable_is_counted_where_a_log_states_all_but_that():
    hand = [
        *([0, 0, 0], [25_000] * 4, [42], []),
        *([11, 11, 14, 15, 16, 17, 18, 19, 21, 21, 22, 23, 24], [45, 14], [60, 60]),
        *([12, 13, 29, 29, 31, 34, 37, 45, 45, 46, 46, 47, 47], ["p454545", "4646p46", "4747p47"], [31, 34, 37]),
        *([22, 23, 24, 25, 26, 27, 28, 31, 32, 33, 35, 36, 37], [46, 47, 19], [60, 60, 60]),
        *([18, 25, 26, 27, 28, 32, 33, 35, 36, 38, 38, 39, 39], [41], [60]),
        ["和了", [-16_000, 32_000, -16_000, 0], [1, 0, 2, "役満32000点", "大三元(役満)"]],
    ]
    game = tenhou6.read(json.dumps({"name": list("ABCD"), "rule": {"disp": "般南喰赤"}, "log": [hand]}))
    back = mjai.read(mjai.write(game))  # mjai does not name the liable seat
    assert [event.pao_seat for event in back.events if isinstance(event, ev.Win)] == [None]
    assert json.loads(tenhou6.write(counted(back)))["log"][0][16] == hand[16]
