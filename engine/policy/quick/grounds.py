"""The grounds of the policy ``simple``, by its own estimates."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.tiles import format_tile, format_tile37
from engine.policy.explaining import amount, distance, does, play, pushes, riichi_or_silent, wins
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.quick.calls import Called
from engine.policy.quick.discards import Option
from engine.policy.quick.efficiency import Outlook
from engine.policy.quick.threats import Threat
from engine.policy.safety import Risk, deal_in
from engine.state import GameState


def attack(state: GameState, chosen: Sequence[Option], found: Sequence[Threat]) -> tuple[Ground, ...]:
    """Why the first of these pushes, and with this tile."""
    best = chosen[0]
    words = [play(does(state, best.action), _prospects(best.after))]
    twin = next((other for other in chosen[1:] if other.action.tile == best.action.tile), None)
    if twin is not None:
        gap = amount(best.net - twin.net, "points")
        words.append(riichi_or_silent(best.action.kind, _wins(best.after), _wins(twin.after), gap))
    riichi = sum(threat.riichi for threat in found)
    if riichi:
        words += [pushes(riichi, best.after.shanten), *_danger(state, best, found)]
    return tuple(words)


def fold(state: GameState, best: Option, found: Sequence[Threat], why: Ground) -> tuple[Ground, ...]:
    """Why the hand folds, and why with this tile."""
    return (ground(GroundKind.FOLD_SAFEST, does=does(state, best.action)), why, *_danger(state, best, found))


def kan(tile136: int) -> Ground:
    """Why a kan is made."""
    return ground(GroundKind.KAN_KEEPS, tile=format_tile37(tile136 >> 2))


def call(best: Called, now: Outlook) -> Ground:
    """Why a call is made."""
    return ground(
        GroundKind.CALL_BETTER,
        plan=ground(best.after.plan.kind),
        shanten=best.after.shanten,
        before=now.shanten,
        call=best.value,
        passing=now.value,
    )


def no_call(calls: Sequence[Called], nearer: Called | None, now: Outlook) -> Ground:
    """Why none is made."""
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


def _danger(state: GameState, option: Option, found: Sequence[Threat]) -> list[Ground]:
    kind = option.action.tile >> 2
    tile = format_tile(option.action.tile, state.rules.red_fives)
    risks = [Risk(threat.seat, threat.tenpai, threat.deal_in[kind]) for threat in found]
    danger = deal_in(state, kind, tile, option.chance, option.loss, risks)
    return [] if danger is None else [danger]
