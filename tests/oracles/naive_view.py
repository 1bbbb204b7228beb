"""Checks of a view: every derived fact is recomputed in a different way from the plain ones."""

from __future__ import annotations

from engine.model.bounds import HONBA, KANS, KYOKU, SEAT, STICKS, Range, fault_of_final_scores, first_fault
from engine.model.melds import MeldKind
from engine.model.rules import LIVE_WALL
from engine.model.seats import SEATS
from engine.model.tiles import EAST, KINDS, TILES
from engine.shanten import is_agari
from engine.state import Phase
from engine.state.refuse import is_meld

_WITH_ONE_MORE = (Phase.DRAWN, Phase.CALLED, Phase.DECLARED)


def validate(state):
    """Raise an AssertionError if a fact of a :class:`GameState` differs from what follows from the plain ones."""
    if state.phase is Phase.IDLE:
        return
    for check in (_figures, _tiles, _hand, _waits, _wall, _melds, _riichi, _furiten, _legal):
        check(state)


def _same(state, what: str, is_, should):
    if is_ != should:
        raise AssertionError(
            f"{state.place()}, seat {state.seat}'s view, {state.phase.name.lower()}: {what} is {is_}, not {should}"
        )


def _figures(state):
    """Plain numbers are those that a table can have."""
    fault = first_fault(
        KYOKU.fault("kyoku", state.kyoku),
        HONBA.fault("honba", state.honba),
        STICKS.fault("riichi sticks", state.riichi_sticks),
        SEAT.fault("turn", state.turn),
        KANS.fault("indicators to come", state.pending_dora),
        *(Range(0, 2).fault(f"riichi of seat {seat}", each) for seat, each in enumerate(state.riichi)),
        fault_of_final_scores(state.scores),
    )
    _same(state, "the fault of its numbers", fault, "")
    _same(state, "the number of scores and riichi", (len(state.scores), len(state.riichi)), (len(SEATS), len(SEATS)))
    _same(state, "the dealer", state.dealer, state.kyoku % len(SEATS))


