"""Preparation before play: which kernels have to be compiled, and what has to be loaded, for whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from engine._jit import compile_kernel, has_to_be_compiled, name_of
from engine.critic.warm import CRITIC
from engine.imitation.warm import PRIOR, PRIOR_IN_BATCHES
from engine.opponents.warm import DANGER, SUJI
from engine.policy.warm import PLACEMENT, PUSH_FOLD, QUICK, QUICK_IN_BATCHES
from engine.preparation import Preparation
from engine.rules.warm import COURSE
from engine.scoring.warm import SCORING, SCORING_IN_BATCHES
from engine.search.dag.warm import DAG
from engine.search.forms.warm import CHE, INVERSION
from engine.search.gametree.warm import GAMETREE
from engine.search.handscore.warm import HANDSCORE
from engine.search.montecarlo.warm import MONTECARLO
from engine.search.neat.warm import NEAT
from engine.search.perceptron.warm import PERCEPTRON
from engine.shanten.warm import HANDS, HANDS_IN_BATCHES
from engine.simulator.warm import RESEARCH, SIMULATOR

_ALWAYS: Final = (HANDS, SCORING, COURSE, QUICK, SUJI)
"""For every policy."""
_BY_NEED: Final = {
    "che": CHE,
    "critic": CRITIC,
    "dag": DAG,
    "danger": DANGER,
    "gametree": GAMETREE,
    "hands in batches": HANDS_IN_BATCHES,
    "handscore": HANDSCORE,
    "inversion": INVERSION,
    "montecarlo": MONTECARLO,
    "neat": NEAT,
    "perceptron": PERCEPTRON,
    "placement": PLACEMENT,
    "prior": PRIOR,
    "prior in batches": PRIOR_IN_BATCHES,
    "push or fold": PUSH_FOLD,
    "research": RESEARCH,
    "scoring in batches": SCORING_IN_BATCHES,
    "simple in batches": QUICK_IN_BATCHES,
    "simulator": SIMULATOR,
}
"""Additional ones, by the names that the rows of policies and evaluators give."""


def preparations_of(needs: Collection[str]) -> tuple[Preparation, ...]:
    """The additional preparations for some needs; they load whatever else they use."""
    return tuple(found for name, found in _BY_NEED.items() if name in needs)


def preparations(needs: Collection[str] | None = None) -> tuple[Preparation, ...]:
    """The preparations before a policy or evaluator with these needs is asked; all if None."""
    return _ALWAYS + preparations_of(_BY_NEED if needs is None else needs)


def uncompiled(wanted: Iterable[Preparation]) -> dict[str, float]:
    """Names of the kernels that are not compiled yet, longest first, and the rough number of seconds of each."""
    every = {kernel: seconds for one in wanted for kernel, seconds in one.kernels.items()}
    kernels = {kernel: seconds for kernel, seconds in every.items() if has_to_be_compiled(kernel)}
    return {name_of(kernel): kernels[kernel] for kernel in sorted(kernels, key=kernels.__getitem__, reverse=True)}


def compile_by_name(name: str) -> None:
    """Compile a kernel that :func:`uncompiled` names, and keep its machine code on disk."""
    kernels = {name_of(kernel): kernel for one in preparations() for kernel in one.kernels}
    compile_kernel(kernels[name])
