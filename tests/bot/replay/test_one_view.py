"""One seat's view in mjai, as programs receive and keep it: its own decisions are exact, and the others are hidden."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.logs.sources import open_logs
from bot.replay.counting import read_game
from bot.replay.verify import verify_logs
from engine.arena import play_game
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from engine.state import visible_to
from protocol.logs import mjai
from protocol.logs.game_log import GameLog
from tests.bot.commands.program import oshihiki

SEAT = 2
HIDDEN = ["?"] * 13


@pytest.fixture(scope="module")
def game():
    return GameLog(play_game([make_policy("simple") for _ in range(4)], TONPU, 11).events)


@pytest.fixture(scope="module")
def lines(game):
    seen = tuple(visible_to(event, SEAT) for event in game.events)
    return [json.loads(line) for line in mjai.write(replace(game, events=seen, viewer=SEAT)).splitlines()]


def saved(folder, lines, change=dict):
    path = folder / "view.mjson"
    path.write_text("".join(f"{json.dumps(change(line))}\n" for line in lines))
    return path


def others_as(what):
    def change(line):
        hands = [what if hand == HIDDEN else hand for hand in line.get("tehais", [])]
        return {**line, "tehais": hands} if hands else line

    return change


def without(key):
    return lambda line: {name: value for name, value in line.items() if name != key or value not in {"?", SEAT}}


@pytest.mark.parametrize("change", [dict, without("id"), without("pai"), others_as(None), others_as([])])
def test_it_agrees_for_its_seat(tmp_path, lines, change):
    tally = verify_logs(open_logs([saved(tmp_path, lines, change)]))
    assert [*tally.errors, *tally.unreadable, *tally.notes] == []
    assert tally.decisions > 30


def test_with_two_open_hands_it_is_that_of_the_seat_that_is_stated(tmp_path, game, lines):
    full = [json.loads(line) for line in mjai.write(game).splitlines()]
    both = [
        {**line, "tehais": [all_["tehais"][0], *line["tehais"][1:]]} if "tehais" in line else all_
        for line, all_ in zip(lines, full, strict=True)
    ]
    both = [{**line, "pai": "?"} if line["type"] == "tsumo" and line["actor"] % 2 else line for line in both]
    tally = verify_logs(open_logs([saved(tmp_path, [lines[0], *both[1:]])]))
    assert not tally.errors
    assert [note.message for note in tally.notes] == [
        f'shows some hands, not all: read as seat {SEAT} saw it ("tehais")'
    ]


def hidden(lines, at):
    """The second hand, dealt at ``at``, without the seat's own tiles."""
    return [*lines[:at], {**lines[at], "tehais": [HIDDEN] * 4}, *lines[at + 1 :]]


def without_a_draw(lines, at):
    drawn = next(number for number in range(at, len(lines)) if lines[number]["type"] == "tsumo")
    return [*lines[:drawn], *lines[drawn + 1 :]]


@pytest.mark.parametrize("damaged", [hidden, without_a_draw])
def test_a_hand_that_cannot_be_followed_is_left_out(tmp_path, lines, damaged):
    second = [at for at, line in enumerate(lines) if line["type"] == "start_kyoku"][1]
    whole = verify_logs(open_logs([saved(tmp_path, lines)]))
    path = saved(tmp_path, damaged(lines, second))
    tally = verify_logs(open_logs([path]))
    assert (tally.errors, tally.unreadable, tally.left_out, tally.kyoku) == ([], [], 1, whole.kyoku - 1)
    assert [note.message for note in tally.notes] == list(read_game(next(iter(open_logs([path])))).notes)
    assert tally.actions > tally.illegal == 0


@pytest.mark.parametrize("command", ["audit", "replay"])
def test_it_needs_no_seat_and_has_no_other(tmp_path, lines, monkeypatch, capsys, command):
    path = saved(tmp_path, lines)
    code, said, _ = oshihiki(monkeypatch, capsys, command, path, "--policy", "simple")
    assert code == 0
    assert "decisions" in said
    code, _, error = oshihiki(monkeypatch, capsys, command, path, "--policy", "simple", "--seat", 0)
    assert code == 2
    assert f"shows what seat {SEAT} saw" in error


def test_it_is_written_as_what_it_is(tmp_path, lines, monkeypatch, capsys):
    code, text, _ = oshihiki(monkeypatch, capsys, "export", saved(tmp_path, lines), "--to", "mjai")
    again = [json.loads(line) for line in text.splitlines()]
    plain = [{name: value for name, value in line.items() if name != "tenpais"} for line in lines]
    assert (code, [{name: line[name] for name in line if name != "tenpais"} for line in again]) == (0, plain)
    for line, before in zip(again, lines, strict=True):
        assert line.get("tenpais") in {None, before.get("tenpais")}, "what is hidden is not denied"
