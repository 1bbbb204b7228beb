"""Scene of a decision: a state, its legal actions, and derived facts, each computed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from engine.model.actions import PASS, Action
from engine.opponents.facts import Masks4, Opponent, genbutsu_masks, opponents
from engine.policy.simple.weighing import Facts, Threats, threats_of
from engine.search.position import Position
from engine.shanten import Ukeire, discard_shanten, shanten, ukeire
from engine.state import GameState


class Scene:
    """One question to one seat. Facts are computed on first use; the state must not change meanwhile.

    Attributes:
        state: the seat's view.
        legal: the actions to choose from.
    """

    def __init__(self, state: GameState, legal: Sequence[Action]) -> None:
        self.state = state
        self.legal = legal
        self._after: dict[int, Ukeire] = {}

    @property
    def asked_to_call(self) -> bool:
        """Whether the seat is asked about another player's tile, and may pass."""
        return PASS in self.legal

    @cached_property
    def position(self) -> Position:
        """The position as an evaluator takes it.

        Raises:
            PositionError: the state is not a position that can be evaluated.
        """
        return Position.from_state(self.state)

    @cached_property
    def facts(self) -> Facts:
        """The facts of the table that the quick heuristics use."""
        return Facts.of(self.state)

    @cached_property
    def melds(self) -> int:
        """Number of the seat's own melds."""
        return len(self.state.melds[self.state.seat])

    @cached_property
    def shanten(self) -> int:
        """Shanten of all the tiles in hand; -1 if they are complete."""
        return shanten(self.state.counts, self.melds)

    @cached_property
    def discard_shanten(self) -> Sequence[int]:
        """By ``tile34``, shanten after discarding it; for a hand with a tile to discard."""
        return discard_shanten(self.state.counts, self.melds)

    @cached_property
    def improvements(self) -> Ukeire:
        """The tiles that improve the hand as it is; for a hand without a tile to discard."""
        return ukeire(self.state.counts, self.melds, self.facts.unseen)

    def improvements_after(self, tile34: int) -> Ukeire:
        """The tiles that improve the hand after this kind is discarded."""
        if tile34 not in self._after:
            counts = list(self.state.counts)
            counts[tile34] -= 1
            self._after[tile34] = ukeire(counts, self.melds, self.facts.unseen)
        return self._after[tile34]

    @cached_property
    def opponents(self) -> tuple[Opponent, ...]:
        """The public facts of the three opponents."""
        return opponents(self.state)

    @cached_property
    def genbutsu(self) -> Masks4:
        """By seat, the bit set of the ``tile34`` on which it cannot win."""
        return genbutsu_masks(self.state)

    @cached_property
    def threats(self) -> Threats:
        """The opponents in riichi or with open melds, according to the plain danger tables."""
        return threats_of(self.state)
