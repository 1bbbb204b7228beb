"""The CHE paper (Aoki and Anada, IPSJ 2020): Complete Hand Extraction, and the perceptron that it is compared with.

Where its sections stand:

* 4.1, tiles added at random, five more than the nearest win lacks: ``che_kernels.extract_hands``.
* 4.2, every complete hand among them and those held, a pair first, then four sets: ``che_kernels.add_hands``.
* 4.3, a complete hand's points count for each tile held that it does not use: ``che_kernels.add_hand``. The value of a
  discard is the sum of the points of the complete hands without it, divided by the number of all: ``che._Found``.
* 5.1 to 5.3, the same with a called set fixed: ``che.Che``.
* 5.4, a call is worth sum of points / number of complete hands, where those without a yaku count with 0 points, and is
  made from the fewest points of a win on: ``che.SMALLEST_WIN``.
* 6.1, "testAI", an averaged perceptron over the inputs of table 2: ``perceptron.Perceptron``,
  ``perceptron_kernels.score_hand``, ``perceptron_kernels.learn_rows``, the positions of ``training.paper_rows``.
* 6.2, how often it discards as players do: ``oshihiki train perceptron``.
* 7, tables 5 and 6: ``oshihiki arena --paper che5``, ``oshihiki arena --paper che6``.

Its settings stand here, so that reading them compiles nothing.
"""

from dataclasses import dataclass
from typing import Annotated

from engine.search.registry import NamesEvaluator
from engine.settings import Bounds


@dataclass(frozen=True, slots=True)
class CheSettings:
    """Settings of the evaluators ``che`` and ``che-calls``."""

    # N, tiles drawn in each round in addition to those that the hand lacks. The default is the paper's.
    extra: Annotated[int, Bounds(0, 12)] = 5
    rounds: Annotated[int, Bounds(1, 1_000_000)] = 1_000  # number of rounds, of all calls together


@dataclass(frozen=True, slots=True)
class ChePlayerSettings:
    """Settings of the policy ``che``."""

    # evaluator of every decision, as :func:`~engine.search.registry.make_evaluator` takes it
    evaluator: Annotated[str, NamesEvaluator()] = "che-calls"
