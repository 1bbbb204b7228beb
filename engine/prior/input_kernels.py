"""A seat's view and what it is asked, as whole numbers for the network: PLANES for each kind of tile, GLOBALS beside.

The same kernels fill them from a live state and from recordings. All numbers fit a byte, so that many decisions fit
in memory; :mod:`engine.prior.inputs` names them and says by what each is multiplied before the network sees it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_kernel, allocating_part, part
from engine.opponents.view_kernels import (
    F_DEALER,
    F_HONBA,
    F_INDICATORS,
    F_IPPATSU,
    F_KYOKU,
    F_LAST_KYOKU,
    F_OWN_REDS,
    F_REDS,
    F_RIICHI,
    F_SCORES,
    F_SEAT,
    F_STICKS,
    F_WALL,
    M_CALLED,
    M_KIND,
    M_LOW,
    M_ORDER,
    M_REDS,
    R_FLAGS,
    R_KIND,
    R_ORDER,
    R_RIICHI,
    R_TSUMOGIRI,
    View,
)
from engine.prior.points_kernels import mean_points, own_melds
from engine.scoring.win_kernels import MELD_CHI, MELD_OPEN_KAN, MELD_PON, open_melds
from engine.shanten.shanten_kernels import (
    NOT_HELD,
    TILES_OK,
    hand_shanten,
    neighbour_shanten,
    orphans_of_sum,
    pairs_of_sum,
    row_word,
)

Q_DRAWN, Q_OFFERED, Q_GIVER, Q_DISCARDS, Q_RIICHI, Q_KANS, Q_CALLS, Q_NINE, Q_WHO = range(9)
"""What the seat is asked: kind drawn and kind on offer, -1 for none; the seat that offers it, as seen from the viewer;
bit sets of the kinds that may be discarded, discarded with riichi, made a closed or added kan; bit set of the CALL_
answers; 1 where nine terminals may be declared; who plays, a WHO_ number."""
QUESTION = 9

CALL_LOW, CALL_MIDDLE, CALL_HIGH, CALL_PON, CALL_KAN = range(5)
"""Answers to another's tile: a chi in which the tile called is the lowest, the middle, the highest; pon; open kan."""
CALLS = 5

WHO_OTHER, WHO_TOKUJOU, WHO_PHOENIX, WHO_PROGRAM = range(4)
"""Who plays: somebody at another table; in the upper-dan room; in the phoenix room; the strongest program."""

(
    HELD_1, HELD_2, HELD_3, HELD_4, RED_HELD, DRAWN, OFFERED, UNSEEN, DORA, RED_UNSEEN,
    MAY_DISCARD, MAY_RIICHI, MAY_KAN, KAN_KEEPS, NEAREST, ONE_WORSE, UKEIRE, ACCEPTED_KINDS, FURITEN, ACCEPTED,
    OWN_WIND, ROUND_WIND, SILENT_POINTS, RIICHI_POINTS,
) = range(24)  # fmt: skip
OWN_PLANES = 24
IN_MELDS, CALLED, IN_RIVER, FROM_HAND, TSUMOGIRI, FIRST, RIICHI_TILE, AFTER_CALL = range(8)
SEAT_PLANES = 8
"""Planes of each seat, from the viewer on."""
SAFE, WAYS, CHANGES = range(3)
OPPONENT_PLANES = 3
"""Planes of each opponent, from the right on."""
SEATS_AT = OWN_PLANES
OPPONENTS_AT = SEATS_AT + 4 * SEAT_PLANES
PLANES = OPPONENTS_AT + 3 * OPPONENT_PLANES

G_WHO = 0
G_ASKED = 4
G_SHANTEN = 7
G_FORMS = 15
G_UKEIRE = 18
G_CALLS = 19
CALL_NUMBERS = 6
G_WALL = G_CALLS + CALLS * CALL_NUMBERS
G_ROUND = G_WALL + 5
G_SEAT_WIND = G_ROUND + 8
G_SCORES = G_SEAT_WIND + 4
G_OWN = G_SCORES + 10
G_OTHERS = G_OWN + 10
OTHER_NUMBERS = 13
G_GIVER = G_OTHERS + 3 * OTHER_NUMBERS
GLOBALS = G_GIVER + 3

