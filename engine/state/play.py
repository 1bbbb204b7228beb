"""The events of play. Each function checks everything before it changes anything."""

from bisect import insort

from engine.model.bounds import fault_of_standing
from engine.model.events import Call, Discard, Draw, NewDora, RiichiAccepted, RiichiDeclared, StartGame, StartKyoku
from engine.model.melds import Meld, MeldKind, kuikae_after
from engine.model.rules import RIICHI_STICK, RIICHI_WALL
from engine.model.seats import SEATS, dealer_of
from engine.model.tiles import TILES, format_tile, format_tiles
from engine.state.changes import is_meld, let_go, refuse, require, reveal, set_waits, take_hand, unseen
from engine.state.legal import forced_draw, riichi_discards, waits_survive_kan
from engine.state.seat_view import RIVER_TILES, Phase, SeatView

# Looking up members of an enumeration through its class is slow.
IDLE, DEALT, DRAWN, CALLED, DECLARED, DISCARDED, KAN, ENDED, RESUMED = Phase
CHI, PON, DAIMINKAN, ANKAN, KAKAN = MeldKind


def start_game(state: SeatView, event: StartGame) -> None:
    """A game begins."""
    require(state, event, state.phase in (IDLE, ENDED), "a hand is in play")
    state.rules = event.rules
    state.scores = [event.rules.start_points] * 4
    state.riichi_sticks = 0
    state.clear(kyoku=0, honba=0, dealer=0)


def start_kyoku(state: SeatView, event: StartKyoku) -> None:
    """A hand is dealt."""
    require(state, event, state.phase in (IDLE, ENDED), "a hand is in play")
    hand = event.hands[state.seat]
    if hand is None or len(hand) != 13:
        refuse(state, event, f"seat {state.seat} must see its own 13 tiles")
    tiles = (*hand, event.dora_indicator)
    if len(set(tiles)) != 14 or not all(0 <= tile < TILES for tile in tiles):
        refuse(state, event, "a tile appears twice, or is not one of the 136")
    fault = fault_of_standing(event.kyoku, event.honba, event.riichi_sticks, event.scores)
    require(state, event, not fault, fault)
    require(state, event, event.dealer == dealer_of(event.kyoku), "seat kyoku % 4 deals")
    state.clear(event.kyoku, event.honba, event.dealer)
    state.riichi_sticks = event.riichi_sticks
    state.scores = list(event.scores)
    take_hand(state, hand)
    state.dora_indicators.append(event.dora_indicator)
    reveal(state, (event.dora_indicator,))
    state.phase = DEALT


def draw(state: SeatView, event: Draw) -> None:
    """A player draws a tile."""
    seat = event.seat
    phase = state.phase
    if phase is DISCARDED:
        if state.riichi_pending is not None:
            refuse(state, event, f"seat {state.riichi_pending}'s riichi is not accepted yet")
        if seat != (state.turn + 1) & 3:
            refuse(state, event, f"seat {(state.turn + 1) & 3} draws next")
        if (0 not in state.riichi or sum(state.kans) == 4 or state.wall_left == 66) and forced_draw(state):
            refuse(state, event, "the hand must end in an abortive draw")
    elif phase is DEALT or phase is KAN:
        if seat != state.turn:
            refuse(state, event, f"seat {state.turn} draws next")
    elif phase is not RESUMED:
        refuse(state, event, "nobody draws now")
    if not state.wall_left:
        refuse(state, event, "the wall is empty")
    if seat == state.seat:
        tile = event.tile
        if tile is None or not 0 <= tile < TILES or state.seen[tile]:
            refuse(state, event, "the seat must see a tile that it has not seen before")
        insort(state.hand, tile)
        state.counts[tile >> 2] += 1
        state.seen[tile] = 1
        state.visible[tile >> 2] += 1
        state.drawn = tile
    if state.missed:
        let_go(state)
    state.rinshan = phase is KAN
    if state.rinshan:  # only now, because a robbed kakan does not end ippatsu
        state.ippatsu = [False, False, False, False]
    state.wall_left -= 1
    state.offered = -1
    state.turn = seat
    state.phase = DRAWN


