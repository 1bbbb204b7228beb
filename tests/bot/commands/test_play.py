"""What ``play`` prints for people: a line for each hand, and the places at the end."""

import io

from rich.console import Console

from bot.commands.play import HandLines, standings
from tests.bot.fed import feed_game

NAMES = ("Oshihiki", "\x1b[31mred\x07", "ⓝ東風荘", "[bold]x[/bold]")


def test_a_line_for_each_hand():
    console = Console(width=80, file=io.StringIO(), legacy_windows=False)
    state, _ = feed_game(HandLines(console), 200, NAMES)
    lines = console.file.getvalue().splitlines()
    places = [line.split()[0] for line in lines]
    assert len(set(places)) == len(places) > state.kyoku > 1
    assert lines[0].startswith("E1")
    assert all("25,000" in line or "," in line.partition("|")[2] for line in lines)
    assert "\x1b" not in console.file.getvalue()


def test_standings_are_in_order_with_ties_by_seat():
    console = Console(width=80, file=io.StringIO(), legacy_windows=False)
    console.print(standings(NAMES, (25_000, 30_000, 25_000, 20_000), (5.0, 40.0, -15.0, -30.0), 2))
    shown = console.file.getvalue()
    rows = [line.split() for line in shown.splitlines() if line.strip() and line.split()[0] in "1234"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert "30,000" in rows[0]
    assert "Oshihiki" in rows[1]
    assert "(this" in rows[2]
