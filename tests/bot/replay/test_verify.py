"""Verification: right games pass, and each kind of fault is found and named.

The game is laid out by hand: two hands, with a riichi, calls, a win and an exhaustive draw.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from zipfile import ZipFile

import pytest
import typer
from typer.testing import CliRunner

from bot.commands.verify import verify
from bot.replay import verify as verify_module
from bot.replay.verify import check_game, verify_files, verify_logs
from bot.replay.verify_counts import VerifyCounts
from engine.model.events import (
    Call,
    Discard,
    Draw,
    EndGame,
    NewDora,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
    WinScore,
)
from engine.model.melds import Meld, MeldKind
from engine.model.rules import TONPU
from protocol.logs import mjai, mjlog, tenhou6
from protocol.logs.formats import LogFile
from protocol.logs.game_log import GameLog, LogInfo
from tests.bot.replay.won_hands import NAMES, played_out, won_hand


@pytest.fixture
def game():
    first, _ = won_hand()
    return GameLog((StartGame(TONPU, NAMES), *first, *played_out()), source="game.xml")


def found(log):
    tally = VerifyCounts()
    check_game(log, tally)
    return tally


def changed(game, kind, number=0, /, **changes):
    """The game with one field of the ``number``-th event of a kind changed."""
    events = list(game.events)
    at = [index for index, event in enumerate(events) if isinstance(event, kind)][number]
    events[at] = replace(events[at], **changes)
    return replace(game, events=tuple(events)), at


def test_a_right_game_passes(game):
    tally = found(game)
    assert tally.errors == []
    assert (tally.games, tally.kyoku, tally.illegal) == (1, 2, 0)
    assert (tally.wins, tally.wins_exact) == (1, 1)
    assert (tally.payments, tally.payments_exact) == (2, 2)
    assert (tally.hands, tally.hands_exact) == (3, 3)
    assert (tally.draws, tally.draws_exact) == (1, 1)
    assert (tally.progress, tally.progress_exact) == (1, 1)
    assert tally.actions == 1 + 1 + 1 + 1 + 1 + 1 + 70


SCORE = WinScore(30, 1000, 0, ((20, 1),))

FAULTS = {
    "another yaku": (Win, 0, {"score": replace(SCORE, yaku=((19, 1),))}, "wins"),
    "another han": (Win, 0, {"score": replace(SCORE, yaku=((20, 2),))}, "wins"),
    "another fu": (Win, 0, {"score": replace(SCORE, fu=40)}, "wins"),
    "other points": (Win, 0, {"score": replace(SCORE, points=1300)}, "wins"),
    "a limit": (Win, 0, {"score": replace(SCORE, limit=1)}, "wins"),
    "another payment": (Win, 0, {"deltas": (0, 1100, -1100, 0)}, "payments"),
    "a wrong payer": (Win, 0, {"deltas": (-1000, 1000, 0, 0)}, "payments"),
    "points from nowhere": (Win, 0, {"deltas": (0, 1000, 0, 0)}, "payments"),
    "a honba too many": (Win, 0, {"honba": 1}, "payments"),
    "a stick too many": (Win, 0, {"riichi_sticks": 1}, "payments"),
    "somebody liable": (Win, 0, {"pao_seat": 0}, "payments"),
    "wrong scores before": (Win, 0, {"scores_before": (25_000, 25_000, 24_000, 25_000)}, "payments"),
    "another indicator": (Win, 0, {"dora_indicators": (0,)}, "hands"),
    "ura without riichi": (Win, 0, {"ura_indicators": (0,)}, "hands"),
    "no meld": (Win, 0, {"melds": ()}, "hands"),
    "a wrong winner": (Win, 0, {"seat": 3}, "action"),
    "another tile won": (Win, 0, {"tile": 0}, "action"),
    "a discard not held": (Discard, 1, {"tile": 135}, "action"),
    "a discard of another's tile": (Discard, 0, {"seat": 1}, "action"),
    "a call by the wrong seat": (Call, 0, {"seat": 3}, "action"),
    "a riichi of another": (RiichiDeclared, 0, {"seat": 3}, "action"),
    "from the hand, it was drawn": (Discard, 5, {"tsumogiri": False}, "state"),
    "a draw out of turn": (Draw, 4, {"seat": 2}, "state"),
    "a tile drawn twice": (Draw, 3, {"tile": 0}, "state"),
    "a hand too large": (StartKyoku, 0, {"hands": (tuple(range(14)), None, None, None)}, "state"),
    "the wrong hand next": (StartKyoku, 1, {"kyoku": 2, "dealer": 2}, "progress"),
    "honba that are not due": (StartKyoku, 1, {"honba": 1}, "progress"),
    "sticks that are not there": (StartKyoku, 1, {"riichi_sticks": 1}, "progress"),
    "scores not carried over": (StartKyoku, 1, {"scores": (25_000,) * 4}, "progress"),
    "tenpai not paid": (Ryuukyoku, 0, {"deltas": (0, 0, 0, 0)}, "payments"),
    "a tenpai hand not shown": (Ryuukyoku, 0, {"hands": (None, None, None, (52,))}, "draws"),
    "nagashi that was none": (Ryuukyoku, 0, {"kind": RyuukyokuKind.NAGASHI_MANGAN}, "draws"),
    "four riichi that were none": (Ryuukyoku, 0, {"kind": RyuukyokuKind.FOUR_RIICHI}, "state"),
    "nine terminals at the end": (Ryuukyoku, 0, {"kind": RyuukyokuKind.NINE_TERMINALS}, "action"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_placed(game, fault):
    kind, number, changes, check = FAULTS[fault]
    log, at = changed(game, kind, number, **changes)
    errors = found(log).errors
    named = [error for error in errors if error.check == check]
    assert named, errors
    assert named[0].file == "game.xml"
    assert abs(named[0].event - at) <= 1
    assert named[0].kyoku or kind is StartKyoku


def test_a_hand_shown_wrong(game):
    win = next(event for event in game.events if isinstance(event, Win))
    log, _ = changed(game, Win, concealed=(*win.concealed[1:], 135))
    assert [error.check for error in found(log).errors] == ["hands"]


def with_riichi(game, draw):
    """The game with a riichi of seat 3 after its ``draw``-th draw."""
    events = game.events
    at = [index for index, event in enumerate(events) if isinstance(event, Draw) and event.seat == 3][draw]
    riichi = (RiichiDeclared(3), events[at + 1], RiichiAccepted(3))
    return replace(game, events=(*events[: at + 1], *riichi, *events[at + 2 :]))


def test_riichi_with_three_tiles_left(game):
    """Seat 3 is tenpai on its last draw but one; there it may not declare any more."""
    errors = found(with_riichi(game, draw=-1)).errors
    assert [error.check for error in errors] == ["action", "state"]
    assert "four tiles in the wall" in errors[1].message


def test_riichi_in_time_is_no_fault(game):
    """The same declaration a turn earlier only changes the money."""
    assert {error.check for error in found(with_riichi(game, draw=-3)).errors} == {"payments"}


def test_a_call_nobody_could_make(game):
    events = list(game.events)
    at = next(index for index, event in enumerate(events) if isinstance(event, Discard) and event.tile == 68)
    discarded = events[at]
    chi = Meld(MeldKind.CHI, (68, 72, 76), 68, discarded.seat)
    log = replace(game, events=(*events[: at + 1], Call((discarded.seat + 1) % 4, chi), *events[at + 1 :]))
    errors = found(log).errors
    assert [error.check for error in errors][:2] == ["action", "state"]


def test_an_indicator_without_a_kan(game):
    log = replace(game, events=(*game.events[:3], NewDora(131), *game.events[3:]))
    assert next(error.check for error in found(log).errors) == "state"


def test_after_a_fault_the_next_hand_is_checked_again(game):
    log, _ = changed(game, Draw, 1, seat=3)
    tally = found(log)
    assert tally.kyoku == 2
    assert tally.draws_exact == 1


def test_the_end_of_a_game(game):
    scores = (23_500, 24_500, 25_500, 26_500)
    ended = replace(game, events=(*game.events, EndGame(scores, (-26.5, -15.5, 5.5, 36.5))))
    too_early = replace(ended, info=LogInfo(version="2.3"))
    tally = found(too_early)
    assert [error.check for error in tally.errors] == ["progress"]
    assert (tally.results, tally.results_exact) == (1, 1)
    elsewhere = found(ended)  # whose rules say when it ends, and no log states them
    assert (elsewhere.errors, elsewhere.progress_unstated) == ([], 1)
    wrong = replace(game, events=(*game.events, EndGame((23_500, 24_500, 25_500, 27_500))))
    assert "results" in {error.check for error in found(wrong).errors}


@pytest.mark.parametrize(
    ("results", "errors", "tolerated"),
    [
        ((-26.5, -15.5, 5.5, 36.5), 0, 0),
        ((-16.5, -10.5, 0.5, 26.5), 0, 1),
        ((-25.5, -15.5, 5.5, 35.5), 1, 0),
        ((-26.4, -15.5, 5.5, 36.4), 1, 0),
    ],
)
def test_result_points(results, errors, tolerated):
    scores = (23_500, 24_500, 25_500, 26_500)
    tally = found(GameLog((StartGame(TONPU, NAMES), EndGame(scores, results)), LogInfo(version="2.3")))
    assert len(tally.errors) == errors
    assert sum(each.check == "results" for each in tally.tolerated) == tolerated


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, game):
    (tmp_path / "good.xml").write_text(mjlog.write(game))
    return tmp_path


def test_files_are_read_counted_and_read_again(folder):
    data = (folder / "good.xml").read_bytes()
    tally = verify_files([LogFile("good.xml", "mjlog", data)], round_trip=True)
    assert tally.errors == []
    assert (tally.files, tally.round_trips, tally.round_trips_exact) == (1, 1, 1)


@pytest.mark.slow
def test_processes_and_one_process_find_the_same(folder):
    data = (folder / "good.xml").read_bytes()
    bad = data.replace(b'ten="30,1000,0"', b'ten="30,1300,0"')
    files = [LogFile(f"{number:03}.xml", "mjlog", bad if number % 20 == 7 else data) for number in range(60)]
    seen = []
    alone = verify_logs(iter(files), jobs=1)
    together = verify_logs(iter(files), jobs=2, on_progress=seen.append)
    assert asdict(together) == asdict(alone)
    assert [error.file for error in alone.errors] == ["007.xml", "027.xml", "047.xml"]
    assert sum(each.files for each in seen) == 60


def run(*arguments):
    app = typer.Typer()
    app.command()(verify)
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_the_command_says_what_agrees(folder):
    result = run(folder / "good.xml", "--jobs", 1)
    assert result.exit_code == 0
    assert "everything agrees" in result.stdout
    assert "1 game, 2 kyoku" in result.stdout


def test_the_commands_json(folder):
    result = run(folder, "--json", "--jobs", 1)
    figures = json.loads(result.stdout)
    assert figures["wins"] == figures["wins_exact"] == 1
    assert figures["errors"] == []
    assert list(figures)[:5] == ["files", "games", "kyoku", "decisions", "actions"]


def test_a_difference_is_exit_code_1(folder):
    text = (folder / "good.xml").read_text()
    (folder / "bad.xml").write_text(text.replace('ten="30,1000,0"', 'ten="30,1300,0"'))
    result = run(folder, "--jobs", 1)
    assert result.exit_code == 1
    assert "bad.xml: E1, event 9: wins" in result.stdout.replace("\n", "")


def test_bad_files_are_exit_code_2_and_the_others_go_on(folder):
    (folder / "cut.xml").write_bytes((folder / "good.xml").read_bytes()[:300])
    (folder / "notes.txt").write_text("no log")
    result = run(folder, "--json", "--jobs", 1)
    assert result.exit_code == 2
    figures = json.loads(result.stdout)
    assert figures["games"] == 1
    assert [unread["file"].endswith("cut.xml") for unread in figures["unreadable"]] == [True]
    assert "cut.xml" in result.stderr


def test_a_contradictory_log_gets_its_verdict_and_the_others_go_on(folder, game):
    """A self-draw on a tile that was not drawn: with it the winner would hold fifteen."""
    drawn = next(at for at, event in enumerate(game.events) if isinstance(event, Draw) and event.seat == 2)
    held = tuple(sorted((*game.events[1].hands[2], game.events[drawn].tile)))
    win = Win(2, 2, 135, (-500, -500, 1500, -500), (25_000,) * 4, held, score=WinScore(30, 1500, 0, ((0, 1),)))
    (folder / "bad.xml").write_text(mjlog.write(GameLog((*game.events[: drawn + 1], win))))
    result = run(folder, "--json", "--jobs", 1)
    figures = json.loads(result.stdout)
    assert result.exit_code == 2
    assert figures["games"] == 1
    (unread,) = figures["unreadable"]
    assert unread["file"].endswith("bad.xml")
    assert "seat 2 wins with tiles it does not have" in unread["message"]


def test_a_bug_in_the_check_of_a_file_costs_no_other_file(folder, monkeypatch):
    def fails(file, tally, **options):
        if "bad" in file.name:
            raise ZeroDivisionError
        return check(file, tally, **options)

    check = verify_module.verify_file
    monkeypatch.setattr(verify_module, "verify_file", fails)
    (folder / "bad.xml").write_bytes((folder / "good.xml").read_bytes())
    result = run(folder, "--json", "--jobs", 1)
    figures = json.loads(result.stdout)
    assert result.exit_code == 2
    assert (figures["files"], figures["games"]) == (2, 1)
    (error,) = figures["unreadable"]
    assert error["file"].endswith("bad.xml")
    assert "ZeroDivisionError" in error["message"]


def test_messages_are_in_words(game):
    """No repr of an event, a meld or a score reaches a person."""
    for kind, number, changes, _ in FAULTS.values():
        log, _ = changed(game, kind, number, **changes)
        for error in found(log).errors:
            assert not re.search(r"\w+\(\w+=|<\w+\.", error.message), error.message


SANMA = (
    '<mjloggm ver="2.3"><GO type="185" lobby="0"/><UN n0="A" n1="B" n2="C" n3="" dan="0,0,0,0" '
    'rate="1500,1500,1500,1500" sx="M,M,M,C"/><TAIKYOKU oya="0"/></mjloggm>'
)


def test_three_players_are_passed_over_politely(folder):
    (folder / "three.xml").write_text(SANMA)
    result = run(folder, "--json", "--jobs", 1)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["skipped"] == {"sanma": 1}
    assert "three-player" in result.stderr
    alone = run(folder / "three.xml", "--jobs", 1)
    assert alone.exit_code == 2
    assert "nothing to check: no file contains a four-player game" in alone.stderr


DAMAGED_ENDS = {
    "a line that is not JSON": lambda lines: [*lines[:-4], "{", *lines[-4:]],
    "a tile that is none": lambda lines: [*lines[:-4], '{"type":"dahai","actor":0,"pai":["C"]}', *lines[-4:]],
    "a second discard": lambda lines: [*lines[:-4], lines[-4], lines[-4], *lines[-3:]],
    "the file breaks off in a line": lambda lines: [*lines[:-4], lines[-4][:12]],
    "the end of the game is not JSON": lambda lines: [*lines[:-1], '{"type":"end_ga'],
}


@pytest.mark.parametrize("damage", DAMAGED_ENDS.values(), ids=DAMAGED_ENDS)
def test_a_game_whose_last_hand_is_damaged_counts_wherever_it_lies(tmp_path, game, damage):
    text = "\n".join(damage(mjai.write(game).splitlines()))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "game.mjson").write_text(text)
    with ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("game.mjson", text)
    places = (tmp_path / "folder" / "game.mjson", tmp_path / "folder", tmp_path / "games.zip")
    figures = [json.loads(run(place, "--json", "--jobs", 1).stdout) for place in places]
    for each in figures:
        assert (each["games"], each["excerpts"], each["wins_exact"], each["left_out"]) == (1, 0, 1, 1)


def test_an_excerpt_from_a_folder_is_distinguished_and_a_file_that_is_named_is_not(tmp_path, game):
    unfinished = GameLog(tuple(event for event in game.events if not isinstance(event, EndGame)))
    laid_out = tmp_path / "hand.json"
    laid_out.write_text(re.sub(r"30符1飜1000点", "30符1飜1300点", tenhou6.write(unfinished).replace('"ver"', '"note"')))
    from_folder = run(tmp_path, "--json", "--jobs", 1)
    figures = json.loads(from_folder.stdout)
    assert from_folder.exit_code == 2, "nothing was checked"
    assert "nothing to check but 1 excerpt" in from_folder.stderr
    assert (figures["excerpts"], figures["games"], figures["wins"], figures["errors"]) == (1, 0, 0, [])
    assert "wins" in {found["check"] for found in figures["in_excerpts"]}
    by_name = run(laid_out, "--json", "--jobs", 1)
    figures = json.loads(by_name.stdout)
    assert by_name.exit_code == 1
    assert (figures["excerpts"], figures["games"], figures["wins"], figures["wins_exact"]) == (0, 1, 1, 0)
