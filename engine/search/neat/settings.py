"""Settings of the evaluator and of the policy ``neat``, separate from them so that reading them compiles nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from engine.settings import Among

CHAMPIONS: Final = {
    "speed": "hands won",
    "value": "points a hand",
    "high": "points a win",
    "early": "the turn of its wins",
}
"""The champions, and in what each was the best of its run."""


@dataclass(frozen=True, slots=True)
class NeatSettings:
    """Settings of the evaluator and of the policy ``neat``.

    Attributes:
        champion: the network that values hands.
    """

    champion: Annotated[str, Among(tuple(CHAMPIONS))] = "value"
