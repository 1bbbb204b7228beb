"""The grounds of the policy ``simple``, by its own estimates."""

from collections.abc import Sequence

from engine.model.tiles import format_tile, format_tile37
from engine.policy.explaining import Risk, amount, deal_in, distance, does, play, pushes, riichi_or_silent, wins
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.scene import Scene
from engine.policy.simple.weighing import Threats, Weighed


def attack(scene: Scene, chosen: Sequence[Weighed], threats: Threats) -> tuple[Ground, ...]:
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


def fold(scene: Scene, best: Weighed, why: Ground, threats: Threats) -> tuple[Ground, ...]:
    """The grounds for folding with this discard; ``why`` is the ground for folding at all."""
    return (ground(GroundKind.FOLD_SAFEST, does=does(scene.state, best.action)), why, *_danger(scene, best, threats))


def kan(tile136: int) -> Ground:
    """The ground for a kan."""
    return ground(GroundKind.KAN_KEEPS, tile=format_tile37(tile136 >> 2))


def call(best: Weighed, now: Weighed) -> Ground:
    """The ground for a call."""
    return ground(
        GroundKind.CALL_BETTER,
        plan=ground(best.plan),
        shanten=best.shanten,
        before=now.shanten,
        call=best.net,
        passing=now.value,
    )


def no_call(calls: Sequence[Weighed], nearer: Weighed | None, now: Weighed) -> Ground:
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
