"""The state machine of the FLOW paper: attack by an evaluator, fold by a danger estimate, never back within the hand.

While it attacks the evaluator alone decides: the DAG search unless another is given. The table of
:mod:`engine.policy.pushfold` says when the hand turns to folding; from then on the least dangerous tile goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.model.actions import DISCARDS, NINE_TERMINALS, PASS, WINS, Action, ActionKind
from engine.model.tiles import format_tile
from engine.opponents.danger import Danger
from engine.opponents.model import best_estimator
from engine.policy.choices import by_choice
from engine.policy.decision import JSON, Budget, Candidate, Decision
from engine.policy.players.simple import SimplePolicy, worth_a_draw
from engine.policy.pushfold import PAPER, Mode, PushFoldMachine, PushFoldTable
from engine.policy.quick import reasons
from engine.search.evaluator import Evaluator, Worth, make_evaluator
from engine.search.position import Position, PositionError
from engine.shanten import discard_shanten, shanten, ukeire
from engine.state import GameState

NODES: Final = 40_000
"""Bound on the hands searched where the caller gives none."""
CALL_NODES: Final = 15_000
"""The same when a discard is answered: passing and each call are roots of their own."""
NOISE: Final = 0.005
"""Share of the best value within which another action is as good."""


class FlowPolicy:
    """See the module.

    Attributes:
        options: the settings it takes.
        warning: why a plainer danger estimate than the one asked for is used, for people; None where it is not.

    Args:
        seed: unused, nothing here is random.
        danger: name of the danger estimator.
        evaluator: that attacks; None for the DAG search.
        table: when to fold.
    """

    name = "flow"
    options = frozenset({"danger"})

    def __init__(
        self,
        seed: int = 0,
        danger: str = "model",
        evaluator: Evaluator | None = None,
        table: PushFoldTable = PAPER,
    ) -> None:
        self._simple = SimplePolicy(seed, table)
        self._machine = PushFoldMachine(table)
        self._estimator, self.warning = best_estimator(danger)
        self._evaluator = evaluator or make_evaluator("dag")

    @classmethod
    def configured(cls, seed: int, options: Mapping[str, Any]) -> FlowPolicy:
        """A player whose danger estimator, where one is named, is another."""
        return cls(seed, str(options.get("danger", "model")))

    def settings(self) -> Mapping[str, JSON]:
        """The evaluator and its bounds, the estimator, the table."""
        return {
            "evaluator": self._evaluator.name,
            "danger": self._estimator.name,
            "nodes": NODES,
            "call_nodes": CALL_NODES,
            "push_fold": self._machine.table.limits,
        }

    def start_kyoku(self) -> None:
        """Attack again."""
        self._machine.reset()
        self._simple.start_kyoku()

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        win = next((action for action in legal if action.kind in WINS), None)
        if win is not None:
            return _forced(win, "a win is always taken")
        if len(legal) == 1:
            return _forced(legal[0], "the only legal answer")
        melds = len(state.melds[state.seat])
        after = discard_shanten(state.counts, melds) if PASS not in legal else []
        level = min(after) if after else shanten(state.counts, melds)
        if NINE_TERMINALS in legal and worth_a_draw(state, level):
            return _forced(NINE_TERMINALS, "nine terminals and honours, and the hand is far from everything")
        riichi = len(state.riichi_opponents)
        danger = self._estimator.estimate(state)
        before = self._machine.mode
        if self._machine.update(riichi, level) is Mode.FOLD:
            why = reasons.folding(riichi, level, before)
            return _fold(state, legal, danger, why)
        return self._attack(state, legal, danger, budget)

    def _attack(self, state: GameState, legal: Sequence[Action], danger: Danger, budget: Budget) -> Decision:
        if budget.nodes is None:
            budget = replace(budget, nodes=CALL_NODES if PASS in legal else NODES)
        try:
            evaluation = self._evaluator.evaluate(Position.from_state(state), budget)
        except PositionError:
            return self._simple.decide(state, legal, budget)
        actions = by_choice(legal, state.drawn)
        weighed = [
            (_candidate(state, danger, actions[worth.choice], worth), worth)
            for worth in evaluation.actions
            if worth.choice in actions
        ]
        if not weighed:
            return self._simple.decide(state, legal, budget)
        best, worth = weighed[0]
        words = f"{best.action}: worth {best.value:,.0f}"
        words += f", wins {worth.p_win:.0%}" if worth.p_win is not None else ""
        words += f" of {worth.win_points:,.0f} each" if worth.win_points else ""
        words += f"; next {weighed[1][0].action} with {weighed[1][0].value:,.0f}" if len(weighed) > 1 else ""
        return Decision(
            best.action,
            tuple(candidate for candidate, _ in weighed),
            Mode.ATTACK,
            (words,),
            evaluation.unit,
            nodes=evaluation.nodes,
            noise=NOISE * abs(best.value),
        )


def _candidate(state: GameState, danger: Danger, action: Action, worth: Worth) -> Candidate:
    thrown = action.tile >> 2 if action.kind in DISCARDS else worth.then34
    after = _after(state, thrown) if action.kind in DISCARDS else (None, None)
    return Candidate(
        action,
        worth.value,
        p_win=worth.p_win,
        p_deal_in=danger.deal_in(thrown) if thrown >= 0 else None,
        expected_loss=danger.expected_loss(thrown) if thrown >= 0 else None,
        shanten=after[0],
        ukeire=after[1],
    )


def _fold(state: GameState, legal: Sequence[Action], danger: Danger, why: str) -> Decision:
    if PASS in legal:
        return Decision(PASS, (Candidate(PASS, 0.0),), Mode.FOLD, (why,), "points")
    candidates = []
    for action in by_choice(legal, state.drawn).values():
        if action.kind is ActionKind.DISCARD:
            kind = action.tile >> 2
            chance, loss = danger.deal_in(kind), danger.expected_loss(kind)
            level, total = _after(state, kind)
            candidates.append(Candidate(action, -chance * loss, None, chance, loss, level, total))
    candidates.sort(key=lambda one: (-one.value, one.shanten, -(one.ukeire or 0), one.action.tile))
    best = candidates[0]
    words = f"throws {format_tile(best.action.tile)}, the safest: deals in {best.p_deal_in:.1%}"
    return Decision(best.action, tuple(candidates), Mode.FOLD, (why, words), "points")


def _after(state: GameState, thrown: int) -> tuple[int, int]:
    """(shanten, ukeire) after a discard."""
    counts = list(state.counts)
    counts[thrown] -= 1
    found = ukeire(counts, len(state.melds[state.seat]), [4 - seen for seen in state.visible])
    return found.shanten, found.total


def _forced(action: Action, reason: str) -> Decision:
    return Decision(action, (Candidate(action, 0.0),), mode="forced", reasons=(reason,))
