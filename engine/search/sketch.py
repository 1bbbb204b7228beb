"""A position from the few facts that a person would state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.model.melds import Meld
from engine.model.rules import HANCHAN, LIVE_WALL, Rules
from engine.model.seats import round_wind34, seat_wind34
from engine.model.tiles import RED_FIVES, counts34, format_tiles
from engine.search.position import Position, PositionError

FIRST_WALL: Final = LIVE_WALL - 1
"""Tiles left in the live wall after the dealer's first draw. Derived from the rules."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is known of a hand and its table. Tiles are ``tile136``.

    Attributes:
        concealed: own concealed tiles.
        melds: own melds.
        dora_indicators: dora indicators, in the order turned.
        visible: tiles visible elsewhere, in the others' rivers and melds.
        own_river: own discards.
        turn: number of the discard to make, 1-18; with 13 tiles and no offered tile, of the last one made.
        kyoku: number of the hand, 0 = E1 … 4 = S1.
        dealer_distance: own wind: 0 the dealer, 1 south …
        offered: the tile that another player has just discarded, or -1.
        offered_by: who discarded it: 1 right, 2 across, 3 left.
        honba, riichi_sticks: on the table.
        points: own score.
        riichi_against: number of opponents in riichi.
        rules: rules of the table.
    """

    concealed: Sequence[int]
    melds: Sequence[Meld] = ()
    dora_indicators: Sequence[int] = ()
    visible: Sequence[int] = ()
    own_river: Sequence[int] = ()
    turn: int = 1
    kyoku: int = 0
    dealer_distance: int = 0
    offered: int = -1
    offered_by: int = 0
    honba: int = 0
    riichi_sticks: int = 0
    points: int = 25_000
    riichi_against: int = 0
    rules: Rules = HANCHAN

    def position(self) -> Position:
        """The position; whatever is not given has its usual value.

        Raises:
            PositionError: a tile is used twice, or the turn is beyond the wall.
        """
        seen = self._seen()
        river_mask = 0
        for tile in self.own_river:
            river_mask |= 1 << (tile >> 2)
        man, pin, sou = (self.rules.red_fives and red not in seen for red in RED_FIVES)
        return Position(
            concealed=tuple(sorted(self.concealed)),
            melds=tuple(self.melds),
            unseen=tuple([4 - count for count in counts34(seen)]),
            red_unseen=(man, pin, sou),
            river_mask=river_mask,
            dora_indicators=tuple(self.dora_indicators),
            seat_wind=seat_wind34(self.dealer_distance, 0),
            round_wind=round_wind34(self.kyoku),
            wall_left=self._wall_left(),
            honba=self.honba,
            riichi_sticks=self.riichi_sticks,
            points=self.points,
            riichi_against=self.riichi_against,
            offered=self.offered,
            offered_by=self.offered_by,
            rules=self.rules,
        )

    def _seen(self) -> set[int]:
        offered = [self.offered] if self.offered >= 0 else []
        in_melds = [tile for meld in self.melds for tile in meld.tiles]
        seen: set[int] = set()
        for tile in (*self.concealed, *self.dora_indicators, *self.visible, *self.own_river, *offered, *in_melds):
            if tile in seen:
                name = format_tiles([tile], self.rules.red_fives)
                raise PositionError(f"{name} is used twice; every copy exists only once")
            seen.add(tile)
        return seen

    def _wall_left(self) -> int:
        first = FIRST_WALL - self.dealer_distance
        left = first - 4 * (self.turn - 1) - (self.offered_by if self.offered >= 0 else 0)
        if self.turn < 1 or left < 0:
            raise PositionError(f"turn {self.turn}: the wall allows turns 1 to {1 + first // 4}")
        return left
