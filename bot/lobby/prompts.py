"""Prompts to players, and the answer that is used if they give none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.model.actions import PASS, Action, ActionKind


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt to one player.

    Attributes:
        actions: the legal answers.
        tile: ``tile136`` drawn, discarded or added to a pon; None after one's own call.
        accepts: whether an action, with any physical copies, is legal.
        declare: called when the player has sent REACH and its discard is still to come.
    """

    actions: tuple[Action, ...]
    tile: int | None
    accepts: Callable[[Action], bool]
    declare: Callable[[], None]

    @property
    def own_turn(self) -> bool:
        """Whether the player has drawn or called; otherwise it is asked about another player's tile."""
        return PASS not in self.actions

    @property
    def may_riichi(self) -> bool:
        """Whether riichi is one of the answers."""
        return any(action.kind is ActionKind.RIICHI for action in self.actions)

    def default(self, declared: bool = False) -> Action:
        """The action for a player who does not answer: pass, or tsumogiri, or the right-most possible discard.

        Args:
            declared: whether it has sent REACH, so that the discard must leave the hand tenpai.
        """
        if not self.own_turn:
            return PASS
        kind = ActionKind.RIICHI if declared else ActionKind.DISCARD
        discards = [action for action in self.actions if action.kind is kind]
        drawn = next((action for action in discards if action.tile == self.tile), None)
        return drawn or max(discards, key=lambda action: action.tile)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and what was wrong with the one that was given.

    Attributes:
        action: a legal action; the default if the player gave none.
        late: whether its time ran out.
        illegal: why its answer was not legal; empty if it was.
    """

    action: Action
    late: bool = False
    illegal: str = ""
