"""An evaluator in forty lines: the worth of a hand grows as its shanten falls and its ukeire rises."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from oshihiki import (
    ActionKind,
    Bounds,
    Budget,
    Choice,
    Evaluation,
    Position,
    Stakes,
    Worth,
    shanten_of,
    ukeire_of,
)


@dataclass(frozen=True, slots=True)
class WidestSettings:
    """``win``: points assumed for a win; ``step``: factor on them for each missing tile."""

    win: Annotated[int, Bounds(1_000, 48_000)] = 5_000
    step: Annotated[float, Bounds(0.0, 1.0)] = 0.4


def _value_of(worth: Worth) -> float:
    return worth.value


class Widest:
    """Ignores the stakes and answers in points, without chances to win, calls or kans."""

    name = "widest"
    digests: Mapping[str, str] = {}
    Settings = WidestSettings

    def __init__(self, settings: WidestSettings) -> None:
        self._settings = settings

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :class:`~oshihiki.Evaluator`; stakes and budget are ignored."""
        del stakes, budget
        found = []
        for kind, held in enumerate(position.counts):
            if held and position.to_discard and not position.kuikae >> kind & 1:
                found.append(Worth(Choice(ActionKind.DISCARD, kind), self._value(position, kind)))
        if not position.to_discard:
            found.append(Worth(Choice(ActionKind.PASS), self._value(position, None)))
        found.sort(key=_value_of, reverse=True)
        return Evaluation(self.name, tuple(found), shanten=shanten_of(position.counts, len(position.melds)))

    def _value(self, position: Position, discard: int | None) -> float:
        counts = list(position.counts)
        if discard is not None:
            counts[discard] -= 1
        after = ukeire_of(counts, len(position.melds), position.unseen)
        return self._settings.win * math.pow(self._settings.step, after.shanten + 1) * (1.0 + after.total / 100.0)
