"""Settings of the evaluator ``dag``, apart from the search so that reading them compiles nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from engine.settings import Among, Bounds

MODEL_NAMES: Final = ("full", "draws")
"""``full``: ron, calls, kans, riichi or not; ``draws``: own draws only, as other calculators have it."""


@dataclass(frozen=True, slots=True)
class DagSettings:
    """What may be set.

    Attributes:
        model: name of the part of the game that is played.
        exchanges: n, tiles that may be exchanged; None: chosen by shanten and budget.
        calls: m_f, calls in one line of play; None: as the model has it.
    """

    model: Annotated[str, Among(MODEL_NAMES)] = "full"
    exchanges: Annotated[int | None, Bounds(0, 13)] = None
    calls: Annotated[int | None, Bounds(0, 4)] = None
