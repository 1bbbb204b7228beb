from __future__ import annotations

import io

import pytest
from rich.box import SIMPLE_HEAD
from rich.console import Console

from bot.machine.tables import FittingTable, Holds

COLUMNS = (
    ("policy", Holds.WORDS),
    ("games", Holds.FIGURES),
    ("points per hand", Holds.FIGURES),
    ("result", Holds.FIGURES),
)
ROWS = (("a policy of some words", "12", "1,234 ± 210", "-48.5"), ("simple", "1,200", "77", "+1,003.0"))


def printed(width, table):
    stream = io.StringIO()
    Console(file=stream, width=width).print(table)
    return stream.getvalue()


def filled(**options):
    table = FittingTable(*COLUMNS, **options)
    for row in ROWS:
        table.add_row(*row)
    return table


@pytest.mark.parametrize("box", [None, SIMPLE_HEAD])
@pytest.mark.parametrize("width", range(24, 120))
def test_no_figure_is_cut_whatever_the_width(width, box):
    said = printed(width, filled(box=box))
    assert all(len(line) <= width for line in said.splitlines())
    assert "…" not in said
    for row in ROWS:
        assert row[1] in said
    for column in (2, 3):
        shown = [row[column] in said for row in ROWS]
        assert all(shown) or not any(shown)


def test_columns_leave_in_the_order_stated():
    narrow = printed(34, filled(leave=("games", "points per hand")))
    assert "games" not in narrow
    assert "result" in narrow
    narrower = printed(24, filled(leave=("games", ("points per hand", "result"))))
    assert narrower.split()[:1] == ["policy"]
    assert "result" not in narrower


def test_columns_may_go_on_below_instead():
    said = printed(30, filled(go_on=True))
    assert said.count("policy") > 1
    assert all(cell in said for row in ROWS for cell in row[1:])


def test_where_there_is_room_nothing_is_broken():
    said = printed(100, filled()).splitlines()
    assert said[0].split() == ["policy", "games", "points", "per", "hand", "result"]
    assert len(said) == 3
    assert len(printed(100, FittingTable(("", Holds.WORDS), ("", Holds.FIGURES))).strip()) == 0


def test_a_row_may_end_early():
    table = filled()
    table.add_row("the paper", "7")
    assert printed(120, table).splitlines()[-1].split() == ["the", "paper", "7"]
