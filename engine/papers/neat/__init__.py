"""Evolved networks that value hands, the inputs they see, and the one-player mahjong in which they are bred.

Its settings stand here, so that reading them compiles nothing.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from engine.settings import Among

BEST_IN: Final = {
    "speed": "hands won",
    "value": "points a hand",
    "high": "points a win",
    "early": "the turn of its wins",
}
"""The champions of a run, and in what each is the best."""
RUNS: Final = {
    "": "as in the paper: from random networks, with the paper's inputs, without dora",
    "taught-": "from networks fitted to the DAG search, with the extended inputs, without dora",
    "dora-": "the same with dora and red fives",
}
"""The runs that the champions are of, by what their names begin with."""
CHAMPIONS: Final = tuple(f"{run}{name}" for run in RUNS for name in BEST_IN)


@dataclass(frozen=True, slots=True)
class NeatSettings:
    """Settings of the evaluator and of the policy ``neat``.

    Attributes:
        champion: the network that values hands.
    """

    champion: Annotated[str, Among(CHAMPIONS)] = "dora-value"
