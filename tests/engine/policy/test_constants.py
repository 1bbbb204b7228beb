"""The tables of ``docs/lab/constants.md`` list every constant with its value, and nothing else."""

from __future__ import annotations

from tests.docs.constants import FOLDERS, PAGE, ROW, constants, with_values
from tests.docs.shown import ROOT

SOURCES = ("fitted", "counted", "derived", "guess")
TEXT = PAGE.read_text(encoding="utf-8")
NO_DECISION = {"engine/critic/tables/critic.npz", "engine/opponents/tables/waits_paper.json"}
"""What no decision is made by: the critic sees all hands, and the other file holds figures of a paper."""
ROWS = list(ROW.finditer(TEXT))


def test_every_constant_of_the_policies_is_listed_once():
    names = [row["name"] for row in ROWS]
    assert len(set(names)) == len(names)
    missing = {constant.name for constant in constants("engine/policy")} - set(names)
    assert not missing, f"constants missing in docs/lab/constants.md: {sorted(missing)}"


def test_every_file_of_weights_is_listed():
    files = sorted((ROOT / "engine").glob("**/tables/*"))
    weights = [path for path in files if path.suffix == ".npz" or path.with_suffix(".npz") not in files]  # no mere card
    listed = [row.split("`")[1] for row in TEXT.splitlines() if row.startswith("| `engine/")]
    missing = {path.relative_to(ROOT).as_posix() for path in weights if not any(path.match(name) for name in listed)}
    assert missing == NO_DECISION, missing ^ NO_DECISION


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
