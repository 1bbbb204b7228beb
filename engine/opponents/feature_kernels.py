"""What a view says about one opponent, as the numbers that the danger model sees."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Records, allocating_kernel, part
from engine.opponents import layout_kernels as layout
from engine.rules.table_kernels import (
    IS_CHI,
    IS_CLOSED_KAN,
    IS_PON,
    WAS_RIICHI,
    WAS_TSUMOGIRI,
    Table,
    changes_since,
    safe_kinds,
    stance_of,
    yaku_of_triplet,
)
from engine.rules.win_kernels import meld_dora


@part
def place_of(kind: int) -> int:
    """Where in a row the PLANES of a kind begin."""
    if kind < 27:
        return kind // 9 * layout.SUIT + kind % 9 * layout.PLANES
    return layout.HONOURS_AT + (kind - 27) * layout.HONOUR


@allocating_kernel("danger", seconds=5.0)
def fill_opponents(
    views: Records[Table], rows: Array2[np.float32], safe: NDArray[np.int64], stances: NDArray[np.int64]
) -> None:
    """Fill a row for each opponent of each viewer, by seat; what :func:`fill_features` returns; and their stances."""
    n = 0
    for at in range(len(views)):
        table = views[at]
        for seat in range(4):
            if seat != table.viewer:
                safe[n] = fill_features(table, seat, rows[n])
                stances[n] = stance_of(table, seat)
                n += 1


@part
def fill_features(table: Table, seat: int, out: NDArray[np.float32]) -> int:
    """Fill ``out`` (FEATURES) with what is known of ``seat``; returns the bit set of kinds it cannot win on now."""
    for at in range(layout.FEATURES):
        out[at] = 0.0
    safe = safe_kinds(table, seat)
    _discards(table, seat, out)
    _tiles(table, seat, safe, out)
    _suits(table, seat, out)
    _melds_of(table, seat, out)
    _table(table, seat, out)
    return safe


@part
def _discards(table: Table, seat: int, out: NDArray[np.float32]) -> None:
    """The seat's river, the tiles that it did not call."""
    length = table.lengths[seat]
    globals_at = layout.GLOBALS_AT
    # the numbers (in the hand) of its own discards from the hand, latest first: a tile that passed before fewer of
    # them is safer, as the hand has changed less often since
    changes = 0
    for at in range(length):
        if not table.river_flags[seat, at] & WAS_TSUMOGIRI:
            changes += 1
    before = 0
    latest_change = -1
    tail = 0
    for at in range(length):
        kind = int(table.river_kinds[seat, at])
        flags = table.river_flags[seat, at]
        base = place_of(kind)
        tedashi = not flags & WAS_TSUMOGIRI
        if out[base + layout.IN_RIVER] == 0.0:
            out[base + layout.IN_RIVER] = 1.0
            out[base + layout.FIRST_AT] = 1.0 - at / 24.0
            out[base + layout.FIRST_TEDASHI] = 1.0 if tedashi else 0.0
        else:
            out[base + layout.TWICE] = 1.0
        out[base + layout.LAST_AT] = (at + 1) / 24.0
        out[base + layout.LAST_TEDASHI] = 1.0 if tedashi else 0.0
        if tedashi:
            out[base + layout.TEDASHI_1 + min(at // 4, 3)] = 1.0
            rank = changes - before  # 1: the latest change of the hand
            if rank <= 3:
                out[base + layout.LATEST + rank - 1] = 1.0
            before += 1
            latest_change = at
            tail = 0
        else:
            out[base + (layout.TSUMOGIRI_EARLY if at < 8 else layout.TSUMOGIRI_LATE)] = 1.0
            tail += 1
        if flags & WAS_RIICHI:
            out[base + layout.RIICHI_TILE] = 1.0
            out[globals_at + 3] = (at + 1) / 18.0
            out[globals_at + 4] = (length - at - 1) / 12.0
            out[globals_at + 5] = 1.0 if tedashi else 0.0
    out[globals_at + 6] = length / 18.0
    out[globals_at + 7] = changes / 14.0
    out[globals_at + 8] = min(tail, 8) / 8.0
    for back in range(6):
        if length > back and not table.river_flags[seat, length - 1 - back] & WAS_TSUMOGIRI:
            out[globals_at + 9 + back] = 1.0
    out[globals_at + 15] = (latest_change + 1) / 18.0
    for number in range(min(length, 18)):
        out[globals_at + 16 + number // 2] += 0.5

    above = (seat + 3) & 3
    for other in range(4):
        if other == seat:
            continue
        declared = table.riichi[other] > 0 and other != table.viewer
        for at in range(table.lengths[other]):
            kind = int(table.river_kinds[other, at])
            base = place_of(kind)
            out[base + layout.BY_OTHERS] += 0.25
            if declared:
                out[base + layout.BY_RIICHI] = 1.0
            order = table.river_orders[other, at]
            if order < 0:
                continue
            since = changes_since(table, seat, order)  # this discard, which it let pass
            if since == 0:
                out[base + layout.PASSED_0] = 1.0
            elif since == 1:
                out[base + layout.PASSED_1] = 1.0
            elif since <= 3:
                out[base + layout.PASSED_2] = 1.0
            else:
                out[base + layout.PASSED_4] = 1.0
            if other == above and since <= 2:
                out[base + layout.CHI_PASSED] = 1.0


@part
def _tiles(table: Table, seat: int, safe: int, out: NDArray[np.float32]) -> None:
    """Counts of each kind, and the ways in which it could be waited for."""
    visible = table.visible
    for kind in range(34):
        base = place_of(kind)
        seen = int(visible[kind])
        if safe >> kind & 1:
            out[base + layout.SAFE] = 1.0
        for number in range(min(seen, 4)):
            out[base + layout.SEEN_1 + number] = 1.0
        for number in range(min(int(table.hand[kind]), 3)):
            out[base + layout.HELD_1 + number] = 1.0
        out[base + layout.DORA] = table.dora[kind]
        left = 4 - seen
        out[base + layout.PAIR_WAYS] = left * (left - 1) / 12.0
        out[base + layout.SINGLE_WAYS] = left / 4.0
        if kind >= 27:
            continue
        number = kind % 9
        if number == 4:
            if not table.reds_seen[kind // 9]:
                out[base + layout.RED_UNSEEN] = 1.0
            if table.own_reds[kind // 9] and table.hand[kind] == 1:
                out[base + layout.DORA] += 1.0  # the only copy to discard is the red one
        if number <= 6:
            ways = (4 - visible[kind + 1]) * (4 - visible[kind + 2]) / 16.0
            if number == 6:
                out[base + layout.EDGE_WAYS] += ways
            elif not safe >> (kind + 3) & 1:
                out[base + layout.ABOVE_WAYS] = ways
        if number >= 2:
            ways = (4 - visible[kind - 1]) * (4 - visible[kind - 2]) / 16.0
            if number == 2:
                out[base + layout.EDGE_WAYS] += ways
            elif not safe >> (kind - 3) & 1:
                out[base + layout.BELOW_WAYS] = ways
        if 1 <= number <= 7:
            out[base + layout.BETWEEN_WAYS] = (4 - visible[kind - 1]) * (4 - visible[kind + 1]) / 16.0
    for honour in range(27, 34):
        traits = place_of(honour) + layout.PLANES
        dealer = table.dealer
        if honour - 27 == (seat - dealer) & 3:
            out[traits] = 1.0
        if honour - 27 == table.kyoku // 4 % 4:
            out[traits + 1] = 1.0
        if honour >= 31:
            out[traits + 2] = 1.0
        if honour - 27 == (table.viewer - dealer) & 3:
            out[traits + 3] = 1.0


@part
def _suits(table: Table, seat: int, out: NDArray[np.float32]) -> None:
    """What the river says of each suit as a whole."""
    for suit in range(3):
        at_extras = suit * layout.SUIT + 9 * layout.PLANES
        discarded = 0
        changes = 0
        first = -1
        latest = -1
        for at in range(table.lengths[seat]):
            if table.river_kinds[seat, at] // 9 != suit:
                continue
            discarded += 1
            if first < 0:
                first = at
            if not table.river_flags[seat, at] & WAS_TSUMOGIRI:
                changes += 1
                latest = at
        out[at_extras] = discarded / 8.0
        out[at_extras + 1] = changes / 8.0
        out[at_extras + 2] = 1.0 - first / 18.0 if first >= 0 else 0.0
        out[at_extras + 3] = (latest + 1) / 18.0
        out[at_extras + 4] = discarded / max(1, table.lengths[seat])
        left = 36
        held = 0
        for kind in range(9 * suit, 9 * suit + 9):
            left -= table.visible[kind]
            held += table.hand[kind]
        out[at_extras + 5] = left / 36.0
        out[at_extras + 6] = held / 14.0


@part
def _melds_of(table: Table, seat: int, out: NDArray[np.float32]) -> None:
    """The seat's melds, what they are worth, and what was discarded after them."""
    opened = closed_kans = runs = triplets = kans = dora = yakuhai = outside = inside = honours = 0
    suits = 0
    last_order = -1
    for at in range(table.melds[seat]):
        kind = int(table.meld_kinds[seat, at])
        low = int(table.meld_lows[seat, at])
        dora += meld_dora(table, seat, at)
        if kind == IS_CHI:
            runs += 1
            for tile in range(low, low + 3):
                out[place_of(tile) + layout.IN_MELDS] += 0.25
            outside += int(low % 9 == 0 or low % 9 == 6)
            inside += int(low % 9 != 0 and low % 9 != 6)
        else:
            copies = 3 if kind == IS_PON else 4
            triplets += 1
            kans += copies == 4
            out[place_of(low) + layout.IN_MELDS] += 0.25 * copies
            if low >= 27:
                honours += 1
                yakuhai += yaku_of_triplet(table, seat, low)
            outside += int(low >= 27 or low % 9 == 0 or low % 9 == 8)
            inside += int(low < 27 and low % 9 != 0 and low % 9 != 8)
        if low < 27:
            suits |= 1 << low // 9
            out[low // 9 * layout.SUIT + 9 * layout.PLANES + layout.SUIT_MELDS] += 0.25
        if kind == IS_CLOSED_KAN:
            closed_kans += 1
            continue
        opened += 1
        if table.meld_called[seat, at] >= 0:
            out[place_of(int(table.meld_called[seat, at])) + layout.CALLED] = 1.0
        order = int(table.meld_orders[seat, at])
        if order < 0:
            continue
        last_order = max(last_order, order)
        for own in range(table.lengths[seat]):
            if table.river_orders[seat, own] > order:
                if kind <= IS_PON:
                    out[place_of(int(table.river_kinds[seat, own])) + layout.AFTER_CALL] = 1.0
                break
    g = layout.GLOBALS_AT + layout.G_MELDS
    out[g + min(opened, 4)] = 1.0
    out[g + 5] = runs / 4.0
    out[g + 6] = triplets / 4.0
    out[g + 7] = kans / 2.0
    out[g + 8] = closed_kans / 2.0
    for number in range(min(dora, 5)):
        out[g + 9 + number] = 1.0
    out[g + 14] = min(yakuhai, 2)
    out[g + 15] = outside / 4.0
    out[g + 16] = inside / 4.0
    out[g + 17] = 1.0 if opened > 0 and outside == 0 else 0.0
    one_suit = suits & (suits - 1) == 0
    out[g + 18] = opened / 4.0 if one_suit else 0.0
    out[g + 19] = opened / 4.0 if runs == 0 else 0.0
    out[g + 20] = honours / 4.0
    since = 0
    changed = 0
    for own in range(table.lengths[seat]):
        if last_order >= 0 and table.river_orders[seat, own] > last_order:
            since += 1
            changed += int(not table.river_flags[seat, own] & WAS_TSUMOGIRI)
    out[g + 21] = since / 12.0
    out[g + 22] = changed / 8.0
    # a visible yaku or a hand that can still be all simples
    out[g + 23] = 1.0 if opened > 0 and yakuhai == 0 and outside > 0 else 0.0
    # the share of the seat's discards that are neither of its melds' suits nor honours
    if opened > 0 and one_suit and suits:
        apart = 0
        for own in range(table.lengths[seat]):
            kind = int(table.river_kinds[seat, own])
            apart += int(kind < 27 and not suits >> (kind // 9) & 1)
        out[g + 24] = apart / max(1, table.lengths[seat])


@part
def _table(table: Table, seat: int, out: NDArray[np.float32]) -> None:
    """Riichi, turn, dora, scores: what is no tile's."""
    viewer = table.viewer
    out[layout.GLOBALS_AT] = 1.0 if table.riichi[seat] > 0 else 0.0
    out[layout.GLOBALS_AT + 1] = 1.0 if table.riichi[seat] == 2 else 0.0
    out[layout.GLOBALS_AT + 2] = table.ippatsu[seat]
    g = layout.GLOBALS_AT + layout.G_TABLE
    out[g] = 1.0 if seat == table.dealer else 0.0
    out[g + 1] = 1.0 if viewer == table.dealer else 0.0
    out[g + 1 + ((seat - viewer) & 3)] = 1.0  # two to four
    riichi = 0
    most_melds = 0
    above = 0
    for other in range(4):
        if other != seat:
            above += int(table.scores[other] > table.scores[seat])
        if other not in (seat, viewer):
            riichi += int(table.riichi[other] > 0)
            most_melds = max(most_melds, table.melds[other])
    out[g + 5] = 1.0 if riichi >= 1 else 0.0
    out[g + 6] = 1.0 if riichi == 2 else 0.0
    out[g + 7] = 1.0 if table.riichi[viewer] > 0 else 0.0
    out[g + 8] = most_melds / 4.0
    wall = table.wall
    out[g + 9] = wall / 70.0
    out[g + 10] = 1.0 if wall < 36 else 0.0
    out[g + 11] = 1.0 if wall < 20 else 0.0
    out[g + 12] = 1.0 if wall < 8 else 0.0
    out[g + 13] = 1.0 if wall == 0 else 0.0
    seen_dora = 0
    held_dora = 0
    dora_kinds = 0
    for kind in range(34):
        if table.dora[kind]:
            dora_kinds += 1
            seen_dora += table.visible[kind]
            held_dora += table.hand[kind]
    out[g + 14] = table.indicators / 4.0
    out[g + 15] = (4 * dora_kinds - seen_dora) / 4.0
    out[g + 16] = held_dora / 4.0
    reds = table.reds_seen[0] + table.reds_seen[1] + table.reds_seen[2]
    out[g + 17] = (3 - reds) / 3.0
    out[g + 18] = min(table.honba, 5) / 5.0
    out[g + 19] = min(table.sticks, 4) / 4.0
    out[g + 20] = min(max((table.scores[seat] - 25000) / 25000.0, -1.5), 1.5)
    out[g + 21] = min(max((table.scores[seat] - table.scores[viewer]) / 25000.0, -1.5), 1.5)
    out[g + 22 + min(above, 3)] = 1.0
    out[g + 26] = 1.0 if table.kyoku >= table.last_kyoku else 0.0
    out[g + 27] = min(table.last_kyoku - table.kyoku, 8) / 8.0
    out[g + 28] = table.melds[viewer] / 4.0
    orders = 0
    for other in range(4):
        orders += table.lengths[other]
    out[g + 29] = orders / 72.0
