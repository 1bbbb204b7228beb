"""Points of the win that a hand leads to: exact when it is tenpai, otherwise estimated from its tiles."""

import numpy as np

from engine._jit import part
from engine.model.tiles import TERMINALS_AND_HONOURS
from engine.policy.simple.plan_kernels import CLOSED, HONITSU, TANYAO, TOITOI, allowed_by, triplet_of
from engine.policy.simple.sight_kernels import Sight
from engine.rules.table_kernels import Table
from engine.rules.win_kernels import base_of
from engine.scoring.payment_kernels import total_points
from engine.scoring.win_kernels import best_win
from engine.scoring.yaku_kernels import WIN_RIICHI, WIN_TSUMO
from engine.shanten.table_kernels import HandTables

POINTS = (
    (0.0, 0.0),
    (1.0, 1_200.0),
    (2.0, 2_400.0),
    (3.0, 4_600.0),
    (4.0, 7_600.0),
    (5.0, 8_000.0),
    (6.0, 12_000.0),
    (8.0, 16_000.0),
    (11.0, 24_000.0),
    (13.0, 32_000.0),
)
"""(han, points of a non-dealer's win), linear in between; a dealer's win brings half as much again. From 5 han on by
the rules; below, means over the fu of such wins, which agree with the count (``train constants``)."""

RIICHI_EXTRA = 0.6
"""Mean han that ippatsu and ura dora add to a riichi. Counted: 0.59 (``train constants``)."""
TSUMO_EXTRA = 0.35
"""Mean han that menzen tsumo adds to a closed hand. A guess; the count is 0.49 (``train constants``)."""
PINFU_EXTRA = 0.4
"""Mean han of pinfu in a closed hand without a triplet. A guess; the count is 0.47 (``train constants``)."""
TANYAO_BY_STRAYS = (1.0, 0.7, 0.4, 0.15)
"""Mean han of tanyao by the number of terminals and honours that a closed hand still holds. A guess; the count is
lower (``train constants``)."""
FLUSH_BY_STRAYS = (2.6, 1.8, 1.0, 0.4, 0.1)
"""Mean han of a flush by the number of tiles that a hand still holds outside the suit and the honours. A guess; the
count falls more steeply (``train constants``)."""
YAKUHAI_CHANCE = 0.35
"""Chance that a yakuhai pair becomes a triplet when both other copies are unseen; half of it when one is. Counted:
0.40 (``train constants``)."""

_POINTS = np.array(POINTS)
_TANYAO = np.array(TANYAO_BY_STRAYS)
_FLUSH = np.array(FLUSH_BY_STRAYS)
_OUTER = np.array(TERMINALS_AND_HONOURS)


@part
def points_of(han: float, dealer: bool) -> float:
    """Points of a win with that many han, which may be a fraction."""
    at = 0
    while at < len(_POINTS) and _POINTS[at, 0] <= han:
        at += 1
    if at == len(_POINTS):
        points = _POINTS[at - 1, 1]
    else:
        low, low_points = _POINTS[at - 1, 0], _POINTS[at - 1, 1]
        points = low_points + (_POINTS[at, 1] - low_points) * (han - low) / (_POINTS[at, 0] - low)
    return float(points * 1.5 if dealer else points)


@part
def riichi_bonus(points: float) -> float:
    """Factor by which ippatsu and ura dora raise the points of a non-dealer's win."""
    low = 0.0
    high = 13.0
    for _ in range(12):  # find the han of these points by bisection: points rise with han
        middle = (low + high) / 2
        if points_of(middle, False) < points:
            low = middle
        else:
            high = middle
    return points_of(low + RIICHI_EXTRA, False) / max(points_of(low, False), 1.0)


@part
def estimated_han(table: Table, sight: Sight, plan: int) -> float:
    """Estimated han of the win on this plan; 0 if no yaku is in sight."""
    hand = table.hand
    allowed = allowed_by(plan)
    han = sight.meld_han
    for kind in range(34):
        if allowed >> kind & 1:
            han += int(hand[kind]) * int(table.dora[kind])
    for suit in range(3):
        han += int(table.own_reds[suit] != 0 and allowed >> (9 * suit + 4) & 1 != 0)
    yakuhai = float(sight.meld_yakuhai)
    triplet = triplet_of(plan)
    for kind in range(27, 34):
        if sight.yakuhai[kind] and allowed >> kind & 1:
            if hand[kind] >= 3 or kind == triplet:
                yakuhai += sight.yakuhai[kind]
            elif hand[kind] == 2:
                yakuhai += sight.yakuhai[kind] * YAKUHAI_CHANCE * sight.unseen[kind] / 2
    if plan == CLOSED:
        return han + yakuhai + _closed_han(table, sight)
    own = _han_of(plan) + yakuhai
    return han + own if own else 0.0


@part
def _han_of(plan: int) -> float:
    """Han of the yaku itself; those of yakuhai are counted on every plan."""
    if plan == TANYAO:
        return 1.0
    return 2.0 if HONITSU <= plan <= TOITOI else 0.0


@part
def _closed_han(table: Table, sight: Sight) -> float:
    han = 1.0 + RIICHI_EXTRA + TSUMO_EXTRA
    strays = 0
    for kind in _OUTER:
        strays += int(table.hand[kind]) + int(sight.melded[kind])
    if strays < len(_TANYAO):
        han += _TANYAO[strays]
    suited = 0
    longest = 0
    most = 0
    for suit in range(3):
        tiles = 0
        for kind in range(9 * suit, 9 * suit + 9):
            held = int(table.hand[kind]) + int(sight.melded[kind])
            tiles += held
            most = max(most, held)
        suited += tiles
        longest = max(longest, tiles)
    for kind in range(27, 34):
        most = max(most, int(table.hand[kind]) + int(sight.melded[kind]))
    outside = suited - longest
    if outside < len(_FLUSH):
        han += _FLUSH[outside]
    if sight.melds == 0 and most < 3:
        han += PINFU_EXTRA
    return han


@part
def win_points(table: Table, sight: Sight, kind: int, riichi: bool, tsumo: bool, tables: HandTables) -> int:
    """Points of a win of the tenpai hand on a kind, without ura dora; 0 without a yaku. A plain tile if one is left."""
    hand = table.hand
    flags = sight.flags | (WIN_RIICHI if riichi else 0) | (WIN_TSUMO if tsumo else 0)
    bonus = sight.meld_han
    if kind < 27 and kind % 9 == 4 and hand[kind] == 3 and table.own_reds[kind // 9] == 0 and table.red_fives:
        bonus += 1  # the three plain ones are held
    for suit in range(3):
        bonus += int(table.own_reds[suit] != 0)
    hand[kind] += 1
    for held in range(34):
        bonus += int(hand[held]) * int(table.dora[held])
    answer = best_win(hand, sight.packed, kind, flags, bonus, tables)
    hand[kind] -= 1
    if answer == 0:
        return 0
    return total_points(base_of(answer, sight.is_open != 0, bonus, table.kiriage != 0), sight.dealer != 0, tsumo)
