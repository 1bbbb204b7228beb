"""The FLOW paper (kackytw, Qiita 2016): a player that pushes or folds by a table, and the evaluators it compares.

Where its sections stand:

* The outline, which attacks or folds: ``player.FlowPolicy``, with the tables of ``player.TABLES``.
* MJ1, what opponents would wait on if their hands were random: :mod:`engine.papers.mj1`.
* A score for each group of a hand (its example scores 43): ``handscore.HandScore``, ``score_kernels.fill_scores``.
* A tree of draws and discards, 34 times up to 14 a turn: ``gametree.GameTree``.
* Monte Carlo, the mean points of playouts: ``montecarlo.MonteCarlo``.
* Back from the winning forms, the sum of the chance to reach each form times its points: ``inversion.Inversion``.
* Which is best: ``oshihiki arena --paper flow-round-robin``; the tables: ``oshihiki arena --paper flow-table``.

Its settings stand here, so that reading them compiles nothing.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from engine.opponents.registry import NamesEstimator
from engine.search.registry import NamesEvaluator
from engine.settings import Among, Bounds

_WORK: Final = Bounds(1, 10_000_000)


@dataclass(frozen=True, slots=True)
class GameTreeSettings:
    """Settings of the evaluator ``gametree``."""

    # number of hands in all trees of a decision together; it decides how deep they are
    hands: Annotated[int, Bounds(40, 10_000_000)] = 20_000


@dataclass(frozen=True, slots=True)
class MonteCarloSettings:
    """Settings of the evaluator ``montecarlo``."""

    # number of random walls over which each action is played out. The default makes about the paper's 30,000 playouts
    # of a decision.
    walls: Annotated[int, Bounds(1, 1_000_000)] = 2_000


@dataclass(frozen=True, slots=True)
class InversionSettings:
    """Settings of the evaluator ``inversion``."""

    forms: Annotated[int, Bounds(1, 1_000_000)] = 6_000  # number of winning forms that are scored


@dataclass(frozen=True, slots=True)
class FlowSettings:
    """Settings of the policy ``flow``."""

    # danger estimator, as :func:`~engine.opponents.registry.make_estimator` takes it
    danger: Annotated[str, NamesEstimator()] = "model"
    # push/fold table: the paper's, one that also fears open hands, or one that heeds the place in the last round; see
    # :data:`~engine.papers.flow.player.TABLES`
    table: Annotated[str, Among(("paper", "open", "placement"))] = "paper"
    # evaluator of an attack, as :func:`~engine.search.registry.make_evaluator` takes it
    evaluator: Annotated[str, NamesEvaluator()] = "dag:model=full"
    # nodes, call_nodes: bounds of its work if the budget has none, ``call_nodes`` when a discard is answered. With the
    # defaults four seats play more than twenty east-only games a minute on two cores; of 1,191 recorded decisions 90.2%
    # come out as with 40,000 and 15,000 nodes, and the others are worth 36 points less.
    nodes: Annotated[int, _WORK] = 6_000
    call_nodes: Annotated[int, _WORK] = 3_000
