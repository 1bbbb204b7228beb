"""Plans: ways to a yaku, and how far a hand is from winning *with* one.

A closed hand can always declare riichi, so its only plan is to be quick. A hand that has, or is about to have, an open
meld needs a yaku: each plan measures shanten and ukeire towards a hand with its yaku. The shanten tables hold how many
tiles are missing, whatever the number held: a tile that the plan cannot use is simply left out.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import part
from engine.model.tiles import TERMINALS_AND_HONOURS
from engine.policy.simple.sight_kernels import Sight
from engine.rules.table_kernels import Table
from engine.scoring.yaku_kernels import WIN_OPEN_TANYAO
from engine.shanten.shanten_kernels import hand_words, shanten_changed, shanten_of_words
from engine.shanten.table_kernels import HandTables

CLOSED, NO_YAKU, YAKUHAI, YAKUHAI_PAIR = range(4)
TANYAO, HONITSU, TOITOI, PLANS = 10, 11, 14, 15
"""Plans, in the order in which equal ones count: a closed hand; an open one without a way to a yaku; yakuhai held or
melded; each yakuhai pair that must become a triplet, by kind; tanyao; honitsu in each suit; toitoi. And how
many there are."""

_ALL = (1 << 34) - 1
_ALLOWED = np.full(PLANS, _ALL, np.int64)
_ALLOWED[TANYAO] = _ALL & ~sum(1 << kind for kind in TERMINALS_AND_HONOURS)
for _suit in range(3):
    _ALLOWED[HONITSU + _suit] = 0x1FF << 9 * _suit | 0x7F << 27


@part
def allowed_by(plan: int) -> int:
    """Bit set of the kinds that may be part of a hand on a plan."""
    return int(_ALLOWED[plan])


@part
def triplet_of(plan: int) -> int:
    """The kind that must become a triplet on a plan, or -1."""
    return plan - YAKUHAI_PAIR + 27 if YAKUHAI_PAIR <= plan < TANYAO else -1


@part
def plans_of(table: Table, sight: Sight) -> int:
    """Bit set of the plans that the hand can follow; NO_YAKU alone if there are none."""
    if not sight.is_open:
        return 1 << CLOSED
    made = sight.meld_yakuhai
    found = 0
    for kind in range(27, 34):
        if sight.yakuhai[kind]:
            if table.hand[kind] >= 3:
                made += sight.yakuhai[kind]
            elif table.hand[kind] == 2 and sight.unseen[kind]:
                found |= 1 << (YAKUHAI_PAIR + kind - 27)
    if made:
        found = 1 << YAKUHAI
    for plan in range(TANYAO, TOITOI):
        if not sight.melded_kinds & ~allowed_by(plan) and (plan != TANYAO or table.rule_flags & WIN_OPEN_TANYAO):
            found |= 1 << plan
    if not sight.has_chi:
        found |= 1 << TOITOI
    return found or 1 << NO_YAKU


@part
def plan_shanten(table: Table, sight: Sight, plan: int, tables: HandTables) -> int:
    """Shanten of the hand on a plan, -1 when complete; leaves the hand on the plan in ``work`` and ``words``."""
    hand = table.hand
    if plan == TOITOI:
        return _toitoi_shanten(hand, sight.melds)
    work = sight.work
    allowed = allowed_by(plan)
    for kind in range(34):
        work[kind] = hand[kind] if allowed >> kind & 1 else 0
    missing = 0
    triplet = triplet_of(plan)
    if triplet >= 0:
        missing = max(0, 3 - int(work[triplet]))
        work[triplet] = 0
    words = sight.words
    words[0], words[1], words[2], words[3] = hand_words(work, tables)
    melds = sight.melds + int(triplet >= 0)
    return shanten_of_words(words[0], words[1], words[2], words[3], melds, tables) + missing


@part
def improving(table: Table, sight: Sight, plan: int, shanten: int, tables: HandTables) -> int:
    """Bit set of the kinds that lower the shanten that :func:`plan_shanten` has just found on this plan."""
    if plan == TOITOI:
        return _toitoi_kinds(table.hand, sight.melds)
    triplet = triplet_of(plan)
    if triplet < 0:
        return lowering(sight.work, sight.words, sight.melds, allowed_by(plan), shanten, tables)
    missing = max(0, 3 - int(table.hand[triplet]))
    rest = allowed_by(plan) & ~(1 << triplet)
    kinds = lowering(sight.work, sight.words, sight.melds + 1, rest, shanten - missing, tables)
    return kinds | int(missing > 0) << triplet


@part
def lowering(
    counts: NDArray[np.uint8], words: NDArray[np.int64], melds: int, allowed: int, shanten: int, tables: HandTables
) -> int:
    """Bit set of the allowed kinds whose draw brings a hand below a shanten; ``words`` are those of its suits."""
    kinds = 0
    for suit in range(4):
        for kind in range(9 * suit, min(9 * suit + 9, 34)):
            if allowed >> kind & 1 and counts[kind] < 4:
                counts[kind] += 1
                after = shanten_changed(counts, suit, words[0], words[1], words[2], words[3], melds, tables)
                counts[kind] -= 1
                kinds |= int(after < shanten) << kind
    return kinds


@part
def _toitoi_shanten(hand: NDArray[np.uint8], melds: int) -> int:
    sets, pairs = _sets_and_pairs(hand, melds)
    return 8 - 2 * sets - min(pairs, 5 - sets)


@part
def _toitoi_kinds(hand: NDArray[np.uint8], melds: int) -> int:
    sets, pairs = _sets_and_pairs(hand, melds)
    kinds = 0
    for kind in range(34):
        wanted = (hand[kind] == 2 and sets < 4) or (hand[kind] == 1 and pairs < 5 - sets)
        kinds |= int(wanted) << kind
    return kinds


@part
def _sets_and_pairs(hand: NDArray[np.uint8], melds: int) -> tuple[int, int]:
    sets = melds
    pairs = 0
    for kind in range(34):
        sets += int(hand[kind] >= 3)
        pairs += int(hand[kind] == 2)
    return min(sets, 4), pairs
