"""Names that a shell completes: policies, evaluators and danger estimators."""

from collections.abc import Iterable
from typing import Final

HUMAN: Final = "human"


def policies(incomplete: str) -> list[str]:
    """The policies whose names begin so."""
    from engine.policy.registry import POLICIES  # noqa: PLC0415 - only a shell asks

    return _begin(POLICIES, incomplete)


def players(incomplete: str) -> list[str]:
    """The policies whose names begin so, and a person."""
    return [*policies(incomplete), *_begin([HUMAN], incomplete)]


def evaluators(incomplete: str) -> list[str]:
    """The evaluators whose names begin so."""
    from engine.search.registry import EVALUATORS  # noqa: PLC0415 - only a shell asks

    return _begin(EVALUATORS, incomplete)


def estimators(incomplete: str) -> list[str]:
    """The danger estimators whose names begin so."""
    from engine.opponents.registry import ESTIMATORS  # noqa: PLC0415 - only a shell asks

    return _begin(ESTIMATORS, incomplete)


def _begin(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
