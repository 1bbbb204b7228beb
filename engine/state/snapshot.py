"""The snapshot that a player receives when it reconnects during a hand: applied, with what follows, and made."""

from collections.abc import Callable
from typing import Any, Final

from engine.model import events as ev
from engine.model.bounds import INDICATORS, KANS, MELDS, Range, fault_of_standing, first_fault
from engine.model.melds import MeldKind, kuikae_after
from engine.model.rules import LIVE_WALL
from engine.model.seats import dealer_of, four
from engine.model.tiles import TILES
from engine.state.changes import is_meld, refuse, require, reveal, take_hand
from engine.state.seat_view import Phase, RiverTile, SeatView

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


def resume(state: SeatView, event: ev.Resume) -> None:
    """Apply a snapshot in the middle of a hand."""
    require(state, event, event.seat == state.seat, "it is for another seat")
    fault = _fault(event)
    require(state, event, not fault, fault)
    table = [tile for river in event.rivers for tile in river]
    table += [tile for melds in event.melds for meld in melds for tile in meld.tiles]
    tiles = (*event.hand, *table, *event.dora_indicators)
    if len(set(tiles)) != len(tiles) or not all(0 <= tile < TILES for tile in tiles):
        refuse(state, event, "a tile appears twice, or is not one of the 136")
    own = event.melds[state.seat]
    called = event.called and bool(own) and own[-1].kind in (MeldKind.CHI, MeldKind.PON)
    size = 13 - 3 * len(own) + called
    require(state, event, len(event.hand) == size, f"the hand must have {size} tiles")
    state.clear(event.kyoku, event.honba, event.dealer)
    state.riichi_sticks = event.riichi_sticks
    state.scores = list(event.scores)
    state.melds = [list(melds) for melds in event.melds]
    state.dora_indicators = list(event.dora_indicators)
    for seat, river in enumerate(event.rivers):
        state.rivers[seat] = [RiverTile(tile, None, at == event.riichi_at[seat]) for at, tile in enumerate(river)]
    for seat, melds in enumerate(event.melds):
        for meld in melds:
            state.kans[seat] += meld.kind.is_kan
            if meld.called is not None:  # its place in the river is lost, but the giver's furiten depends on it
                state.rivers[meld.from_seat].append(RiverTile(meld.called, None, called_by=seat))
    state.wall_left -= _draws(event)
    state.pending_dora = sum(state.kans) + 1 - len(state.dora_indicators)
    state.uninterrupted = not any(event.melds)
    state.history_known = not table
    for seat, at in enumerate(event.riichi_at):
        if at is not None:
            state.riichi[seat] = 2 if at == 0 and state.uninterrupted else 1
            row = state.rivers[seat]
            if row and not any(tile.riichi for tile in row):  # its tile was called, and nothing was discarded since
                row[-1] = row[-1]._replace(riichi=True)
    reveal(state, (*table, *event.dora_indicators))
    take_hand(state, event.hand)
    for discarded in state.rivers[state.seat]:
        state.river_mask |= 1 << (discarded.tile >> 2)
    state.phase = Phase.RESUMED if table else Phase.DEALT
    if called:  # the claimed tile is one more draw, as for anyone who has called and not discarded yet
        _stands(state, Phase.CALLED, state.seat)
        state.wall_left -= 1
        state.kuikae = kuikae_after(own[-1])


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
        "" if event.dealer == dealer_of(event.kyoku) else "seat kyoku % 4 deals",
    )


_DRAWN: Final = Range(0, LIVE_WALL)


def _draws(event: ev.Resume) -> int:
    """Tiles drawn so far, as the rivers and melds show them.

    A claimed discard is one that was drawn; chi and pon skip a draw, an own kan adds one.
    """
    made = sum(_DRAWS_BESIDE_RIVERS[meld.kind] for melds in event.melds for meld in melds)
    return sum(map(len, event.rivers)) + made


