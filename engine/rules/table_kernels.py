"""A hand in play as one record, and what can be read from it.

:func:`engine.rules.step_kernels.step` takes one event, and nothing else changes the table; it trusts that the event can
happen. Recordings are carried through it event by event with all hands open, and the simulator invents the events. In
play the record holds what one seat sees (:class:`engine.state.GameState`): that seat's hand is the only one that is
``known``, and :mod:`engine.rules.refusal_kernels` checks each event first.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Record, allocating_part, part
from engine.model.rules import LIVE_WALL
from engine.model.tiles import DORA_AFTER, KUIKAE
from engine.scoring.yaku_kernels import ORPHANS
from engine.shanten.shanten_kernels import fill_neighbour_shanten, hand_shanten
from engine.shanten.table_kernels import HandTables

_KUIKAE = np.array(KUIKAE, np.int64)
DORA = np.array(DORA_AFTER, np.int64)
"""The kind that an indicator of each kind makes dora."""
RIVER_MOST = 32
"""Discards of a seat that are kept; no hand has as many."""
WAS_TSUMOGIRI, WAS_RIICHI, WAS_CALLED, UNSAID = 1, 2, 4, 32
"""Bits of ``river_flags``; ``UNSAID``: whether it was tsumogiri is not known."""
CALLER_AT = 3
"""The two bits of ``river_flags`` with the seat that called the tile."""
INDICATORS_MOST = 5
MELDS_MOST = 4
NO_TILE = 255
"""Stands for a ``tile136`` that there is not, or that nobody has named."""
IS_CHI, IS_PON, IS_OPEN_KAN, IS_CLOSED_KAN, IS_ADDED_KAN = range(5)
"""Values of ``meld_kinds``, in the order of :class:`engine.model.melds.MeldKind`."""
IDLE, DEALT, DRAWN, CALLED, DECLARED, DISCARDED, KAN, ENDED, RESUMED = range(9)
"""Phases: no hand is in play; ``turn`` is the dealer, about to draw; has drawn; has made a chi or pon and discards; has
declared riichi and discards; has discarded; has made a kan and draws from the dead wall; the hand is over; a snapshot
was read, and the next event shows whose turn it is."""
RIICHI, OPEN, CLOSED = range(3)
"""Stances: a player has declared riichi; has called; neither (closed kans do not open a hand)."""

Four8 = Annotated[NDArray[np.int8], (4,)]
Four = Annotated[NDArray[np.int64], (4,)]
Number = Annotated[int, np.int64]
Kinds = Annotated[NDArray[np.uint8], (34,)]


class Table(Record):
    """A hand in play. Seats are absolute, 0 is the game's first dealer; tiles are ``tile136``, kinds ``tile34``.

    Attributes:
        red_fives, ura_dora, ippatsu_counts, kiriage: the rules of the table as 0 or 1; see
            :class:`engine.model.rules.Rules`, as for ``honba_points``, ``return_points`` and ``last_kyoku``.
        rule_flags: the WIN_ bits that they set in every win.
        kyoku, honba, sticks, dealer: which hand; sticks on the table include this hand's.
        scores: points by seat, riichi paid.
        wall: tiles left in the live wall.
        indicators: dora indicators turned; ``dora_owed``: kans whose indicator is not turned yet.
        discards: discards so far in the hand, by all.
        uninterrupted: 1 until somebody calls or makes a kan.
        phase, turn: a phase, and the seat that it speaks of.
        drawn: the tile just drawn by ``turn``, or -1; ``from_dead_wall``: 1 if it is a kan's.
        offered: the discard or added tile that the others may claim, or -1.
        declared: the seat whose riichi is declared, but not accepted yet, or -1.
        kuikae: bit set of the kinds that ``turn`` may not discard after its call.
        known: bit set of the seats whose hands are known; the hands of the others are empty here, and wait for nothing.
        seen_whole: 1 if the hand was followed from its deal; 0 after a snapshot in its midst, before which the order of
            discards, tsumogiri, passed tiles and ippatsu are not known.
        counts: by seat, number of each kind in the concealed hand; ``copies``: which, bit 0 for the lowest tile.
        waits: by seat, bit set of the kinds that complete the hand as it was before the draw.
        river_mask: by seat, bit set of the kinds discarded.
        missed: by seat, 1 if the tile on offer would complete the hand; passed, it makes furiten.
        furiten_turn, furiten_riichi: by seat, 1 if such a tile passed since the own last discard; since riichi.
        riichi: by seat, 0 none, 1 riichi, 2 double riichi; ``ippatsu``: 0 or 1.
        kans: by seat, how many.
        won: by seat, 0 or the number of its win in the hand just ended, from 1.
        lengths: by seat, number of discards; ``river_tiles``, ``river_kinds``, ``river_flags`` (bits named above), and
            ``river_orders``: the number of the discard in the hand from 0, -1 if it is not known. Tiles that were
            called are included.
        melds: by seat, how many; ``meld_kinds``; ``meld_lows``, the (lowest) kind; ``meld_called``, the kind called, -1
            for a closed kan; ``meld_from``, the seat that it came from; ``meld_reds``, red fives in it;
            ``meld_orders``, the number of the discard called, -1 if it is not known or there is none; ``meld_tiles``,
            the tile called, the two from the hand with which a chi or pon was made, and the tile added to a pon or
            named for a closed kan, each ``NO_TILE`` where there is none.
        indicator_tiles: in the order turned.
        open_tiles: copies of each kind in rivers, melds and indicators, called ones once; ``open_copies``: which, as in
            ``copies``.
        open_reds: by suit, 1 if all have seen the red five.
        dora: how many times each kind is dora.
        viewer: who looks; the five that follow are filled by :func:`look`.
        hand: copies of each kind that the viewer holds concealed; ``visible``: that it sees anywhere.
        reds_seen, own_reds: by suit, 1 if the viewer sees the red five anywhere; holds it concealed.
    """

    red_fives: Number
    rule_flags: Number
    ura_dora: Number
    ippatsu_counts: Number
    kiriage: Number
    honba_points: Number
    return_points: Number
    last_kyoku: Number
    kyoku: Number
    honba: Number
    sticks: Number
    dealer: Number
    scores: Four
    wall: Number
    indicators: Number
    dora_owed: Number
    discards: Number
    uninterrupted: Number
    phase: Number
    turn: Number
    drawn: Number
    from_dead_wall: Number
    offered: Number
    declared: Number
    kuikae: Number
    known: Number
    seen_whole: Number
    counts: Annotated[NDArray[np.uint8], (4, 34)]
    copies: Annotated[NDArray[np.uint8], (4, 34)]
    waits: Four
    river_mask: Four
    missed: Four8
    furiten_turn: Four8
    furiten_riichi: Four8
    riichi: Four8
    ippatsu: Four8
    kans: Four8
    won: Four8
    lengths: Four
    river_tiles: Annotated[NDArray[np.uint8], (4, RIVER_MOST)]
    river_kinds: Annotated[NDArray[np.int8], (4, RIVER_MOST)]
    river_flags: Annotated[NDArray[np.int8], (4, RIVER_MOST)]
    river_orders: Annotated[NDArray[np.int16], (4, RIVER_MOST)]
    melds: Four
    meld_kinds: Annotated[NDArray[np.int8], (4, 4)]
    meld_lows: Annotated[NDArray[np.int8], (4, 4)]
    meld_called: Annotated[NDArray[np.int8], (4, 4)]
    meld_from: Annotated[NDArray[np.int8], (4, 4)]
    meld_reds: Annotated[NDArray[np.int8], (4, 4)]
    meld_orders: Annotated[NDArray[np.int16], (4, 4)]
    meld_tiles: Annotated[NDArray[np.uint8], (4, 4, 4)]
    indicator_tiles: Annotated[NDArray[np.uint8], (INDICATORS_MOST,)]
    open_tiles: Kinds
    open_copies: Kinds
    open_reds: Annotated[NDArray[np.int8], (3,)]
    dora: Kinds
    viewer: Number
    hand: Kinds
    visible: Kinds
    reds_seen: Annotated[NDArray[np.int8], (3,)]
    own_reds: Annotated[NDArray[np.int8], (3,)]


@part
def start(table: Table, kyoku: int, honba: int, sticks: int, dealer: int) -> None:
    """Clear the table for a hand with all hands known. Rules and scores stay; hands and indicator are dealt next."""
    table.kyoku, table.honba, table.sticks, table.dealer = kyoku, honba, sticks, dealer
    table.wall = LIVE_WALL
    table.indicators = 0
    table.dora_owed = 0
    table.discards = 0
    table.from_dead_wall = 0
    table.kuikae = 0
    table.uninterrupted = 1
    table.phase, table.turn = DEALT, dealer
    table.known = 15
    table.seen_whole = 1
    table.drawn = -1
    table.offered = -1
    table.declared = -1
    table.counts[:] = 0
    table.copies[:] = 0
    table.open_tiles[:] = 0
    table.open_copies[:] = 0
    table.open_reds[:] = 0
    table.dora[:] = 0
    for seat in range(4):
        table.river_mask[seat] = 0
        table.missed[seat] = 0
        table.furiten_turn[seat] = 0
        table.furiten_riichi[seat] = 0
        table.riichi[seat] = 0
        table.ippatsu[seat] = 0
        table.kans[seat] = 0
        table.won[seat] = 0
        table.waits[seat] = 0
        table.lengths[seat] = 0
        table.melds[seat] = 0


@allocating_part
def deal(table: Table, hands: Array2[np.uint8], indicator: int, tables: HandTables) -> None:
    """Deal thirteen tiles to each seat, ``hands`` (4, 13), and turn the first indicator."""
    for seat in range(4):
        for tile in hands[seat]:
            take(table, seat, int(tile))
        find_waits(table, seat, tables)
    indicate(table, indicator)


@part
def take(table: Table, seat: int, tile: int) -> None:
    """Put a tile into a hand."""
    table.counts[seat, tile >> 2] += 1
    table.copies[seat, tile >> 2] |= 1 << (tile & 3)


@part
def indicate(table: Table, tile: int) -> None:
    """Turn a dora indicator."""
    table.indicator_tiles[table.indicators] = tile
    table.indicators += 1
    table.dora[DORA[tile >> 2]] += 1
    show(table, tile)


@part
def show(table: Table, tile: int) -> None:
    """All see a tile for the first time."""
    kind = tile >> 2
    table.open_tiles[kind] += 1
    table.open_copies[kind] |= 1 << (tile & 3)
    if is_red(table, tile):
        table.open_reds[tile // 36] = 1


@part
def is_known(table: Table, seat: int) -> bool:
    """Whether the tiles of a hand are known."""
    return table.known >> seat & 1 != 0


@part
def is_red(table: Table, tile: int) -> bool:
    """Whether a tile is a red five at this table."""
    return table.red_fives != 0 and is_red_five(tile)


@part
def is_red_five(tile: int) -> bool:
    """Whether a tile is a red five where there are any."""
    return tile in (16, 52, 88)


@part
def holds_red(table: Table, seat: int, suit: int) -> bool:
    """Whether a seat holds the red five of a suit concealed."""
    return table.red_fives != 0 and table.copies[seat, 9 * suit + 4] & 1 != 0


@part
def called_melds(table: Table, seat: int) -> int:
    """How many melds a seat has that are not closed kans."""
    opened = 0
    for at in range(table.melds[seat]):
        opened += int(table.meld_kinds[seat, at] != IS_CLOSED_KAN)
    return opened


@part
def is_closed(table: Table, seat: int) -> bool:
    """Whether a hand has no meld but closed kans."""
    return called_melds(table, seat) == 0


@part
def held_kinds(table: Table, seat: int) -> int:
    """Bit set of the kinds in a seat's concealed hand."""
    mask = 0
    for kind in range(34):
        mask |= int(table.counts[seat, kind] > 0) << kind
    return mask


