"""The policy ``simple``: the quickest hand, then its value, with a push/fold table.

It takes every win. While it attacks, it plays for the lowest shanten, and among equal hands for the most expected
points. Against riichi the table may make it fold; it then discards the safest tile for the rest of the hand.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.model.actions import NINE_TERMINALS, OWN_KANS, PASS, Action
from engine.model.tiles import format_tile, format_tile37
from engine.opponents.danger_tables import tables_digest
from engine.policy.decision import JSON, Budget, Decision, InPoints
from engine.policy.explaining import Risk, amount, deal_in, distance, does, folds, play, pushes, riichi_or_silent, wins
from engine.policy.forced import forced, redealt
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.pushfold import PAPER, Mode, PushFoldMachine, PushFoldTable
from engine.policy.scene import Scene
from engine.policy.simple.weighing import Threats, Weighed, Weighing, weigh
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
            why = _fold_grounds(scene, found.ordered[0], folds(riichi, best.shanten, before), found.threats)
            candidates = tuple(one.candidate(-one.danger) for one in found.ordered)
            return Decision(found.action, candidates, Mode.FOLD, why, UNIT)
        if found.action.kind in OWN_KANS:
            kan = found.ordered[0]
            why = (_kan_ground(found.action.tile),)
            return Decision(found.action, (kan.candidate(kan.value), best.candidate(best.net)), Mode.ATTACK, why, UNIT)
        candidates = tuple(one.candidate(one.net) for one in found.ordered)
        why = _attack_grounds(scene, found.ordered, found.threats)
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
            return Decision(found.action, candidates, Mode.ATTACK, (_call_ground(found.nearer, now),), UNIT)
        return Decision(PASS, candidates, Mode.ATTACK, (_no_call_ground(calls, found.nearer, now),), UNIT)

    def _weigh(self, scene: Scene) -> tuple[Mode, Weighing]:
        """The mode of the hand before, and the answers weighed; the machine takes in what they say."""
        before = self._machine.mode
        found = weigh(scene.state, scene.legal, self.table.limits, before is Mode.FOLD)
        self._machine.mode = Mode.FOLD if found.folded else Mode.ATTACK
        return before, found


# -- the grounds, by its own estimates ---------------------------------------------------------------------------------


def _attack_grounds(scene: Scene, chosen: Sequence[Weighed], threats: Threats) -> tuple[Ground, ...]:
    """The grounds for attacking with the first of these answers."""
    best = chosen[0]
    words = [play(does(scene.state, best.action), _prospects(best))]
    twin = next((other for other in chosen[1:] if other.action.tile == best.action.tile), None)
    if twin is not None:
        gap = amount(best.net - twin.net, "points")
        words.append(riichi_or_silent(best.action.kind, _wins(best), _wins(twin), gap))
    riichi = len(scene.state.riichi_opponents)
    if riichi:
        words += [pushes(riichi, best.shanten), *_danger(scene, best, threats)]
    return tuple(words)


def _fold_grounds(scene: Scene, best: Weighed, why: Ground, threats: Threats) -> tuple[Ground, ...]:
    """The grounds for folding with this discard; ``why`` is the ground for folding at all."""
    return (ground(GroundKind.FOLD_SAFEST, does=does(scene.state, best.action)), why, *_danger(scene, best, threats))


def _kan_ground(tile136: int) -> Ground:
    """The ground for a kan."""
    return ground(GroundKind.KAN_KEEPS, tile=format_tile37(tile136 >> 2))


def _call_ground(best: Weighed, now: Weighed) -> Ground:
    """The ground for a call."""
    return ground(
        GroundKind.CALL_BETTER,
        plan=ground(best.plan),
        shanten=best.shanten,
        before=now.shanten,
        call=best.net,
        passing=now.value,
    )


def _no_call_ground(calls: Sequence[Weighed], nearer: Weighed | None, now: Weighed) -> Ground:
    """The ground for not calling."""
    if nearer is not None:
        return ground(GroundKind.CALL_WORSE, call=nearer.net, passing=now.value)
    return ground(GroundKind.NO_CALL_NEARER if calls else GroundKind.NO_CALL_YAKU)


def _prospects(after: Weighed) -> list[Ground]:
    found = [distance(after.shanten, after.kinds, after.ukeire)]
    if not after.points:
        return [*found, ground(GroundKind.NO_YAKU)]
    found.append(_wins(after))
    return found if after.closed else [*found, ground(after.plan)]


def _wins(after: Weighed) -> Ground:
    return wins(after.p_win, after.points)


def _danger(scene: Scene, option: Weighed, threats: Threats) -> list[Ground]:
    kind = option.action.tile >> 2
    tile = format_tile(option.action.tile, scene.state.rules.red_fives)
    risks = [Risk(threat.seat, threat.tenpai, threat.deal_in[kind]) for threat in threats.each]
    danger = deal_in(scene, kind, tile, option.deal_in, option.loss, risks)
    return [] if danger is None else [danger]
