"""The discards that can be made: what the hand is after each, what each costs, and which goes first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.model.actions import DISCARDS, Action, ActionKind
from engine.model.tiles import TILE34, TILE37
from engine.policy.decision import Candidate
from engine.policy.quick.efficiency import Outlook, outlook
from engine.policy.quick.threats import total_danger
from engine.policy.scene import Scene
from engine.state import GameState


@dataclass(frozen=True, slots=True)
class Option:
    """A discard that was weighed.

    Attributes:
        action: the discard, or riichi with it.
        after: prospects of the hand it leaves.
        chance: that it deals in, 0-1.
        loss: mean points lost if it does.
    """

    action: Action
    after: Outlook
    chance: float
    loss: float

    @property
    def danger(self) -> float:
        """Points expected to be lost on it now."""
        return self.chance * self.loss

    @property
    def net(self) -> float:
        """Points expected of the hand, danger taken off."""
        return self.after.value - self.danger

    def candidate(self, value: float) -> Candidate:
        """As the decision shows it, with the value that it was ranked by."""
        return Candidate(
            self.action,
            value,
            p_win=self.after.p_win,
            p_deal_in=self.chance,
            expected_loss=self.loss,
            shanten=self.after.shanten,
            ukeire=self.after.ukeire,
        )


def weigh(scene: Scene) -> list[Option]:
    """Weigh every legal discard and riichi, once for each tile that looks different."""
    state, facts = scene.state, scene.facts
    declared = state.has_declared(state.seat)
    options = []
    for action in _distinct(state, scene.legal):
        rest = [tile for tile in state.hand if tile != action.tile]
        after = outlook(facts, rest, facts.melds, riichi=declared or action.kind is ActionKind.RIICHI)
        options.append(Option(action, after, *total_danger(scene.threats, action.tile >> 2)))
    return options


def attack_order(options: Iterable[Option]) -> list[Option]:
    """Best first: the nearest hand, of equally near ones that of most points."""
    return sorted(
        options, key=lambda option: (option.after.level, -option.net, -option.after.ukeire, option.action.tile)
    )


def fold_order(options: Iterable[Option]) -> list[Option]:
    """Safest first, then the one that keeps the better hand; riichi is not folding."""
    return sorted(
        (option for option in options if option.action.kind is ActionKind.DISCARD),
        key=lambda option: (option.danger, option.after.level, -option.after.value, option.action.tile),
    )


def _distinct(state: GameState, legal: Iterable[Action]) -> list[Action]:
    """Of a drawn tile and its like in hand, the drawn one."""
    looks = TILE37 if state.rules.red_fives else TILE34
    chosen: dict[tuple[ActionKind, int], Action] = {}
    for action in legal:
        if action.kind in DISCARDS:
            key = (action.kind, looks[action.tile])
            if key not in chosen or action.tile == state.drawn:
                chosen[key] = action
    return list(chosen.values())
