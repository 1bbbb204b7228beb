"""Numbered versions of ``value`` with the settings of their time, against which newer ones are measured.

A version's settings are never edited. ``tests/golden`` holds its decisions, so a change of the shared code that alters
how an earlier version plays is noticed.
"""

from dataclasses import replace
from typing import Final

from engine.policy.settings import ValueSettings
from engine.policy.value.policy import ValuePolicy

VALUE_1: Final = ValueSettings(
    utility="placement",
    dan=16,
    room="phoenix",
    danger="model",
    fold_within=50.0,
    stay_folded=300.0,
    call_margin=250.0,
    spare=1.0,
    riichi_bonus=0.0,
    noise=30.0,
    calls_from=3,
    prior=0.0,
    prior_riichi=0.0,
    prior_calls=0.0,
    learned=0.0,
    worlds=0,
    corrections=0.0,
    riichi_course="plain",
    calibrated=False,
    evaluator="dag",
    nodes=40_000,
    call_nodes=15_000,
)
"""Settings of ``value-1``, to which no network is a prior."""
VALUE_2: Final = replace(VALUE_1, prior=1.0, corrections=1.0, riichi_course="counted")
"""Settings of ``value-2``: the prior counts between discards, riichi goes as counted, late calls are corrected."""
VALUE_3: Final = replace(VALUE_2, prior=0.0, learned=80.0, riichi_bonus=200.0)
"""Settings of ``value-3``: in place of the prior, what was learned in play counts in every decision."""


class Value1(ValuePolicy):
    """``value`` with :data:`VALUE_1`."""

    name = "value-1"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, VALUE_1)


class Value2(ValuePolicy):
    """``value`` with :data:`VALUE_2`."""

    name = "value-2"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, VALUE_2)


class Value3(ValuePolicy):
    """``value`` with :data:`VALUE_3`."""

    name = "value-3"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, VALUE_3)
