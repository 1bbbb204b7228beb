"""The tables of ``docs/lab/constants.md`` list every constant with its value, and nothing else."""

from __future__ import annotations

from tests.docs.constants import FOLDERS, PAGE, ROW, constants, with_values

SOURCES = ("fitted", "counted", "derived", "guess")
TEXT = PAGE.read_text(encoding="utf-8")
ROWS = list(ROW.finditer(TEXT))


def test_every_constant_of_the_policies_is_listed_once():
    names = [row["name"] for row in ROWS]
    assert len(set(names)) == len(names)
    missing = {constant.name for constant in constants("engine/policy")} - set(names)
    assert not missing, f"constants missing in docs/lab/constants.md: {sorted(missing)}"


def test_the_tables_hold_the_values_in_use():
    assert with_values(TEXT) == TEXT, "python -m tests.docs.constants writes the values"


def test_a_value_that_changed_is_written_anew():
    changed = TEXT.replace("| 1,500 | points that a win saves", "| 1,400 | points that a win saves")
    assert changed != TEXT
    assert with_values(changed) == TEXT


def test_every_constant_says_what_it_is_and_where_it_comes_from():
    known = {constant.name: constant for constant in constants(*FOLDERS)}
    for row in ROWS:
        assert known[row["name"]].docstring, row["name"]
        assert row["source"].startswith(SOURCES), row["name"]
