"""What a decision is about: a state, its legal actions, and what follows from them, each computed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from engine.model.actions import PASS, Action
from engine.opponents.facts import Opponent, opponents
from engine.opponents.genbutsu import Masks4, genbutsu_masks
from engine.policy.quick.facts import Facts
from engine.policy.quick.threats import Threat, threats
from engine.search.position import Position
from engine.shanten import Ukeire, discard_shanten, shanten, ukeire
from engine.state import GameState


class Scene:
    """One question to one seat. Facts are computed when they are first asked for, while the state stays as it is.

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
        """Whether the question is about another player's tile, so that the seat may pass."""
        return PASS in self.legal

    @cached_property
    def position(self) -> Position:
        """What an evaluator sees.

        Raises:
            PositionError: the state is no position that can be evaluated.
        """
        return Position.from_state(self.state)

    @cached_property
    def facts(self) -> Facts:
        """The table in the form in which the quick heuristics use it."""
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
        """By ``tile34``, shanten after discarding it; of a hand with a tile to discard."""
        return discard_shanten(self.state.counts, self.melds)

    @cached_property
    def improvements(self) -> Ukeire:
        """What improves the hand as it is; of a hand without a tile to discard."""
        return ukeire(self.state.counts, self.melds, self.facts.unseen)

    def improvements_after(self, tile34: int) -> Ukeire:
        """What improves the hand once this kind has been discarded."""
        if tile34 not in self._after:
            counts = list(self.state.counts)
            counts[tile34] -= 1
            self._after[tile34] = ukeire(counts, self.melds, self.facts.unseen)
        return self._after[tile34]

    @cached_property
    def opponents(self) -> tuple[Opponent, ...]:
        """What anyone can see of the other three."""
        return opponents(self.state)

    @cached_property
    def genbutsu(self) -> Masks4:
        """By seat, a bit set of the ``tile34`` that it cannot win on."""
        return genbutsu_masks(self.state)

    @cached_property
    def threats(self) -> tuple[Threat, ...]:
        """The opponents in riichi or with open melds, by the plain danger tables."""
        return threats(self.state, self.opponents, self.genbutsu, self.facts.unseen)
