"""What each event does to a table."""

from engine._jit import allocating_part, part
from engine.model.rules import RIICHI_STICK
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
    NEW_DORA,
    NO_WIN,
    PON,
    SEAT_AT,
    SECOND_AT,
    THIRD_AT,
    TYPE,
    WIN,
)
from engine.rules.code_kernels import RIICHI as DECLARE
from engine.rules.table_kernels import (
    CALLED,
    CALLER_AT,
    DECLARED,
    DISCARDED,
    DRAWN,
    ENDED,
    IS_ADDED_KAN,
    IS_PON,
    KAN,
    NO_TILE,
    WAS_CALLED,
    WAS_RIICHI,
    WAS_TSUMOGIRI,
    Table,
    find_waits,
    indicate,
    is_known,
    is_red,
    show,
    swaps_of_chi,
    take,
)
from engine.shanten.table_kernels import HandTables

MELD_TILES = 4
"""Places of ``meld_tiles``: the tile called, two from the hand, the one added or named."""
ADDED = 3


@allocating_part
def step(table: Table, code: int, tables: HandTables) -> None:
    """Take in one event, written as in :mod:`engine.rules.code_kernels`. Wins and draws change no points here."""
    what = code & TYPE
    seat = code >> SEAT_AT & 3
    tile = code >> FIRST_AT & 255
    if what == DRAW:
        _draw(table, seat, tile)
    elif what == DISCARD:
        _discard(table, seat, tile, code >> SECOND_AT & 255)
        if not code >> SECOND_AT & 1 and is_known(table, seat):
            find_waits(table, seat, tables)
    elif what == DECLARE:
        table.declared = seat
        table.phase = DECLARED
    elif what == ACCEPTED:
        accept_riichi(table, seat)
    elif what == NEW_DORA:
        indicate(table, tile)
        table.dora_owed -= 1
    elif what == KAKAN:
        _add_to_pon(table, seat, tile)
        if is_known(table, seat):
            find_waits(table, seat, tables)
    elif CHI <= what <= ANKAN:
        _call(table, code)
        if what < DAIMINKAN:
            table.waits[seat] = 0
        elif is_known(table, seat):
            find_waits(table, seat, tables)
    elif what in (WIN, NO_WIN):
        table.phase = ENDED


@part
def accept_riichi(table: Table, seat: int) -> None:
    """Nobody won on the discard with which a seat declared riichi, so it pays its stick."""
    _let_pass(table)
    table.river_flags[seat, table.lengths[seat] - 1] |= WAS_RIICHI  # a snapshot may not have shown the declaration
    table.riichi[seat] = 2 if table.uninterrupted and table.lengths[seat] == 1 else 1
    table.ippatsu[seat] = 1
    table.scores[seat] -= RIICHI_STICK
    table.sticks += 1
    table.declared = -1


@part
def _let_pass(table: Table) -> None:
    """The tile on offer was not taken: furiten until the next own discard, or for good after riichi."""
    for seat in range(4):
        if table.missed[seat]:
            table.missed[seat] = 0
            if table.riichi[seat]:
                table.furiten_riichi[seat] = 1
            else:
                table.furiten_turn[seat] = 1


@part
def _offer(table: Table, seat: int, tile: int) -> None:
    table.offered = tile
    for other in range(4):
        if other != seat and table.waits[other] >> (tile >> 2) & 1:
            table.missed[other] = 1


@part
def _lay_open(table: Table, seat: int, tile: int) -> None:
    """Move a tile from a hand to the table."""
    if is_known(table, seat):
        table.counts[seat, tile >> 2] -= 1
        table.copies[seat, tile >> 2] &= ~(1 << (tile & 3))
    show(table, tile)


@part
def _draw(table: Table, seat: int, tile: int) -> None:
    _let_pass(table)
    table.drawn = -1
    if is_known(table, seat):
        take(table, seat, tile)
        table.drawn = tile
    table.from_dead_wall = int(table.phase == KAN)
    if table.from_dead_wall:  # only now, because a robbed kan does not end ippatsu
        for other in range(4):
            table.ippatsu[other] = 0
    table.wall -= 1
    table.offered = -1
    table.turn = seat
    table.phase = DRAWN


