"""What a player is asked, and what is done for it when it does not answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.model.actions import PASS, Action, ActionKind


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to one player.

    Attributes:
        actions: the legal answers.
        tile: ``tile136`` drawn, discarded or added to a pon; None after one's own call.
        accepts: whether an action, in any physical form, is legal.
        declare: called when the player has said REACH and the discard is still to come.
    """

    actions: tuple[Action, ...]
    tile: int | None
    accepts: Callable[[Action], bool]
    declare: Callable[[], None]

    @property
    def own_turn(self) -> bool:
        """The player has drawn or called; else it is asked about another's tile."""
        return PASS not in self.actions

    @property
    def may_riichi(self) -> bool:
        """Riichi is among the answers."""
        return any(action.kind is ActionKind.RIICHI for action in self.actions)

    def default(self, declared: bool = False) -> Action:
        """What is done for a player who does not answer: pass, else tsumogiri, else the right-most discard.

        Args:
            declared: it has said REACH: the discard has to leave the hand tenpai.
        """
        if not self.own_turn:
            return PASS
        kind = ActionKind.RIICHI if declared else ActionKind.DISCARD
        discards = [action for action in self.actions if action.kind is kind]
        drawn = next((action for action in discards if action.tile == self.tile), None)
        return drawn or max(discards, key=lambda action: action.tile)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and what was wrong with it.

    Attributes:
        action: legal; the default where the player gave none.
        late: its time ran out.
        illegal: why what it said was no answer; empty where nothing was wrong.
    """

    action: Action
    late: bool = False
    illegal: str = ""