def take_up(state: SeatView, event: ev.Event) -> None:
    """Put the state where the first event after a snapshot shows the hand to be, so that the event can be applied.

    Draws need no help, because whoever draws is next. An event that no snapshot leads to is left for its own function
    to refuse.
    """
    finder = _WHERE.get(type(event))
    if finder is not None:
        finder(state, event)


def _stands(state: SeatView, phase: Phase, turn: int, offered: int = -1) -> None:
    state.phase, state.turn, state.offered = phase, turn, offered


def _drew(state: SeatView, event: ev.Discard | ev.RiichiDeclared | ev.Call) -> None:
    """A player acts in its turn: it drew before the snapshot, unless its discard follows its call.

    In both cases the rivers show one draw less than there were; after a call it is the claimed tile.
    """
    seat = event.seat
    if seat == state.seat or not state.wall_left:
        return  # one's own draw would have been shown, and nobody can have drawn the last tile again
    called = isinstance(event, ev.Discard) and not event.tsumogiri and any(not m.kind.is_kan for m in state.melds[seat])
    _stands(state, Phase.CALLED if called else Phase.DRAWN, seat)
    state.wall_left -= 1


def _called(state: SeatView, event: ev.Call) -> None:
    """A claim shows the last discard; an own kan is an act in one's own turn."""
    meld = event.meld
    if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN):
        _drew(state, event)
    elif meld.called is not None:
        _discarded(state, meld.from_seat, meld.called)


def _discarded(state: SeatView, seat: int, tile: int) -> None:
    """That discard was the last one and can be claimed by the others."""
    river = state.rivers[seat]
    last = next((discarded for discarded in river if discarded.tile == tile and discarded.called_by is None), None)
    if last is not None:
        river.remove(last)
        river.append(last)
        _stands(state, Phase.DISCARDED, seat, tile)


def _accepted(state: SeatView, event: ev.RiichiAccepted) -> None:
    """The riichi tile was the last discard, and nobody has won on it."""
    declared = next((discarded for discarded in state.rivers[event.seat] if discarded.riichi), None)
    if declared is not None:
        _discarded(state, event.seat, declared.tile)
        state.riichi[event.seat] = 0
        state.riichi_pending = event.seat


def _won(state: SeatView, event: ev.Win) -> None:
    if event.seat == event.from_seat:
        _stands(state, Phase.DRAWN, event.seat)
        return
    added = any(meld.added == event.tile for meld in state.melds[event.from_seat])
    if added:
        _stands(state, Phase.KAN, event.from_seat, event.tile)
    else:
        _discarded(state, event.from_seat, event.tile)


def _drawn_hand(state: SeatView, event: ev.Ryuukyoku) -> None:
    """Set whose turn was last: nine terminals are declared before a discard, everything else happens after one."""
    if event.kind is ev.RyuukyokuKind.NINE_TERMINALS:
        silent = next((seat for seat, river in enumerate(state.rivers) if not river), state.turn)
        _stands(state, Phase.DRAWN, silent)
    else:
        last = next((seat for seat, river in enumerate(state.rivers) if river), None)
        if last is not None:
            _stands(state, Phase.DISCARDED, last, state.rivers[last][-1].tile)


def _next_hand(state: SeatView, event: ev.StartKyoku) -> None:  # noqa: ARG001
    """The end of the hand was not seen."""
    state.phase = Phase.ENDED


_WHERE: Final[dict[type, Callable[[SeatView, Any], None]]] = {
    ev.Discard: _drew,
    ev.RiichiDeclared: _drew,
    ev.Call: _called,
    ev.RiichiAccepted: _accepted,
    ev.Win: _won,
    ev.Ryuukyoku: _drawn_hand,
    ev.StartKyoku: _next_hand,
}
"""How to place the state, by the event that follows."""


_DRAWS_BESIDE_RIVERS: Final = {
    MeldKind.CHI: 0,
    MeldKind.PON: 0,
    MeldKind.DAIMINKAN: 1,
    MeldKind.ANKAN: 1,
    MeldKind.KAKAN: 1,
}
"""Draws that a meld accounts for, besides those whose tiles are still in rivers."""