POINTS_STEP = 100
"""Points that count as one."""
CENTRE = 128
"""Stands for nought in numbers that may be negative."""


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
        _seat(view, (viewer + away) & 3, away, planes)
        if away:
            _opponent(view, (viewer + away) & 3, away, planes, numbers)
    if question[Q_OFFERED] >= 0:
        _hand_as_it_is(view, question, words, merge, firsts, readings, planes, numbers)
    else:
        _hand_after_discards(view, question, words, merge, firsts, readings, planes, numbers)
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
        melded_dora += _meld_dora(view, facts[F_SEAT], at)
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


@allocating_part
def _meld_dora(view: View, seat: int, at: int) -> int:
    meld = view.melds[seat, at]
    low = int(meld[M_LOW])
    dora = int(meld[M_REDS])
    if meld[M_KIND] == 0:
        return dora + int(view.dora[low]) + int(view.dora[low + 1]) + int(view.dora[low + 2])
    return dora + (3 if meld[M_KIND] == 1 else 4) * int(view.dora[low])


@allocating_part
def _seat(view: View, seat: int, away: int, planes: Array2[np.uint8]) -> None:
    """A seat's melds and river."""
    base = SEATS_AT + SEAT_PLANES * away
    for at in range(view.meld_counts[seat]):
        meld = view.melds[seat, at]
        kind = int(meld[M_KIND])
        low = int(meld[M_LOW])
        if kind == 0:
            for tile in range(low, low + 3):
                planes[tile, base + IN_MELDS] += 1
        else:
            planes[low, base + IN_MELDS] += 3 if kind == 1 else 4
        if meld[M_CALLED] >= 0:
            planes[int(meld[M_CALLED]), base + CALLED] = 1
        order = int(meld[M_ORDER])
        if kind <= 1 and order >= 0:
            for own in range(view.lengths[seat]):
                if view.rivers[seat, own, R_ORDER] > order:
                    planes[int(view.rivers[seat, own, R_KIND]), base + AFTER_CALL] = 1
                    break
    length = view.lengths[seat]
    for at in range(length):
        kind = int(view.rivers[seat, at, R_KIND])
        flags = view.rivers[seat, at, R_FLAGS]
        row = planes[kind]
        row[base + IN_RIVER] += 1
        recent = max(1, 24 - (length - 1 - at))
        row[base + (TSUMOGIRI if flags & R_TSUMOGIRI else FROM_HAND)] = recent
        if row[base + FIRST] == 0:
            row[base + FIRST] = max(1, 24 - at)
        if flags & R_RIICHI:
            row[base + RIICHI_TILE] = 1


