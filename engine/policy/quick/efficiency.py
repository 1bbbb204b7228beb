"""Prospects of a hand of 13 - 3k tiles: shanten, ukeire and expected points.

The expected points are the chance to win in the draws that are left, times the points of the win. The chance treats
the way to a win as a sequence of steps: the next step uses the tiles that really improve the hand, the later ones the
number of tiles that such hands usually have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.model.melds import Meld
from engine.model.rules import RIICHI_STICK
from engine.model.tiles import counts34
from engine.policy.quick.facts import Facts
from engine.policy.quick.plans import Plan, plans
from engine.policy.quick.win_points import RIICHI_EXTRA, estimated_han, points_of, score_waits
from engine.shanten import discard_shanten, waits

USUAL_UKEIRE: Final = (6.0, 16.0, 26.0, 36.0, 46.0, 56.0, 66.0, 76.0, 86.0)
"""Unseen tiles that usually improve a hand, by its shanten. A guess; the count rises more steeply
(``train constants``)."""
CALL_SPEED: Final = 1.35
"""Speed of an open hand, which also takes tiles from the others, relative to draws alone. A guess."""
RON_SPEED: Final = 1.0
"""Chance that the others discard a given unseen tile in one go-around, relative to the chance to draw it. A guess; the
count of rons per self-draw is 1.86 (``train constants``)."""
RON_SPEED_RIICHI: Final = 0.5
"""The same against a declared riichi, when they are careful. A guess; the count is 1.03 (``train constants``)."""
OTHERS_END: Final = 0.05
"""Chance that another player ends the hand in a go-around. Counted: 0.052 (``train constants``)."""
IN_SIGHT: Final = 3
"""The highest shanten at which a yaku of an open hand is counted on. A guess."""
NO_YAKU_COSTS: Final = 9
"""Added to the shanten of a hand without a yaku in sight. Derived: no shanten is as high, so such a hand comes last."""
TEMPO: Final = 1_500.0
"""Points that a win saves by ending the hand before another player wins it. A guess."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Prospects of a hand of 13 - 3k tiles.

    Attributes:
        plan: the way to a yaku that it follows.
        shanten: shanten on that plan.
        ukeire: number of unseen tiles that lower the shanten; for a tenpai hand, that complete it.
        kinds: the ``tile34`` of these tiles.
        points: mean points of the win.
        p_win: chance to win in the draws left, 0-1.
        value: expected points, including the tempo; by this hands are compared.
        riichi: whether the figures are those of a hand in riichi.
    """

    plan: Plan
    shanten: int
    ukeire: int
    kinds: tuple[int, ...]
    points: float
    p_win: float
    value: float
    riichi: bool = False

    @property
    def level(self) -> int:
        """The first criterion of comparison: shanten, raised if no unseen tile improves it or no yaku is in sight."""
        return self.shanten + (self.ukeire == 0) + NO_YAKU_COSTS * (self.points == 0.0)


def outlook(facts: Facts, tiles: Sequence[int], melds: tuple[Meld, ...], riichi: bool = False) -> Outlook:
    """Prospects on the plan that is nearest to a win with a yaku, and among equally near ones the most valuable.

    Args:
        facts: facts of the table.
        tiles: concealed ``tile136``, 13 - 3k of them.
        melds: the k melds.
        riichi: whether a tenpai hand is evaluated as one in riichi.
    """
    counts = counts34(tiles)
    found = [_on_plan(facts, plan, tiles, counts, melds, riichi) for plan in plans(facts, counts, melds)]
    return min(found, key=lambda one: (one.level, -one.value, -one.ukeire))


def _on_plan(
    facts: Facts, plan: Plan, tiles: Sequence[int], counts: list[int], melds: tuple[Meld, ...], riichi: bool
) -> Outlook:
    made = len(melds)
    level, kinds = plan.reach(counts, made)
    total = sum(facts.unseen[kind] for kind in kinds)
    if level <= 0:
        return _tenpai(facts, plan, tiles, counts, melds, riichi)
    if not plan.closed and level > IN_SIGHT:
        return Outlook(plan, level, total, kinds, 0.0, 0.0, 0.0)
    speed = 1.0 if plan.closed else CALL_SPEED
    usual = [USUAL_UKEIRE[min(step, len(USUAL_UKEIRE) - 1)] for step in range(level)]
    if level == 1 and plan.closed:
        usual[0] = _next_waits(facts, counts, made, kinds) or usual[0]
    rates = [speed * total / facts.unseen_total]
    rates += [speed * usual[step] / facts.unseen_total for step in range(level - 1, 0, -1)]
    rates.append((1.0 + RON_SPEED) * usual[0] / facts.unseen_total)
    chance = finish_chance(rates, facts.turns)
    points = points_of(estimated_han(facts, plan, tiles, counts, melds), facts.dealer)
    value = chance * (points + TEMPO) if points else 0.0
    return Outlook(plan, level, total, kinds, points, chance if points else 0.0, value)


def _tenpai(
    facts: Facts, plan: Plan, tiles: Sequence[int], counts: list[int], melds: tuple[Meld, ...], riichi: bool
) -> Outlook:
    kinds = waits(counts, len(melds))
    scored = score_waits(facts, tiles, melds, kinds, riichi)
    furiten = any(facts.discarded[kind] for kind in kinds)
    per_ron = 0.0 if furiten else RON_SPEED_RIICHI if riichi else RON_SPEED
    rate = 0.0
    gain = 0.0
    for wait in scored:
        share = wait.unseen / facts.unseen_total
        if wait.tsumo:
            rate += share
            gain += share * wait.tsumo
        if wait.ron:
            rate += per_ron * share
            gain += per_ron * share * wait.ron
    points = gain / rate if rate else 0.0
    if riichi and points:
        points *= _riichi_bonus(points / 1.5 if facts.dealer else points)
    chance = finish_chance([rate], facts.turns)
    value = chance * (points + TEMPO)
    if riichi:
        value -= (1.0 - chance) * RIICHI_STICK
    total = sum(wait.unseen for wait in scored)
    return Outlook(plan, 0, total, tuple(kinds), points, chance, value, riichi)


def _riichi_bonus(points: float) -> float:
    """Factor by which ippatsu and ura dora raise the points of a non-dealer's win."""
    low, high = 0.0, 13.0
    for _ in range(12):  # find the han of these points by bisection: points rise with han
        middle = (low + high) / 2
        low, high = (middle, high) if points_of(middle, dealer=False) < points else (low, middle)
    return points_of(low + RIICHI_EXTRA, dealer=False) / max(points_of(low, dealer=False), 1.0)


