"""The snapshot that a player receives when it reconnects during a hand: applied, with what follows, and made."""

from collections.abc import Callable
from typing import Any, Final

from numpy.typing import NDArray

from engine.model import events as ev
from engine.model.bounds import INDICATORS, KANS, MELDS, Range, fault_of_standing, first_fault
from engine.model.melds import Meld, MeldKind, kuikae_after
from engine.model.rules import LIVE_WALL
from engine.model.seats import SEATS, dealer_of, four
from engine.model.tiles import RED_FIVES, TILES
from engine.rules import table_kernels as table
from engine.rules.view_kernels import see_again
from engine.shanten.tables import hand_tables
from engine.state.ends import dealt
from engine.state.facts import SeatView
from engine.state.refuse import is_meld, refuse, require

UNTOLD: Final = (
    "history_known",
    "ippatsu",
    "furiten_turn",
    "furiten_riichi",
    "missed",
    "rinshan",
)
"""Attributes of a state that a snapshot does not contain, until the hand is over. It does not always show that a riichi
is a double one, and in ``rivers`` neither tsumogiri nor the places of called tiles. Everything else is as if nothing
had happened."""

River = list[tuple[int, int]]
"""The discards of a seat: each ``tile136`` with its ``river_flags``."""


def resume_of(state: SeatView) -> ev.Resume:
    """The snapshot that leads back to a view: what is on the table, and the hand without a tile just drawn."""
    rivers, riichi_at = [], []
    for river in state.rivers:
        rivers.append(tuple(each.tile for each in river if each.called_by is None))
        declared = next((at for at, each in enumerate(river) if each.riichi), None)
        riichi_at.append(None if declared is None else sum(each.called_by is None for each in river[:declared]))
    return ev.Resume(
        kyoku=state.kyoku,
        honba=state.honba,
        riichi_sticks=state.riichi_sticks,
        dealer=state.dealer,
        dora_indicators=tuple(state.dora_indicators),
        scores=four(state.scores),
        seat=state.seat,
        hand=tuple(tile for tile in state.hand if tile != state.drawn),
        melds=four([tuple(melds) for melds in state.melds]),
        rivers=four(rivers),
        riichi_at=four(riichi_at),
    )


def resume(state: SeatView, event: ev.Resume) -> NDArray[Any]:
    """The record of a snapshot in the middle of a hand."""
    require(state, event, event.seat == state.seat, "it is for another seat")
    fault = _fault(event)
    require(state, event, not fault, fault)
    on_table = [tile for river in event.rivers for tile in river]
    on_table += [tile for melds in event.melds for meld in melds for tile in meld.tiles]
    tiles = (*event.hand, *on_table, *event.dora_indicators)
    if len(set(tiles)) != len(tiles) or not all(0 <= tile < TILES for tile in tiles):
        refuse(state, event, "a tile appears twice, or is not one of the 136")
    own = event.melds[state.seat]
    called = event.called and bool(own) and own[-1].kind in (MeldKind.CHI, MeldKind.PON)
    size = 13 - 3 * len(own) + called
    require(state, event, len(event.hand) == size, f"the hand must have {size} tiles")

    rivers = _rivers_of(event)
    record = dealt(state, event, event.hand, event.dora_indicators)
    for seat in SEATS:
        _lay_river(record, seat, rivers[seat])
        for at, meld in enumerate(event.melds[seat]):
            _lay_meld(record, seat, at, meld, state.rules.red_fives)
        record["melds"][0, seat] = len(event.melds[seat])
        record["kans"][0, seat] = sum(meld.kind.is_kan for meld in event.melds[seat])
        riichi_at = event.riichi_at[seat]
        if riichi_at is not None:
            record["riichi"][0, seat] = 2 if riichi_at == 0 and not any(event.melds) else 1
    for tile in on_table:
        _show(record, tile, state.rules.red_fives)
    record["wall"] -= _draws(event)
    record["dora_owed"] = record["kans"].sum() + 1 - len(event.dora_indicators)
    record["uninterrupted"] = not any(event.melds)
    record["seen_whole"] = not on_table
    record["phase"] = table.RESUMED if on_table else table.DEALT
    if called:  # the claimed tile is one more draw, as for anyone who has called and not discarded yet
        _stands(record, table.CALLED, state.seat)
        record["wall"] -= 1
        record["kuikae"] = kuikae_after(own[-1])
    see_again(record, hand_tables())  # type: ignore[arg-type]  # an array of one record
    return record


