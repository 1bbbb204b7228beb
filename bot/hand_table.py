"""The table of ``oshihiki evaluate``: one action a row, best first, for people and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.model.actions import ActionKind
from engine.model.tiles import format_tile37, format_tiles
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import Position
from engine.shanten import Ukeire, ukeire

BARS: Final = " ▁▂▃▄▅▆▇█"
SUIT_STYLES: Final = {"m": "red", "p": "cyan", "s": "green", "z": "magenta"}
THROWS: Final = {ActionKind.DISCARD, ActionKind.RIICHI}


def improves(position: Position, choice: Choice) -> Ukeire | None:
    """What improves the hand after a discard; None for other actions."""
    if choice.kind not in THROWS:
        return None
    counts = position.counts
    counts[choice.tile34] -= 1
    return ukeire(counts, len(position.melds), position.unseen)


def bars(values: Sequence[float], top: float) -> str:
    """A chart one line high: a column a value, full at ``top``; blank where there is no value (NaN)."""
    scale = (len(BARS) - 1) / top if top > 0 else 0.0
    return "".join(
        " " if isnan(value) else BARS[round(min(max(value * scale, 0.0), len(BARS) - 1.0))] for value in values
    )


def tile_text(tile37: int) -> Text:
    """A tile in its suit's colour."""
    name = format_tile37(tile37)
    return Text(name, style=SUIT_STYLES[name[1]])


def action_text(choice: Choice, then34: int, offered: bool = True) -> Text:
    """An action in few words: a discard is its tile, and with none on offer a hand just goes on."""
    if choice.kind is ActionKind.PASS and not offered:
        return Text("as it is")
    if choice.kind is ActionKind.DISCARD:
        return tile_text(choice.tile34)
    text = Text(choice.kind.name.lower(), style="bold")
    if choice.tile34 >= 0:
        text = text + Text(" ") + tile_text(choice.tile34)
    if choice.own34:
        text = text + Text(" with ", style="dim") + Text(" ").join(tile_text(kind) for kind in choice.own34)
    if then34 >= 0:
        text = text + Text(", throw ", style="dim") + tile_text(then34)
    return text


def render(position: Position, evaluation: Evaluation, milliseconds: float) -> RenderableType:
    """The table for people."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    throws = all(worth.choice.kind in THROWS for worth in evaluation.actions)
    table.add_column("discard" if throws else "action", no_wrap=True)
    for title in (evaluation.unit, "win", "tenpai", "a win", "shanten", "ukeire"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("with", min_width=16)
    table.add_column("win by draws left", no_wrap=True)
    top = max(
        (share for worth in evaluation.actions for share in worth.p_win_by_draws if not isnan(share)), default=0.0
    )
    for place, worth in enumerate(evaluation.actions):
        found = improves(position, worth.choice)
        table.add_row(
            action_text(worth.choice, worth.then34, position.offered >= 0),
            f"{worth.value:,.0f}" if abs(worth.value) >= 10 else f"{worth.value:.3f}",
            _percent(worth.p_win),
            _percent(worth.p_tenpai),
            "" if worth.win_points is None or not worth.p_win else f"{worth.win_points:,.0f}",
            "" if found is None else str(found.shanten),
            "" if found is None else str(found.total),
            Text() if found is None else _tiles(found),
            Text(bars(worth.p_win_by_draws, top), style="blue"),
            style="bold" if place == 0 else None,
        )
    return Group(_heading(position), table, _footing(evaluation, milliseconds))


def fields(position: Position, evaluation: Evaluation, milliseconds: float) -> dict[str, Any]:
    """The same as plain values for ``--json``."""
    return {
        "hand": format_tiles(position.concealed, position.rules.red_fives),
        "melds": [format_tiles(meld.tiles, position.rules.red_fives) for meld in position.melds],
        "draws_left": position.draws_left,
        "evaluator": evaluation.evaluator,
        "unit": evaluation.unit,
        "shanten": evaluation.shanten,
        "exchanges": evaluation.exchanges,
        "calls": evaluation.calls,
        "complete": evaluation.complete,
        "hands": evaluation.hands,
        "nodes": evaluation.nodes,
        "edges": evaluation.edges,
        "ms": round(milliseconds, 3),
        "actions": [_worth_fields(position, worth) for worth in evaluation.actions],
    }


def _worth_fields(position: Position, worth: Worth) -> dict[str, Any]:
    choice = worth.choice
    found = improves(position, choice)
    return {
        "action": str(choice),
        "kind": choice.kind.name.lower(),
        "tile": format_tile37(choice.tile34) if choice.tile34 >= 0 else None,
        "own": [format_tile37(kind) for kind in choice.own34],
        "then": format_tile37(worth.then34) if worth.then34 >= 0 else None,
        "value": worth.value,
        "p_win": worth.p_win,
        "p_tenpai": worth.p_tenpai,
        "win_points": worth.win_points,
        "value_by_draws": _plain(worth.value_by_draws),
        "p_win_by_draws": _plain(worth.p_win_by_draws),
        "shanten": None if found is None else found.shanten,
        "ukeire": None
        if found is None
        else {"total": found.total, "tiles": {format_tile37(kind): copies for kind, copies in found.tiles}},
    }


def _plain(values: Sequence[float]) -> list[float | None]:
    return [None if isnan(value) else value for value in values]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _tiles(found: Ukeire) -> Text:
    text = Text()
    for at, (kind, copies) in enumerate(found.tiles):
        text.append_text(Text(" " if at else "")).append_text(tile_text(kind)).append(f"·{copies}", style="dim")
    return text


def _heading(position: Position) -> Text:
    text = Text(format_tiles(position.concealed, position.rules.red_fives), style="bold")
    for meld in position.melds:
        text.append(f"  {format_tiles(meld.tiles, position.rules.red_fives)}", style="bold dim")
    winds = "ESWN"
    place = f"round {winds[position.round_wind - 27]}, seat {winds[position.seat_wind - 27]}"
    text.append(f"   {place}, {position.draws_left} draws left", style="dim")
    return text


def _footing(evaluation: Evaluation, milliseconds: float) -> Text:
    size = f"{evaluation.hands:,} hands, {evaluation.edges:,} links, {milliseconds:.1f} ms"
    reach = f"{evaluation.exchanges} exchanges, {evaluation.calls} calls"
    text = Text(f"{evaluation.evaluator}: {evaluation.shanten}-shanten, {reach}; {size}", style="dim")
    if not evaluation.complete:
        text.append("  (cut down to the budget)", style="yellow")
    return text
