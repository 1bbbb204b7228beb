"""``oshihiki evaluate --state`` and with the others' rivers: positions found, columns right, bad input reported."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.evaluate.log_place import LogPlace, find_decision, find_hand, parse_place
from bot.machine import fetch as fetching
from bot.machine.errors import InputError
from engine.state import visible_to
from engine.tables import WeightsError
from protocol.errors import LogError
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.bot.commands.program import oshihiki
from tests.bot.machine.misbehaving import ID, answer, certificate, says, serving
from tests.games import game_of


@pytest.fixture
def evaluate(capsys, monkeypatch):
    return lambda *words: oshihiki(monkeypatch, capsys, "evaluate", *words)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A game of four simple players, as a file."""
    game = game_of("simple", 2)
    path = tmp_path_factory.mktemp("logs") / "game.xml"
    path.write_text(write_log(GameLog(game.events), "mjlog"), encoding="utf-8")
    return path


def test_places_are_read():
    assert parse_place("a b#c.xml#S3-1/turn9/seat2") == LogPlace(
        parse_place("a b#c.xml#S3/turn1").path, "", "S3-1", 9, 2
    )
    assert parse_place("games.tar.xz::0dfd#E1-0/turn12/seat0/claim").part == "0dfd"
    assert parse_place("x.log#E1/turn3").seat is None


def test_the_seat_sees_what_it_saw(log):
    point = find_decision(parse_place(f"{log}#E2/turn3/seat1"))
    assert point.own_turn
    assert point.state.seat == 1
    assert len(point.state.rivers[1]) == 2
    assert point.state.place() == "E2"


