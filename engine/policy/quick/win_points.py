"""Points of the win that a hand leads to: exact when it is tenpai, otherwise estimated from its tiles."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.model.melds import Meld, MeldKind
from engine.model.tiles import HONOURS, KINDS, RED_FIVES, TERMINALS_AND_HONOURS
from engine.policy.quick.facts import Facts
from engine.policy.quick.plans import Plan
from engine.scoring import WinContext, score_win

POINTS: Final = (
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

RIICHI_EXTRA: Final = 0.6
"""Mean han that ippatsu and ura dora add to a riichi. Counted: 0.59 (``train constants``)."""
TSUMO_EXTRA: Final = 0.35
"""Mean han that menzen tsumo adds to a closed hand. A guess; the count is 0.49 (``train constants``)."""
PINFU_EXTRA: Final = 0.4
"""Mean han of pinfu in a closed hand without a triplet. A guess; the count is 0.47 (``train constants``)."""
TANYAO_BY_STRAYS: Final = (1.0, 0.7, 0.4, 0.15)
"""Mean han of tanyao by the number of terminals and honours that a closed hand still holds. A guess; the count is
lower (``train constants``)."""
FLUSH_BY_STRAYS: Final = (2.6, 1.8, 1.0, 0.4, 0.1)
"""Mean han of a flush by the number of tiles that a hand still holds outside the suit and the honours. A guess; the
count falls more steeply (``train constants``)."""
YAKUHAI_PAIR: Final = 0.35
"""Chance that a yakuhai pair becomes a triplet when both other copies are unseen; half of it when one is. Counted:
0.40 (``train constants``)."""


@dataclass(frozen=True, slots=True)
class Wait:
    """One winning tile of a tenpai hand: its unseen copies, and the points by ron and by self-draw (0: no yaku)."""

    tile34: int
    unseen: int
    ron: int
    tsumo: int


def points_of(han: float, dealer: bool) -> float:
    """Points of a win with that many han, which may be a fraction."""
    at = bisect_right(POINTS, (han, float("inf")))
    if at == len(POINTS):
        points = POINTS[-1][1]
    else:
        (low, low_points), (high, high_points) = POINTS[at - 1], POINTS[at]
        points = low_points + (high_points - low_points) * (han - low) / (high - low)
    return points * 1.5 if dealer else points


def estimated_han(
    facts: Facts, plan: Plan, tiles: Sequence[int], counts: Sequence[int], melds: Sequence[Meld]
) -> float:
    """Estimated han of the win on this plan; 0 if no yaku is in sight.

    Args:
        facts: facts of the table.
        plan: the way to a yaku.
        tiles: concealed ``tile136``.
        counts: their counts by ``tile34``.
        melds: melds made or about to be made.
    """
    han = sum(float(facts.dora_of(tile)) for tile in tiles if plan.allowed[tile >> 2])
    yakuhai = 0.0
    for meld in melds:
        han += sum(facts.dora_of(tile) for tile in meld.tiles)
        if meld.kind is not MeldKind.CHI:
            yakuhai += facts.yakuhai[meld.tile34]
    for kind in range(HONOURS, KINDS):
        if facts.yakuhai[kind] and plan.allowed[kind]:
            if counts[kind] >= 3 or kind == plan.triplet:
                yakuhai += facts.yakuhai[kind]
            elif counts[kind] == 2:
                yakuhai += facts.yakuhai[kind] * YAKUHAI_PAIR * facts.unseen[kind] / 2
    if plan.closed:
        return han + yakuhai + _closed_han(counts, melds)
    own = plan.han + yakuhai
    return han + own if own else 0.0


def _closed_han(counts: Sequence[int], melds: Sequence[Meld]) -> float:
    han = 1.0 + RIICHI_EXTRA + TSUMO_EXTRA
    total = list(counts)
    for meld in melds:
        for tile in meld.tiles:
            total[tile >> 2] += 1
    strays = sum(total[kind] for kind in TERMINALS_AND_HONOURS)
    if strays < len(TANYAO_BY_STRAYS):
        han += TANYAO_BY_STRAYS[strays]
    suits = [sum(total[9 * suit : 9 * suit + 9]) for suit in range(3)]
    outside = sum(suits) - max(suits)
    if outside < len(FLUSH_BY_STRAYS):
        han += FLUSH_BY_STRAYS[outside]
    if not melds and max(total) < 3:
        han += PINFU_EXTRA
    return han


def score_waits(
    facts: Facts, tiles: Sequence[int], melds: tuple[Meld, ...], waits: Sequence[int], riichi: bool
) -> tuple[Wait, ...]:
    """Exact points of every wait of a tenpai hand of 13 - 3k tiles, without ura dora; 0 if no copy is left."""
    found = []
    for kind in waits:
        ron = tsumo = 0
        if facts.unseen[kind]:
            ron = _points(facts, tiles, melds, kind, riichi, tsumo=False)
            tsumo = _points(facts, tiles, melds, kind, riichi, tsumo=True)
        found.append(Wait(kind, facts.unseen[kind], ron, tsumo))
    return tuple(found)


def _points(facts: Facts, tiles: Sequence[int], melds: tuple[Meld, ...], kind: int, riichi: bool, tsumo: bool) -> int:
    win_tile = _plain_copy(kind, tiles)
    score = score_win(
        WinContext(
            concealed=(*tiles, win_tile),
            melds=melds,
            win_tile=win_tile,
            tsumo=tsumo,
            seat_wind=facts.seat_wind,
            round_wind=facts.round_wind,
            riichi=int(riichi),
            dora_indicators=facts.indicators,
            ura_indicators=(),
            rules=facts.rules,
        )
    )
    return score.points if score else 0


def _plain_copy(kind: int, held: Sequence[int]) -> int:
    """A copy that is not in the hand, a plain one if possible."""
    free = [tile for tile in range(4 * kind, 4 * kind + 4) if tile not in held]
    return next((tile for tile in free if tile not in RED_FIVES), free[0])
