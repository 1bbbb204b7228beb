"""Grounds of a decision in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.actions import ActionKind
from engine.model.seats import relative
from engine.model.tiles import format_tile, format_tiles37
from engine.policy.pushfold import Mode
from engine.policy.quick.calls import Called
from engine.policy.quick.discards import Option
from engine.policy.quick.efficiency import Outlook
from engine.policy.quick.safety import Threat, describe

SEAT_NAMES = ("self", "right", "across", "left")


def distance(shanten: int) -> str:
    """``'tenpai'``, ``'1-shanten'``."""
    return "tenpai" if shanten == 0 else f"{shanten}-shanten"


def prospects(after: Outlook) -> str:
    """``'1-shanten, 18 tiles improve it'``, ``'tenpai on 36p, 7 tiles left'``."""
    if after.shanten == 0:
        waits = format_tiles37(after.kinds)
        return f"tenpai on {waits}, {after.ukeire} left" if waits else "tenpai on nothing"
    return f"{distance(after.shanten)}, {after.ukeire} tiles improve it"


def attack(chosen: Sequence[Option], riichi: int) -> tuple[str, ...]:
    """Why the first of these goes on attacking, and with this tile."""
    best = chosen[0]
    after = best.after
    verb = "riichi, throwing" if best.action.kind is ActionKind.RIICHI else "throws"
    words = [f"{verb} {format_tile(best.action.tile)}: {prospects(after)}"]
    if not after.points:
        words.append("no yaku in sight")
    else:
        plan = "" if after.plan.closed else f", {after.plan.name}"
        words.append(f"wins in {after.p_win:.0%} of cases for about {after.points:.0f} points{plan}")
    twin = next((other for other in chosen[1:] if other.action.tile == best.action.tile), None)
    if twin is not None:
        name = "riichi" if best.action.kind is ActionKind.RIICHI else "silent tenpai"
        words.append(f"{name} is worth {best.net:.0f} points, the other way {twin.net:.0f}")
    if riichi:
        words.append(f"{_riichi(riichi)}, but {distance(after.shanten)} goes on; deals in {best.chance:.1%}")
    return tuple(words)


def fold(best: Option, found: Sequence[Threat], unseen34: Sequence[int], seat: int) -> str:
    """Why this tile is the safe one."""
    words = [
        f"{describe(threat, unseen34, best.action.tile >> 2)} to {SEAT_NAMES[relative(threat.seat, seat)]}"
        for threat in found
    ]
    grounds = f" ({', '.join(words)})" if words else ""
    return f"throws {format_tile(best.action.tile)}, the safest: deals in {best.chance:.1%}{grounds}"


def folding(riichi: int, shanten: int, before: Mode) -> str:
    """Why the hand is given up."""
    if before is Mode.FOLD:
        return "folded earlier in this hand: no way back"
    return f"{_riichi(riichi)} and the hand is {distance(shanten)}: folds for the rest of the hand"


def call(best: Called, now: Outlook) -> str:
    """Why a call is made."""
    return (
        f"{best.after.plan.name} in sight, {distance(best.after.shanten)} instead of {distance(now.shanten)}: "
        f"worth {best.value:.0f} points against {now.value:.0f}"
    )


def no_call(calls: Sequence[Called], nearer: Called | None, now: Outlook) -> str:
    """Why none is made."""
    if nearer is not None:
        return f"the hand is worth {now.value:.0f} points as it is, {nearer.value:.0f} after the call"
    return "no call brings the hand nearer to a yaku" if calls else "no yaku in sight after a call"


def _riichi(number: int) -> str:
    return "one riichi against" if number == 1 else f"{number} riichi against"