def _rivers_of(event: ev.Resume) -> list[River]:
    """The discards of each seat. The place of a called tile is lost, but the giver's furiten depends on it."""
    rivers = [
        [(tile, table.UNSAID | (table.WAS_RIICHI if at == event.riichi_at[seat] else 0)) for at, tile in enumerate(row)]
        for seat, row in enumerate(event.rivers)
    ]
    for seat, melds in enumerate(event.melds):
        for meld in melds:
            if meld.called is not None:
                rivers[meld.from_seat].append((meld.called, table.UNSAID | table.WAS_CALLED | seat << table.CALLER_AT))
    for seat, row in enumerate(rivers):
        riichi_shown = any(flags & table.WAS_RIICHI for _, flags in row)
        if event.riichi_at[seat] is not None and row and not riichi_shown:
            row[-1] = (row[-1][0], row[-1][1] | table.WAS_RIICHI)  # it was called, and nothing was discarded since
    return rivers


def _fault(event: ev.Resume) -> str:
    """Why no hand can have come to this; empty if one can. Where each tile lies is not looked at."""
    for seat, melds in enumerate(event.melds):
        if not all(is_meld(meld, seat) for meld in melds):
            return f"seat {seat} has a meld that does not exist"
    kans = sum(meld.kind.is_kan for melds in event.melds for meld in melds)
    return first_fault(
        fault_of_standing(event.kyoku, event.honba, event.riichi_sticks, event.scores),
        *(MELDS.fault(f"melds of seat {seat}", len(melds)) for seat, melds in enumerate(event.melds)),
        KANS.fault("kans", kans),
        INDICATORS.fault("dora indicators", len(event.dora_indicators)),
        _DRAWN.fault("tiles drawn", _draws(event) + event.called),
        *(_RIVER.fault(f"discards of seat {seat}", len(row)) for seat, row in enumerate(_rivers_of(event))),
        "" if event.dealer == dealer_of(event.kyoku) else "seat kyoku % 4 deals",
    )


_DRAWN: Final = Range(0, LIVE_WALL)
_RIVER: Final = Range(0, table.RIVER_MOST)


def _draws(event: ev.Resume) -> int:
    """Tiles drawn so far, as the rivers and melds show them.

    A claimed discard is one that was drawn; chi and pon skip a draw, an own kan adds one.
    """
    made = sum(_DRAWS_BESIDE_RIVERS[meld.kind] for melds in event.melds for meld in melds)
    return sum(map(len, event.rivers)) + made


def _lay_river(record: NDArray[Any], seat: int, row: River) -> None:
    """Put discards down in front of a seat, in place of those that lie there."""
    record["lengths"][0, seat] = len(row)
    mask = 0
    for at, (tile, flags) in enumerate(row):
        record["river_tiles"][0, seat, at] = tile
        record["river_kinds"][0, seat, at] = tile >> 2
        record["river_flags"][0, seat, at] = flags
        record["river_orders"][0, seat, at] = -1
        mask |= 1 << (tile >> 2)
    record["river_mask"][0, seat] = mask


def _lay_meld(record: NDArray[Any], seat: int, at: int, meld: Meld, red_fives: bool) -> None:
    called = meld.called
    own = [tile for tile in meld.own_tiles if tile != meld.added][:2]
    absent = meld.kind in (MeldKind.DAIMINKAN, MeldKind.ANKAN)
    tiles = (called, *((None, None) if absent else own), meld.added)
    record["meld_kinds"][0, seat, at] = meld.kind
    record["meld_lows"][0, seat, at] = meld.tile34
    record["meld_called"][0, seat, at] = -1 if called is None else called >> 2
    record["meld_from"][0, seat, at] = meld.from_seat
    record["meld_orders"][0, seat, at] = -1
    record["meld_reds"][0, seat, at] = red_fives and sum(tile in RED_FIVES for tile in meld.tiles)
    record["meld_tiles"][0, seat, at] = [table.NO_TILE if tile is None else tile for tile in tiles]


def _show(record: NDArray[Any], tile: int, red_fives: bool) -> None:
    """All see a tile for the first time."""
    record["open_tiles"][0, tile >> 2] += 1
    record["open_copies"][0, tile >> 2] |= 1 << (tile & 3)
    if red_fives and tile in RED_FIVES:
        record["open_reds"][0, RED_FIVES.index(tile)] = 1


def taken_up(state: SeatView, event: ev.Event) -> NDArray[Any]:
    """The record with the hand where the first event after a snapshot shows it to be, so that the event can happen.

    Draws need no help, because whoever draws is next. An event that no snapshot leads to is left to be refused.
    """
    record = state.copied()
    finder = _WHERE.get(type(event))
    if finder is not None:
        finder(record, state, event)
    return record


