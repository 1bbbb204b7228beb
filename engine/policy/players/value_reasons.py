"""The grounds of the policy ``value`` in words: what is done, what it brings, what it risks, what the next best is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.model.actions import PASS, ActionKind
from engine.model.seats import by_score, relative
from engine.model.tiles import format_tile, format_tile37
from engine.policy.players.weighed import Weighed
from engine.policy.quick.reasons import SEAT_NAMES, distance
from engine.policy.quick.safety import Threat, describe, threats
from engine.policy.worth.risks import Risks
from engine.policy.worth.utility import Currency
from engine.state import GameState

TELLING: Final = 0.01
"""A chance to deal in below this needs no grounds."""
LIKELY_TENPAI: Final = 0.25
"""From this chance to be tenpai on a player who has not declared is named."""
LATE: Final = 1
"""Hands to come, at most, for the standing to be told."""
TURNS: Final = {
    ActionKind.CHI: "calls chi",
    ActionKind.PON: "calls pon",
    ActionKind.DAIMINKAN: "calls kan",
    ActionKind.ANKAN: "makes a closed kan of",
    ActionKind.KAKAN: "adds a kan of",
    ActionKind.RIICHI: "riichi, throwing",
    ActionKind.DISCARD: "throws",
}


def explain(weighed: Sequence[Weighed], state: GameState, risks: Risks, currency: Currency) -> tuple[str, ...]:
    """Short sentences, the most important first."""
    best = weighed[0]
    words = [f"{_does(best)}: {_prospects(best)}" if not best.folds else f"gives the hand up: {_does(best)}"]
    words += _push_or_fold(best, currency)
    words += _danger(best, state, risks)
    words += _next_best(weighed, currency)
    words += _standing(state)
    return tuple(words)


def points(worth: float, currency: Currency) -> str:
    """A worth as players count it: ``'+1,250 points'``, at what a point is worth on this table."""
    if currency.per_point > 0:
        return f"{round(worth / currency.per_point, -1):+,.0f} points"
    return f"{worth:+.2f} {currency.objective.unit}"


def _does(one: Weighed) -> str:
    action = one.action
    if action == PASS:
        return "lets the tile go"
    if action.kind is ActionKind.NINE_TERMINALS:
        return "nine terminals"
    words = f"{TURNS[action.kind]} {format_tile(action.tile)}"
    if action.own and one.thrown >= 0:
        words += f", throws {format_tile37(one.thrown)}"
    return words


def _prospects(one: Weighed) -> str:
    candidate = one.candidate
    words = []
    if candidate.shanten is not None:
        left = f", {candidate.ukeire} tiles " + ("win" if candidate.shanten == 0 else "improve it")
        words.append(f"{distance(candidate.shanten)}{left}")
    if candidate.p_win is not None:
        win = f" of about {one.win_points:,.0f}" if one.win_points else ""
        words.append(f"wins {candidate.p_win:.0%}{win}")
    return ", ".join(words) if words else "the hand is dealt again"


def _push_or_fold(best: Weighed, currency: Currency) -> Iterator[str]:
    if best.attack is None or best.fold is None:
        return
    push, fold = points(best.attack, currency), points(best.fold, currency)
    if best.folds:
        yield f"folding is worth {fold}, going on {push}"
    elif best.fold > best.attack - 2_000 * currency.per_point:
        yield f"going on is worth {push}, folding {fold}"


def _danger(best: Weighed, state: GameState, risks: Risks) -> Iterator[str]:
    if best.exposed < 0:
        return
    unseen = [4 - seen for seen in state.visible]
    found = [one for one in threats(state, unseen) if one.riichi or risks.tenpai[one.seat] >= LIKELY_TENPAI]
    chance = float(risks.deal_in[best.exposed])
    if not found or (chance < TELLING and not best.folds):
        return
    grounds = "; ".join(_against(threat, state, unseen, best.exposed) for threat in found)
    loss = f" for about {risks.loss[best.exposed]:,.0f}" if chance >= TELLING else ""
    yield f"{format_tile37(best.exposed)} deals in {chance:.1%}{loss}: {grounds}"


def _against(threat: Threat, state: GameState, unseen: Sequence[int], thrown: int) -> str:
    name = SEAT_NAMES[relative(threat.seat, state.seat)]
    what = "riichi" if threat.riichi else f"{len(state.melds[threat.seat])} melds"
    return f"{describe(threat, unseen, thrown)} to {name} ({what})"


def _next_best(weighed: Sequence[Weighed], currency: Currency) -> Iterator[str]:
    best = weighed[0]
    twin = next((one for one in weighed[1:] if _other_way(best, one)), None)
    rival = twin or (weighed[1] if len(weighed) > 1 else None)
    if rival is None:
        return
    name = "silent tenpai" if twin and rival.action.kind is ActionKind.DISCARD else _does(rival)
    yield f"next: {name}, {points(rival.value - best.value, currency)}"


def _other_way(best: Weighed, one: Weighed) -> bool:
    """The same tile with or without a riichi; passing beside a call."""
    kinds = {best.action.kind, one.action.kind}
    return kinds == {ActionKind.DISCARD, ActionKind.RIICHI} and best.thrown == one.thrown


def _standing(state: GameState) -> Iterator[str]:
    left = state.rules.last_kyoku - state.kyoku
    if left > LATE:
        return
    mine = state.scores[state.seat]
    order = by_score(state.scores)
    rank = order.index(state.seat)
    words = [f"place {rank + 1} with {mine:,}"]
    if rank:
        words.append(f"{state.scores[order[rank - 1]] - mine:,} behind the next")
    if rank < 3:
        words.append(f"{mine - state.scores[order[rank + 1]]:,} ahead")
    when = "last hand" if left <= 0 else "one hand before the last"
    yield f"{when}: {', '.join(words)}"
