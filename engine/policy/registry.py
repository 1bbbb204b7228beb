"""Policies by name. A row is an import path, so that listing the names loads none of them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from engine.policy.decision import Decider

POLICIES: Final[dict[str, str]] = {
    "dag": "engine.policy.players.dag:DagPolicy",
    "flow": "engine.policy.players.flow:FlowPolicy",
    "simple": "engine.policy.players.simple:SimplePolicy",
    "tsumogiri": "engine.policy.players.tsumogiri:TsumogiriPolicy",
    "value": "engine.policy.players.value:ValuePolicy",
}
"""Name → ``module:class``; the class is called with ``seed``, or its ``configured`` with seed and options."""


def make_policy(name: str, seed: int = 0, options: Mapping[str, Any] | None = None) -> Decider:
    """A fresh player of that name, for one seat.

    Args:
        name: one of :data:`POLICIES`.
        seed: of its randomness.
        options: settings as :meth:`~engine.policy.decision.Decider.settings` tells them; a policy takes those that it
            knows, the others keep their defaults.

    Raises:
        ValueError: no policy has that name, the message lists those there are; or a setting cannot be.
    """
    factory = _factory(name)
    if options and hasattr(factory, "configured"):
        return cast("Decider", factory.configured(seed, options))
    return cast("Decider", factory(seed=seed))


def options_of(name: str) -> frozenset[str]:
    """The settings that a policy takes; see :func:`make_policy`.

    Raises:
        ValueError: no policy has that name.
    """
    return frozenset(getattr(_factory(name), "options", ()))


def _factory(name: str) -> Any:
    try:
        module, _, cls = POLICIES[name].partition(":")
    except KeyError:
        raise ValueError(f"no policy is named {name!r}; there are: {', '.join(POLICIES)}") from None
    return getattr(import_module(module), cls)
