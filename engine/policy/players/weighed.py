"""An action that the policy ``value`` has weighed."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.actions import Action
from engine.policy.decision import Candidate


@dataclass(frozen=True, slots=True)
class Weighed:
    """A legal action and what it is worth, relative to an aborted hand.

    Attributes:
        action: the action.
        attack: worth if the hand is then played for a win; None where that was not computed.
        fold: worth if the hand then folds; None where that is not possible.
        folds: the hand folds after it, as attacking is not worth enough more.
        thrown: ``tile34`` that is discarded, also after a call; -1 where none is.
        exposed: ``tile34`` that others may win on, discarded or added to a kan; -1 where there is none.
        candidate: the figures that the decision shows.
        win_points: mean points of a win; None where not computed.
    """

    action: Action
    attack: float | None
    fold: float | None
    folds: bool
    thrown: int
    exposed: int
    candidate: Candidate
    win_points: float | None = None

    @property
    def value(self) -> float:
        """What actions are ranked by."""
        return self.candidate.value
