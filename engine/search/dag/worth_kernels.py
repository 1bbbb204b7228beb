"""What a complete hand can count for, what so many han and fu are worth, and what han not known yet add to that.

A hand is taken apart once (:func:`read_hand`); what a win by a tile can count for, its *answers*, is then listed for
each (:func:`list_answers`), and the best of that for any circumstances and number of extra han is a matter of comparing
(:func:`best_answer`). :func:`expect` takes the mean over the extra han that are not known.

Example: 11223399m 456p 789s has one reading, with 123m twice. Won by 1m it is a two-sided wait on either run, so there
is one answer, pinfu beside the twin runs (iipeikou). 112233m 778899p 55s reads as two pairs of twin runs and as seven
pairs; :func:`best_answer` weighs the two. Two han and 30 fu by a ron are 2,000 points to a player who is not the
dealer, three han 3,900. If one ura indicator hits once with a chance of a tenth, the win is worth 0.9 * 2,000 + 0.1 *
3,900 = 2,190.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Array4, Records, kernel, part
from engine.scoring.payment_kernels import base_points, total_points
from engine.scoring.win_kernels import (
    FU_AT,
    NO_READING,
    ORPHANS,
    SEVEN_PAIRS,
    YAKU_BITS,
    forms_of,
    next_reading,
    of_kans,
    of_reading,
    of_wait,
    pair_and_triplets,
    sets_of_melds,
    seven_pairs,
    suits_of,
    thirteen_orphans,
    value_of,
)
from engine.scoring.yaku_kernels import ALL_YAKUMAN, han_of, popcount, ways_to_win
from engine.shanten.table_kernels import HandTables

MAN, PIN, SOU, TRIPLETS, PAIR, YAKU, FU, CLOSED, FLAT = range(9)
FACTS = 9
"""Columns of a reading."""
MOST_READINGS = 16
"""Fourteen tiles have four at most; pairs of eight tiles or more twice two."""
MOST_ANSWERS = 64
"""Of a reading and a tile there are four at most."""


@part
def read_hand(
    counts: NDArray[np.uint8], melds: int, flags: int, tables: HandTables, found: NDArray[np.int64]
) -> tuple[int, int]:
    """(number of readings of four sets and a pair, other form of the hand); ``found`` has FACTS a reading.

    ``flags`` say winds and rules, nothing of how the hand was won; the yaku of ``found`` are those of any win.
    """
    other, first, honours = forms_of(counts, melds, tables)
    if first == NO_READING:
        return 0, other
    meld_runs, meld_triplets, meld_kinds, meld_fu, closed_kans, kans, is_open = sets_of_melds(melds)
    number = 0
    reading = first
    while reading != NO_READING:
        man, pin, sou = suits_of(reading, tables)
        reading = next_reading(reading, first, tables)
        pair, triplets = pair_and_triplets(man, pin, sou, honours)
        if pair & (pair - 1):
            continue
        yaku, fu, flat = of_reading(
            man, pin, sou, triplets, pair, meld_runs, meld_triplets, meld_kinds, meld_fu, is_open, flags
        )
        found[number, MAN] = man
        found[number, PIN] = pin
        found[number, SOU] = sou
        found[number, TRIPLETS] = triplets
        found[number, PAIR] = pair
        found[number, YAKU] = yaku | of_kans(kans)
        found[number, FU] = fu
        found[number, CLOSED] = popcount(triplets) + closed_kans
        found[number, FLAT] = flat
        number += 1
    return number, other


@part
def list_answers(
    found: NDArray[np.int64],
    number: int,
    other: int,
    counts: NDArray[np.uint8],
    no_melds: bool,
    is_open: bool,
    flags: int,
    win: int,
    tsumo: bool,
    answers: NDArray[np.int64],
) -> int:
    """How many answers there are for a win by that tile, each once, in the order in which equals are preferred.

    Yaku of the circumstances are not in them (see :func:`best_answer`); one without yaku stands among them.
    """
    if other == ORPHANS:
        answers[0] = thirteen_orphans(counts, win, flags)
        return 1
    many = 0
    if other == SEVEN_PAIRS:
        answers[0] = seven_pairs(counts, flags)
        many = 1
    for reading in range(number):
        yaku = found[reading, YAKU]
        waits = ways_to_win(
            found[reading, MAN], found[reading, PIN], found[reading, SOU], found[reading, TRIPLETS],
            found[reading, PAIR], win,
        )  # fmt: skip
        while waits:
            wait = waits & -waits
            waits &= waits - 1
            this = of_wait(
                counts,
                no_melds,
                yaku,
                found[reading, FU],
                found[reading, FLAT] != 0,
                found[reading, CLOSED],
                wait,
                win,
                tsumo,
                is_open,
            )
            same = 0
            while same < many and answers[same] != this:
                same += 1
            if same == many:
                answers[many] = this
                many += 1
    return many


@part
def best_answer(answers: NDArray[np.int64], many: int, more: int, is_open: bool, bonus: int) -> int:
    """The best of the answers with the yaku ``more`` of the circumstances and ``bonus`` han; 0 without a yaku."""
    best = 0
    best_value = -1
    for entry in range(many):
        this = answers[entry]
        if this & ALL_YAKUMAN == 0:
            this |= more
        if many == 1:
            return this if this & YAKU_BITS else 0
        value = value_of(this, is_open, bonus)
        if value > best_value:
            best_value = value
            best = this
    return best


MOST_HAN = 40
FU_ROWS = 32
YAKUMAN_ROWS = 8


class Scorer(NamedTuple):
    """The tables of hands, and what its answers are worth.

    Attributes:
        tables: of hands.
        worth: ``[tsumo, fu / 5, han]``: utility and points of a win.
        worth_yakuman: ``[tsumo, yakuman]``: those of yakuman.
    """

    tables: Records[HandTables]
    worth: Array4[np.float64]
    worth_yakuman: Array3[np.float64]


@kernel("dag", seconds=1.0)
def fill_points(
    dealer: bool, kiriage: bool, extra: int, points: Array3[np.float64], points_yakuman: Array2[np.float64]
) -> None:
    """Points of every win, ``points[tsumo, fu / 5, han]`` and ``points_yakuman[tsumo, yakuman]``.

    ``extra`` is what the winner gets for honba and riichi sticks.
    """
    for tsumo in range(2):
        for fu in range(FU_ROWS):
            for han in range(MOST_HAN):
                base = base_points(han, 5 * fu, 0)
                if kiriage and base == 1920:
                    base = 2000
                points[tsumo, fu, han] = total_points(base, dealer, tsumo == 1) + extra
        for number in range(YAKUMAN_ROWS):
            points_yakuman[tsumo, number] = total_points(8000 * number, dealer, tsumo == 1) + extra


@part
def spread(chances: NDArray[np.float64], most: int, hits: NDArray[np.float64], most_hits: int) -> int:
    """Add an independent number of han to the distribution ``chances``, hits[m] being the chance of m; the most."""
    for total in range(most + most_hits, -1, -1):
        chance = 0.0
        for m in range(max(0, total - most), min(most_hits, total) + 1):
            chance += hits[m] * chances[total - m]
        chances[total] = chance
    most += most_hits
    while most > 0 and chances[most] == 0.0:
        most -= 1
    return most


class Bonus(NamedTuple):
    """Han besides those of a reading: ``low`` for certain, and 0 to ``most`` more with ``chances``."""

    low: int
    chances: NDArray[np.float64]
    most: int


@part
def expect(
    scorer: Scorer,
    answers: NDArray[np.int64],
    many: int,
    circumstances: int,
    is_open: bool,
    tsumo: int,
    bonus: Bonus,
    more: int,
    leaf: NDArray[np.float32],
    column: int,
    at: int,
) -> bool:
    """Fill the columns from ``column`` on with 0 to ``more`` han besides those of ``bonus``.

    ``answers`` are those of :func:`list_answers`, ``circumstances``
    yaku besides. False without a yaku.
    """
    best = best_answer(answers, many, circumstances, is_open, bonus.low)
    if best == 0:
        return False
    worth = scorer.worth
    yakuman = popcount(best & YAKU_BITS & ALL_YAKUMAN)
    if yakuman:
        for step in range(more + 1):
            leaf[column + step, at, 0] = scorer.worth_yakuman[tsumo, yakuman, 0]
            leaf[column + step, at, 1] = scorer.worth_yakuman[tsumo, yakuman, 1]
        return True
    for step in range(more + 1):
        utility = 0.0
        points = 0.0
        if many == 1:
            fu = best >> FU_AT
            han = han_of(best & YAKU_BITS, is_open) + bonus.low + step
            for extra in range(bonus.most + 1):
                utility += bonus.chances[extra] * worth[tsumo, fu, min(han + extra, MOST_HAN - 1), 0]
                points += bonus.chances[extra] * worth[tsumo, fu, min(han + extra, MOST_HAN - 1), 1]
        else:
            for extra in range(bonus.most + 1):
                besides = bonus.low + extra + step
                best = best_answer(answers, many, circumstances, is_open, besides)
                han = min(han_of(best & YAKU_BITS, is_open) + besides, MOST_HAN - 1)
                utility += bonus.chances[extra] * worth[tsumo, best >> FU_AT, han, 0]
                points += bonus.chances[extra] * worth[tsumo, best >> FU_AT, han, 1]
        leaf[column + step, at, 0] = utility
        leaf[column + step, at, 1] = points
    return True
