"""The value of an action for the policy ``value``."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.actions import Action
from engine.policy.decision import Candidate


@dataclass(frozen=True, slots=True)
class ActionValue:
    """A legal action with its worth relative to an aborted hand.

    Attributes:
        action: the action.
        attack: worth if the hand then attacks; None if it was not computed.
        fold: worth if the hand then folds; None if that is not possible.
        folds: whether the hand folds after it, because attacking is not worth enough more.
        discard34: ``tile34`` that is discarded, also after a call; -1 if there is none.
        exposed34: ``tile34`` on which others may win, discarded or added to a kan; -1 if there is none.
        candidate: the figures that the decision shows.
        win_points: mean points of a win; None if they were not computed.
        later: chance to deal in with a later discard, of a tenpai hand that attacks; None if it was not computed.
        corrected: points that were added to the search's value, see :mod:`engine.policy.worth.corrections`.
    """

    action: Action
    attack: float | None
    fold: float | None
    folds: bool
    discard34: int
    exposed34: int
    candidate: Candidate
    win_points: float | None = None
    later: float | None = None
    corrected: float = 0.0

    @property
    def value(self) -> float:
        """The value by which actions are ranked."""
        return self.candidate.score
