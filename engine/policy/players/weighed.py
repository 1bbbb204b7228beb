"""An action that the policy ``value`` has weighed."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.actions import Action
from engine.policy.decision import Candidate


@dataclass(frozen=True, slots=True)
class Weighed:
    """A legal action and what it is worth, over the hand being void.

    Attributes:
        action: the action.
        attack: worth if the hand is then played for its win; None where that was not worked out.
        fold: worth if it is then given up; None where that is no way to go on.
        folds: the hand is given up after it: going on is not worth enough more.
        thrown: ``tile34`` that goes, after a call too; -1 where none does.
        exposed: ``tile34`` that others may win on: the one thrown, or added to a set; -1 where there is none.
        candidate: as the decision shows it, with its value.
        win_points: mean points of a win, None where not worked out.
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
