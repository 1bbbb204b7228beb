"""Legal actions as the search knows them: by kinds of tile, of several that it cannot tell apart the best one."""

from __future__ import annotations

from collections.abc import Iterable

from engine.model.actions import DISCARDS, Action, ActionKind
from engine.model.tiles import RED_FIVES
from engine.search.evaluator import Choice


def choice_of(action: Action) -> Choice:
    """What the search calls an action."""
    if action.kind is ActionKind.CHI:
        return Choice(action.kind, action.tile >> 2, tuple(sorted(tile >> 2 for tile in action.own)))
    if action.tile < 0:
        return Choice(action.kind)
    return Choice(action.kind, action.tile >> 2)


def by_choice(legal: Iterable[Action], drawn: int | None) -> dict[Choice, Action]:
    """The legal actions by what the search calls them.

    Of actions with the same kinds of tile: throws the plain five, of two plain copies the drawn one, and calls with
    the red five.
    """
    chosen: dict[Choice, Action] = {}
    for action in sorted(legal, key=lambda one: _rank(one, drawn)):
        chosen.setdefault(choice_of(action), action)
    return chosen


def _rank(action: Action, drawn: int | None) -> tuple[bool, int, int]:
    if action.kind in DISCARDS:
        return action.tile in RED_FIVES, action.tile != drawn, action.tile
    return False, -sum(tile in RED_FIVES for tile in action.own), action.tile
