"""The DAG search: one-player mahjong solved backward over own draws left (Kurita & Hoki).

Its settings stand here, so that reading them compiles nothing.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from engine.settings import Among, Bounds

MODEL_NAMES: Final = ("full", "read", "draws")
"""``full``: ron, calls, kans, riichi or not; ``read``: the whole of that, and the others read what the hand waits for;
``draws``: own draws only, as in other calculators."""


@dataclass(frozen=True, slots=True)
class DagSettings:
    """Settings of the evaluator."""

    model: Annotated[str, Among(MODEL_NAMES)] = "read"  # name of the model of the game
    # n, maximum number of tiles exchanged; None: chosen by shanten and budget
    exchanges: Annotated[int | None, Bounds(0, 13)] = None
    # m_f, maximum number of calls in one line of play; None: that of the model
    calls: Annotated[int | None, Bounds(0, 4)] = None
