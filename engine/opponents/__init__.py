"""Models of the opponents: the chance that a tile deals in, and what it would cost."""

from engine.opponents.danger import Danger, DangerEstimator
from engine.opponents.registry import ESTIMATORS, make_estimator

__all__ = ["ESTIMATORS", "Danger", "DangerEstimator", "make_estimator"]
