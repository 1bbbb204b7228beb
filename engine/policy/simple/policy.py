"""The policy ``simple``: the quickest hand, then its value, with a push/fold table.

It takes every win. While it attacks, it plays for the lowest shanten, and among equal hands for the most expected
points. Against riichi the table may make it fold; it then discards the safest tile for the rest of the hand.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.model.actions import NINE_TERMINALS, OWN_KANS, PASS, Action
from engine.opponents.danger_tables import tables_digest
from engine.policy.decision import JSON, Budget, Decision, InPoints
from engine.policy.explaining import folds
from engine.policy.forced import forced, redealt
from engine.policy.pushfold import PAPER, Mode, PushFoldMachine, PushFoldTable
from engine.policy.scene import Scene
from engine.policy.simple import grounds
from engine.policy.simple.weighing import Weighing, weigh
from engine.state import GameState

UNIT: Final = "points"


class SimplePolicy(InPoints):
    """See the module; ``table`` may be another push/fold table than the paper's."""

    name = "simple"

    def __init__(self, seed: int = 0, table: PushFoldTable = PAPER) -> None:
        del seed  # nothing here is random
        self.table = table
        self._machine = PushFoldMachine(table)

    def settings(self) -> Mapping[str, JSON]:
        """The push/fold table, and the tables of danger by their digest."""
        return {"push_fold": self.table.limits, "weights": {"danger": tables_digest()}}

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
        before, found = self._weigh(scene)
        riichi = len(scene.state.riichi_opponents)
        best = found.best
        if found.action == NINE_TERMINALS:
            return redealt(scene.state, best.shanten)
        if found.folded:
            why = grounds.fold(scene, found.ordered[0], folds(riichi, best.shanten, before), found.threats)
            candidates = tuple(one.candidate(-one.danger) for one in found.ordered)
            return Decision(found.action, candidates, Mode.FOLD, why, UNIT)
        if found.action.kind in OWN_KANS:
            kan = found.ordered[0]
            why = (grounds.kan(found.action.tile),)
            return Decision(found.action, (kan.candidate(kan.value), best.candidate(best.net)), Mode.ATTACK, why, UNIT)
        candidates = tuple(one.candidate(one.net) for one in found.ordered)
        why = grounds.attack(scene, found.ordered, found.threats)
        return Decision(found.action, candidates, Mode.ATTACK, why, UNIT)

    def _answer_call(self, scene: Scene) -> Decision:
        before, found = self._weigh(scene)
        riichi = len(scene.state.riichi_opponents)
        now = found.best
        calls = [one for one in found.ordered if one.action != PASS]
        candidates = tuple(one.candidate(now.value if one is now else one.net) for one in found.ordered)
        if found.folded:
            return Decision(PASS, candidates, Mode.FOLD, (folds(riichi, now.shanten, before),), UNIT)
        if found.nearer is not None and found.action != PASS:
            return Decision(found.action, candidates, Mode.ATTACK, (grounds.call(found.nearer, now),), UNIT)
        return Decision(PASS, candidates, Mode.ATTACK, (grounds.no_call(calls, found.nearer, now),), UNIT)

    def _weigh(self, scene: Scene) -> tuple[Mode, Weighing]:
        """The mode of the hand before, and the answers weighed; the machine takes in what they say."""
        before = self._machine.mode
        found = weigh(scene.state, scene.legal, self.table.limits, before is Mode.FOLD)
        self._machine.mode = Mode.FOLD if found.folded else Mode.ATTACK
        return before, found
