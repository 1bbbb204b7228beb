"""Prospects of a hand of 13 - 3k tiles: shanten, ukeire and expected points.

The expected points are the chance to win in the draws that are left, times the points of the win. The chance treats
the way to a win as a sequence of steps: the next step uses the tiles that really improve the hand, the later ones the
number of tiles that such hands usually have.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.model.rules import RIICHI_STICK
from engine.policy.simple.plan_kernels import CLOSED, PLANS, improving, lowering, plan_shanten, plans_of
from engine.policy.simple.points_kernels import estimated_han, points_of, riichi_bonus, win_points
from engine.policy.simple.sight_kernels import Option, Sight
from engine.rules.table_kernels import Table
from engine.shanten.shanten_kernels import hand_words, shanten_changed, shanten_of_words
from engine.shanten.table_kernels import HandTables

USUAL_UKEIRE = (6.0, 16.0, 26.0, 36.0, 46.0, 56.0, 66.0, 76.0, 86.0)
"""Unseen tiles that usually improve a hand, by its shanten. A guess; the count rises more steeply
(``train constants``)."""
CALL_SPEED = 1.35
"""Speed of an open hand, which also takes tiles from the others, relative to draws alone. A guess."""
RON_SPEED = 1.0
"""Chance that the others discard a given unseen tile in one go-around, relative to the chance to draw it. A guess; the
count of rons per self-draw is 1.86 (``train constants``)."""
RON_SPEED_RIICHI = 0.5
"""The same against a declared riichi, when they are careful. A guess; the count is 1.03 (``train constants``)."""
OTHERS_END = 0.05
"""Chance that another player ends the hand in a go-around. Counted: 0.052 (``train constants``)."""
IN_SIGHT = 3
"""The highest shanten at which a yaku of an open hand is counted on. A guess."""
NO_YAKU_COSTS = 9
"""Added to the shanten of a hand without a yaku in sight. Derived: no shanten is as high, so such a hand comes last."""
TEMPO = 1_500.0
"""Points that a win saves by ending the hand before another player wins it. A guess."""

_USUAL = np.array(USUAL_UKEIRE)
_FAR = 99
"""More than any level."""
_ALL_KINDS = (1 << 34) - 1


@allocating_part
def least_level(table: Table, sight: Sight, tables: HandTables) -> int:
    """A level that no prospects of the hand are below."""
    plans = plans_of(table, sight)
    least = _FAR
    for plan in range(PLANS):
        if plans >> plan & 1:
            least = min(least, _least_on(plan, plan_shanten(table, sight, plan, tables)))
    return least


@part
def _least_on(plan: int, shanten: int) -> int:
    far = plan != CLOSED and shanten > IN_SIGHT
    return max(shanten, 0) + (NO_YAKU_COSTS if far else 0)


@allocating_part
def weigh(table: Table, sight: Sight, riichi: bool, tables: HandTables, out: Option, draft: Option) -> None:
    """Fill the prospects on the plan that is nearest to a win with a yaku, among equally near ones the most valuable.

    Args:
        table: the table, with the hand to be weighed.
        sight: facts of the table.
        riichi: whether a tenpai hand is weighed as one in riichi.
        tables: of shanten and scoring.
        out: where to write.
        draft: room.
    """
    plans = plans_of(table, sight)
    out.level = _FAR
    for plan in range(PLANS):
        if plans >> plan & 1:
            shanten = plan_shanten(table, sight, plan, tables)
            if _least_on(plan, shanten) <= out.level:
                _weigh_plan(table, sight, plan, shanten, riichi, tables, draft)
                if _is_better(draft, out):
                    copy_prospects(draft, out)


@part
def _is_better(one: Option, other: Option) -> bool:
    if one.level != other.level:
        return one.level < other.level
    if one.value != other.value:
        return one.value > other.value
    return one.ukeire > other.ukeire


@part
def copy_prospects(source: Option, out: Option) -> None:
    """Copy what :func:`weigh` fills."""
    out.plan, out.shanten, out.ukeire, out.kinds = source.plan, source.shanten, source.ukeire, source.kinds
    out.level, out.points, out.p_win, out.value = source.level, source.points, source.p_win, source.value


@allocating_part
def _weigh_plan(
    table: Table, sight: Sight, plan: int, shanten: int, riichi: bool, tables: HandTables, out: Option
) -> None:
    out.plan = plan
    out.points = 0.0
    out.p_win = 0.0
    out.value = 0.0
    if shanten <= 0:
        _weigh_tenpai(table, sight, riichi, tables, out)
    else:
        out.shanten = shanten
        out.kinds = improving(table, sight, plan, shanten, tables)
        out.ukeire = _unseen_of(sight, out.kinds)
        if plan == CLOSED or shanten <= IN_SIGHT:
            points = points_of(estimated_han(table, sight, plan), sight.dealer != 0)
            if points:
                out.points = points
                out.p_win = _chance_from_afar(table, sight, plan, out, tables)
                out.value = out.p_win * (points + TEMPO)
    out.level = out.shanten + int(out.ukeire == 0) + NO_YAKU_COSTS * int(out.points == 0.0)


@part
def _chance_from_afar(table: Table, sight: Sight, plan: int, hand: Option, tables: HandTables) -> float:
    """Chance to win with a hand that is not tenpai."""
    unseen = sight.unseen_total
    speed = 1.0 if plan == CLOSED else CALL_SPEED
    last = _USUAL[0]
    if hand.shanten == 1 and plan == CLOSED:
        waits = _next_waits(table, sight, hand.kinds, tables)
        if waits:
            last = waits
    rates = sight.rates
    rates[0] = speed * hand.ukeire / unseen
    for step in range(hand.shanten - 1, 0, -1):
        rates[hand.shanten - step] = speed * _USUAL[step] / unseen
    rates[hand.shanten] = (1.0 + RON_SPEED) * last / unseen
    return finish_chance(rates, hand.shanten + 1, sight.turns, sight.at)


@allocating_part
def _weigh_tenpai(table: Table, sight: Sight, riichi: bool, tables: HandTables, out: Option) -> None:
    waits = waits_of(table.hand, sight.words, sight.melds, tables)
    out.shanten = 0
    out.kinds = waits
    out.ukeire = _unseen_of(sight, waits)
    per_ron = RON_SPEED_RIICHI if riichi else RON_SPEED
    if waits & sight.discarded:
        per_ron = 0.0
    rate = 0.0
    gain = 0.0
    for kind in range(34):
        if waits >> kind & 1 and sight.unseen[kind]:
            share = sight.unseen[kind] / sight.unseen_total
            ron = win_points(table, sight, kind, riichi, False, tables)
            tsumo = win_points(table, sight, kind, riichi, True, tables)
            if tsumo:
                rate += share
                gain += share * tsumo
            if ron:
                rate += per_ron * share
                gain += per_ron * share * ron
    points = gain / rate if rate else 0.0
    if riichi and points:
        points *= riichi_bonus(points / 1.5 if sight.dealer else points)
    sight.rates[0] = rate
    out.points = points
    out.p_win = finish_chance(sight.rates, 1, sight.turns, sight.at)
    out.value = out.p_win * (points + TEMPO)
    if riichi:
        out.value -= (1.0 - out.p_win) * RIICHI_STICK


@part
def _unseen_of(sight: Sight, kinds: int) -> int:
    total = 0
    for kind in range(34):
        total += sight.unseen[kind] * (kinds >> kind & 1)
    return total


@part
def waits_of(counts: NDArray[np.uint8], words: NDArray[np.int64], melds: int, tables: HandTables) -> int:
    """Bit set of the kinds that complete a hand; 0 if it is not tenpai. Leaves its words in ``words``."""
    words[0], words[1], words[2], words[3] = hand_words(counts, tables)
    if shanten_of_words(words[0], words[1], words[2], words[3], melds, tables) != 0:
        return 0
    return lowering(counts, words, melds, _ALL_KINDS, 0, tables)


@part
def _next_waits(table: Table, sight: Sight, kinds: int, tables: HandTables) -> float:
    """Mean number of unseen waits of the best tenpai hand after each improving draw."""
    counts = table.hand
    weighed = 0
    weight = 0
    for kind in range(34):
        if not kinds >> kind & 1:
            continue
        counts[kind] += 1
        man, pin, sou, honours = hand_words(counts, tables)
        best = 0
        for discard in range(34):
            if counts[discard]:
                counts[discard] -= 1
                if shanten_changed(counts, discard // 9, man, pin, sou, honours, sight.melds, tables) == 0:
                    waits = waits_of(counts, sight.words, sight.melds, tables)
                    best = max(best, _unseen_of(sight, waits) - (waits >> kind & 1))
                counts[discard] += 1
        counts[kind] -= 1
        weighed += sight.unseen[kind] * best
        weight += sight.unseen[kind]
    return weighed / weight if weight else 0.0


@part
def finish_chance(rates: NDArray[np.float64], steps: int, turns: int, at: NDArray[np.float64]) -> float:
    """Chance to complete all steps within ``turns`` turns, one after another and at most one a turn.

    ``rates`` holds the chance of each step in a turn, ``at`` is room. After each turn another player may end the hand.
    """
    at[0] = 1.0
    for step in range(1, steps + 1):
        at[step] = 0.0
    for _ in range(turns):
        for step in range(steps - 1, -1, -1):
            moved = at[step] * min(rates[step], 1.0)
            at[step] = (at[step] - moved) * (1.0 - OTHERS_END)
            at[step + 1] += moved
    return float(at[steps])
