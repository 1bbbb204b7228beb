"""One seat's view of a hand, as a table on which one hand is known: its deal, its events, its legal answers."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, allocating_kernel, allocating_part, kernel
from engine.rules.legal_kernels import claims, forced_draw, own_turn
from engine.rules.refusal_kernels import POSSIBLE, why_not
from engine.rules.step_kernels import step
from engine.rules.table_kernels import (
    CALLED,
    DECLARED,
    DISCARDED,
    DRAWN,
    KAN,
    Table,
    find_waits,
    indicate,
    is_nagashi,
    is_robbing,
    look,
    safe_kinds,
    start,
    take,
)
from engine.rules.win_kernels import flags_of
from engine.scoring.yaku_kernels import WIN_CHANKAN
from engine.shanten.table_kernels import HandTables


@allocating_kernel("rules", seconds=1.0)
def begin_hand(
    records: Records[Table],
    kyoku: int,
    honba: int,
    sticks: int,
    dealer: int,
    hand: NDArray[np.uint8],
    indicators: NDArray[np.uint8],
    tables: Records[HandTables],
) -> None:
    """Clear the table, deal the viewer's ``hand``, and turn indicators. A hand with a tile to discard has no waits."""
    table = records[0]
    start(table, kyoku, honba, sticks, dealer)
    table.known = 1 << table.viewer
    for tile in hand:
        take(table, table.viewer, int(tile))
    for tile in indicators:
        indicate(table, int(tile))
    see(table, tables[0])


@allocating_part
def see(table: Table, tables: HandTables) -> None:
    """Fill what follows from the viewer's hand and from what lies open."""
    held = 0
    for kind in range(34):
        held += int(table.counts[table.viewer, kind])
    if held % 3 == 1:
        find_waits(table, table.viewer, tables)
    look(table, table.viewer)


@allocating_kernel("rules", seconds=1.0)
def see_again(records: Records[Table], tables: Records[HandTables]) -> None:
    """Fill what follows from the viewer's hand and from what lies open, which somebody has written."""
    see(records[0], tables[0])


@allocating_kernel("rules", seconds=4.0)
def take_in(records: Records[Table], code: int, tables: Records[HandTables]) -> int:
    """Let an event happen at one view or several of the same table, if it can at each.

    Returns:
        Bit set of the places of the views whose seats have something to answer now; or a reason of
        :func:`engine.rules.refusal_kernels.why_not`, negative, if the event cannot happen: then nothing has changed.
    """
    for at in range(len(records)):
        why = why_not(records[at], code, tables[0])
        if why != POSSIBLE:
            return -why
    asked = 0
    legal = np.empty(4, np.int64)
    for at in range(len(records)):
        step(records[at], code, tables[0])
        look(records[at], records[at].viewer)
        asked |= int(_is_asked(records[at], legal, tables[0])) << at
    return asked


@allocating_part
def _is_asked(table: Table, legal: NDArray[np.int64], tables: HandTables) -> bool:
    """Whether the viewer has something to answer; of another's tile ``legal`` (4) is filled with what."""
    if table.turn == table.viewer:
        # a snapshot does not show the draw
        return table.phase in (CALLED, DECLARED) or (table.phase == DRAWN and table.drawn >= 0)
    if table.offered < 0 or table.phase not in (DISCARDED, KAN):
        return False
    return claims(table, table.viewer, forced_draw(table), legal, tables)


@kernel("rules", seconds=0.5)
def safe_for_all(records: Records[Table]) -> tuple[int, int, int, int]:
    """:func:`engine.rules.table_kernels.safe_kinds` of each seat."""
    table = records[0]
    return safe_kinds(table, 0), safe_kinds(table, 1), safe_kinds(table, 2), safe_kinds(table, 3)


@kernel("rules", seconds=0.4)
def nagashi_mask(records: Records[Table]) -> int:
    """Bit set of the seats that have discarded only terminals and honours, none of which was called."""
    nagashi = 0
    for seat in range(4):
        nagashi |= int(is_nagashi(records[0], seat)) << seat
    return nagashi


@kernel("rules", seconds=0.4)
def win_flags(records: Records[Table], tsumo: bool) -> int:
    """The circumstances of a win that the viewer would make now; see :func:`engine.rules.win_kernels.flags_of`."""
    table = records[0]
    flags = flags_of(table, table.viewer, tsumo)
    return flags | WIN_CHANKAN if not tsumo and is_robbing(table) else flags  # also when somebody has won on the tile


@allocating_kernel("rules", seconds=5.0)
def legal_words(records: Records[Table], tables: Records[HandTables]) -> tuple[int, int, int, int]:
    """The viewer's legal answers as the four bit sets of :mod:`engine.rules.answer_kernels`; 0 if nothing is asked."""
    legal = np.zeros(4, np.int64)
    if _is_asked(records[0], legal, tables[0]) and records[0].turn == records[0].viewer:
        own_turn(records[0], legal, tables[0])
    return legal[0], legal[1], legal[2], legal[3]
