"""The answers of the scoring kernel for one complete hand and any tile that completes it.

A hand is taken apart once (:func:`read_hand`); what a win by a tile can count for is then listed for each
(:func:`list_answers`), and the best of that for any circumstances and number of extra han is a matter of comparing.

Example: 11223399m 456p 789s has one reading, with 123m twice. Won by 1m it is a two-sided wait on either run, so there
is one answer, pinfu beside the twin runs (iipeikou). 112233m 778899p 55s reads as two pairs of twin runs and as seven
pairs; :func:`best_answer` weighs the two.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import part
from engine.scoring.win_kernels import (
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
from engine.scoring.yaku_kernels import ALL_YAKUMAN, CHINITSU, nine_gates, popcount, ways_to_win
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
        if no_melds and yaku & CHINITSU:
            yaku |= nine_gates(counts, win)
        waits = ways_to_win(
            found[reading, MAN], found[reading, PIN], found[reading, SOU], found[reading, TRIPLETS],
            found[reading, PAIR], win,
        )  # fmt: skip
        while waits:
            wait = waits & -waits
            waits &= waits - 1
            this = of_wait(
                yaku, found[reading, FU], found[reading, FLAT] != 0, found[reading, CLOSED], wait, win, tsumo, is_open
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
