"""Why an event cannot happen at a table, as a number.

A source of events may be wrong: a server, a log, a caller. Each function checks an event of play against the record and
changes nothing. The words for the numbers are those of :mod:`engine.state.refuse`.
"""

from engine._jit import allocating_part, part
from engine.model.rules import RIICHI_STICK, RIICHI_WALL
from engine.rules.code_kernels import (
    ACCEPTED,
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAW,
    FIRST_AT,
    FROM_AT,
    KAKAN,
    RIICHI,
    SEAT_AT,
    SECOND_AT,
    THIRD_AT,
    TYPE,
)
from engine.rules.legal_kernels import NOTHING, forced_draw, tenpai_discards, waits_survive_kan
from engine.rules.table_kernels import (
    CALLED,
    DEALT,
    DECLARED,
    DISCARDED,
    DRAWN,
    IS_PON,
    KAN,
    MELDS_MOST,
    RESUMED,
    RIVER_MOST,
    Table,
    is_closed,
    is_known,
    kans_made,
)
from engine.shanten.table_kernels import HandTables

(
    POSSIBLE,
    NOT_ACCEPTED_YET,
    NEXT_DRAWS,
    MUST_END,
    TURN_DRAWS,
    NOBODY_DRAWS,
    WALL_EMPTY,
    TILE_NOT_SEEN,
    ONLY_THE_DRAWN,
    NOTHING_DRAWN,
    NOBODY_DISCARDS,
    ANOTHERS_TURN,
    NOT_IN_HAND,
    ANOTHER_DRAWN,
    NOT_TENPAI_AFTER,
    NO_SUCH_TILE,
    RIVER_FULL,
    NO_CALL_AT_THE_END,
    FOUR_KANS_MADE,
    NOT_JUST_DISCARDED,
    CALL_IN_RIICHI,
    NOT_NEXT,
    TILE_ELSEWHERE,
    FOUR_MELDS,
    NOT_AFTER_A_DRAW,
    NO_PON_IN_RIICHI,
    NO_PON,
    WAITS_CHANGE,
    IN_RIICHI,
    OPEN_HAND,
    TOO_FEW_POINTS,
    WALL_TOO_SHORT,
    NOT_TENPAI,
    NOT_JUST_DECLARED,
    INDICATORS_TURNED,
    INDICATOR_ELSEWHERE,
) = range(36)
"""What :func:`why_not` says. POSSIBLE, 0: the event can happen. The others are reasons."""


@allocating_part
def why_not(table: Table, code: int, tables: HandTables) -> int:
    """Why an event, written as in :mod:`engine.rules.code_kernels`, cannot happen; POSSIBLE if it can."""
    what = code & TYPE
    seat = code >> SEAT_AT & 3
    tile = code >> FIRST_AT & 255
    if what == DRAW:
        return _why_no_draw(table, seat, tile)
    if what == DISCARD:
        return _why_no_discard(table, seat, tile, code >> SECOND_AT & 1 != 0, tables)
    if CHI <= what <= KAKAN:
        return _why_no_call(table, code, tables)
    if what == RIICHI:
        return _why_no_riichi(table, seat, tables)
    if what == ACCEPTED:
        return POSSIBLE if table.phase == DISCARDED and _has_declared(table, seat) else NOT_JUST_DECLARED
    if table.dora_owed <= 0:
        return INDICATORS_TURNED
    return POSSIBLE if _is_new(table, tile) else INDICATOR_ELSEWHERE


@part
def _is_new(table: Table, tile: int) -> bool:
    """Whether a tile exists and the viewer has not seen it."""
    if tile >= 136:
        return False
    seen = int(table.copies[table.viewer, tile >> 2]) | int(table.open_copies[tile >> 2])
    return seen >> (tile & 3) & 1 == 0


@part
def _holds(table: Table, seat: int, tile: int) -> bool:
    """Whether a known hand holds a tile."""
    return tile < 136 and table.copies[seat, tile >> 2] >> (tile & 3) & 1 != 0


@part
def _has_declared(table: Table, seat: int) -> bool:
    """Whether a riichi waits to be accepted; it may have been declared before a snapshot that did not show it."""
    unseen = table.seen_whole == 0 and table.declared < 0 and not table.riichi[seat]
    return table.declared == seat or (unseen and table.turn == seat)


@part
def _why_no_draw(table: Table, seat: int, tile: int) -> int:
    if table.phase == DISCARDED:
        if table.declared >= 0:
            return NOT_ACCEPTED_YET
        if seat != (table.turn + 1) & 3:
            return NEXT_DRAWS
        if forced_draw(table) != NOTHING:
            return MUST_END
    elif table.phase in (DEALT, KAN):
        if seat != table.turn:
            return TURN_DRAWS
    elif table.phase != RESUMED:
        return NOBODY_DRAWS
    if table.wall == 0:
        return WALL_EMPTY
    return TILE_NOT_SEEN if is_known(table, seat) and not _is_new(table, tile) else POSSIBLE


