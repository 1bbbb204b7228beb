"""How large a search is made: n, calls and kans by shanten and budget, before any of the costly work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.search.dag.graph import Bounds, Root, list_hands
from engine.search.dag.graph_kernels import Hands
from engine.search.dag.model import Model
from engine.shanten import shanten

MOST_NODES: Final = 400_000
"""Nodes searched at most, by all roots of a decision together, when the budget names no number."""

FAR: Final = 4
"""From this shanten on, n = shanten: one exchange more costs ten times as much and changes little."""

KANS: Final = 2
"""Kans in one line of play."""

FIRST_WINS: Final = 20_000
"""Completing exchanges at most; far hands have more, and the likeliest are kept."""


def choose_hands(
    root: Root, melds: int, model: Model, calls: int, locked: bool, most: int
) -> tuple[Bounds, Hands, bool]:
    """The hands of the largest search that fits, its bounds, and whether it is all that the model asks for.

    Args:
        root: the hand.
        melds: how many it has.
        model: what is played.
        calls: most calls.
        locked: the hand is in riichi and does not change.
        most: bound on the hands listed.
    """
    whole = True
    for bounds in _tries(root, melds, model, calls, locked):
        hands = list_hands(root, bounds)
        if hands.nodes <= most:
            return bounds, hands, whole
        whole = False
    wins = min(FIRST_WINS, most)
    while hands.nodes > most and wins > 1:
        wins //= 2
        bounds = Bounds(bounds.reach, 0, 0, model.seven_pairs, model.thirteen_orphans, wins)
        hands = list_hands(root, bounds)
    return bounds, hands, False


def _tries(root: Root, melds: int, model: Model, calls: int, locked: bool) -> Iterator[Bounds]:
    least = max(0, shanten(root.held.tolist(), melds))
    wanted = least + (least < FAR) if model.exchanges is None else max(least, model.exchanges)
    kans = KANS if model.kans and not locked else 0
    sizes = [(0, 0, 0)] if locked else [(wanted, calls, kans)]
    if not locked:
        sizes += [(least, calls, kans)] if least < wanted else []
        sizes += [(least, fewer, 0) for fewer in range(calls - (kans == 0), -1, -1)]
    for exchanges, most_calls, most_kans in sizes:
        yield Bounds(exchanges + 1, most_calls, most_kans, model.seven_pairs, model.thirteen_orphans, FIRST_WINS)
