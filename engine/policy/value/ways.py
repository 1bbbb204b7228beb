"""The ways in which a question can be answered, with all that ranks them."""

from dataclasses import dataclass

from engine.model.actions import Action
from engine.search.evaluator import Worth


@dataclass(frozen=True, slots=True)
class Way:
    """A legal action, and what it is worth relative to an aborted hand. Left at its defaults, it aborts the hand.

    Attributes:
        action: the action.
        worth: what the evaluator found for an attack after it, if the tile passes; None if it was not evaluated.
        fold: worth if the hand folds after it and the tile passes; None if it cannot fold: it calls or declares riichi.
        discard34: ``tile34`` that is discarded, also after a call; -1 if there is none.
        exposed34: ``tile34`` on which others may win, discarded or added to a kan; -1 if there is none.
        deal_in: chance that it deals in, 0-1.
        dealt: that chance times the worth of the hand's end by it.
        lead: worth by which attacking must be ahead of folding.
        hopeless: whether an attack neither wins nor ends tenpai, by the chances at this table.
        folds: whether the hand folds after it.
        keep: what the tile was worth in the hand, as a loss.
        comeback: the loss of a hand that has folded before by an action after which it cannot fold.
        value: what the policy expects of it.
        prior: chance that strong play chooses it, 0-1; None if that does not count.
        lean: what that chance adds to the value; at most 0.
    """

    action: Action
    worth: Worth | None = None
    fold: float | None = None
    discard34: int = -1
    exposed34: int = -1
    deal_in: float = 0.0
    dealt: float = 0.0
    lead: float = 0.0
    hopeless: bool = False
    folds: bool = False
    keep: float = 0.0
    comeback: float = 0.0
    value: float = 0.0
    prior: float | None = None
    lean: float = 0.0

    @property
    def attack(self) -> float | None:
        """Worth if the hand attacks after it and the tile passes; None if it was not evaluated."""
        return None if self.worth is None else self.worth.value

    @property
    def passes(self) -> float:
        """Chance that it does not deal in, 0-1."""
        return 1.0 - self.deal_in

    @property
    def score(self) -> float:
        """What the ways are ranked by."""
        return self.value + self.lean
