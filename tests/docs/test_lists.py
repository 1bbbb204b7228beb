"""Lists in prose name every entry of the table that they describe."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.cli import PANELS
from engine.opponents.registry import ESTIMATORS
from engine.policy.registry import POLICIES
from engine.search.registry import EVALUATORS
from protocol.logs.formats import FORMATS
from tests.docs.tables import PAGE, TABLE, with_tables

DOCS = Path(__file__).resolve().parents[2] / "docs"
LISTS = {"evaluators.md": EVALUATORS.rows, "policies.md": ESTIMATORS.rows | POLICIES.rows}


@pytest.mark.parametrize(("page", "name"), [(page, name) for page, rows in LISTS.items() for name in rows])
def test_a_page_names_every_entry(page, name):
    assert f"`{name}`" in (DOCS / page).read_text(encoding="utf-8"), f"docs/{page} does not name {name!r}"


@pytest.mark.parametrize("name", [name for name, row in FORMATS.items() if row.write is not None])
def test_the_page_of_logs_names_every_format_that_is_written(name):
    export = next(line for line in (DOCS / "logs.md").read_text(encoding="utf-8").splitlines() if "--to" in line)
    assert name in export, f"docs/logs.md: `oshihiki export --to` does not name {name!r}"


@pytest.mark.parametrize("suffix", sorted({suffix for row in FORMATS.values() for suffix in row.suffixes}))
def test_the_page_of_logs_names_the_suffix_of_every_format_that_is_read(suffix):
    text = (DOCS / "logs.md").read_text(encoding="utf-8")
    said = text[text.index("\n* **Files**: ") :]
    assert f"`{suffix}`" in said, f"docs/logs.md, Files: no format with the suffix {suffix} is named"


def test_the_tables_of_commands_are_those_of_the_command_line():
    text = PAGE.read_text(encoding="utf-8")
    assert TABLE.findall(text) == list(PANELS)
    assert text == with_tables(text), "run python -m tests.docs.tables"


def test_make_help_says_of_each_target_all_that_the_makefile_does():
    make = shutil.which("make")
    if make is None:
        pytest.skip("there is no make")
    targets = re.findall(r"^([a-z-]+):.*## (.*)$", (DOCS.parent / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    said = subprocess.run([make, "--no-print-directory", "help"], cwd=DOCS.parent, capture_output=True, text=True)  # noqa: S603, PLW1510
    assert [tuple(line.split(maxsplit=2)[1:]) for line in said.stdout.splitlines()] == targets