def discard(state: SeatView, event: Discard) -> None:
    """A player discards a tile."""
    seat = event.seat
    tile = event.tile
    tsumogiri = event.tsumogiri
    phase = state.phase
    if phase is DRAWN:
        if state.riichi[seat] and not tsumogiri:
            refuse(state, event, "after riichi only the drawn tile can be discarded")
    elif phase is CALLED:
        if tsumogiri:
            refuse(state, event, "nothing was drawn")
        # kuikae is not refused: Tenhou's client does not offer it, but its server accepts it
    elif phase is not DECLARED:
        refuse(state, event, "nobody discards now")
    if seat != state.turn:
        refuse(state, event, f"it is seat {state.turn}'s turn")
    kind = tile >> 2
    if seat == state.seat:
        if tile not in state.hand:
            refuse(state, event, f"the hand is {format_tiles(state.hand)}")
        if tsumogiri != (tile == state.drawn):
            refuse(state, event, f"the tile drawn was {'none' if state.drawn is None else format_tile(state.drawn)}")
        if phase is DECLARED and kind not in riichi_discards(state):
            refuse(state, event, "the hand is not tenpai after it")
        state.hand.remove(tile)
        state.counts[kind] -= 1
        state.drawn = None
        state.river_mask |= 1 << kind
        state.furiten_turn = False
        if not tsumogiri:
            set_waits(state)
    else:
        if not 0 <= tile < TILES or state.seen[tile]:
            refuse(state, event, f"{tile} is not a tile, or is known to be somewhere else")
        state.seen[tile] = 1
        state.visible[kind] += 1
        if state.waits_mask >> kind & 1:
            state.missed = True
    state.rivers[seat].append(RIVER_TILES[tile << 2 | tsumogiri << 1 | (phase is DECLARED)])
    state.ippatsu[seat] = False
    state.rinshan = False
    state.kuikae = 0
    state.offered = tile
    state.phase = DISCARDED


def call(state: SeatView, event: Call) -> None:
    """A player makes a meld."""
    meld = event.meld
    seat = event.seat
    kind = meld.kind
    require(state, event, seat in SEATS and is_meld(meld, seat), "no such meld exists")
    require(state, event, state.wall_left > 0, "no tile can be called once the wall is empty")
    require(state, event, kind < DAIMINKAN or sum(state.kans) < 4, "four kans have been made")
    if kind < ANKAN:
        _claim(state, event, seat, meld)
    else:
        _declare_kan(state, event, seat, meld)


def _claim(state: SeatView, event: Call, seat: int, meld: Meld) -> None:
    """Chi, pon or kan on the offered discard."""
    giver = state.turn
    if state.phase is not DISCARDED or meld.called != state.offered or meld.from_seat != giver or seat == giver:
        refuse(state, event, "only the tile just discarded by another player can be called")
    if state.riichi_pending is not None:
        refuse(state, event, f"seat {state.riichi_pending}'s riichi is not accepted yet")
    require(state, event, not state.riichi[seat], "a player in riichi cannot call")
    require(state, event, forced_draw(state) is None, "the hand must end in an abortive draw")
    require(state, event, meld.kind is not CHI or seat == (giver + 1) & 3, "only the next seat can call chi")
    own = meld.own_tiles
    if seat == state.seat:
        hand = state.hand
        if not all(tile in hand for tile in own):
            refuse(state, event, f"the hand is {format_tiles(hand)}")
        _lay_down(state, own)
    else:
        require(state, event, unseen(state, own), "one of its tiles is somewhere else")
        reveal(state, own)
    if state.missed:
        let_go(state)
    state.rivers[giver][-1] = state.rivers[giver][-1]._replace(called_by=seat)
    state.melds[seat].append(meld)
    state.ippatsu = [False, False, False, False]
    state.uninterrupted = False
    state.offered = -1
    state.turn = seat
    if meld.kind is DAIMINKAN:
        _await_rinshan(state, seat)
    else:
        state.kuikae = kuikae_after(meld)
        state.phase = CALLED
        if seat == state.seat:
            state.waits, state.waits_mask = (), 0


