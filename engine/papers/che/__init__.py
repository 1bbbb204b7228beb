"""The CHE paper (Aoki and Anada, IPSJ 2020): Complete Hand Extraction, and the perceptron that it is compared with.

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
