"""How good a hand of 13 - 3k tiles is: shanten, ukeire, and its value in points.

Value is the chance to finish in the draws that are left, times what the win is worth. The chance treats the way to a
win as one draw after another: the next step with the tiles that really improve the hand, the later ones with what
such hands usually have.
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
"""Unseen tiles that usually improve a hand, by its shanten."""
CALL_SPEED: Final = 1.35
"""An open hand takes its next tile from the others as well: so many times faster than by draws alone."""
RON_SPEED: Final = 1.0
"""Chance that the others throw a given unseen tile in one go-around, over the chance to draw it."""
RON_SPEED_RIICHI: Final = 0.5
"""The same against a declared riichi: they take care."""
OTHERS_END: Final = 0.05
"""Chance that another player ends the hand in a go-around."""
IN_SIGHT: Final = 3
"""The furthest shanten at which an open hand counts on a yaku."""
NO_YAKU_COSTS: Final = 9
"""A hand without a yaku in sight comes after every one with it."""
TEMPO: Final = 1_500.0
"""Points that a win saves by ending the hand before another wins it."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Prospects of a hand of 13 - 3k tiles.

    Attributes:
        plan: the way to a yaku it follows.
        shanten: on that plan.
        ukeire: unseen tiles that lower it; of a tenpai hand its waits.
        kinds: the ``tile34`` they are.
        points: mean points of the win.
        p_win: chance to win in the draws left, 0-1.
        value: points, tempo included; what is compared.
        riichi: whether the figures are those of a riichi.
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
        """What hands are compared by first: shanten, more where nothing unseen improves it or no yaku is in sight."""
        return self.shanten + (self.ukeire == 0) + NO_YAKU_COSTS * (self.points == 0.0)


def outlook(facts: Facts, tiles: Sequence[int], melds: tuple[Meld, ...], riichi: bool = False) -> Outlook:
    """Prospects on the plan that is nearest to a win with a yaku, of equally near ones the most valuable.

    Args:
        facts: the table.
        tiles: concealed ``tile136``, 13 - 3k of them.
        melds: the melds that go with them.
        riichi: judge a tenpai hand as a riichi.
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
    """Factor by which ippatsu and ura raise a non-dealer's points."""
    low, high = 0.0, 13.0
    for _ in range(12):  # the han of these points, by bisection of a rising line
        middle = (low + high) / 2
        low, high = (middle, high) if points_of(middle, dealer=False) < points else (low, middle)
    return points_of(low + RIICHI_EXTRA, dealer=False) / max(points_of(low, dealer=False), 1.0)


def _next_waits(facts: Facts, counts: list[int], melds: int, kinds: Sequence[int]) -> float:
    """Mean unseen waits of the best tenpai that each improving draw leads to."""
    weighed = 0.0
    weight = 0
    for kind in kinds:
        counts[kind] += 1
        best = 0
        for thrown, after in enumerate(discard_shanten(counts, melds)):
            if after == 0:
                counts[thrown] -= 1
                unseen = sum(facts.unseen[wait] - (wait == kind) for wait in waits(counts, melds))
                counts[thrown] += 1
                best = max(best, unseen)
        counts[kind] -= 1
        weighed += facts.unseen[kind] * best
        weight += facts.unseen[kind]
    return weighed / weight if weight else 0.0


def finish_chance(rates: Sequence[float], turns: int) -> float:
    """Chance to take steps with these chances a turn, one after another and at most one a turn, in ``turns`` turns.

    After each turn another player may end the hand.
    """
    at = [1.0] + [0.0] * len(rates)
    for _ in range(turns):
        for step in range(len(rates) - 1, -1, -1):
            moved = at[step] * min(rates[step], 1.0)
            at[step] = (at[step] - moved) * (1.0 - OTHERS_END)
            at[step + 1] += moved
    return at[-1]
