"""The tables of commands in ``docs/commands.md``, made from the rows of the command line.

``python -m tests.docs.tables`` writes them into the page.
"""

from __future__ import annotations

import re

from bot.cli import PANELS
from tests.docs.shown import ROOT

PAGE = ROOT / "docs" / "commands.md"
TABLE = re.compile(r"^\| (?P<panel>[\w ]+) \| \|\n\|---\|---\|\n(?:\|.*\n)+", re.MULTILINE)


def table(panel: str) -> str:
    """The commands of a panel with their lines in ``oshihiki --help``."""
    rows = [f"| `oshihiki {name}` | {row.summary} |" for name, row in PANELS[panel].items()]
    return "\n".join([f"| {panel} | |", "|---|---|", *rows, ""])


def with_tables(text: str) -> str:
    """A page with each table of commands as it is now."""
    return TABLE.sub(lambda found: table(found["panel"]), text)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
