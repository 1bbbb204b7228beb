"""Evolved networks that value hands, the inputs they see, and the one-player mahjong in which they are bred.

MM-NEAT (Ihara and Kato). Where the sections of the paper stand:

* 2, one-player mahjong, T = 18 draws: ``solo_kernels.DRAWS``; its yaku and points: ``points_kernels.solo_points``.
* 3.1, modular networks, in which the module whose preference neuron is highest answers: ``solo_kernels.run_network``.
* 3.2, module mutation MM(D): ``genome.duplicate_module``.
* 3.3, NEAT: ``genome.Innovations``, ``genome.add_link``, ``genome.add_node``, ``genome.crossover``.
* 4.1, the first generation: ``genome.first_genome``.
* 4.2, the 215 inputs of table 5: ``input_kernels.PAPER``.
* 4.3, f1' = the mean over N' walls of T - t', t' the turn of tenpai, and f2' = the mean of s*, the points expected then
  (equations 5 and 6): ``solo.SoloResults``.
* 4.4, how often each operation is used: ``genome.Rates``; selection by NSGA-II: ``evolution.ordered``.
* 5, tables 6, 7 and 8: ``oshihiki bench neat --searched 10000``.

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
