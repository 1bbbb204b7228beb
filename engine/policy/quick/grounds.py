"""The grounds of the policy ``simple``, by its own estimates."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.tiles import format_tile, format_tile37
from engine.policy.explaining import amount, distance, does, play, pushes, riichi_or_silent, wins
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.quick.calls import Called
from engine.policy.quick.discards import Option
from engine.policy.quick.efficiency import Outlook
from engine.policy.safety import Risk, deal_in
from engine.policy.scene import Scene


def attack(scene: Scene, chosen: Sequence[Option]) -> tuple[Ground, ...]:
    """The grounds for attacking with the first of these options."""
    best = chosen[0]
    words = [play(does(scene.state, best.action), _prospects(best.after))]
    twin = next((other for other in chosen[1:] if other.action.tile == best.action.tile), None)
    if twin is not None:
        gap = amount(best.net - twin.net, "points")
        words.append(riichi_or_silent(best.action.kind, _wins(best.after), _wins(twin.after), gap))
    riichi = len(scene.state.riichi_opponents)
    if riichi:
        words += [pushes(riichi, best.after.shanten), *_danger(scene, best)]
    return tuple(words)


def fold(scene: Scene, best: Option, why: Ground) -> tuple[Ground, ...]:
    """The grounds for folding with this option; ``why`` is the ground for folding at all."""
    return (ground(GroundKind.FOLD_SAFEST, does=does(scene.state, best.action)), why, *_danger(scene, best))


def kan(tile136: int) -> Ground:
    """The ground for a kan."""
    return ground(GroundKind.KAN_KEEPS, tile=format_tile37(tile136 >> 2))


def call(best: Called, now: Outlook) -> Ground:
    """The ground for a call."""
    return ground(
        GroundKind.CALL_BETTER,
        plan=ground(best.after.plan.kind),
        shanten=best.after.shanten,
        before=now.shanten,
        call=best.value,
        passing=now.value,
    )


def no_call(calls: Sequence[Called], nearer: Called | None, now: Outlook) -> Ground:
    """The ground for not calling."""
    if nearer is not None:
        return ground(GroundKind.CALL_WORSE, call=nearer.value, passing=now.value)
    return ground(GroundKind.NO_CALL_NEARER if calls else GroundKind.NO_CALL_YAKU)


def _prospects(after: Outlook) -> list[Ground]:
    found = [distance(after.shanten, after.kinds, after.ukeire)]
    if not after.points:
        return [*found, ground(GroundKind.NO_YAKU)]
    found.append(_wins(after))
    return found if after.plan.closed else [*found, ground(after.plan.kind)]


def _wins(after: Outlook) -> Ground:
    return wins(after.p_win, after.points)


def _danger(scene: Scene, option: Option) -> list[Ground]:
    kind = option.action.tile >> 2
    tile = format_tile(option.action.tile, scene.state.rules.red_fives)
    risks = [Risk(threat.seat, threat.tenpai, threat.deal_in[kind]) for threat in scene.threats]
    danger = deal_in(scene, kind, tile, option.chance, option.loss, risks)
    return [] if danger is None else [danger]