def _declare_kan(state: SeatView, event: Call, seat: int, meld: Meld) -> None:
    """A closed or added kan in the player's own turn."""
    if state.phase is not DRAWN or seat != state.turn:
        refuse(state, event, f"only seat {state.turn} can do this, after a draw")
    melds = state.melds[seat]
    if meld.kind is KAKAN:
        require(state, event, not state.riichi[seat], "a player in riichi has no pon")
        pon = next((old for old in melds if old.kind is PON and old.called == meld.called), None)
        if pon is None or meld.added is None or set(pon.tiles) != set(meld.tiles) - {meld.added}:
            refuse(state, event, "there is no pon to add it to")
        own: tuple[int, ...] = (meld.added,)
    else:
        own = meld.tiles
    if seat == state.seat:
        hand = state.hand
        if not all(tile in hand for tile in own):
            refuse(state, event, f"the hand is {format_tiles(hand)}")
        if state.riichi[seat] and not waits_survive_kan(state, meld.tile34):
            refuse(state, event, "in riichi a kan may not change the waits and needs the drawn tile")
        _lay_down(state, own)
    else:
        require(state, event, unseen(state, own), "one of its tiles is somewhere else")
        reveal(state, own)
    if meld.kind is KAKAN:
        melds[[old.called for old in melds].index(meld.called)] = meld
        state.offered = own[0]
        if seat != state.seat and state.waits_mask >> (own[0] >> 2) & 1:
            state.missed = True
    else:
        melds.append(meld)
        state.ippatsu = [False, False, False, False]
    state.uninterrupted = False
    _await_rinshan(state, seat)


def _lay_down(state: SeatView, own: tuple[int, ...]) -> None:
    """Remove the viewer's tiles from its concealed hand."""
    for tile in own:
        state.hand.remove(tile)
        state.counts[tile >> 2] -= 1
    state.drawn = None


def _await_rinshan(state: SeatView, seat: int) -> None:
    state.kans[seat] += 1
    state.pending_dora += 1
    state.phase = KAN
    if seat == state.seat:
        set_waits(state)


def riichi_declared(state: SeatView, event: RiichiDeclared) -> None:
    """A player declares riichi."""
    seat = event.seat
    if state.phase is not DRAWN or seat != state.turn:
        refuse(state, event, f"only seat {state.turn} can do this, after a draw")
    require(state, event, not state.riichi[seat], "the seat is in riichi already")
    require(state, event, all(meld.kind is ANKAN for meld in state.melds[seat]), "the hand is open")
    require(state, event, state.scores[seat] >= RIICHI_STICK, f"riichi costs {RIICHI_STICK} points")
    require(
        state, event, state.wall_left >= RIICHI_WALL, f"riichi needs four tiles in the wall; {state.wall_left} are left"
    )
    if seat == state.seat and not riichi_discards(state):
        refuse(state, event, f"the hand {format_tiles(state.hand)} is not tenpai")
    state.riichi_pending = seat
    state.phase = DECLARED


def riichi_accepted(state: SeatView, event: RiichiAccepted) -> None:
    """Nobody won on the riichi discard, and the stick is paid."""
    seat = event.seat
    # the riichi may have been declared before a snapshot that did not show it
    unseen_yet = not state.history_known and state.riichi_pending is None and not state.riichi[seat]
    pending = state.riichi_pending == seat or (unseen_yet and state.turn == seat)
    if state.phase is not DISCARDED or not pending:
        refuse(state, event, "the seat has not just declared riichi and discarded")
    state.rivers[seat][-1] = state.rivers[seat][-1]._replace(riichi=True)
    if state.missed:
        let_go(state)
    state.riichi[seat] = 2 if state.uninterrupted and len(state.rivers[seat]) == 1 else 1
    state.ippatsu[seat] = True
    state.riichi_pending = None
    state.scores[seat] -= RIICHI_STICK
    state.riichi_sticks += 1


def new_dora(state: SeatView, event: NewDora) -> None:
    """The dora indicator of a kan is turned."""
    require(state, event, state.pending_dora > 0, "every kan already has its indicator")
    require(state, event, unseen(state, (event.indicator,)), "the tile is somewhere else")
    state.pending_dora -= 1
    state.dora_indicators.append(event.indicator)
    reveal(state, (event.indicator,))