@allocating_part
def _opponent(view: View, seat: int, away: int, planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    """What an opponent cannot win on, what it may wait for, how it stands."""
    facts = view.facts
    base = OPPONENTS_AT + OPPONENT_PLANES * (away - 1)
    length = view.lengths[seat]
    rivers = view.rivers
    latest = -1
    riichi_order = -1
    tail = 0
    changes = 0
    since_riichi = 0
    safe = 0
    for at in range(length):
        safe |= 1 << int(rivers[seat, at, R_KIND])
        latest = max(latest, int(rivers[seat, at, R_ORDER]))
        since_riichi += riichi_order >= 0
        if rivers[seat, at, R_FLAGS] & R_RIICHI:
            riichi_order = int(rivers[seat, at, R_ORDER])
        if rivers[seat, at, R_FLAGS] & R_TSUMOGIRI:
            tail += 1
        else:
            tail = 0
            changes += 1
    for other in range(4):
        if other == seat:
            continue
        for at in range(view.lengths[other]):
            kind = int(rivers[other, at, R_KIND])
            order = int(rivers[other, at, R_ORDER])
            if order < 0:
                continue
            if order > latest or 0 <= riichi_order < order:
                safe |= 1 << kind
            changed = 0
            for own in range(length - 1, -1, -1):
                if rivers[seat, own, R_ORDER] < order:
                    break
                changed += not rivers[seat, own, R_FLAGS] & R_TSUMOGIRI
            fresh = max(0, 5 - changed)
            planes[kind, base + CHANGES] = max(planes[kind, base + CHANGES], fresh)
    visible = view.visible
    for kind in range(34):
        if safe >> kind & 1:
            planes[kind, base + SAFE] = 1
            continue
        if kind >= 27:
            continue
        number = kind % 9
        ways = 0
        if number <= 5 and not safe >> (kind + 3) & 1:
            ways += max(0, 4 - int(visible[kind + 1])) * max(0, 4 - int(visible[kind + 2]))
        if number >= 3 and not safe >> (kind - 3) & 1:
            ways += max(0, 4 - int(visible[kind - 1])) * max(0, 4 - int(visible[kind - 2]))
        planes[kind, base + WAYS] = ways

    opened = 0
    dora = 0
    yakuhai = 0
    suits = 0
    for at in range(view.meld_counts[seat]):
        low = int(view.melds[seat, at, M_LOW])
        opened += view.melds[seat, at, M_KIND] != 3
        dora += _meld_dora(view, seat, at)
        if low >= 31:
            yakuhai += 1
        elif low >= 27:
            yakuhai += low - 27 == (seat - facts[F_DEALER] & 3)
            yakuhai += low - 27 == facts[F_KYOKU] // 4 % 4
        else:
            suits |= 1 << low // 9
    g = G_OTHERS + OTHER_NUMBERS * (away - 1)
    numbers[g] = facts[F_RIICHI + seat] > 0
    numbers[g + 1] = facts[F_RIICHI + seat] == 2
    numbers[g + 2] = facts[F_IPPATSU + seat]
    numbers[g + 3] = since_riichi
    numbers[g + 4] = opened
    numbers[g + 5] = view.meld_counts[seat]
    numbers[g + 6] = dora
    numbers[g + 7] = yakuhai
    numbers[g + 8] = opened > 0 and suits & (suits - 1) == 0
    numbers[g + 9] = min(length, 24)
    numbers[g + 10] = min(tail, 12)
    numbers[g + 11] = min(changes, 24)
    numbers[g + 12] = seat == facts[F_DEALER]


@part
def _forms(counts: NDArray[np.uint8], words: NDArray[np.uint32], numbers: NDArray[np.uint8]) -> None:
    """How far the hand is from seven pairs and thirteen orphans, where it has no meld."""
    total = 0
    for suit in range(4):
        total += row_word(counts, suit, words)
    numbers[G_FORMS] = max(0, pairs_of_sum(total) + 1)
    numbers[G_FORMS + 1] = max(0, orphans_of_sum(total) + 1)
    numbers[G_FORMS + 2] = 1


@part
def _ukeire(
    counts: NDArray[np.uint8],
    melds: int,
    visible: NDArray[np.uint8],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    after: NDArray[np.int8],
) -> tuple[int, int, int]:
    """Unseen tiles that bring a hand with a tile to come nearer, their kinds as a number and as a bit set."""
    if neighbour_shanten(counts, melds, 1, words, merge, after) != TILES_OK:
        return 0, 0, 0
    total = 0
    kinds = 0
    mask = 0
    for kind in range(34):
        if after[kind] < after[34]:
            total += max(0, 4 - int(visible[kind]))
            kinds += 1
            mask |= 1 << kind
    return total, kinds, mask


@allocating_part
def _hand_after_discards(
    view: View,
    question: NDArray[np.int64],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    planes: Array2[np.uint8],
    numbers: NDArray[np.uint8],
) -> None:
    """A hand with a tile too many: how near it is after each discard and each kan."""
    seat = view.facts[F_SEAT]
    melds = view.meld_counts[seat]
    counts = view.hand.copy()
    after = np.empty(35, np.int8)
    accepted = np.empty(35, np.int8)
    if neighbour_shanten(counts, melds, -1, words, merge, after) != TILES_OK:
        return
    best = NOT_HELD
    for kind in range(34):
        best = min(best, int(after[kind]))
    own_river = 0
    for at in range(view.lengths[seat]):
        own_river |= 1 << int(view.rivers[seat, at, R_KIND])
    melded = np.zeros(34, np.uint8)
    packed, reds = own_melds(view, melded)
    closed = not open_melds(packed)
    most = 0
    for kind in range(34):
        if after[kind] > best + 1:
            continue
        row = planes[kind]
        row[NEAREST if after[kind] == best else ONE_WORSE] = 1
        counts[kind] -= 1
        total, kinds, mask = _ukeire(counts, melds, view.visible, words, merge, accepted)
        if after[kind] == 0:
            silent = mean_points(view, counts, mask, packed, melded, reds, False, words, firsts, readings)
            row[SILENT_POINTS] = min(silent // POINTS_STEP, 255)
            if closed:
                loud = mean_points(view, counts, mask, packed, melded, reds, True, words, firsts, readings)
                row[RIICHI_POINTS] = min(loud // POINTS_STEP, 255)
        counts[kind] += 1
        row[UKEIRE] = min(total, 255)
        row[ACCEPTED_KINDS] = kinds
        if after[kind] == 0 and mask & own_river:
            row[FURITEN] = 1
        if after[kind] == best:
            most = max(most, total)
            for tile in range(34):
                if mask >> tile & 1:
                    planes[tile, ACCEPTED] = 1
    for kind in range(34):
        if not question[Q_KANS] >> kind & 1:
            continue
        taken = int(counts[kind])
        counts[kind] = 0
        made = hand_shanten(counts, melds + 1 if taken == 4 else melds, words, merge)
        counts[kind] = taken
        planes[kind, KAN_KEEPS] = made <= best
    numbers[G_SHANTEN + min(max(best, 0), 7)] = 1
    numbers[G_UKEIRE] = min(most, 255)
    if melds == 0:
        _forms(counts, words, numbers)


@allocating_part
def _hand_as_it_is(
    view: View,
    question: NDArray[np.int64],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    planes: Array2[np.uint8],
    numbers: NDArray[np.uint8],
) -> None:
    """A hand asked about another's tile: how near it is, and after each call."""
    melds = view.meld_counts[view.facts[F_SEAT]]
    counts = view.hand.copy()
    accepted = np.empty(35, np.int8)
    total, _, mask = _ukeire(counts, melds, view.visible, words, merge, accepted)
    now = int(accepted[34])
    for kind in range(34):
        planes[kind, ACCEPTED] = mask >> kind & 1
    numbers[G_SHANTEN + min(max(now, 0), 7)] = 1
    numbers[G_UKEIRE] = min(total, 255)
    if melds == 0:
        _forms(counts, words, numbers)
    offered = question[Q_OFFERED]
    melded = np.zeros(34, np.uint8)
    packed, reds = own_melds(view, melded)
    for call in range(CALLS):
        if not question[Q_CALLS] >> call & 1:
            continue
        one, other, copies = offered, offered, 1
        code = MELD_PON
        if call == CALL_LOW:
            one, other = offered + 1, offered + 2
        elif call == CALL_MIDDLE:
            one, other = offered - 1, offered + 1
        elif call == CALL_HIGH:
            one, other = offered - 2, offered - 1
        elif call == CALL_KAN:
            copies = 2
            code = MELD_OPEN_KAN
        if call <= CALL_HIGH:
            code = MELD_CHI
        counts[one] -= copies
        counts[other] -= 1
        for tile, made in ((one, copies), (other, 1), (offered, 1)):
            melded[tile] += made
        meld = code << 6 | (min(one, other, offered) + 1)
        near, most, points = _after_call(
            view, counts, packed << 8 | meld, melded, reds, melds + 1, words, merge, firsts, readings
        )
        counts[one] += copies
        counts[other] += 1
        for tile, made in ((one, copies), (other, 1), (offered, 1)):
            melded[tile] -= made
        g = G_CALLS + CALL_NUMBERS * call
        numbers[g] = 1
        numbers[g + 1] = near < now
        numbers[g + 2] = near == now
        numbers[g + 3] = min(most, 255)
        numbers[g + 4] = near <= 0
        numbers[g + 5] = min(points // POINTS_STEP, 255)


@allocating_part
def _after_call(
    view: View,
    counts: NDArray[np.uint8],
    packed: int,
    melded: NDArray[np.uint8],
    reds: int,
    melds: int,
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Shanten after a call and its best discard, the most ukeire among those, and the points of that hand if tenpai."""
    after = np.empty(35, np.int8)
    accepted = np.empty(35, np.int8)
    points = 0
    if neighbour_shanten(counts, melds, -1, words, merge, after) != TILES_OK:
        # an open kan: nothing to discard yet
        total, _, mask = _ukeire(counts, melds, view.visible, words, merge, accepted)
        if accepted[34] == 0:
            points = mean_points(view, counts, mask, packed, melded, reds, False, words, firsts, readings)
        return int(accepted[34]), total, points
    best = NOT_HELD
    for kind in range(34):
        best = min(best, int(after[kind]))
    most = 0
    for kind in range(34):
        if after[kind] == best:
            counts[kind] -= 1
            total, _, mask = _ukeire(counts, melds, view.visible, words, merge, accepted)
            if best == 0 and (total > most or points == 0):
                points = mean_points(view, counts, mask, packed, melded, reds, False, words, firsts, readings)
            counts[kind] += 1
            most = max(most, total)
    return best, most, points


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
