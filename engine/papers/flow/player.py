"""The policy ``flow``: the state machine of the FLOW paper, which attacks by an evaluator and folds by danger.

While it attacks, the evaluator alone decides: the DAG search unless another is set. The table of
:mod:`engine.policy.pushfold` says when the hand starts to fold; it then discards the least dangerous tile for the rest
of the hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Final

from engine.model.actions import DISCARDS, PASS, Action, ActionKind
from engine.model.tiles import format_tile
from engine.opponents.danger import Danger
from engine.opponents.danger_tables import tables_digest
from engine.opponents.registry import best_estimator
from engine.papers.flow import FlowSettings
from engine.policy.attacking import follow
from engine.policy.decision import JSON, Budget, Candidate, Decision, InPoints
from engine.policy.explaining import deal_in, does, folds, risks_of
from engine.policy.forced import dealt_again, forced
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.pushfold import ALWAYS, PAPER, Mode, PushFoldMachine, PushFoldTable
from engine.policy.scene import Scene, by_choice
from engine.policy.simple.policy import SimplePolicy
from engine.search.evaluator import Worth
from engine.search.registry import make_evaluator
from engine.state import GameState

OPEN: Final = PushFoldTable(limits=(ALWAYS, 1, 0), open_melds=3, flush_melds=2)
"""Three called melds are usually tenpai, two in one suit cost much. A guess."""
PLACEMENT: Final = PushFoldTable(limits=(ALWAYS, 1, 0), last_round=(-1, 0, 0, 1))
"""In the last round the first has nothing to win and the last nothing to lose. A guess."""

TABLES: Final[Mapping[str, PushFoldTable]] = {"paper": PAPER, "open": OPEN, "placement": PLACEMENT}
"""By the name that the setting ``table`` of ``flow`` takes."""


class FlowPolicy(InPoints):
    """See the module; ``table`` may be another push/fold table than the one that the settings name."""

    name = "flow"

    def __init__(self, seed: int = 0, settings: FlowSettings | None = None, table: PushFoldTable | None = None) -> None:
        settings = settings or FlowSettings()
        table = table or TABLES[settings.table]
        self._simple = SimplePolicy(seed, table)
        self._machine = PushFoldMachine(table)
        self._estimator, self.warning = best_estimator(settings.danger)
        self._evaluator = make_evaluator(settings.evaluator)
        self._settings = replace(settings, danger=self._estimator.name)

    def settings(self) -> Mapping[str, JSON]:
        """The settings, the push/fold table, and the weights by their digests."""
        return {
            **asdict(self._settings),
            "push_fold": self._machine.table.limits,
            "weights": {"danger": tables_digest(), **self._estimator.digests, **self._evaluator.digests},
        }

    def start_kyoku(self) -> None:
        """Start a new hand, in ATTACK."""
        self._machine.reset()
        self._simple.start_kyoku()

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        answer = forced(legal)
        if answer is not None:
            return answer
        scene = Scene(state, legal)
        level = scene.shanten if scene.asked_to_call else min(scene.discards.shanten)
        redeal = dealt_again(state, legal, level)
        if redeal is not None:
            return redeal
        table = self._machine.table
        threats = table.threats(state)
        danger = self._estimator.estimate(state)
        before = self._machine.mode
        if self._machine.update(threats, level, table.more(state)) is Mode.FOLD:
            return _fold(scene, danger, folds(len(state.riichi_opponents), level, before, threats))
        return self._attack(scene, danger, budget)

    def _attack(self, scene: Scene, danger: Danger, budget: Budget) -> Decision:
        if budget.nodes is None:
            mine = self._settings
            budget = replace(budget, nodes=mine.call_nodes if scene.asked_to_call else mine.nodes)
        candidate = partial(_candidate, scene, danger)
        return follow(self._evaluator, scene, budget, candidate) or self._simple.answer(scene)


def _candidate(scene: Scene, danger: Danger, action: Action, worth: Worth) -> Candidate:
    discard34 = action.tile >> 2 if action.kind in DISCARDS else worth.then34
    after = scene.improvements_after(discard34) if action.kind in DISCARDS else None
    return Candidate(
        action,
        worth.value,
        p_win=worth.p_win,
        p_deal_in=danger.deal_in(discard34) if discard34 >= 0 else None,
        expected_loss=danger.expected_loss(discard34) if discard34 >= 0 else None,
        shanten=after.shanten if after else None,
        ukeire=after.total if after else None,
    )


def _fold(scene: Scene, danger: Danger, why: Ground) -> Decision:
    if scene.asked_to_call:
        return Decision(PASS, (Candidate(PASS, 0.0),), Mode.FOLD, (why,), "points")
    candidates = []
    for action in by_choice(scene.legal, scene.state.drawn).values():
        if action.kind is ActionKind.DISCARD:
            kind = action.tile >> 2
            chance, loss = danger.deal_in(kind), danger.expected_loss(kind)
            after = scene.improvements_after(kind)
            candidates.append(Candidate(action, -chance * loss, None, chance, loss, after.shanten, after.total))
    candidates.sort(key=lambda one: (-one.value, one.shanten, -(one.ukeire or 0), one.action.tile))
    best = candidates[0]
    safest = ground(GroundKind.FOLD_SAFEST, does=does(scene.state, best.action))
    return Decision(best.action, tuple(candidates), Mode.FOLD, (safest, why, *_danger(scene, best, danger)), "points")


def _danger(scene: Scene, candidate: Candidate, danger: Danger) -> list[Ground]:
    kind = candidate.action.tile >> 2
    tile = format_tile(candidate.action.tile, scene.state.rules.red_fives)
    risks = risks_of(danger, scene.state.seat, kind)
    found = deal_in(scene, kind, tile, danger.deal_in(kind), danger.expected_loss(kind), risks)
    return [] if found is None else [found]
