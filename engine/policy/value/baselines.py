"""Numbered versions of ``value`` with the settings of their time, against which newer ones are measured.

A version's settings are never edited; each names what it changed in those of the version before. ``tests/golden`` holds
its decisions, so a change of the shared code that alters how an earlier version plays is noticed. A version whose code
is gone plays as an install of that time, through ``mjai:``.
"""

from dataclasses import replace
from typing import Final

from engine.policy.settings import ValueSettings
from engine.policy.value.policy import ValuePolicy

VALUE_3: Final = ValueSettings(
    utility="placement",
    dan=16,
    room="phoenix",
    danger="model",
    fold_within=50.0,
    stay_folded=300.0,
    call_margin=250.0,
    spare=1.0,
    riichi_bonus=200.0,
    noise=30.0,
    calls_from=3,
    prior=0.0,
    learned=80.0,
    learned_course=1.0,
    learned_network="selfplay",
    corrections=1.0,
    tiles="average",
    evaluator="dag",
    nodes=40_000,
    call_nodes=15_000,
)
"""Settings of ``value-3``: what was learned in play counts in every decision, and the search takes the chances of an
average table."""


VALUE_4: Final = replace(
    VALUE_3,
    call_margin=0.0,
    riichi_bonus=0.0,
    learned=20.0,
    corrections=0.0,
    tiles="position",
)
"""Settings of ``value-4``: the search takes the chances of the position, so that nothing is added to what it states,
and what was learned in play counts a quarter of what it did."""


VALUE_5: Final = replace(VALUE_4, learned_course=4.0, learned_network="programs-large")
"""Settings of ``value-5``: the large network of strong programs counts, and most in calls and between pushing and
folding against a riichi."""


class Value3(ValuePolicy):
    """``value`` with :data:`VALUE_3`."""

    name = "value-3"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, VALUE_3)


class Value4(ValuePolicy):
    """``value`` with :data:`VALUE_4`."""

    name = "value-4"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, VALUE_4)


class Value5(ValuePolicy):
    """``value`` with :data:`VALUE_5`."""

    name = "value-5"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, VALUE_5)
