"""Evaluators by name. An evaluator is a module and one row here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.registry import Registry, Row
from engine.search.dag import DagSettings

if TYPE_CHECKING:
    from engine.search.evaluator import Evaluator  # naming evaluators loads none of what they need

EVALUATORS: "Final[Registry[Evaluator]]" = Registry(
    "evaluator",
    {
        "che": Row("engine.papers.che.che:make_che", "engine.papers.che:CheSettings", ("che",)),
        "che-calls": Row("engine.papers.che.che:make_che_calls", "engine.papers.che:CheSettings", ("che",)),
        "dag": Row("engine.search.dag.search:make_dag", DagSettings, ("dag",)),
        "gametree": Row("engine.papers.flow.gametree:GameTree", "engine.papers.flow:GameTreeSettings", ("gametree",)),
        "handscore": Row("engine.papers.flow.handscore:HandScore", needs=("handscore",)),
        "inversion": Row(
            "engine.papers.flow.inversion:Inversion", "engine.papers.flow:InversionSettings", ("inversion",)
        ),
        "montecarlo": Row(
            "engine.papers.flow.montecarlo:MonteCarlo",
            "engine.papers.flow:MonteCarloSettings",
            ("montecarlo",),
        ),
        "neat": Row(
            "engine.papers.neat.evaluator:Neat", "engine.papers.neat:NeatSettings", ("neat",), short="champion"
        ),
        "perceptron": Row("engine.papers.che.perceptron:Perceptron", needs=("perceptron",)),
    },
    methods=("evaluate",),
    attributes=("name", "digests"),
    separators=",;",  # a comma ends the setting of a policy that names an evaluator
)


def make_evaluator(text: str, options: Mapping[str, Any] | None = None) -> "Evaluator":
    """A new evaluator.

    Args:
        text: a name in :data:`EVALUATORS` or ``module:Class``, with or without settings: ``dag:exchanges=2;calls=1``.
        options: further settings.

    Raises:
        ValueError: the evaluator or a setting does not exist; the message says what exists.
    """
    named = EVALUATORS.parse(text)
    return EVALUATORS.make(named.name, {**named.options, **(options or {})})


@dataclass(frozen=True, slots=True)
class NamesEvaluator:
    """The rule of a setting that names an evaluator, as for :func:`make_evaluator`."""

    def fault(self, value: str) -> str | None:
        """See :class:`engine.settings.Rule`."""
        try:
            EVALUATORS.parse(value)
        except ValueError as error:
            return str(error)
        return None

    def needs(self, value: str) -> tuple[str, ...]:
        """The preparations of that evaluator."""
        named = EVALUATORS.parse(value)
        return EVALUATORS.needs(named.name, named.options)
