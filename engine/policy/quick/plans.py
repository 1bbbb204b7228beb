"""Plans: ways to a yaku, and how far a hand is from winning *with* one.

A closed hand can always declare riichi, so its only plan is to be quick; :mod:`~engine.policy.quick.win_points`
estimates what it wins. A hand that has, or is about to have, an open meld needs a yaku: each plan measures shanten and
ukeire towards a hand with its yaku.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.model.melds import Meld, MeldKind
from engine.model.tiles import HONOURS, KINDS, TERMINALS_AND_HONOURS
from engine.policy.grounds import GroundKind
from engine.policy.quick.facts import Facts, is_closed
from engine.policy.quick.plan_kernels import plan_draws
from engine.shanten import ukeire
from engine.shanten.tables import shanten_tables

Mask = tuple[bool, ...]

ALL: Final[Mask] = (True,) * KINDS
SIMPLES: Final[Mask] = tuple(kind not in TERMINALS_AND_HONOURS for kind in range(KINDS))
FLUSHES: Final[tuple[tuple[GroundKind, Mask], ...]] = tuple(
    (flush, tuple(kind // 9 == suit or kind >= HONOURS for kind in range(KINDS)))
    for suit, flush in enumerate((GroundKind.HONITSU_MANZU, GroundKind.HONITSU_PINZU, GroundKind.HONITSU_SOUZU))
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to a yaku.

    Attributes:
        kind: the yaku, as grounds name it.
        han: han of the yaku itself.
        allowed: by ``tile34``, whether the kind may be part of the hand.
        triplet: ``tile34`` of a yakuhai pair that must become a triplet, or -1.
        triplets_only: whether the plan is toitoi.
        closed: whether riichi is possible, and seven pairs and thirteen orphans count.
    """

    kind: GroundKind
    han: float
    allowed: Mask = ALL
    triplet: int = -1
    triplets_only: bool = False
    closed: bool = False

    def reach(self, counts: Sequence[int], melds: int) -> tuple[int, tuple[int, ...]]:
        """Shanten on this plan (-1 when complete), and the kinds that lower it.

        Args:
            counts: 34 counts of 13 - 3k concealed tiles.
            melds: k, the number of melds.
        """
        if self.closed:
            found = ukeire(counts, melds)
            return found.shanten, tuple(kind for kind, _ in found.tiles)
        if self.triplets_only:
            return _toitoi(counts, melds)
        after = np.empty(KINDS + 1, np.int8)
        held = np.array(counts, np.uint8)
        plan_draws(held, np.array(self.allowed), self.triplet, melds, *shanten_tables(), after)
        levels = after.tolist()
        now = levels[KINDS]
        return now, tuple([kind for kind in range(KINDS) if levels[kind] < now])


CLOSED: Final = Plan(GroundKind.CLOSED_HAND, 0.0, closed=True)
NO_YAKU: Final = Plan(GroundKind.NO_YAKU, 0.0)
TOITOI: Final = Plan(GroundKind.TOITOI, 2.0, triplets_only=True)


def plans(facts: Facts, counts: Sequence[int], melds: tuple[Meld, ...]) -> tuple[Plan, ...]:
    """The plans that a hand with these melds can follow; only :data:`NO_YAKU` if there are none."""
    if is_closed(melds):
        return (CLOSED,)
    made = sum(facts.yakuhai[meld.tile34] for meld in melds if meld.kind is not MeldKind.CHI)
    made += sum(facts.yakuhai[kind] for kind in range(HONOURS, KINDS) if counts[kind] >= 3)
    found = []
    if made:
        found.append(Plan(GroundKind.YAKUHAI, 0.0))  # estimated_han counts its han on every plan
    else:
        found.extend(
            Plan(GroundKind.YAKUHAI, 0.0, triplet=kind)
            for kind in range(HONOURS, KINDS)
            if facts.yakuhai[kind] and counts[kind] == 2 and facts.unseen[kind]
        )
    if facts.rules.open_tanyao and _fits(melds, SIMPLES):
        found.append(Plan(GroundKind.TANYAO, 1.0, allowed=SIMPLES))
    found.extend(Plan(flush, 2.0, allowed=mask) for flush, mask in FLUSHES if _fits(melds, mask))
    if all(meld.kind is not MeldKind.CHI for meld in melds):
        found.append(TOITOI)
    return tuple(found) or (NO_YAKU,)


def _fits(melds: tuple[Meld, ...], mask: Mask) -> bool:
    return all(mask[tile >> 2] for meld in melds for tile in meld.tiles)


def _toitoi(counts: Sequence[int], melds: int) -> tuple[int, tuple[int, ...]]:
    sets = min(melds + sum(count >= 3 for count in counts), 4)
    pairs = sum(count == 2 for count in counts)
    wanted = 5 - sets
    improving = [kind for kind in range(KINDS) if counts[kind] == 2 and sets < 4]
    if pairs < wanted:
        improving += [kind for kind in range(KINDS) if counts[kind] == 1]
    return 8 - 2 * sets - min(pairs, wanted), tuple(sorted(improving))
