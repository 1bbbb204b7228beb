"""A seat's view and what it is asked, as the whole numbers that the imitating network sees.

:mod:`engine.networks.imitation_layout_kernels` says where each stands. The same kernels fill them from a live state
and from recordings. All numbers fit a byte, so that many decisions fit in memory.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, allocating_part, kernel, part
from engine.networks import imitation_layout_kernels as layout
from engine.networks.imitation_hand_kernels import fill_after_calls, fill_after_discards
from engine.rules import answer_kernels as answer
from engine.rules.table_kernels import (
    IS_CHI,
    IS_PON,
    WAS_RIICHI,
    WAS_TSUMOGIRI,
    Table,
    called_melds,
    changes_since,
    look,
    safe_kinds,
    yaku_of_triplet,
)
from engine.rules.win_kernels import meld_dora
from engine.shanten.table_kernels import HandTables


@allocating_kernel("prior", seconds=8.0)
def fill_inputs(
    views: Records[Table],
    questions: Array2[np.int64],
    tables: Records[HandTables],
    planes: Array3[np.uint8],
    numbers: Array2[np.uint8],
) -> None:
    """Fill ``planes`` (n, 34, PLANES) and ``numbers`` (n, GLOBALS) for n viewers and their questions."""
    for at in range(len(views)):
        _write_inputs(views[at], questions[at], tables[0], planes[at], numbers[at])


@allocating_part
def write_inputs_of(
    table: Table,
    seat: int,
    question: NDArray[np.int64],
    tables: HandTables,
    planes: Array2[np.uint8],
    numbers: NDArray[np.uint8],
) -> None:
    """Fill the inputs of a seat at a table where all hands are open.

    A riichi declared with the discard on offer counts as accepted: for whoever is asked it is as good as that.
    """
    if table.declared >= 0:
        table.riichi[table.declared] = table.ippatsu[table.declared] = 1
    look(table, seat)
    _write_inputs(table, question, tables, planes, numbers)
    if table.declared >= 0:
        table.riichi[table.declared] = table.ippatsu[table.declared] = 0


@allocating_part
def _write_inputs(
    table: Table, question: NDArray[np.int64], tables: HandTables, planes: Array2[np.uint8], numbers: NDArray[np.uint8]
) -> None:
    """Fill ``planes`` (34, PLANES) and ``numbers`` (GLOBALS) with what the viewer knows when it is asked."""
    planes[:] = 0
    numbers[:] = 0
    viewer = table.viewer
    _own_tiles(table, question, planes, numbers)
    for away in range(4):
        fill_seat(table, (viewer + away) & 3, away, planes)
        if away:
            fill_opponent(table, (viewer + away) & 3, away, planes, numbers)
    if question[layout.Q_OFFERED] >= 0:
        fill_after_calls(table, question, tables, planes, numbers)
    else:
        fill_after_discards(table, question, tables, planes, numbers)
    _table(table, question, numbers)


@allocating_part
def _own_tiles(table: Table, question: NDArray[np.int64], planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    dora_held = 0
    dora_left = 0
    pairs = 0
    terminals = 0
    for kind in range(34):
        row = planes[kind]
        held = int(table.hand[kind])
        for number in range(held):
            row[layout.HELD_1 + number] = 1
        pairs += held >= 2
        terminals += held > 0 and (kind >= 27 or kind % 9 == 0 or kind % 9 == 8)
        row[layout.UNSEEN] = max(0, 4 - int(table.visible[kind]))
        row[layout.DORA] = table.dora[kind]
        dora_held += held * int(table.dora[kind])
        dora_left += int(row[layout.UNSEEN]) * int(table.dora[kind])
        row[layout.MAY_DISCARD] = question[layout.Q_DISCARDS] >> kind & 1
        row[layout.MAY_RIICHI] = question[layout.Q_RIICHI] >> kind & 1
        row[layout.MAY_KAN] = question[layout.Q_KANS] >> kind & 1
    for suit in range(3):
        row = planes[9 * suit + 4]
        row[layout.RED_HELD] = table.own_reds[suit]
        row[layout.RED_UNSEEN] = 1 - table.reds_seen[suit]
        dora_held += table.own_reds[suit]
    planes[27 + (table.viewer - table.dealer & 3), layout.OWN_WIND] = 1
    planes[27 + table.kyoku // 4 % 4, layout.ROUND_WIND] = 1
    if question[layout.Q_DRAWN] >= 0:
        planes[question[layout.Q_DRAWN], layout.DRAWN] = 1
    if question[layout.Q_OFFERED] >= 0:
        planes[question[layout.Q_OFFERED], layout.OFFERED] = 1
    melds = table.melds[table.viewer]
    melded_dora = 0
    for at in range(melds):
        melded_dora += meld_dora(table, table.viewer, at)
    numbers[layout.G_OWN] = dora_held
    numbers[layout.G_OWN + 1] = melded_dora
    numbers[layout.G_OWN + 2] = melds
    numbers[layout.G_OWN + 3] = called_melds(table, table.viewer) > 0
    numbers[layout.G_OWN + 4] = table.riichi[table.viewer] > 0
    numbers[layout.G_OWN + 5] = pairs
    numbers[layout.G_OWN + 6] = terminals
    numbers[layout.G_OWN + 7] = min(table.lengths[table.viewer], 24)
    numbers[layout.G_OWN + 8] = table.indicators
    numbers[layout.G_OWN + 9] = dora_left


@part
def _offset(points: int) -> int:
    """A difference of points as a byte."""
    return min(max(points // 400 + layout.CENTRE, 0), 255)


@allocating_part
def _table(table: Table, question: NDArray[np.int64], numbers: NDArray[np.uint8]) -> None:
    """Who is asked what, wall, round, scores."""
    viewer = table.viewer
    numbers[layout.G_WHO + question[layout.Q_WHO]] = 1
    if question[layout.Q_OFFERED] >= 0:
        numbers[layout.G_ASKED + 2] = 1
        numbers[layout.G_GIVER + question[layout.Q_GIVER] - 1] = 1
    else:
        numbers[layout.G_ASKED + (0 if question[layout.Q_DRAWN] >= 0 else 1)] = 1
    wall = table.wall
    numbers[layout.G_WALL] = wall
    numbers[layout.G_WALL + 1] = wall < 4
    numbers[layout.G_WALL + 2] = wall < 12
    numbers[layout.G_WALL + 3] = wall < 24
    numbers[layout.G_WALL + 4] = wall < 48
    kyoku = table.kyoku
    last = table.last_kyoku
    numbers[layout.G_ROUND + min(kyoku // 4, 2)] = 1
    numbers[layout.G_ROUND + 3] = min(max(last - kyoku, 0), 7)
    numbers[layout.G_ROUND + 4] = kyoku >= last
    numbers[layout.G_ROUND + 5] = last == 3
    numbers[layout.G_ROUND + 6] = min(table.honba, 8)
    numbers[layout.G_ROUND + 7] = min(table.sticks, 8)
    numbers[layout.G_SEAT_WIND + (viewer - table.dealer & 3)] = 1
    own = table.scores[viewer]
    above = 0
    to_next = 1000000
    to_below = 1000000
    for away in range(1, 4):
        seat = (viewer + away) & 3
        ahead = table.scores[seat] - own
        numbers[layout.G_SCORES + away] = _offset(ahead)
        # equal points: the seat that dealt first stands above
        if ahead > 0 or (ahead == 0 and seat < viewer):
            above += 1
            to_next = min(to_next, ahead)
        else:
            to_below = min(to_below, -ahead)
    numbers[layout.G_SCORES] = _offset(own - 25000)
    numbers[layout.G_SCORES + 4 + above] = 1
    numbers[layout.G_SCORES + 8] = min(to_next // 400, 80) if above else 0
    numbers[layout.G_SCORES + 9] = min(to_below // 400, 80) if above < 3 else 0


@allocating_part
def fill_seat(table: Table, seat: int, away: int, planes: Array2[np.uint8]) -> None:
    """Fill the planes of a seat's melds and river; ``away``: the seat as seen from the viewer."""
    base = layout.SEATS_AT + layout.SEAT_PLANES * away
    for at in range(table.melds[seat]):
        kind = int(table.meld_kinds[seat, at])
        low = int(table.meld_lows[seat, at])
        if kind == IS_CHI:
            for tile in range(low, low + 3):
                planes[tile, base + layout.IN_MELDS] += 1
        else:
            planes[low, base + layout.IN_MELDS] += 3 if kind == IS_PON else 4
        if table.meld_called[seat, at] >= 0:
            planes[int(table.meld_called[seat, at]), base + layout.CALLED] = 1
        order = int(table.meld_orders[seat, at])
        if kind <= IS_PON and order >= 0:
            for own in range(table.lengths[seat]):
                if table.river_orders[seat, own] > order:
                    planes[int(table.river_kinds[seat, own]), base + layout.AFTER_CALL] = 1
                    break
    length = table.lengths[seat]
    for at in range(length):
        kind = int(table.river_kinds[seat, at])
        flags = table.river_flags[seat, at]
        row = planes[kind]
        row[base + layout.IN_RIVER] += 1
        recent = max(1, 24 - (length - 1 - at))
        row[base + (layout.TSUMOGIRI if flags & WAS_TSUMOGIRI else layout.FROM_HAND)] = recent
        if row[base + layout.FIRST] == 0:
            row[base + layout.FIRST] = max(1, 24 - at)
        if flags & WAS_RIICHI:
            row[base + layout.RIICHI_TILE] = 1


