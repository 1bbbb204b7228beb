"""Danger estimators by name. A row is an import path, so that listing the names loads none of them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.registry import Registry, Row
from engine.tables import WeightsError

if TYPE_CHECKING:
    from engine.opponents.danger import DangerEstimator

ESTIMATORS: "Final[Registry[DangerEstimator]]" = Registry(
    "danger estimator",
    {
        "model": Row("engine.opponents.network:ModelEstimator"),
        "mj1": Row("engine.papers.mj1:Mj1Estimator"),
        "suji": Row("engine.opponents.danger_tables:SujiEstimator"),
        "waits": Row("engine.papers.waits.estimator:WaitsEstimator"),
    },
    methods=("estimate",),
    attributes=("name", "digests"),
)


def make_estimator(name: str) -> "DangerEstimator":
    """A new estimator.

    Args:
        name: a name in :data:`ESTIMATORS`, or ``module:Class`` without arguments.

    Raises:
        ValueError: the estimator does not exist, or a class from outside fails; the message says what exists.
    """
    return ESTIMATORS.make(name)


def best_estimator(name: str = "model") -> "tuple[DangerEstimator, str | None]":
    """The estimator of that name, or the suji table with a warning for the user.

    Raises:
        ValueError: no estimator has that name.
    """
    try:
        return make_estimator(name), None
    except WeightsError as error:
        return make_estimator("suji"), f"playing with the plain danger table: {error}"


@dataclass(frozen=True, slots=True)
class NamesEstimator:
    """The rule of a setting that names an estimator, as for :func:`make_estimator`."""

    def fault(self, value: str) -> str | None:
        """See :class:`engine.settings.Rule`."""
        try:
            ESTIMATORS.find(value)
        except ValueError as error:
            return str(error)
        return None

    def needs(self, value: str) -> tuple[str, ...]:  # noqa: ARG002 - a policy names what its estimators need
        """Nothing."""
        return ()