def _tiles(state):
    """Every tile is in one place, and ``seen`` and ``visible`` match those places."""
    tiles = [*state.hand, *state.dora_indicators]
    tiles += [tile for melds in state.melds for meld in melds for tile in meld.tiles]
    tiles += [discarded.tile for river in state.rivers for discarded in river if discarded.called_by is None]
    _same(state, "the number of different tiles in sight", len(set(tiles)), len(tiles))
    _same(state, "seen", [at for at in range(TILES) if state.seen[at]], sorted(tiles))
    _same(state, "visible", state.visible, [sum(tile // 4 == kind for tile in tiles) for kind in range(KINDS)])


def _hand(state):
    """Size, order and counts of the hand, and the winds."""
    own_turn = state.turn == state.seat
    more = own_turn and state.phase in _WITH_ONE_MORE
    if state.phase is Phase.ENDED:
        more = len(state.hand) % 3 == 2  # depends on how the hand ended
    _same(state, "the number of tiles in hand", len(state.hand), 13 + more - 3 * len(state.melds[state.seat]))
    _same(state, "the hand", state.hand, sorted(state.hand))
    _same(state, "counts", state.counts, [sum(tile // 4 == kind for tile in state.hand) for kind in range(KINDS)])
    if state.drawn is not None:
        _same(state, "the drawn tile's being held", state.drawn in state.hand and more, True)
    _same(state, "the seat wind", state.seat_wind, EAST + (state.seat + 4 - state.dealer) % 4)
    _same(state, "the round wind", state.round_wind, EAST + state.kyoku // 4 % 4)


def _waits(state):
    """Each kind is tried in turn and completes the hand or not."""
    _same(state, "the waits as a bit set", state.waits_mask, sum(1 << kind for kind in state.waits))
    if state.phase is Phase.CALLED and state.turn == state.seat:
        _same(state, "waits", state.waits, ())
        return
    held = list(state.counts)
    if len(state.hand) % 3 == 2:
        if state.drawn is None:
            return
        held[state.drawn >> 2] -= 1
    completing = []
    for kind in range(KINDS):
        if held[kind] < 4:
            held[kind] += 1
            if is_agari(held, len(state.melds[state.seat])):
                completing.append(kind)
            held[kind] -= 1
    _same(state, "waits", state.waits, tuple(completing))


def _wall(state):
    """Every tile drawn was discarded, is still held, or went into a kan."""
    discards = sum(map(len, state.rivers))
    skipped = sum(
        meld.called is not None and meld.kind is not MeldKind.DAIMINKAN for melds in state.melds for meld in melds
    )
    again = sum(meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN) for melds in state.melds for meld in melds)
    if state.phase is Phase.ENDED:
        return  # a hand can end with a drawn tile, a robbed kan or neither
    held = state.phase in _WITH_ONE_MORE
    _same(state, "wall_left", state.wall_left, LIVE_WALL - (discards - skipped + again + held))


def _melds(state):
    """Melds are well formed, their tiles were in the rivers they came from, and kans and indicators are counted."""
    for seat, melds in enumerate(state.melds):
        _same(state, f"the number of seat {seat}'s kans", state.kans[seat], sum(meld.kind.is_kan for meld in melds))
        for meld in melds:
            _same(state, f"{meld} being one of seat {seat}", is_meld(meld, seat), True)
            if meld.called is not None:
                river = state.rivers[meld.from_seat]
                marks = [discarded.called_by for discarded in river if discarded.tile == meld.called]
                _same(state, f"who called {meld.called}", marks, [seat])
    indicators = len(state.dora_indicators) + state.pending_dora
    _same(state, "indicators turned and to come", indicators, 1 + sum(state.kans))
    _same(state, "uninterrupted", state.uninterrupted, not any(state.melds))


def _riichi(state):
    """Riichi goes with a closed hand and a tile in the river; ippatsu ends with the next discard."""
    for seat in SEATS:
        declared = [at for at, discarded in enumerate(state.rivers[seat]) if discarded.riichi]
        expected = bool(declared) and state.riichi_pending != seat
        _same(state, f"seat {seat} being in riichi", bool(state.riichi[seat]), expected)
        if state.riichi[seat] == 2:
            _same(state, f"where seat {seat}'s double riichi lies", declared, [0])
        if state.riichi[seat]:
            open_melds = [meld for meld in state.melds[seat] if meld.kind is not MeldKind.ANKAN]
            _same(state, f"seat {seat}'s open melds in riichi", open_melds, [])
        if state.ippatsu[seat]:
            _same(state, f"discards after seat {seat}'s riichi", len(state.rivers[seat]) - 1 - declared[-1], 0)
    _same(state, "sticks not negative", state.riichi_sticks >= 0, True)


def _furiten(state):
    """Furiten by the river follows from the river; the other kinds require tenpai."""
    kinds = {discarded.tile >> 2 for discarded in state.rivers[state.seat]}
    _same(state, "the river as a bit set", state.river_mask, sum(1 << kind for kind in kinds))
    _same(state, "furiten by the river", state.furiten_river, not kinds.isdisjoint(state.waits))
    if state.furiten_riichi:
        _same(state, "being in riichi", bool(state.riichi[state.seat]), True)
    if state.missed:
        _same(state, "waiting for the tile on offer", state.offered >> 2 in state.waits, True)


def _legal(state):
    """Check the legal actions: distinct, one of those that nobody can tell apart, and some when the viewer must act."""
    legal = state.copy().legal_actions()
    _same(state, "the legal actions found before", state.legal_actions(), legal)
    _same(state, "the number of different actions", len(set(legal)), len(legal))
    if state.turn == state.seat and state.phase in _WITH_ONE_MORE:
        _same(state, "having a legal action", bool(legal), True)
    for action in legal:
        _same(state, f"what stands for {action}", state.canonical(action), action)