def test_a_position_with_danger_columns(evaluate, log):
    code, out, err = evaluate("--state", f"{log}#E1/turn6/seat2", "--policy", "simple", "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["position"] == "E1 turn 6"
    assert data["seat"] == 2
    assert data["policy"] == "simple"
    assert data["decision"]["candidates"]
    assert set(data["p_tenpai"]) == {"right", "across", "left"}
    for columns in data["danger"].values():
        survived = (1 - columns["right"]) * (1 - columns["across"]) * (1 - columns["left"])
        assert columns["deal_in"] == pytest.approx(1 - survived, abs=1e-6)


def test_without_the_network_the_columns_are_the_plain_tables_and_that_is_said(evaluate, log, monkeypatch):
    place = ("--state", f"{log}#E1/turn6/seat2", "--policy", "simple", "--json")
    code, out, err = evaluate(*place)
    assert (code, json.loads(out)["estimator"], err) == (0, "model", "")

    def missing():
        raise WeightsError("the danger weights are missing; rebuild them: oshihiki train danger")

    monkeypatch.setattr("engine.opponents.network.shipped_weights", missing)
    code, out, err = evaluate(*place)
    assert (code, json.loads(out)["estimator"]) == (0, "suji")
    assert "plain danger table" in err
    assert "oshihiki train danger" in err


@pytest.mark.parametrize("columns", [80, 140])
def test_the_table_fits_the_screen(evaluate, log, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, _ = evaluate("--state", f"{log}#E1/turn6/seat2", "--policy", "simple")
    assert code == 0
    assert max(map(len, out.splitlines())) <= columns
    assert "…" not in out
    assert {"played", "across", "ukeire", "shanten" if columns > 80 else "sh."} <= set(out.split())


def test_the_discards_of_others_show_what_is_safe(evaluate):
    """Tiles that the player in riichi discarded are safe; its waits are not."""
    hand = ("234m33345p45667s9m", "--dora", "4p", "--policy", "simple")
    code, out, err = evaluate(*hand, "--state", "right=4z1m*9m left=9p8p", "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["p_tenpai"]["right"] == 1.0
    assert data["danger"]["9m"]["right"] == 0.0
    assert data["danger"]["6s"]["right"] > 0.0
    assert data["danger"]["6s"]["right"] > data["danger"]["6s"]["left"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--state", "nonsense"), "neither a position in a log, LOG#E3-1/turn9/seat2"),
        (("--state", "missing.xml#E1/turn1/seat0"), "missing.xml"),
        (("--state", "LOG#W4/turn1/seat0"), "no hand W4; there are: E1"),
        (("--state", "LOG#E1/turn40/seat0"), "no decision at turn 40"),
        (("--state", "LOG#E1/turn4"), "add /seat0 to /seat3"),
        (
            ("--state", "LOG#E1/turn4/seat0", "--danger", "luck"),
            "--danger: no danger estimator is named 'luck'; there are",
        ),
        (("123m", "--state", "LOG#E1/turn4/seat0"), "leave out the hand"),
        (("234m33345p45667s9m", "--fetch"), "--fetch has no effect on a hand alone"),
        (("234m33345p45667s9m", "--dora", "4p", "--state", "right=1z", "--fetch"), "it is for an address in --state"),
        (("--state", "https://tenhou.net/0/?log=2019010112gm-0001-0000-0123abcd#E1/turn1/seat0"), "--fetch"),
        (("234m33345p45667s9m", "--state", "right=1z"), "the dora is missing"),
        (("234m33345p45667s9m", "--dora", "4p", "--state", "right=*1z"), "the star must follow"),
    ],
)
def test_bad_input(evaluate, log, words, says):
    code, out, err = evaluate(*(word.replace("LOG", str(log)) for word in words))
    assert (code, out) == (2, "")
    assert says in " ".join(err.split())


def test_several_logs_need_a_name(evaluate, log):
    (log.parent / "other.xml").write_bytes(log.read_bytes())
    try:
        code, _, err = evaluate("--state", f"{log.parent}#E1/turn1/seat0")
        assert code == 2
        assert "several logs" in err
        assert find_decision(parse_place(f"{log.parent}::other#E1/turn1/seat0")).place.turn == 1
    finally:
        (log.parent / "other.xml").unlink()


def test_a_log_that_an_address_names_is_asked_for_once(evaluate, log, tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fetching, "kept_logs", lambda: tmp_path / "kept")
    files = certificate(tmp_path_factory.mktemp("tls"))
    place = f"https://tenhou.net/0/?log={ID}&tw=2#E1/turn1"
    with serving(files, says(answer("404 Not Found", b""))) as (archive, asked):
        monkeypatch.setattr(fetching, "TENHOU", archive)
        code, out, err = evaluate("--state", place, "--policy", "simple", "--fetch")
        assert (code, out) == (2, "")
        assert "no such log" in err
        assert len(asked) == 1
    with serving(files, says(answer(body=log.read_bytes()))) as (archive, asked):
        monkeypatch.setattr(fetching, "TENHOU", archive)
        for _ in range(2):
            code, out, _ = evaluate("--state", place, "--policy", "simple", "--fetch")
            assert code == 0
            assert "seat 2" in out
        assert asked == [f"/0/log/?{ID}"]


def test_a_broken_log_is_bad_input(evaluate, tmp_path):
    path = tmp_path / "broken.xml"
    path.write_text("<mjloggm ver='2.3'><INIT", encoding="utf-8")
    code, _, err = evaluate("--state", f"{path}#E1/turn1/seat0")
    assert code == 2
    assert "broken.xml" in err
    assert issubclass(LogError, Exception)


def test_a_hand_that_is_left_out_is_named_with_its_cause(log, tmp_path):
    path = tmp_path / "damaged.xml"
    path.write_text(
        log.read_text(encoding="utf-8").replace("<T", "<T999", 2).replace("<T999A", "<TA"), encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"E1 is left out: line 1, column \d+: <T999"):
        find_decision(parse_place(f"{path}#E1/turn3/seat0"))
    assert find_decision(parse_place(f"{path}#E2/turn3/seat1")).state.seat == 1


def test_one_seats_view_has_the_positions_of_that_seat(tmp_path):
    game = GameLog(game_of("simple", 2).events, viewer=2)
    path = tmp_path / "view.mjson"
    path.write_text(
        write_log(replace(game, events=tuple(visible_to(event, 2) for event in game.events)), "mjai"), encoding="utf-8"
    )
    assert find_decision(parse_place(f"{path}#E1/turn3")).state.seat == 2
    with pytest.raises(InputError, match="shows what seat 2 saw, not seat 1"):
        find_decision(parse_place(f"{path}#E1/turn3/seat1"))
    with pytest.raises(InputError, match="shows one seat"):
        find_hand(parse_place(f"{path}#E1/turn3"))
