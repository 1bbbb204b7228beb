"""A policy with a setting: it discards towards tenpai, but avoids tiles that it considers too dangerous."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from oshihiki import (
    JSON,
    PASS,
    Action,
    ActionKind,
    Bounds,
    Budget,
    Candidate,
    Decider,
    Decision,
    GameState,
    forced,
    make_estimator,
    ukeire_of,
)


@dataclass(frozen=True, slots=True)
class CautiousSettings:
    """``afraid_from``: the chance of dealing in above which a tile is discarded only if there is no safer one."""

    afraid_from: Annotated[float, Bounds(0.0, 1.0)] = 0.03


class Cautious(Decider):
    """Wins whenever it can, never calls, never declares riichi."""

    name = "cautious"
    Settings = CautiousSettings

    def __init__(self, seed: int = 0, settings: CautiousSettings | None = None) -> None:
        del seed  # nothing here is random
        self._settings = settings or CautiousSettings()
        self._danger = make_estimator("suji")

    def settings(self) -> Mapping[str, JSON]:
        """See :class:`~oshihiki.Decider`; the danger tables are given by their digest."""
        return {"afraid_from": self._settings.afraid_from, "weights": dict(self._danger.digests)}

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; there is so little work that no budget is needed."""
        del budget
        answer = forced(legal)
        if answer is not None:
            return answer
        if PASS in legal:
            return Decision(PASS, (Candidate(PASS, 0.0),))
        danger = self._danger.estimate(state)
        found = []
        for action in legal:
            if action.kind is ActionKind.DISCARD:
                counts = list(state.counts)
                counts[action.tile >> 2] -= 1
                after = ukeire_of(counts, len(state.melds[state.seat]), [4 - seen for seen in state.visible])
                risk, loss = danger.deal_in(action.tile >> 2), danger.expected_loss(action.tile >> 2)
                fear = 100.0 * risk if risk > self._settings.afraid_from else 0.0
                value = after.total / 100.0 - after.shanten - fear
                found.append(Candidate(action, value, None, risk, loss, after.shanten, after.total))
        found.sort(key=lambda candidate: (-candidate.value, candidate.action.tile))
        return Decision(found[0].action, tuple(found), unit="shanten")
