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
CHAMPIONS: Final = (*BEST_IN, "taught-value", "dora-value")
"""The networks that are shipped.

Those of one run bear the names of :data:`BEST_IN`: it is the paper's, from random networks, with the paper's inputs,
without dora. ``taught-value`` comes from networks fitted to the DAG search, with the extended inputs, without dora;
``dora-value`` as well, with dora and red fives.
"""


@dataclass(frozen=True, slots=True)
class NeatSettings:
    """Settings of the evaluator and of the policy ``neat``."""

    champion: Annotated[str, Among(CHAMPIONS)] = "dora-value"  # the network that values hands
