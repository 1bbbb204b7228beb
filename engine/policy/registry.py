"""Policies by name. A policy is a module and one row here."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.policy.settings import DagPolicySettings, PhoenixSettings, ValueSettings
from engine.registry import Registry, Row

if TYPE_CHECKING:
    from engine.policy.decision import Decider  # naming policies loads none of what they need
    from engine.simulator.tables import BatchDecider

POLICIES: "Final[Registry[Decider]]" = Registry(
    "policy",
    {
        "che": Row("engine.papers.che.che:ChePolicy", "engine.papers.che:ChePlayerSettings"),
        "dag": Row("engine.policy.dag:DagPolicy", DagPolicySettings, ("quick",)),
        "flow": Row(
            "engine.papers.flow.player:FlowPolicy",
            "engine.papers.flow:FlowSettings",
            ("danger", "push or fold", "quick"),
        ),
        "neat": Row(
            "engine.papers.neat.evaluator:NeatPolicy",
            "engine.papers.neat:NeatSettings",
            ("neat",),
            short="champion",
        ),
        "perceptron": Row("engine.papers.che.che:PerceptronPolicy", needs=("perceptron",)),
        "phoenix": Row("engine.policy.phoenix:PhoenixPolicy", PhoenixSettings, ("prior",)),
        "simple": Row("engine.policy.simple.policy:SimplePolicy", needs=("quick",)),
        "tsumogiri": Row("engine.policy.tsumogiri:TsumogiriPolicy"),
        "value": Row("engine.policy.value.policy:ValuePolicy", ValueSettings, ("danger", "placement", "prior")),
        "value-5": Row("engine.policy.value.baselines:Value5", needs=("danger", "dag", "placement", "prior")),
    },
    methods=("settings", "start_kyoku", "decide", "standing"),
    attributes=("name", "warning"),
)
"""The class of each is called with ``seed``, and with ``settings`` if it has a schema of settings."""

BATCHED: "Final[Registry[BatchDecider]]" = Registry(
    "policy in batches",
    {
        "phoenix": Row("engine.policy.batches:PhoenixPlayers", PhoenixSettings, ("prior", "prior in batches")),
        "simple": Row("engine.policy.batches:SimplePlayers", needs=("simple in batches",)),
        "tsumogiri": Row("engine.policy.batches:TsumogiriPlayers"),
    },
    methods=("start_kyoku", "answer_all"),
    attributes=("name",),
)
"""The policies that can also answer many questions of the simulator at once, with the same answers."""


def make_policy(name: str, seed: int = 0, options: Mapping[str, Any] | None = None) -> "Decider":
    """Create a policy for one seat.

    Args:
        name: a name in :data:`POLICIES`, or ``module:Class`` (a subclass of :class:`~engine.policy.decision.Decider`
            has everything that is required).
        seed: seed of its randomness.
        options: settings other than the defaults.

    Raises:
        ValueError: the policy or a setting does not exist, or a value is not allowed; the message says what is.
    """
    return POLICIES.make(name, options, seed=seed)
