"""Preparation before play: the kernels to compile and the files to load, by what needs them.

A kernel says itself who needs it (:func:`engine._jit.kernel`). Here stand the names of those needs, which the rows of
policies and evaluators give: the modules whose import brings all kernels of a need, and what has to be loaded besides.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, NamedTuple

from engine._jit import KERNELS, compile_kernel, has_to_be_compiled, name_of


class Need(NamedTuple):
    """One need."""

    name: str  # description for people
    homes: tuple[str, ...]  # modules whose import brings its kernels
    # ``module:function``; loads tables and weights, and calls what is slow the first time
    loads: str = "engine.shanten.tables:hand_tables"


ALWAYS: Final[Mapping[str, Need]] = {
    "hands": Need("hands", ("engine.shanten",)),
    "scoring": Need("scoring", ("engine.scoring",)),
    "course": Need("course of the game", ("engine.rules.course",)),
    "rules": Need("rules", ("engine.rules.tables",)),
    "suji": Need("danger by suji", ("engine.opponents.danger_tables",), "engine.opponents.danger_tables:warm_up"),
}
"""For every policy, by name."""
NEEDS: Final[Mapping[str, Need]] = {
    "che": Need("Complete Hand Extraction", ("engine.papers.che.che",)),
    "critic": Need("critic", ("engine.critic.network",)),
    "dag": Need("DAG search", ("engine.search.dag.search",), "engine.search.dag.search:warm_up"),
    "danger": Need("danger by the network", ("engine.opponents.network",), "engine.opponents.network:warm_up"),
    "gametree": Need("game tree", ("engine.papers.flow.gametree",), "engine.papers.flow.handscore:suit_scores"),
    "hands in batches": Need("hands, in batches", ("engine.shanten",)),
    "handscore": Need("hand scores", ("engine.papers.flow.handscore",), "engine.papers.flow.handscore:suit_scores"),
    "inversion": Need("winning forms", ("engine.papers.flow.inversion",), "engine.papers.flow.inversion:all_parts"),
    "montecarlo": Need("playouts", ("engine.papers.flow.montecarlo",), "engine.papers.flow.handscore:suit_scores"),
    "neat": Need("evolved networks", ("engine.papers.neat.evaluator",), "engine.papers.neat.network:shape_tables"),
    "perceptron": Need("perceptron", ("engine.papers.che.perceptron",), "engine.papers.che.perceptron:Perceptron"),
    "placement": Need("final ranks", ("engine.policy.value.policy",), "engine.policy.value.policy:ValuePolicy"),
    "prior": Need("network that imitates", ("engine.networks.imitation",), "engine.networks.imitation:warm_up"),
    "prior in batches": Need("network that imitates, in batches", ("engine.policy.batches",)),
    "push or fold": Need("push or fold", ("engine.policy.pushfold",)),
    "quick": Need("quick estimates", ("engine.policy.simple.weighing",)),
    "research": Need("simulator, observations", ("engine.simulator.tables", "engine.simulator.observation_kernels")),
    "simple in batches": Need("quick estimates, in batches", ("engine.policy.batches",)),
    "simulator": Need("simulator", ("engine.simulator.tables",)),
}
"""Additional ones. Those in batches and ``research`` are of use to callers of the library and the simulator alone."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """The preparation for one need."""

    name: str  # description for people
    # all that are called from Python, with the rough number of seconds that each takes to compile
    kernels: Mapping[Callable[..., Any], float]
    # loads tables and weights and calls what is slow the first time; quick once the kernels are compiled
    load: Callable[[], object]


def preparations_of(needs: Collection[str]) -> tuple[Preparation, ...]:
    """The additional preparations for some needs; they load whatever else they use."""
    return tuple(_prepared(name, need) for name, need in NEEDS.items() if name in needs)


def preparations(needs: Collection[str] | None = None) -> tuple[Preparation, ...]:
    """The preparations before a policy or evaluator with these needs is asked; all if None."""
    always = tuple(_prepared(name, need) for name, need in ALWAYS.items())
    return always + preparations_of(NEEDS if needs is None else needs)


def _prepared(name: str, need: Need) -> Preparation:
    for home in need.homes:
        import_module(home)
    module, _, function = need.loads.partition(":")
    kernels = {kernel: effort.seconds for kernel, effort in KERNELS.items() if name in effort.needs}
    return Preparation(need.name, kernels, getattr(import_module(module), function))


def uncompiled(wanted: Iterable[Preparation]) -> dict[str, float]:
    """Names of the kernels that are not compiled yet, longest first, and the rough number of seconds of each."""
    every = {kernel: seconds for one in wanted for kernel, seconds in one.kernels.items()}
    kernels = {kernel: seconds for kernel, seconds in every.items() if has_to_be_compiled(kernel)}
    return {name_of(kernel): kernels[kernel] for kernel in sorted(kernels, key=kernels.__getitem__, reverse=True)}


def who_needs(name: str, wanted: Iterable[Preparation]) -> str:
    """Which preparation a kernel that :func:`uncompiled` names is for; empty if for none."""
    return next((one.name for one in wanted if any(name_of(kernel) == name for kernel in one.kernels)), "")


def compile_by_name(name: str) -> None:
    """Compile a kernel that :func:`uncompiled` names, and keep its machine code on disk."""
    module, _, function = name.rpartition(".")
    compile_kernel(getattr(import_module(f"engine.{module}"), function))