@allocating_part
def fill_opponent(table: Table, seat: int, away: int, planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    """Fill what an opponent cannot win on and may wait for, and how it stands; ``away`` as above."""
    base = layout.OPPONENTS_AT + layout.OPPONENT_PLANES * (away - 1)
    length = table.lengths[seat]
    tail = 0
    changes = 0
    since_riichi = 0
    declared = False
    for at in range(length):
        since_riichi += declared
        if table.river_flags[seat, at] & WAS_RIICHI:
            declared = table.river_orders[seat, at] >= 0
        if table.river_flags[seat, at] & WAS_TSUMOGIRI:
            tail += 1
        else:
            tail = 0
            changes += 1
    for other in range(4):
        if other == seat:
            continue
        for at in range(table.lengths[other]):
            kind = int(table.river_kinds[other, at])
            order = int(table.river_orders[other, at])
            if order < 0:
                continue
            fresh = max(0, 5 - changes_since(table, seat, order))
            planes[kind, base + layout.CHANGES] = max(planes[kind, base + layout.CHANGES], fresh)
    safe = safe_kinds(table, seat)
    visible = table.visible
    for kind in range(34):
        if safe >> kind & 1:
            planes[kind, base + layout.SAFE] = 1
            continue
        if kind >= 27:
            continue
        number = kind % 9
        ways = 0
        if number <= 5 and not safe >> (kind + 3) & 1:
            ways += max(0, 4 - int(visible[kind + 1])) * max(0, 4 - int(visible[kind + 2]))
        if number >= 3 and not safe >> (kind - 3) & 1:
            ways += max(0, 4 - int(visible[kind - 1])) * max(0, 4 - int(visible[kind - 2]))
        planes[kind, base + layout.WAYS] = ways

    opened = called_melds(table, seat)
    dora = 0
    yakuhai = 0
    suits = 0
    for at in range(table.melds[seat]):
        low = int(table.meld_lows[seat, at])
        dora += meld_dora(table, seat, at)
        yakuhai += yaku_of_triplet(table, seat, low)
        if low < 27:
            suits |= 1 << low // 9
    g = layout.G_OTHERS + layout.OTHER_NUMBERS * (away - 1)
    numbers[g] = table.riichi[seat] > 0
    numbers[g + 1] = table.riichi[seat] == 2
    numbers[g + 2] = table.ippatsu[seat]
    numbers[g + 3] = since_riichi
    numbers[g + 4] = opened
    numbers[g + 5] = table.melds[seat]
    numbers[g + 6] = dora
    numbers[g + 7] = yakuhai
    numbers[g + 8] = opened > 0 and suits & (suits - 1) == 0
    numbers[g + 9] = min(length, 24)
    numbers[g + 10] = min(tail, 12)
    numbers[g + 11] = min(changes, 24)
    numbers[g + 12] = seat == table.dealer


@part
def ask_nothing(question: NDArray[np.int64]) -> None:
    """Fill ``question`` (QUESTION) for a seat that only looks."""
    question[:] = 0
    question[layout.Q_DRAWN] = -1
    question[layout.Q_OFFERED] = -1


@part
def fill_question(table: Table, seat: int, legal: NDArray[np.int64], who: int, question: NDArray[np.int64]) -> None:
    """Fill ``question`` (QUESTION) from a seat's legal answers; wins, which are no question, are left out.

    Args:
        table: the table.
        seat: who is asked.
        legal: its four bit sets, see :mod:`engine.rules.answer_kernels`.
        who: a WHO_ number of the layout.
        question: where to write.
    """
    ask_nothing(question)
    question[layout.Q_WHO] = who
    others = int(legal[answer.OTHERS_WORD])
    if others >> (answer.PASS - answer.CHI) & 1:
        question[layout.Q_OFFERED] = table.offered >> 2
        question[layout.Q_GIVER] = (table.turn - seat) & 3
        for call in range(layout.CALL_PON + 1):  # each is two answers, without and with a red five
            question[layout.Q_CALLS] |= int(others >> 2 * call & 3 != 0) << call
        question[layout.Q_CALLS] |= (others >> (answer.OPEN_KAN - answer.CHI) & 1) << layout.CALL_KAN
        return
    if table.drawn >= 0:
        question[layout.Q_DRAWN] = table.drawn >> 2
    question[layout.Q_DISCARDS] = _kinds(legal[answer.DISCARDS_WORD], table.drawn)
    question[layout.Q_RIICHI] = _kinds(legal[answer.RIICHI_WORD], table.drawn)
    question[layout.Q_KANS] = legal[answer.KANS_WORD]
    question[layout.Q_NINE] = others >> (answer.NINE - answer.CHI) & 1


@kernel("prior", seconds=0.5)
def ask_viewer(records: Records[Table], legal: NDArray[np.int64], who: int, question: NDArray[np.int64]) -> None:
    """:func:`fill_question` for the viewer of a record."""
    fill_question(records[0], records[0].viewer, legal, who, question)


@part
def _kinds(looks: int, drawn: int) -> int:
    """Bit set of the kinds of some looks, ``tile37``, and of the tile just drawn."""
    kinds = looks & (1 << 34) - 1
    for suit in range(3):
        kinds |= (looks >> (34 + suit) & 1) << (9 * suit + 4)
    return kinds | (looks >> answer.THE_DRAWN & 1) << (drawn >> 2)
