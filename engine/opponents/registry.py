"""Danger estimators by name. A row is an import path, so that listing the names loads none of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from engine.opponents.danger import DangerEstimator

ESTIMATORS: Final[dict[str, str]] = {
    "model": "engine.opponents.model:ModelEstimator",
    "mj1": "engine.opponents.mj1:Mj1Estimator",
    "suji": "engine.opponents.suji:SujiEstimator",
    "waits": "engine.opponents.waits:WaitsEstimator",
}
"""Name → ``module:class``; the class is called without arguments."""


def make_estimator(name: str) -> DangerEstimator:
    """An estimator of that name.

    Raises:
        ValueError: no estimator has that name; the message lists the existing ones.
    """
    try:
        module, _, cls = ESTIMATORS[name].partition(":")
    except KeyError:
        raise ValueError(f"no danger estimator is named {name!r}; there are: {', '.join(ESTIMATORS)}") from None
    factory: Any = getattr(import_module(module), cls)
    return cast("DangerEstimator", factory())