def _stands(record: NDArray[Any], phase: int, turn: int, offered: int = -1) -> None:
    record["phase"], record["turn"], record["offered"] = phase, turn, offered


def _drew(record: NDArray[Any], state: SeatView, event: ev.Discard | ev.RiichiDeclared | ev.Call) -> None:
    """A player acts in its turn: it drew before the snapshot, unless its discard follows its call.

    In both cases the rivers show one draw less than there were; after a call it is the claimed tile.
    """
    seat = event.seat
    if seat == state.seat or not state.wall_left:
        return  # one's own draw would have been shown, and nobody can have drawn the last tile again
    called = isinstance(event, ev.Discard) and not event.tsumogiri and any(not m.kind.is_kan for m in state.melds[seat])
    _stands(record, table.CALLED if called else table.DRAWN, seat)
    record["wall"] -= 1


def _called(record: NDArray[Any], state: SeatView, event: ev.Call) -> None:
    """A claim shows the last discard; an own kan is an act in one's own turn."""
    meld = event.meld
    if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN):
        _drew(record, state, event)
    elif meld.called is not None:
        _discarded(record, meld.from_seat, meld.called)


def _discarded(record: NDArray[Any], seat: int, tile: int) -> None:
    """That discard was the last one and can be claimed by the others."""
    length = record["lengths"][0, seat]
    tiles, flags = (record[name][0, seat, :length].tolist() for name in ("river_tiles", "river_flags"))
    row = list(zip(tiles, flags, strict=True))
    last = next((each for each in row if each[0] == tile and not each[1] & table.WAS_CALLED), None)
    if last is not None:
        row.remove(last)
        _lay_river(record, seat, [*row, last])
        _stands(record, table.DISCARDED, seat, tile)


def _accepted(record: NDArray[Any], state: SeatView, event: ev.RiichiAccepted) -> None:
    """The riichi tile was the last discard, and nobody has won on it."""
    declared = next((discarded for discarded in state.rivers[event.seat] if discarded.riichi), None)
    if declared is not None:
        _discarded(record, event.seat, declared.tile)
        record["riichi"][0, event.seat] = 0
        record["declared"] = event.seat


def _won(record: NDArray[Any], state: SeatView, event: ev.Win) -> None:
    if event.seat == event.from_seat:
        _stands(record, table.DRAWN, event.seat)
    elif any(meld.added == event.tile for meld in state.melds[event.from_seat]):
        _stands(record, table.KAN, event.from_seat, event.tile)
    else:
        _discarded(record, event.from_seat, event.tile)


def _drawn_hand(record: NDArray[Any], state: SeatView, event: ev.Ryuukyoku) -> None:
    """Set whose turn was last: nine terminals are declared before a discard, everything else happens after one."""
    if event.kind is ev.RyuukyokuKind.NINE_TERMINALS:
        silent = next((seat for seat, river in enumerate(state.rivers) if not river), state.turn)
        _stands(record, table.DRAWN, silent)
    else:
        last = next((seat for seat, river in enumerate(state.rivers) if river), None)
        if last is not None:
            _stands(record, table.DISCARDED, last, state.rivers[last][-1].tile)


def _next_hand(record: NDArray[Any], _state: SeatView, _event: ev.StartKyoku) -> None:
    """The end of the hand was not seen."""
    record["phase"] = table.ENDED


_WHERE: Final[dict[type, Callable[[NDArray[Any], SeatView, Any], None]]] = {
    ev.Discard: _drew,
    ev.RiichiDeclared: _drew,
    ev.Call: _called,
    ev.RiichiAccepted: _accepted,
    ev.Win: _won,
    ev.Ryuukyoku: _drawn_hand,
    ev.StartKyoku: _next_hand,
}
"""How to place the table, by the event that follows."""


_DRAWS_BESIDE_RIVERS: Final = {
    MeldKind.CHI: 0,
    MeldKind.PON: 0,
    MeldKind.DAIMINKAN: 1,
    MeldKind.ANKAN: 1,
    MeldKind.KAKAN: 1,
}
"""Draws that a meld accounts for, besides those whose tiles are still in rivers."""


def recalled(state: SeatView, *, ippatsu: bool, double_riichi: bool, rinshan: bool) -> NDArray[Any]:
    """The record with the viewer's facts that no snapshot shows and somebody has learned otherwise."""
    record = state.copied()
    if ippatsu:
        record["ippatsu"][0, state.seat] = 1
    if double_riichi:
        record["riichi"][0, state.seat] = 2
    if rinshan:
        record["from_dead_wall"] = 1
    return record
