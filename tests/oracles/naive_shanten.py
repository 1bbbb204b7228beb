"""Shanten by definition, with no table: slow, and nothing of the package is used."""

from __future__ import annotations

from functools import cache

ORPHANS = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)


def is_sets(counts, need):
    """Whether the tiles are exactly ``need`` runs and triplets."""
    kind = next((kind for kind, count in enumerate(counts) if count), None)
    if kind is None:
        return need == 0
    if counts[kind] >= 3 and is_sets(_less(counts, kind, kind, kind), need - 1):
        return True
    if kind < 27 and kind % 9 < 7 and counts[kind + 1] and counts[kind + 2]:
        return is_sets(_less(counts, kind, kind + 1, kind + 2), need - 1)
    return False


def is_complete(counts, melds):
    """Standard form, seven pairs or thirteen orphans."""
    pairs = [kind for kind in range(34) if counts[kind] >= 2]
    if any(is_sets(_less(counts, kind, kind), 4 - melds) for kind in pairs):
        return True
    if melds:
        return False
    orphans = all(counts[kind] for kind in ORPHANS) and sum(counts[kind] for kind in ORPHANS) == 14
    return orphans or sum(count == 2 for count in counts) == 7


def standard(counts, melds):
    """Fewest tiles missing from any four sets (less ``melds``) and a pair that use at most four of a kind, less one."""

    @cache
    def missing(kind, sets, pair, last, before):
        # last, before: runs begun one and two kinds ago, which need this kind too; none is begun at 8 or 9
        if kind == 34:
            return 0 if sets == 0 and not pair else 99
        best = 99
        can_start = kind < 27 and kind % 9 < 7
        for runs in range(min(sets, 4) + 1 if can_start else 1):
            for triplet in range(2 if sets - runs else 1):
                for eyes in range(2 if pair else 1):
                    target = last + before + runs + 3 * triplet + 2 * eyes
                    if target > 4:
                        continue
                    ends_suit = kind % 9 == 8 and kind < 27
                    rest = missing(
                        kind + 1,
                        sets - runs - triplet,
                        pair and not eyes,
                        0 if ends_suit else runs,
                        0 if ends_suit else last,
                    )
                    best = min(best, max(0, target - counts[kind]) + rest)
        return best

    return missing(0, 4 - melds, True, 0, 0) - 1


def seven_pairs(counts):
    pairs = sum(count >= 2 for count in counts)
    kinds = sum(count >= 1 for count in counts)
    return 6 - pairs + max(0, 7 - kinds)


def thirteen_orphans(counts):
    kinds = sum(counts[kind] >= 1 for kind in ORPHANS)
    return 13 - kinds - any(counts[kind] >= 2 for kind in ORPHANS)


def shanten(counts, melds=0):
    if melds:
        return standard(counts, melds)
    return min(standard(counts, 0), seven_pairs(counts), thirteen_orphans(counts))


def _less(counts, *kinds):
    rest = list(counts)
    for kind in kinds:
        rest[kind] -= 1
    return rest
