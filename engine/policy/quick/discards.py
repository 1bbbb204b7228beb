"""The legal discards: the prospects of the hand after each, the danger of each, and their order."""

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
    """A discard with its prospects and its danger.

    Attributes:
        action: the discard, or the riichi declared with it.
        after: prospects of the hand after it.
        chance: chance that it deals in, 0-1.
        loss: mean points lost if it deals in.
    """

    action: Action
    after: Outlook
    chance: float
    loss: float

    @property
    def danger(self) -> float:
        """Expected points lost by dealing in with it now."""
        return self.chance * self.loss

    @property
    def net(self) -> float:
        """Expected points of the hand, less the danger of the discard."""
        return self.after.value - self.danger

    def candidate(self, value: float) -> Candidate:
        """The candidate that the decision shows, with the value by which it was ranked."""
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
    """Evaluate every legal discard and riichi, once for tiles that look the same."""
    state, facts = scene.state, scene.facts
    declared = state.has_declared(state.seat)
    options = []
    for action in _distinct(state, scene.legal):
        rest = [tile for tile in state.hand if tile != action.tile]
        after = outlook(facts, rest, facts.melds, riichi=declared or action.kind is ActionKind.RIICHI)
        options.append(Option(action, after, *total_danger(scene.threats, action.tile >> 2)))
    return options


def attack_order(options: Iterable[Option]) -> list[Option]:
    """The options, best first: the nearest hand, and among equally near hands the one with the most points."""
    return sorted(
        options, key=lambda option: (option.after.level, -option.net, -option.after.ukeire, option.action.tile)
    )


def fold_order(options: Iterable[Option]) -> list[Option]:
    """The discards, safest first, and among equally safe ones the one that leaves the better hand; no riichi."""
    return sorted(
        (option for option in options if option.action.kind is ActionKind.DISCARD),
        key=lambda option: (option.danger, option.after.level, -option.after.value, option.action.tile),
    )


def _distinct(state: GameState, legal: Iterable[Action]) -> list[Action]:
    """One action for tiles that look the same: the drawn tile if it is among them."""
    looks = TILE37 if state.rules.red_fives else TILE34
    chosen: dict[tuple[ActionKind, int], Action] = {}
    for action in legal:
        if action.kind in DISCARDS:
            key = (action.kind, looks[action.tile])
            if key not in chosen or action.tile == state.drawn:
                chosen[key] = action
    return list(chosen.values())
