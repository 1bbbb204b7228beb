"""``value-5``: ``value`` with the settings of its fifth version, against which newer ones are measured.

Its settings are never edited, and ``tests/golden`` holds its decisions, so a change of the shared code that alters how
it plays is noticed. An earlier version is a commit, and plays from a checkout of it, through ``mjai:``.
"""

from typing import Final

from engine.policy.settings import ValueSettings
from engine.policy.value.policy import ValuePolicy

VALUE_5: Final = ValueSettings(
    utility="placement",
    dan=16,
    room="phoenix",
    danger="model",
    fold_within=50.0,
    stay_folded=300.0,
    noise=30.0,
    calls_from=3,
    learned=20.0,
    learned_course=4.0,
    evaluator="dag",
    nodes=40_000,
    call_nodes=15_000,
)


class Value5(ValuePolicy):
    """``value`` with :data:`VALUE_5`."""

    name = "value-5"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, VALUE_5)
