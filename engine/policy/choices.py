"""Legal actions by what the search calls them: it knows kinds of tiles only, and the best of equal actions is taken."""

from __future__ import annotations

from collections.abc import Iterable

from engine.model.actions import DISCARDS, Action, ActionKind
from engine.model.tiles import RED_FIVES
from engine.search.evaluator import Choice


def choice_of(action: Action) -> Choice:
    """The name of an action in the search."""
    if action.kind is ActionKind.CHI:
        return Choice(action.kind, action.tile >> 2, tuple(sorted(tile >> 2 for tile in action.own)))
    if action.tile < 0:
        return Choice(action.kind)
    return Choice(action.kind, action.tile >> 2)


def by_choice(legal: Iterable[Action], drawn: int | None) -> dict[Choice, Action]:
    """The legal actions by their names in the search.

    Of actions with the same kinds of tiles it takes the one that discards the plain five, of two plain copies the drawn
    one, and the call with the red five.
    """
    chosen: dict[Choice, Action] = {}
    for action in sorted(legal, key=lambda one: _rank(one, drawn)):
        chosen.setdefault(choice_of(action), action)
    return chosen


def _rank(action: Action, drawn: int | None) -> tuple[bool, int, int]:
    if action.kind in DISCARDS:
        return action.tile in RED_FIVES, action.tile != drawn, action.tile
    return False, -sum(tile in RED_FIVES for tile in action.own), action.tile
