"""Counting how often hands in riichi get what they wait for: by their own draws, and by the others' discards.

Both are relative to what the search would expect without these counts: a draw to the share of the waits among all tiles
that the player does not see, a discard to that share times the fitted rates of :mod:`engine.search.discard_tables`. The
figures are in :mod:`engine.policy.worth.forecast`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.model.events import Discard, Draw, Event, StartKyoku
from engine.model.seats import SEATS, others
from engine.model.tiles import KINDS, TILES
from engine.policy.worth.forecast import RIICHI_DRAWS, RIICHI_GROUPS, RIICHI_WAITS
from engine.search.discard_tables import DRAWS, discard_tables, is_dora, kind_classes, safety
from engine.state import GameState, visible_to
from engine.train.counted import Counted


@dataclass
class WaitingCounts:
    """Sums over recorded games.

    Attributes:
        sums: ``[number, expected number, number of states]`` by name of the constant, whether somebody else is in
            riichi, and group of own draws left.
    """

    sums: dict[tuple[str, int, int], NDArray[np.float64]] = field(
        default_factory=lambda: defaultdict(lambda: np.zeros(3))
    )

    def observe(self, events: Sequence[Event]) -> None:
        """Add one game in which all hands are visible."""
        for seat in SEATS:
            state = GameState(seat)
            begun = False
            for event in events:
                begun = begun or isinstance(event, StartKyoku)
                waits = begun and state.riichi[seat] > 0
                if waits and isinstance(event, Draw) and event.seat == seat and event.tile is not None:
                    self._draw(state, event.tile >> 2)
                state.apply(visible_to(event, seat))
                if waits and isinstance(event, Discard) and event.seat != seat:
                    self._discard(state, event.tile >> 2)

    def rows(self) -> Iterator[Counted]:
        """Every figure beside the constant in use; figures never observed are left out."""
        for name, used in (("RIICHI_WAITS", RIICHI_WAITS), ("RIICHI_DRAWS", RIICHI_DRAWS)):
            for against, group in np.ndindex(2, len(RIICHI_GROUPS)):
                number, expected, states = self.sums.get((name, against, group), np.zeros(3))
                if expected:
                    at = f"forecast.{name}[{against * len(RIICHI_GROUPS) + group}]"
                    yield Counted(at, used[against][group], float(number / expected), round(states))

    def _draw(self, state: GameState, kind: int) -> None:
        """The player's next event is a draw of the kind."""
        share = sum(state.unseen(each) for each in state.waits) / (TILES - sum(state.visible))
        self._add("RIICHI_DRAWS", state, kind in state.waits, share)

    def _discard(self, state: GameState, kind: int) -> None:
        """An opponent has just discarded the kind."""
        unseen = np.array([state.unseen(each) for each in range(KINDS)], np.float64)
        unseen[kind] += 1
        dora = is_dora([each >> 2 for each in state.dora_indicators])
        left = min(state.wall_left // 4, DRAWS - 1)
        rates = discard_tables().riichi_rates[kind_classes(state.round_wind), dora, safety(state.river_mask), left]
        chances = rates * unseen
        expected = float(chances[list(state.waits)].sum() / chances.sum())
        self._add("RIICHI_WAITS", state, kind in state.waits, expected)

    def _add(self, name: str, state: GameState, hit: bool, expected: float) -> None:
        left = state.wall_left // 4
        against = int(any(state.riichi[seat] for seat in others(state.seat)))
        group = next(at for at, end in enumerate(RIICHI_GROUPS) if left < end)
        self.sums[name, against, group] += (hit, expected, 1.0)
