"""The tables of ``oshihiki bench dag``."""

from __future__ import annotations

from math import log10
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

NAMES: Final = {"3n3": "3, n = 3", "3n4": "3, n = 4"}
LONGEST: Final = 30
"""Length of the curve's longest bar, in columns."""


def render(figures: dict[str, Any]) -> RenderableType:
    """Tables of times and sizes; with ``detail`` also the curve of cost against size."""
    detail = figures.get("detail")
    parts = [_times(figures, detail), _sizes(figures, detail)]
    if detail:
        parts.append(_curve(detail["curve"]))
    cost = f"{figures['ns_per_edge_turn']:.2f} ns per link and turn, at most {figures['peak_mib']:,.0f} MiB"
    return Group(*parts, Text(cost, style="dim"))


def _times(figures: dict[str, Any], detail: dict[str, Any] | None) -> Table:
    rows = {**figures["model"], **({"draws, whole wall": detail["draws_whole_wall"]} if detail else {})}
    table = _table("median milliseconds", "model")
    shown = [name for name in ("0", "1", "2", "3", "3n3", "3n4") if any(name in row for row in rows.values())]
    for name in shown:
        table.add_column(NAMES.get(name, name), justify="right")
    for model, row in rows.items():
        table.add_row(model, *(f"{row[name]:,.2f}" if name in row else "" for name in shown))
    return table


def _sizes(figures: dict[str, Any], detail: dict[str, Any] | None) -> Table:
    table = _table("hands searched, mean", "shanten")
    for name in ("n", "calls", "here", "the paper", "ratio") + (("error", "hands") if detail else ()):
        table.add_column(name, justify="right")
    more = detail["sizes"] if detail else [None] * len(figures["sizes"])
    for row, known in zip(figures["sizes"], more, strict=True):
        cells = [str(row[name]) for name in ("shanten", "n", "m_f")]
        cells += [f"{row['mean']:,}", f"{row['paper']:,}", f"{row['mean'] / row['paper']:.2f}"]
        if known:
            cells += ["" if known["error"] is None else f"± {known['error']:.2f}", f"{known['hands']:,}"]
        table.add_row(*cells)
    return table


def _curve(curve: list[dict[str, Any]]) -> Table:
    table = _table("cost against size", "model")
    for name in ("hands", "ms", "µs per hand", "ns per link and turn"):
        table.add_column(name, justify="right")
    table.add_column("ms, on a log scale")
    for point in curve:
        table.add_row(
            point["model"],
            f"{point['hands']:,}",
            f"{point['ms']:,.2f}",
            f"{point['us_per_hand']:.2f}",
            f"{point['ns_per_edge_turn']:.2f}",
            "█" * max(1, min(LONGEST, round(3 * log10(point["ms"] / 0.1)))),
        )
    return table


def _table(title: str, first: str) -> Table:
    return Table(first, title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
