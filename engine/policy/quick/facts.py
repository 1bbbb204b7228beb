"""The facts of the table that a decision needs, computed once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.melds import Meld
from engine.model.rules import Rules
from engine.model.tiles import CHUN, DORA_AFTER, HAKU, KINDS, RED_FIVES
from engine.state import GameState


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts derived from one seat's view.

    Attributes:
        unseen: by ``tile34``, number of copies not seen anywhere.
        unseen_total: sum of ``unseen`` (live wall, dead wall and the other hands).
        dora: by ``tile34``, how many times it is dora.
        yakuhai: by ``tile34``, han of a triplet: 0, 1 or 2 (double wind).
        turns: number of own draws to come.
        melds: own melds.
        discarded: by ``tile34``, whether it is in the own river (and makes the hand furiten).
        indicators: dora indicators, ``tile136``.
        rules, dealer, seat_wind, round_wind, points: as in :class:`~engine.state.GameState`.
    """

    unseen: tuple[int, ...]
    unseen_total: int
    dora: tuple[int, ...]
    yakuhai: tuple[int, ...]
    turns: int
    melds: tuple[Meld, ...]
    discarded: tuple[bool, ...]
    indicators: tuple[int, ...]
    rules: Rules
    dealer: bool
    seat_wind: int
    round_wind: int
    points: int

    @classmethod
    def of(cls, state: GameState) -> Facts:
        """The facts of a state."""
        unseen = tuple(4 - seen for seen in state.visible)
        dora = [0] * KINDS
        for indicator in state.dora_indicators:
            dora[DORA_AFTER[indicator >> 2]] += 1
        yakuhai = [0] * KINDS
        for kind in (*range(HAKU, CHUN + 1), state.seat_wind, state.round_wind):
            yakuhai[kind] += 1
        discarded = [False] * KINDS
        for tile in state.rivers[state.seat]:
            discarded[tile.tile >> 2] = True
        return cls(
            unseen=unseen,
            unseen_total=sum(unseen),
            dora=tuple(dora),
            yakuhai=tuple(yakuhai),
            turns=(state.wall_left + 3) // 4,
            melds=tuple(state.melds[state.seat]),
            discarded=tuple(discarded),
            indicators=tuple(state.dora_indicators),
            rules=state.rules,
            dealer=state.seat == state.dealer,
            seat_wind=state.seat_wind,
            round_wind=state.round_wind,
            points=state.scores[state.seat],
        )

    def dora_of(self, tile136: int) -> int:
        """Han that this tile adds as dora or red five."""
        red = self.rules.red_fives and tile136 in RED_FIVES
        return self.dora[tile136 >> 2] + red


def is_closed(melds: tuple[Meld, ...]) -> bool:
    """Whether there are no melds except closed kans."""
    return all(meld.called is None for meld in melds)
