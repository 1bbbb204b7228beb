"""A seat's view and what it is asked, as the whole numbers that the imitating network sees.

:mod:`engine.prior.layout_kernels` says where each stands. The same kernels fill them from a live state and from
recordings. All numbers fit a byte, so that many decisions fit in memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_kernel, allocating_part, part
from engine.opponents.view_kernels import (
    F_DEALER,
    F_HONBA,
    F_INDICATORS,
    F_KYOKU,
    F_LAST_KYOKU,
    F_OWN_REDS,
    F_REDS,
    F_RIICHI,
    F_SCORES,
    F_SEAT,
    F_STICKS,
    F_WALL,
    M_KIND,
    View,
)
from engine.prior.hand_kernels import fill_after_calls, fill_after_discards
from engine.prior.layout_kernels import (
    CENTRE,
    DORA,
    DRAWN,
    G_ASKED,
    G_GIVER,
    G_OWN,
    G_ROUND,
    G_SCORES,
    G_SEAT_WIND,
    G_WALL,
    G_WHO,
    HELD_1,
    MAY_DISCARD,
    MAY_KAN,
    MAY_RIICHI,
    OFFERED,
    OWN_WIND,
    Q_DISCARDS,
    Q_DRAWN,
    Q_GIVER,
    Q_KANS,
    Q_OFFERED,
    Q_RIICHI,
    Q_WHO,
    RED_HELD,
    RED_UNSEEN,
    ROUND_WIND,
    UNSEEN,
)
from engine.prior.seat_kernels import fill_opponent, fill_seat, meld_dora


@allocating_kernel
def fill_inputs(
    view: View,
    question: NDArray[np.int64],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    planes: Array2[np.uint8],
    numbers: NDArray[np.uint8],
) -> None:
    """Fill ``planes`` (34, PLANES) and ``numbers`` (GLOBALS) with what the viewer knows when it is asked."""
    planes[:] = 0
    numbers[:] = 0
    viewer = view.facts[F_SEAT]
    _own_tiles(view, question, planes, numbers)
    for away in range(4):
        fill_seat(view, (viewer + away) & 3, away, planes)
        if away:
            fill_opponent(view, (viewer + away) & 3, away, planes, numbers)
    if question[Q_OFFERED] >= 0:
        fill_after_calls(view, question, words, merge, firsts, readings, planes, numbers)
    else:
        fill_after_discards(view, question, words, merge, firsts, readings, planes, numbers)
    _table(view, question, numbers)


@allocating_part
def _own_tiles(view: View, question: NDArray[np.int64], planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    facts = view.facts
    dora_held = 0
    dora_left = 0
    pairs = 0
    terminals = 0
    for kind in range(34):
        row = planes[kind]
        held = int(view.hand[kind])
        for number in range(held):
            row[HELD_1 + number] = 1
        pairs += held >= 2
        terminals += held > 0 and (kind >= 27 or kind % 9 == 0 or kind % 9 == 8)
        row[UNSEEN] = max(0, 4 - int(view.visible[kind]))
        row[DORA] = view.dora[kind]
        dora_held += held * int(view.dora[kind])
        dora_left += int(row[UNSEEN]) * int(view.dora[kind])
        row[MAY_DISCARD] = question[Q_DISCARDS] >> kind & 1
        row[MAY_RIICHI] = question[Q_RIICHI] >> kind & 1
        row[MAY_KAN] = question[Q_KANS] >> kind & 1
    for suit in range(3):
        row = planes[9 * suit + 4]
        row[RED_HELD] = facts[F_OWN_REDS + suit]
        row[RED_UNSEEN] = 1 - facts[F_REDS + suit]
        dora_held += facts[F_OWN_REDS + suit]
    planes[27 + (facts[F_SEAT] - facts[F_DEALER] & 3), OWN_WIND] = 1
    planes[27 + facts[F_KYOKU] // 4 % 4, ROUND_WIND] = 1
    if question[Q_DRAWN] >= 0:
        planes[question[Q_DRAWN], DRAWN] = 1
    if question[Q_OFFERED] >= 0:
        planes[question[Q_OFFERED], OFFERED] = 1
    melds = view.meld_counts[facts[F_SEAT]]
    opened = 0
    melded_dora = 0
    for at in range(melds):
        opened += view.melds[facts[F_SEAT], at, M_KIND] != 3
        melded_dora += meld_dora(view, facts[F_SEAT], at)
    numbers[G_OWN] = dora_held
    numbers[G_OWN + 1] = melded_dora
    numbers[G_OWN + 2] = melds
    numbers[G_OWN + 3] = opened > 0
    numbers[G_OWN + 4] = facts[F_RIICHI + facts[F_SEAT]] > 0
    numbers[G_OWN + 5] = pairs
    numbers[G_OWN + 6] = terminals
    numbers[G_OWN + 7] = min(view.lengths[facts[F_SEAT]], 24)
    numbers[G_OWN + 8] = facts[F_INDICATORS]
    numbers[G_OWN + 9] = dora_left


@part
def _offset(points: int) -> int:
    """A difference of points as a byte."""
    return min(max(points // 400 + CENTRE, 0), 255)


@allocating_part
def _table(view: View, question: NDArray[np.int64], numbers: NDArray[np.uint8]) -> None:
    """Who is asked what, wall, round, scores."""
    facts = view.facts
    viewer = facts[F_SEAT]
    numbers[G_WHO + question[Q_WHO]] = 1
    if question[Q_OFFERED] >= 0:
        numbers[G_ASKED + 2] = 1
        numbers[G_GIVER + question[Q_GIVER] - 1] = 1
    else:
        numbers[G_ASKED + (0 if question[Q_DRAWN] >= 0 else 1)] = 1
    wall = facts[F_WALL]
    numbers[G_WALL] = wall
    numbers[G_WALL + 1] = wall < 4
    numbers[G_WALL + 2] = wall < 12
    numbers[G_WALL + 3] = wall < 24
    numbers[G_WALL + 4] = wall < 48
    kyoku = facts[F_KYOKU]
    last = facts[F_LAST_KYOKU]
    numbers[G_ROUND + min(kyoku // 4, 2)] = 1
    numbers[G_ROUND + 3] = min(max(last - kyoku, 0), 7)
    numbers[G_ROUND + 4] = kyoku >= last
    numbers[G_ROUND + 5] = last == 3
    numbers[G_ROUND + 6] = min(facts[F_HONBA], 8)
    numbers[G_ROUND + 7] = min(facts[F_STICKS], 8)
    numbers[G_SEAT_WIND + (viewer - facts[F_DEALER] & 3)] = 1
    own = facts[F_SCORES + viewer]
    above = 0
    to_next = 1000000
    to_below = 1000000
    for away in range(1, 4):
        seat = (viewer + away) & 3
        ahead = facts[F_SCORES + seat] - own
        numbers[G_SCORES + away] = _offset(ahead)
        # equal points: the seat that dealt first stands above
        if ahead > 0 or (ahead == 0 and seat < viewer):
            above += 1
            to_next = min(to_next, ahead)
        else:
            to_below = min(to_below, -ahead)
    numbers[G_SCORES] = _offset(own - 25000)
    numbers[G_SCORES + 4 + above] = 1
    numbers[G_SCORES + 8] = min(to_next // 400, 80) if above else 0
    numbers[G_SCORES + 9] = min(to_below // 400, 80) if above < 3 else 0
