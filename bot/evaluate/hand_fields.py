"""The result of ``oshihiki evaluate`` as plain values, and what both its forms need."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from bot.evaluate.draws import draws_fields, draws_of
from engine.model.actions import DISCARDS
from engine.model.tiles import RED_FIVES, TILE37, format_tile37, format_tiles
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import Position
from engine.shanten import Ukeire, ukeire


def improves(position: Position, choice: Choice) -> Ukeire | None:
    """The tiles that improve the hand after a discard; None for other actions."""
    if choice.kind not in DISCARDS:
        return None
    counts = list(position.counts)
    counts[choice.tile34] -= 1
    return ukeire(counts, len(position.melds), position.unseen)


def tile_of(position: Position, choice: Choice) -> int:
    """``tile37`` of the action, -1 if it has none; a red five is discarded only if there is no plain one."""
    if choice.kind not in DISCARDS or not position.rules.red_fives:
        return choice.tile34
    copies = [tile for tile in position.concealed if tile >> 2 == choice.tile34]
    return TILE37[copies[0]] if copies and all(tile in RED_FIVES for tile in copies) else choice.tile34


def fields(position: Position, evaluation: Evaluation, milliseconds: float) -> dict[str, Any]:
    """The result as plain values, for ``--json``."""
    red = position.rules.red_fives
    draws = draws_of(position)
    return {
        "hand": format_tiles(position.concealed, red),
        "melds": [format_tiles(meld.tiles, red) for meld in position.melds],
        "offered": format_tiles([position.offered], red) if position.offered >= 0 else None,
        "draws_left": position.draws_left,
        "evaluator": evaluation.evaluator,
        "unit": evaluation.unit,
        "shanten": evaluation.shanten,
        "exchanges": evaluation.exchanges,
        "calls": evaluation.calls,
        "complete": evaluation.complete,
        "hands": evaluation.nodes,
        "nodes": evaluation.nodes,
        "edges": evaluation.edges,
        "ms": round(milliseconds, 3),
        "actions": [_worth_fields(position, worth) for worth in evaluation.actions],
        **({} if draws is None else draws_fields(draws)),
    }


def _worth_fields(position: Position, worth: Worth) -> dict[str, Any]:
    choice = worth.choice
    found = improves(position, choice)
    tile = tile_of(position, choice)
    return {
        "action": str(choice),
        "kind": choice.kind.name.lower(),
        "tile": format_tile37(tile) if tile >= 0 else None,
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