@part
def yaku_of_triplet(table: Table, seat: int, kind: int) -> int:
    """How many yaku a triplet of the kind is for a seat, 0 to 2."""
    own_wind = 27 + (seat - table.dealer & 3)
    return int(kind >= 31) + int(kind == own_wind) + int(kind == 27 + table.kyoku // 4 % 4)


@part
def stance_of(table: Table, seat: int) -> int:
    """``RIICHI``, ``OPEN`` or ``CLOSED``."""
    if table.riichi[seat]:
        return RIICHI
    return CLOSED if is_closed(table, seat) else OPEN


@part
def kans_made(table: Table) -> int:
    """Kans of all seats."""
    return int(table.kans[0]) + int(table.kans[1]) + int(table.kans[2]) + int(table.kans[3])


@part
def is_furiten(table: Table, seat: int) -> bool:
    """Whether the seat may not win on another's tile now."""
    passed = table.furiten_turn[seat] != 0 or table.furiten_riichi[seat] != 0
    return passed or int(table.waits[seat] & table.river_mask[seat]) != 0


@part
def safe_kinds(table: Table, seat: int) -> int:
    """Bit set of the kinds on which a seat would be furiten now, whatever it holds.

    These are its own discards, and what the others have discarded since its riichi, or else since its last discard, as
    far as the order is known.
    """
    safe = 0
    latest = -1
    declared = -1
    for at in range(table.lengths[seat]):
        safe |= 1 << int(table.river_kinds[seat, at])
        latest = max(latest, int(table.river_orders[seat, at]))
        if table.river_flags[seat, at] & WAS_RIICHI:
            declared = int(table.river_orders[seat, at])
    since = declared if declared >= 0 else latest
    for other in range(4):
        for at in range(table.lengths[other]):
            if table.river_orders[other, at] > since:
                safe |= 1 << int(table.river_kinds[other, at])
    return safe


@part
def changes_since(table: Table, seat: int, order: int) -> int:
    """How often a seat has discarded from its hand since the discard that had this number in the order of all."""
    changes = 0
    for at in range(table.lengths[seat] - 1, -1, -1):
        if table.river_orders[seat, at] < order:
            break
        changes += int(not table.river_flags[seat, at] & WAS_TSUMOGIRI)
    return changes


@part
def is_robbing(table: Table) -> bool:
    """Whether the tile on offer is not a discard but was added to a pon; also when somebody has won on it."""
    last = table.lengths[table.turn] - 1
    return table.offered >= 0 and (last < 0 or table.river_tiles[table.turn, last] != table.offered)


@part
def is_nagashi(table: Table, seat: int) -> bool:
    """Whether a seat has discarded only terminals and honours, none of which was called."""
    for at in range(table.lengths[seat]):
        if table.river_flags[seat, at] & WAS_CALLED or not ORPHANS >> int(table.river_kinds[seat, at]) & 1:
            return False
    return bool(table.lengths[seat] > 0)


@allocating_part
def find_waits(table: Table, seat: int, tables: HandTables) -> None:
    """Fill ``waits`` of a hand of 13 - 3k tiles."""
    table.waits[seat] = waits_of(table.counts[seat], table.melds[seat], tables)


@allocating_part
def waits_of(counts: NDArray[np.uint8], melds: int, tables: HandTables) -> int:
    """Bit set of the kinds that complete a hand of 13 - 3k tiles; 0 if it is not tenpai."""
    mask = 0
    if hand_shanten(counts, melds, tables) == 0:
        after = np.empty(35, np.int8)
        fill_neighbour_shanten(counts, melds, 1, tables, after)
        for kind in range(34):
            if after[kind] == -1:
                mask |= 1 << kind
    return mask


@part
def look(table: Table, viewer: int) -> None:
    """Fill what depends on who looks."""
    table.viewer = viewer
    for kind in range(34):
        held = table.counts[viewer, kind]
        table.hand[kind] = held
        table.visible[kind] = held + table.open_tiles[kind]
    for suit in range(3):
        held_red = holds_red(table, viewer, suit)
        table.own_reds[suit] = int(held_red)
        table.reds_seen[suit] = int(held_red or table.open_reds[suit] != 0 or table.red_fives == 0)


@part
def swaps_of_chi(called: int, low: int) -> int:
    """Bit set of the kinds that may not be discarded after a chi of ``called`` in the run from ``low``."""
    return int(_KUIKAE[called, called - low])
