"""The facts of the table that several policies need, computed once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.tiles import CHUN, HAKU, KINDS
from engine.state import GameState


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts derived from one seat's view.

    Attributes:
        unseen: by ``tile34``, number of copies not seen anywhere.
        yakuhai: by ``tile34``, han of a triplet: 0, 1 or 2 (double wind).
    """

    unseen: tuple[int, ...]
    yakuhai: tuple[int, ...]

    @classmethod
    def of(cls, state: GameState) -> Facts:
        """The facts of a state."""
        yakuhai = [0] * KINDS
        for kind in (*range(HAKU, CHUN + 1), state.seat_wind, state.round_wind):
            yakuhai[kind] += 1
        return cls(tuple(4 - seen for seen in state.visible), tuple(yakuhai))
