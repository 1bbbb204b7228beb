"""Tables of figures for the terminal."""

from __future__ import annotations

from rich.table import Table


def figures_table(*columns: str, words: int = 1) -> Table:
    """A table without lines; the columns after the first ``words`` hold figures, aligned to the right."""
    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns[words:]:
        column.justify = "right"
    return table