@part
def _discard(table: Table, seat: int, tile: int, flags: int) -> None:
    if table.phase == DECLARED:
        flags |= WAS_RIICHI
    at = table.lengths[seat]
    table.river_tiles[seat, at] = tile
    table.river_kinds[seat, at] = tile >> 2
    table.river_flags[seat, at] = flags & (WAS_TSUMOGIRI | WAS_RIICHI)
    table.river_orders[seat, at] = table.discards if table.seen_whole else -1
    table.lengths[seat] += 1
    table.discards += 1
    _lay_open(table, seat, tile)
    table.river_mask[seat] |= 1 << (tile >> 2)
    table.ippatsu[seat] = 0
    table.furiten_turn[seat] = 0
    table.drawn = -1
    table.from_dead_wall = 0
    table.kuikae = 0
    if flags & WAS_RIICHI:
        table.declared = seat
    table.phase = DISCARDED
    _offer(table, seat, tile)


@part
def _await_dead_wall(table: Table, seat: int) -> None:
    table.kans[seat] += 1
    table.dora_owed += 1
    table.drawn = -1
    table.phase = KAN


@part
def _add_to_pon(table: Table, seat: int, tile: int) -> None:
    _lay_open(table, seat, tile)
    for at in range(table.melds[seat]):
        if table.meld_kinds[seat, at] == IS_PON and table.meld_lows[seat, at] == tile >> 2:
            table.meld_kinds[seat, at] = IS_ADDED_KAN
            table.meld_tiles[seat, at, ADDED] = tile
            table.meld_reds[seat, at] += int(is_red(table, tile))
    table.uninterrupted = 0
    _await_dead_wall(table, seat)
    _offer(table, seat, tile)


@part
def kuikae_of(code: int) -> int:
    """Bit set of the kinds that may not be discarded after a chi or pon."""
    called = (code >> FIRST_AT & 255) >> 2
    if code & TYPE == PON:
        return 1 << called
    low = min(called, (code >> SECOND_AT & 255) >> 2, (code >> THIRD_AT & 255) >> 2)
    return swaps_of_chi(called, low)


@part
def _call(table: Table, code: int) -> None:
    """A meld other than an added kan."""
    what = code & TYPE
    seat = code >> SEAT_AT & 3
    tile = code >> FIRST_AT & 255
    kind = tile >> 2
    _let_pass(table)
    for other in range(4):
        table.ippatsu[other] = 0
    table.uninterrupted = 0
    table.offered = -1
    at = table.melds[seat]
    table.melds[seat] += 1
    table.meld_kinds[seat, at] = what - CHI
    table.meld_from[seat, at] = seat if what == ANKAN else code >> FROM_AT & 3
    table.meld_called[seat, at] = -1 if what == ANKAN else kind
    table.meld_orders[seat, at] = -1 if what == ANKAN or not table.seen_whole else table.discards - 1
    table.meld_lows[seat, at] = kind
    for place in range(MELD_TILES):
        table.meld_tiles[seat, at, place] = NO_TILE
    reds = 0
    if what == ANKAN:  # the tile that was named follows plus one, 0 if nobody named it
        table.meld_tiles[seat, at, ADDED] = (code >> SECOND_AT & 255) - 1
    else:
        giver = code >> FROM_AT & 3
        table.meld_tiles[seat, at, 0] = tile
        table.river_flags[giver, table.lengths[giver] - 1] |= WAS_CALLED | seat << CALLER_AT
        reds = int(is_red(table, tile))
        table.turn = seat
    if what >= DAIMINKAN:  # what is held of the kind
        for copy in range(4 * kind, 4 * kind + 4):
            if what == ANKAN or copy != tile:
                _lay_open(table, seat, copy)
                reds += int(is_red(table, copy))
        _await_dead_wall(table, seat)
    else:
        for place, shift in ((1, SECOND_AT), (2, THIRD_AT)):
            own = code >> shift & 255
            table.meld_tiles[seat, at, place] = own
            _lay_open(table, seat, own)
            reds += int(is_red(table, own))
            table.meld_lows[seat, at] = min(int(table.meld_lows[seat, at]), own >> 2)
        table.kuikae = kuikae_of(code)
        table.phase = CALLED
    table.meld_reds[seat, at] = reds
