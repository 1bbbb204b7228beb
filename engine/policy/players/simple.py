"""The policy ``simple``: the quickest hand, then its value, with a push/fold table.

It takes every win. While it attacks, it plays for the lowest shanten, and among equal hands for the most expected
points. Against riichi the table may make it fold; it then discards the safest tile for the rest of the hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.model.actions import CALLS, KANS, OWN_KANS, PASS, Action
from engine.model.rules import Rules
from engine.opponents.danger_tables import tables_digest
from engine.policy.decision import JSON, Budget, Candidate, Decider, Decision
from engine.policy.explaining import folds
from engine.policy.forced import dealt_again, forced
from engine.policy.pushfold import PAPER, Mode, PushFoldMachine, PushFoldTable
from engine.policy.quick import grounds
from engine.policy.quick.calls import Called, after_call, after_kan
from engine.policy.quick.discards import Option, attack_order, fold_order, weigh
from engine.policy.quick.efficiency import outlook
from engine.policy.scene import Scene
from engine.policy.standing import StandingWorth, points_of
from engine.state import GameState

UNIT: Final = "points"
KAN_KEEPS: Final = 0.9
"""Share of the hand's value that must remain after a kan; the estimate counts neither the new dora nor the extra draw.
A guess."""


class SimplePolicy(Decider):
    """See the module; ``table`` may be another push/fold table than the paper's."""

    name = "simple"

    def __init__(self, seed: int = 0, table: PushFoldTable = PAPER) -> None:
        del seed  # nothing here is random
        self.table = table
        self._machine = PushFoldMachine(table)

    def settings(self) -> Mapping[str, JSON]:
        """The push/fold table, and the tables of danger by their digest."""
        return {"push_fold": self.table.limits, "weights": {"danger": tables_digest()}}

    def standing(self, rules: Rules, seat: int) -> StandingWorth:  # noqa: ARG002
        """The seat's score: values are points gained in the hand."""
        return points_of(seat)

    def start_kyoku(self) -> None:
        """Start a new hand, in ATTACK."""
        self._machine.reset()

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Choose; see :class:`~engine.policy.decision.Decider`. It needs no budget."""
        return self.answer(Scene(state, legal))

    def answer(self, scene: Scene) -> Decision:
        """The decision for a scene; for policies that ask this one first."""
        answer = forced(scene.legal)
        if answer is not None:
            return answer
        return self._answer_call(scene) if scene.asked_to_call else self._own_turn(scene)

    def _own_turn(self, scene: Scene) -> Decision:
        riichi = len(scene.state.riichi_opponents)
        options = weigh(scene)
        ordered = attack_order(options)
        best = ordered[0]
        redeal = dealt_again(scene.state, scene.legal, best.after.shanten)
        if redeal is not None:
            return redeal
        before = self._machine.mode
        if self._machine.update(riichi, best.after.shanten) is Mode.FOLD:
            ordered = fold_order(options)
            why = grounds.fold(scene, ordered[0], folds(riichi, best.after.shanten, before))
            candidates = tuple(option.candidate(-option.danger) for option in ordered)
            return Decision(ordered[0].action, candidates, Mode.FOLD, why, UNIT)
        kan = _kan(scene, best, riichi)
        if kan is not None:
            return kan
        candidates = tuple(option.candidate(option.net) for option in ordered)
        return Decision(best.action, candidates, Mode.ATTACK, grounds.attack(scene, ordered), UNIT)

    def _answer_call(self, scene: Scene) -> Decision:
        riichi = len(scene.state.riichi_opponents)
        now = outlook(scene.facts, scene.state.hand, scene.facts.melds)
        stay = Candidate(PASS, now.value, now.p_win, shanten=now.shanten, ukeire=now.ukeire)
        before = self._machine.mode
        if self._machine.update(riichi, now.shanten) is Mode.FOLD:
            return Decision(PASS, (stay,), Mode.FOLD, (folds(riichi, now.shanten, before),), UNIT)
        weighed = [after_call(scene, action, now.shanten) for action in scene.legal if action.kind in CALLS - KANS]
        calls = sorted((one for one in weighed if one is not None), key=lambda one: -one.value)
        nearer = next((one for one in calls if one.after.shanten < now.shanten), None)
        candidates = [_candidate(one) for one in calls]
        if nearer is not None and nearer.value > now.value:
            chosen = candidates.pop(calls.index(nearer))
            return Decision(nearer.action, (chosen, stay, *candidates), Mode.ATTACK, (grounds.call(nearer, now),), UNIT)
        why = (grounds.no_call(calls, nearer, now),)
        return Decision(PASS, (stay, *candidates), Mode.ATTACK, why, UNIT)


def _kan(scene: Scene, best: Option, riichi: int) -> Decision | None:
    """A kan after which the hand is as near to a win as after the best discard; against riichi only at tenpai."""
    for action in scene.legal:
        if action.kind not in OWN_KANS:
            continue
        after = after_kan(scene, action)
        keeps = after.shanten <= best.after.shanten and after.value >= KAN_KEEPS * best.after.value
        if keeps and (not riichi or after.shanten == 0):
            kan = Candidate(action, after.value, after.p_win, shanten=after.shanten, ukeire=after.ukeire)
            why = (grounds.kan(action.tile),)
            return Decision(action, (kan, best.candidate(best.net)), Mode.ATTACK, why, UNIT)
    return None


def _candidate(called: Called) -> Candidate:
    after = called.after
    return Candidate(called.action, called.value, after.p_win, shanten=after.shanten, ukeire=after.ukeire)