def _next_waits(facts: Facts, counts: list[int], melds: int, kinds: Sequence[int]) -> float:
    """Mean number of unseen waits of the best tenpai hand after each improving draw."""
    weighed = 0.0
    weight = 0
    for kind in kinds:
        counts[kind] += 1
        best = 0
        for discard34, after in enumerate(discard_shanten(counts, melds)):
            if after == 0:
                counts[discard34] -= 1
                unseen = sum(facts.unseen[wait] - (wait == kind) for wait in waits(counts, melds))
                counts[discard34] += 1
                best = max(best, unseen)
        counts[kind] -= 1
        weighed += facts.unseen[kind] * best
        weight += facts.unseen[kind]
    return weighed / weight if weight else 0.0


def finish_chance(rates: Sequence[float], turns: int) -> float:
    """Chance to complete all steps within ``turns`` turns, one after another and at most one a turn.

    ``rates`` holds the chance of each step in a turn. After each turn another player may end the hand.
    """
    at = [1.0] + [0.0] * len(rates)
    for _ in range(turns):
        for step in range(len(rates) - 1, -1, -1):
            moved = at[step] * min(rates[step], 1.0)
            at[step] = (at[step] - moved) * (1.0 - OTHERS_END)
            at[step + 1] += moved
    return at[-1]