@allocating_part
def _why_no_discard(table: Table, seat: int, tile: int, tsumogiri: bool, tables: HandTables) -> int:
    if table.phase == DRAWN:
        if table.riichi[seat] and not tsumogiri:
            return ONLY_THE_DRAWN
    elif table.phase == CALLED:
        if tsumogiri:
            return NOTHING_DRAWN
        # kuikae is not refused: Tenhou's client does not offer it, but its server accepts it
    elif table.phase != DECLARED:
        return NOBODY_DISCARDS
    if seat != table.turn:
        return ANOTHERS_TURN
    if is_known(table, seat):
        if not _holds(table, seat, tile):
            return NOT_IN_HAND
        if tsumogiri != (tile == table.drawn):
            return ANOTHER_DRAWN
        if table.phase == DECLARED and not tenpai_discards(table, seat, tables) >> (tile >> 2) & 1:
            return NOT_TENPAI_AFTER
    elif not _is_new(table, tile):
        return NO_SUCH_TILE
    return RIVER_FULL if table.lengths[seat] >= RIVER_MOST else POSSIBLE


@allocating_part
def _why_no_call(table: Table, code: int, tables: HandTables) -> int:
    """A well-formed meld."""
    what = code & TYPE
    seat = code >> SEAT_AT & 3
    if table.wall == 0:
        return NO_CALL_AT_THE_END
    if what >= DAIMINKAN and kans_made(table) >= 4:
        return FOUR_KANS_MADE
    if what in (ANKAN, KAKAN):
        return _why_no_own_kan(table, code, tables)
    if table.phase != DISCARDED or code >> FIRST_AT & 255 != table.offered or seat == table.turn:
        return NOT_JUST_DISCARDED
    if code >> FROM_AT & 3 != table.turn:
        return NOT_JUST_DISCARDED
    if table.declared >= 0:
        return NOT_ACCEPTED_YET
    if table.riichi[seat]:
        return CALL_IN_RIICHI
    if forced_draw(table) != NOTHING:
        return MUST_END
    if what == CHI and seat != (table.turn + 1) & 3:
        return NOT_NEXT
    called = code >> FIRST_AT & 255
    if what == DAIMINKAN:
        for tile in range(called & ~3, (called & ~3) + 4):
            if tile != called and not _can_lay_down(table, seat, tile):
                return NOT_IN_HAND if is_known(table, seat) else TILE_ELSEWHERE
    else:
        for shift in (SECOND_AT, THIRD_AT):
            if not _can_lay_down(table, seat, code >> shift & 255):
                return NOT_IN_HAND if is_known(table, seat) else TILE_ELSEWHERE
    return FOUR_MELDS if table.melds[seat] >= MELDS_MOST else POSSIBLE


@part
def _can_lay_down(table: Table, seat: int, tile: int) -> bool:
    """Whether a tile is in a known hand, or can be in a hidden one."""
    return _holds(table, seat, tile) if is_known(table, seat) else _is_new(table, tile)


@allocating_part
def _why_no_own_kan(table: Table, code: int, tables: HandTables) -> int:
    """A closed kan, or one added to a pon, in the player's own turn."""
    seat = code >> SEAT_AT & 3
    tile = code >> FIRST_AT & 255
    kind = tile >> 2
    if table.phase != DRAWN or seat != table.turn:
        return NOT_AFTER_A_DRAW
    if code & TYPE == KAKAN:
        if table.riichi[seat]:
            return NO_PON_IN_RIICHI
        if not _has_pon(table, seat, tile, (code >> SECOND_AT & 255) - 1):
            return NO_PON
        if not _can_lay_down(table, seat, tile):
            return NOT_IN_HAND if is_known(table, seat) else TILE_ELSEWHERE
        return POSSIBLE
    for copy in range(4 * kind, 4 * kind + 4):
        if not _can_lay_down(table, seat, copy):
            return NOT_IN_HAND if is_known(table, seat) else TILE_ELSEWHERE
    if is_known(table, seat) and table.riichi[seat]:
        if table.drawn >> 2 != kind or not waits_survive_kan(table, seat, kind, tables):
            return WAITS_CHANGE
    return FOUR_MELDS if table.melds[seat] >= MELDS_MOST else POSSIBLE


@part
def _has_pon(table: Table, seat: int, added: int, called: int) -> bool:
    """Whether a seat has a pon of a tile's kind without that tile, made with the tile ``called``."""
    for at in range(table.melds[seat]):
        if table.meld_kinds[seat, at] == IS_PON and table.meld_lows[seat, at] == added >> 2:
            for place in range(3):
                if table.meld_tiles[seat, at, place] == added:
                    return False
            return bool(table.meld_tiles[seat, at, 0] == called)
    return False


@allocating_part
def _why_no_riichi(table: Table, seat: int, tables: HandTables) -> int:
    if table.phase != DRAWN or seat != table.turn:
        return NOT_AFTER_A_DRAW
    if table.riichi[seat]:
        return IN_RIICHI
    if not is_closed(table, seat):
        return OPEN_HAND
    if table.scores[seat] < RIICHI_STICK:
        return TOO_FEW_POINTS
    if table.wall < RIICHI_WALL:
        return WALL_TOO_SHORT
    if is_known(table, seat) and tenpai_discards(table, seat, tables) == 0:
        return NOT_TENPAI
    return POSSIBLE
