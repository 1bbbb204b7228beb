"""The terminal view: everything is there, at any width, and nothing a peer says can steer the terminal."""

import io

import pytest
from rich.console import Console

from bot.commands.play import HandLines
from bot.play.screen import LiveView
from bot.play.view import Faces, TableView, standings
from bot.wording.grounds import mode_word, word
from tests.bot.fed import feed_game

NAMES = ("Oshihiki", "\x1b[31mred\x07", "ⓝ東風荘", "[bold]x[/bold]")


def text(renderable, width):
    console = Console(width=width, file=io.StringIO(), legacy_windows=False)
    console.print(renderable)
    return console.file.getvalue()


def shown_by(view, width, height=50):
    lines = view.lines(width, height)
    assert len(lines) <= height
    assert {line.cell_len for line in lines} == {width}
    return "\n".join(line.plain for line in lines)


@pytest.mark.parametrize(("width", "height"), [(140, 50), (100, 40), (80, 24), (72, 24), (60, 40)])
@pytest.mark.parametrize("decisions", [1, 12, 40])
def test_everything_is_shown_and_fits(width, height, decisions):
    view = TableView(lambda: NAMES)
    state, decision = feed_game(view, decisions, NAMES)
    shown = shown_by(view, width, height)
    assert f"wall {state.wall_left}" in shown
    assert state.place() in shown
    for score in state.scores:
        assert f"{score:,}" in shown
    assert word(decision.grounds[0]).split()[0] in shown
    assert mode_word(decision.mode) in shown
    for river in state.rivers:
        for tile in river:
            assert Faces().tile(tile.tile).plain in shown


def test_names_are_shown_as_they_read_and_no_more():
    view = TableView(lambda: NAMES)
    feed_game(view, 3, NAMES)
    shown = shown_by(view, 100)
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]x[/bold]" in shown
    assert "東風荘" in shown
    view.noted(dict.fromkeys(("en", "ja"), "\x1b[2Jchat"))
    assert "\x1b" not in shown_by(view, 100)
    assert "chat" in shown_by(view, 100)


def test_the_seats_are_where_they_sit():
    view = TableView(lambda: ("me", "right", "across", "left"))
    feed_game(view, 12, NAMES)
    lines = shown_by(view, 80, 24).splitlines()
    names = ("me", "right", "across", "left")
    row = {name: next(at for at, line in enumerate(lines) if f"  {name} (" in line) for name in names}
    assert row["across"] < row["left"] == row["right"] < row["me"]
    assert lines[row["left"]].index("left (") < lines[row["right"]].index("right (")


def test_a_small_terminal_still_shows_hand_and_decision():
    view = TableView(lambda: NAMES)
    _, decision = feed_game(view, 12, NAMES)
    shown = shown_by(view, 80, 16)
    assert "hand  " in shown
    assert f"{mode_word(decision.mode)}: " in shown


def test_dora_have_a_star():
    state, _ = feed_game(TableView(lambda: NAMES), 1, NAMES)
    kind = state.hand[0] >> 2
    assert Faces().row(state.hand, {kind}).plain.count("*") == state.counts[kind]


def test_a_line_for_each_hand():
    console = Console(width=80, file=io.StringIO(), legacy_windows=False)
    state, _ = feed_game(HandLines(lambda: NAMES, console), 200, NAMES)
    lines = console.file.getvalue().splitlines()
    places = [line.split()[0] for line in lines]
    assert len(set(places)) == len(places) > state.kyoku > 1
    assert lines[0].startswith("E1")
    assert all("25,000" in line or "," in line.partition("|")[2] for line in lines)
    assert "\x1b" not in console.file.getvalue()


def test_honours_in_letters_where_characters_cannot_be_shown():
    assert [Faces(letters=True).kind(kind).plain for kind in range(27, 34)] == [
        "Ea",
        "So",
        "We",
        "No",
        "Wh",
        "Gr",
        "Rd",
    ]
    assert Faces().tile(16).plain == "0m"
    assert Faces(red_fives=False).tile(16).plain == "5m"


def test_the_live_view_draws_on_a_terminal():
    console = Console(width=100, height=50, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    with LiveView(lambda: NAMES, console) as view:
        _, decision = feed_game(view, 3, NAMES)
    shown = console.file.getvalue()
    assert mode_word(decision.mode) in shown
    assert shown.index("\x1b[?1049h") < shown.index("hand  ") < shown.index("\x1b[?1049l")


def test_standings_are_in_order_with_ties_by_seat():
    shown = text(standings(NAMES, (25_000, 30_000, 25_000, 20_000), (5.0, 40.0, -15.0, -30.0), 2), 80)
    rows = [line.split() for line in shown.splitlines() if line.strip() and line.split()[0] in "1234"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert "30,000" in rows[0]
    assert "Oshihiki" in rows[1]
    assert "(this" in rows[2]
