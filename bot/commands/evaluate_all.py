"""``oshihiki evaluate --evaluator all``: what each evaluator makes of one hand, side by side."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from time import perf_counter
from typing import Any, Final

import typer

from bot.evaluate.hand_fields import tile_of
from bot.outlet import output_screen
from engine.model.budget import Budget
from engine.model.tiles import format_tile37
from engine.search.evaluator import Evaluation
from engine.search.position import Position
from engine.search.registry import EVALUATORS, make_evaluator

ALL: Final = "all"
"""The name that stands for every evaluator."""
SMALL: Final = 10
"""Values below it are shown with decimals."""


def show_all(position: Position, nodes: int, *, json: bool) -> None:
    """Print the best action of each evaluator, its value and the milliseconds it took, in the order of the registry.

    Raises:
        PositionError: the position cannot be evaluated.
    """
    rows = list(_rows(position, nodes))
    if json:
        typer.echo(json_text.dumps({"evaluators": rows}))
        return
    from rich.table import Table  # noqa: PLC0415

    table = Table("evaluator", "best", box=None, pad_edge=False)
    for title in ("value", "win", "ms"):
        table.add_column(title, justify="right")
    for row in rows:
        value = f"{row['value']:,.0f}" if abs(row["value"]) >= SMALL else f"{row['value']:.3f}"
        win = "" if row["p_win"] is None else f"{row['p_win']:.1%}"
        table.add_row(row["evaluator"], row["action"], value, win, f"{row['ms']:.2f}")
    output_screen().print(table)


def _rows(position: Position, nodes: int) -> Iterator[dict[str, Any]]:
    for name in EVALUATORS:
        evaluator = make_evaluator(name)
        evaluator.evaluate(position, budget=Budget(nodes=1))  # the first call loads what is slow to load
        started = perf_counter()
        evaluation = evaluator.evaluate(position, budget=Budget(nodes=nodes))
        yield _fields(position, evaluation, 1_000 * (perf_counter() - started))


def _fields(position: Position, evaluation: Evaluation, milliseconds: float) -> dict[str, Any]:
    best = evaluation.best
    tile = tile_of(position, best.choice)
    return {
        "evaluator": evaluation.evaluator,
        "action": str(best.choice),
        "tile": format_tile37(tile) if tile >= 0 else None,
        "value": best.value,
        "unit": evaluation.unit,
        "p_win": best.p_win,
        "ms": round(milliseconds, 3),
    }
