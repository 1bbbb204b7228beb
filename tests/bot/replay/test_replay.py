"""Recorded games played again: what counts as agreement, what is told, and that a broken run goes on."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import islice

import pytest

from bot.commands.replay import kept_logs
from bot.logs.sources import open_logs
from bot.machine.errors import InputError
from bot.machine.values import from_json
from bot.replay.agreement import Agreement, Head, compare
from bot.replay.decisions import DecisionPoint, Known, Place
from bot.replay.games import Order, replay_file
from bot.replay.steps import decision_points
from engine.model.actions import PASS, Action, ActionKind
from engine.model.budget import Budget
from engine.model.events import Discard, Draw, RiichiAccepted, RiichiDeclared, StartKyoku
from engine.model.tiles import allocate136, parse_tiles37
from engine.policy.decision import Candidate, Decision
from engine.policy.registry import make_policy
from engine.state import GameState
from protocol.logs.formats import LogFile, read_log, write_log
from protocol.logs.game_log import GameLog
from tests.bot.commands.program import oshihiki
from tests.games import game_of

NAMES = ("Anna", "Bert", "<script>alert(1)</script>", "\u202eevil\x1b[31m")


def game(seed, names=NAMES):
    events = game_of("simple", seed).events
    return GameLog((replace(events[0], names=names), *events[1:]), source=f"game-{seed}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    for seed in (1, 2, 3):
        (folder / f"g{seed}.xml").write_text(write_log(game(seed), "mjlog"), encoding="utf-8")
    return folder


def file_of(folder, name="g1.xml"):
    return next(file for file in open_logs([folder / name]))


def replay(monkeypatch, capsys, *arguments):
    jobs = () if "--jobs" in arguments else ("--jobs", 1)
    return oshihiki(monkeypatch, capsys, "replay", *arguments, *jobs)


# -- agreement -----------------------------------------------------------------------------------------------------


def discard(tile, kind=ActionKind.DISCARD):
    return Action(kind, tile)


def point_with(legal, played, state=None, known=Known.ACTED, *, absent=False):
    return DecisionPoint(Place(0, 0, 0, 1, 2), state or GameState(0), tuple(legal), played, known, absent)


def decision(*actions, noise=0.0, values=None):
    values = values or [10.0 - at for at in range(len(actions))]
    candidates = tuple(Candidate(action, value) for action, value in zip(actions, values, strict=True))
    return Decision(actions[0], candidates, noise=noise)


def test_the_rank_counts_look_alikes_once():
    legal = [discard(tile) for tile in (0, 1, 4, 8, 16, 17)]
    found = compare(point_with(legal, discard(4)), decision(discard(0), discard(1), discard(4)))
    assert (found.rank, found.agrees) == (2, False)
    found = compare(point_with(legal, discard(1)), decision(discard(0), discard(4)))
    assert (found.rank, found.agrees) == (1, True)
    found = compare(point_with(legal, discard(16)), decision(discard(17), discard(16)))
    assert (found.rank, found.agrees) == (2, False)  # the red five is another tile
    assert compare(point_with(legal, discard(8)), decision(discard(0))).rank is None


def test_the_same_tile_is_the_same_discard_riichi_or_not():
    legal = [discard(0), discard(4), discard(4, ActionKind.RIICHI)]
    found = compare(point_with(legal, discard(4, ActionKind.RIICHI)), decision(discard(4)))
    assert found.same == {Head.ALL: False, Head.DISCARD: True, Head.RIICHI: False}


def test_a_call_not_made_agrees_with_letting_go():
    chi = Action(ActionKind.CHI, 8, (0, 4))
    legal = [chi, PASS]
    assert compare(point_with(legal, PASS), decision(PASS, chi)).same == {Head.ALL: True, Head.CALL: True}
    assert compare(point_with(legal, chi), decision(PASS, chi)).same == {Head.ALL: False, Head.CALL: False}


def test_wins_and_kans_are_counted_as_such():
    win, kan = Action(ActionKind.TSUMO, 0), Action(ActionKind.ANKAN, 0)
    found = compare(point_with([win, kan, discard(4)], win), decision(kan))
    assert found.same == {Head.ALL: False, Head.KAN: False, Head.WIN: False}


def test_one_answer_is_no_choice():
    assert compare(point_with([discard(0)], discard(0)), decision(discard(0))).same == {}
    assert compare(point_with([discard(0), discard(1)], discard(0)), decision(discard(0))).same == {}


def test_unknown_answers_are_not_compared():
    assert compare(point_with([PASS], None, known=Known.OVERRIDDEN), decision(PASS)) is None
    assert compare(point_with([PASS], PASS, absent=True), decision(PASS)) is None


def test_within_the_noise_neither_is_better():
    legal = [discard(0), discard(4)]
    order = (discard(0), discard(4))
    point = point_with(legal, discard(4))
    assert compare(point, decision(*order, values=(5.0, 4.5), noise=1.0)).close
    assert not compare(point, decision(*order, values=(5.0, 4.0), noise=1.0)).close
    assert not compare(point, decision(*order, values=(5.0, 4.5))).close
    assert not compare(point_with(legal, discard(0)), decision(*order, values=(5.0, 4.5), noise=1.0)).close


def against_riichi():
    """Seat 0 to throw; seat 3 is in riichi and has discarded 1z."""
    used = set()

    def take(text):
        tiles = allocate136(parse_tiles37(text), used)
        used.update(tiles)
        return tiles

    state = GameState(0)
    hand, (indicator,), (east,), (drawn,) = take("123m456p789s1123z"), take("9m"), take("1z"), take("5m")
    state.apply(StartKyoku(3, 0, 0, 3, indicator, (25_000,) * 4, (hand, None, None, None)))
    for event in (Draw(3, None), RiichiDeclared(3), Discard(3, east, False), RiichiAccepted(3), Draw(0, drawn)):
        state.apply(event)
    safe = next(tile for tile in hand if tile >> 2 == east >> 2)
    return state, safe, drawn, hand[0]


def test_against_riichi_a_safe_tile_is_safe():
    state, safe, drawn, other = against_riichi()
    legal = state.legal_actions()
    for played, ours, agree, both in (
        (safe, safe, True, (True, True)),
        (safe, drawn, False, (True, False)),
        (drawn, other, True, (False, False)),
    ):
        found = compare(point_with(legal, discard(played), state), decision(discard(ours)))
        assert found.same[Head.PUSH_FOLD] is agree
        assert found.safe == both


def test_counts_survive_json():
    log = game(1)
    counted = Agreement(games=1)
    policy = make_policy("tsumogiri")
    for point in decision_points(log, 0):
        counted.count(point, compare(point, policy.decide(point.state, point.legal, Budget())))
    assert counted.decisions > 20
    again = from_json(Agreement, json.loads(json.dumps(counted.fields())))
    assert again == counted
    again.add(counted)
    assert again.heads[Head.ALL].n == 2 * counted.heads[Head.ALL].n


# -- games ---------------------------------------------------------------------------------------------------------


def test_who_played_a_game_agrees_with_itself(folder):
    done = replay_file(file_of(folder), Order("simple", rows=True))
    agreement = done.agreement
    assert agreement.games == 4
    assert agreement.decisions == len(done.rows) > 100
    assert agreement.heads[Head.ALL].n == agreement.heads[Head.ALL].same > 100
    assert all(row.get("agrees", True) for row in done.rows)


def test_a_seat_or_a_name_is_picked(folder):
    file = file_of(folder)
    one = replay_file(file, Order("tsumogiri", seats=(2,), rows=True))
    named = replay_file(file, Order("tsumogiri", player=NAMES[2], rows=True))
    assert {row["seat"] for row in one.rows} == {2}
    assert one.rows == named.rows
    nobody = replay_file(file, Order("tsumogiri", player="Nobody"))
    assert "has no such player" in nobody.skipped
    assert nobody.agreement == Agreement()


class Failing:
    name = "failing"

    def settings(self):
        return {}

    def start_kyoku(self):
        pass

    def decide(self, _state, legal, _budget):
        if len(legal) % 2:
            raise RuntimeError("no idea")
        return Decision(Action(ActionKind.KAKAN, 135))


def test_a_policy_that_fails_is_counted_and_the_fallback_answers(folder, monkeypatch):
    monkeypatch.setattr("bot.replay.games.PlayerSpec.make", lambda *_: Failing())
    agreement = replay_file(file_of(folder), Order("simple")).agreement
    assert agreement.failed > 0
    assert agreement.illegal > 0
    assert agreement.failed + agreement.illegal == agreement.decisions


def test_a_log_that_ends_in_a_hand_is_played_up_to_there(folder):
    whole = read_log(file_of(folder))
    starts = [at for at, event in enumerate(whole.events) if isinstance(event, StartKyoku)]
    cut = GameLog(whole.events[: starts[2] + 9], source="cut")
    file = LogFile("cut.mjson", "mjai", write_log(cut, "mjai").encode())
    done = replay_file(file, Order("tsumogiri", rows=True))
    assert done.error == ""
    assert {row["hand"] for row in done.rows} == {0, 1, 2}
    assert [row["known"] for row in done.rows].count("cut off") >= 1
    assert done.agreement.unknown >= 1
    assert done.notes == ["cut.mjson: ends in the middle of E3; played up to there"]
    data = file_of(folder).data
    cut = replay_file(LogFile("cut.xml", "mjlog", data[: 2 * len(data) // 3]), Order("tsumogiri", rows=True))
    assert cut.error == ""
    assert "cut short" in cut.notes[0]
    assert cut.agreement.decisions > 50


# -- the command ---------------------------------------------------------------------------------------------------


def test_names_are_no_commands_to_the_terminal(folder, monkeypatch, capsys):
    code, out, err = replay(monkeypatch, capsys, folder / "g1.xml", "--policy", "tsumogiri", "--seat", NAMES[3])
    assert code == 0
    assert "\x1b" not in out + err
    code, out, err = replay(monkeypatch, capsys, folder / "g1.xml", "--policy", "tsumogiri", "--seat", "\x1b[31m")
    assert code == 2
    assert "\x1b" not in out + err


def test_differences_are_reported_in_words(folder, monkeypatch, capsys):
    code, out, _ = replay(monkeypatch, capsys, folder / "g1.xml", "--policy", "tsumogiri", "--seat", "0")
    assert code == 0
    assert "g1.xml seat 0 E1 turn 1: played: discard" in out
    assert "in its first 3" in out
    assert "tsumogiri: 1 log, 1 seat," in out


def test_json_has_every_decision_unless_only_counts_are_wanted(folder, monkeypatch, capsys):
    _, out, _ = replay(monkeypatch, capsys, folder, "--policy", "tsumogiri", "--json", "--jobs", 1)
    told = json.loads(out)
    assert (told["logs"], told["games"]) == (3, 12)
    assert len(told["rows"]) == told["decisions"]
    _, out, _ = replay(monkeypatch, capsys, folder, "--policy", "tsumogiri", "--json", "--agree", "--limit", 2)
    told = json.loads(out)
    assert told["logs"] == 2
    assert "rows" not in told


def test_a_configuration_says_who_decides(folder, monkeypatch, capsys, tmp_path):
    config = tmp_path / "my.toml"
    config.write_text('[policy]\nname = "tsumogiri"\n')
    common = (folder / "g1.xml", "--config", config, "--json", "--agree")
    _, out, _ = replay(monkeypatch, capsys, *common)
    assert json.loads(out)["policy"] == "tsumogiri"
    _, out, _ = replay(monkeypatch, capsys, *common, "--policy", "simple")
    assert json.loads(out)["policy"] == "simple"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere.xml"], "no such file"),
        (["{}/g1.xml", "--seat", "4"], "1, 2 or 3, or the player's name"),
        (["{}/g1.xml", "--policy", "nobody"], "no policy is named 'nobody'; there are: che"),
        (["{}/g1.xml", "--seat", "Nobody", "--policy", "tsumogiri"], "no game was replayed"),
        (["{}/g1.xml", "--exact"], "no record that can be replayed exactly"),
        (["{}/g1.xml", "--exact", "--policy", "simple"], "give with it only"),
    ],
)
def test_bad_input_is_reported(folder, monkeypatch, capsys, arguments, complaint):
    code, _, err = replay(monkeypatch, capsys, *(each.format(folder) for each in arguments))
    assert code == 2
    assert complaint in err


# -- long runs -----------------------------------------------------------------------------------------------------


def test_a_run_goes_on_where_it_was(folder, monkeypatch, capsys, tmp_path):
    journal = tmp_path / "j" / "run.journal"
    common = ("--policy", "tsumogiri", "--agree", "--json", "--jobs", 1, "--journal", journal)
    _, out, _ = replay(monkeypatch, capsys, folder, *common, "--limit", 2)
    assert json.loads(out)["logs"] == 2
    with journal.open("ab") as file:
        file.write(b'{"log":"torn')  # as a kill leaves it
    played = []
    real = replay_file

    def noting(file, order):
        played.append(file.name)
        return real(file, order)

    monkeypatch.setattr("bot.commands.replay.replay_file", noting)
    _, out, _ = replay(monkeypatch, capsys, folder, *common)
    assert [name.rsplit("/", 1)[-1] for name in played] == ["g3.xml"]
    resumed = json.loads(out)
    _, out, _ = replay(monkeypatch, capsys, folder, *common[:-2])
    assert {**resumed, "seconds": 0} == {**json.loads(out), "seconds": 0}
    assert len(journal.read_text().splitlines()) == 4


def test_a_journal_of_another_replay_is_refused(tmp_path):
    path = tmp_path / "run.journal"
    kept_logs(path, {"policy": "simple"})
    with pytest.raises(InputError, match=r'to another replay \({"policy":"simple"}\)'):
        kept_logs(path, {"policy": "dag"})
    path.write_text("what\n")
    with pytest.raises(InputError, match="damaged or not a journal"):
        kept_logs(path, {})
    path.write_text('{"format":"x"}\n')
    with pytest.raises(InputError, match="not the journal of a replay"):
        kept_logs(path, {})
    with pytest.raises(InputError, match="is not a regular file"):
        kept_logs(tmp_path, {})


def test_a_cluster_that_is_not_installed_is_reported(folder, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, _, err = replay(monkeypatch, capsys, folder, "--policy", "tsumogiri", "--agree", "--backend", "dask")
    assert code == 2
    assert "install oshihiki[dask]" in err


@pytest.mark.corpus
def test_recorded_sessions_are_played_again(corpus):
    games = 0
    for file in islice(open_logs([corpus / "wire-sessions.tar.xz"]), 0, 60, 20):
        done = replay_file(file, Order("simple"))
        assert not done.faults
        games += done.agreement.games
        assert done.agreement.unknown < 5
    assert games >= 2
