"""The DAG player: attacks by the worth that the search finds, folds as the simple player does.

Each question goes to the simple player first: it takes wins, keeps the push/fold machine, and its answer is the one
given when the search has none. Where it attacks, the search decides: worth of each action, less what the tile itself
may deal in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.model.actions import PASS, Action, ActionKind
from engine.model.tiles import RED_FIVES
from engine.policy.decision import JSON, Budget, Candidate, Decision
from engine.policy.pushfold import PAPER, Mode, PushFoldTable
from engine.policy.simple import SimplePolicy
from engine.search.evaluator import Choice, Evaluation, Evaluator, Worth, make_evaluator
from engine.search.position import Position, PositionError
from engine.state import GameState

NODES: Final = 100_000
"""Bound on the hands of one root where the caller gives none: well under a second, so that the fast clock holds."""
CALL_NODES: Final = 40_000
"""The same when a discard is answered: passing and each call are roots of their own."""
KANS: Final = frozenset((ActionKind.ANKAN, ActionKind.KAKAN, ActionKind.DAIMINKAN))


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A legal action and what it is worth."""

    action: Action
    worth: Worth
    candidate: Candidate


class DagPolicy:
    """See the module; ``evaluator`` may be another one, ``table`` another push/fold table."""

    name = "dag"

    def __init__(self, seed: int = 0, evaluator: Evaluator | None = None, table: PushFoldTable = PAPER) -> None:
        self._simple = SimplePolicy(seed, table)
        self._evaluator = evaluator or make_evaluator("dag")

    def settings(self) -> Mapping[str, JSON]:
        """The evaluator, its bounds, and the simple player's table."""
        return {"evaluator": self._evaluator.name, "nodes": NODES, "call_nodes": CALL_NODES, **self._simple.settings()}

    def start_kyoku(self) -> None:
        """Attack again."""
        self._simple.start_kyoku()

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        simple = self._simple.decide(state, legal, budget)
        if simple.mode != Mode.ATTACK or state.riichi[state.seat]:
            return simple
        if budget.nodes is None:
            budget = replace(budget, nodes=CALL_NODES if PASS in legal else NODES)
        try:
            evaluation = self._evaluator.evaluate(Position.from_state(state), budget)
        except PositionError:
            return simple
        ranked = _rank(legal, evaluation, simple.candidates)
        if not ranked or _kan_beyond(simple.action, ranked):
            return simple
        candidates = tuple(one.candidate for one in ranked)
        why = (_reason(ranked), *simple.reasons[:1])
        return Decision(ranked[0].action, candidates, Mode.ATTACK, why, evaluation.unit)


def choice_of(action: Action) -> Choice:
    """What the search calls an action."""
    if action.kind is ActionKind.CHI:
        return Choice(action.kind, action.tile >> 2, tuple(sorted(tile >> 2 for tile in action.own)))
    if action.tile < 0:
        return Choice(action.kind)
    return Choice(action.kind, action.tile >> 2)


def _rank(legal: Iterable[Action], evaluation: Evaluation, known: Iterable[Candidate]) -> list[_Weighed]:
    """The legal actions that were evaluated, best first."""
    worths = {worth.choice: worth for worth in evaluation.actions}
    danger = {candidate.action.tile >> 2: candidate for candidate in known if candidate.action.tile >= 0}
    found: dict[Choice, _Weighed] = {}
    for action in sorted(legal, key=_keeps_red, reverse=True):
        choice = choice_of(action)
        worth = worths.get(choice)
        if worth is None or choice in found:
            continue
        thrown = danger.get(action.tile >> 2) if action.kind in {ActionKind.DISCARD, ActionKind.RIICHI} else None
        chance = thrown.p_deal_in if thrown and thrown.p_deal_in else 0.0
        loss = thrown.expected_loss if thrown and thrown.expected_loss else 0.0
        candidate = Candidate(
            action,
            (1.0 - chance) * worth.value - chance * loss,
            p_win=worth.p_win,
            p_deal_in=thrown.p_deal_in if thrown else None,
            expected_loss=thrown.expected_loss if thrown else None,
            shanten=thrown.shanten if thrown else None,
            ukeire=thrown.ukeire if thrown else None,
        )
        found[choice] = _Weighed(action, worth, candidate)
    return sorted(found.values(), key=lambda one: -one.candidate.value)


def _keeps_red(action: Action) -> int:
    """Of actions with the same kinds of tile: throw the plain five, call with the red one."""
    if action.kind in {ActionKind.DISCARD, ActionKind.RIICHI}:
        return -(action.tile in RED_FIVES)
    return sum(tile in RED_FIVES for tile in action.own)


def _kan_beyond(action: Action, ranked: Sequence[_Weighed]) -> bool:
    """The simple player would make a kan that the search did not weigh."""
    return action.kind in KANS and all(one.action.kind is not action.kind for one in ranked)


def _reason(ranked: Sequence[_Weighed]) -> str:
    best = ranked[0]
    words = f"{best.action}: worth {best.candidate.value:,.0f}"
    if best.worth.p_win is not None:
        words += f", wins {best.worth.p_win:.0%}"
    if best.worth.win_points:
        words += f" of {best.worth.win_points:,.0f} each"
    if len(ranked) > 1:
        words += f"; next {ranked[1].action} with {ranked[1].candidate.value:,.0f}"
    return words
