"""The viewer's legal actions, derived from its state alone, the actions that events show, and forced draws."""

from collections.abc import Callable, Sequence
from typing import Final

from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.events import Call, RyuukyokuKind
from engine.model.melds import MeldKind, kuikae_mask
from engine.model.rules import RIICHI_STICK, RIICHI_WALL
from engine.model.tiles import EAST, HONOURS, NORTH, TERMINALS_AND_HONOURS, TILE34, TILE37, TILES
from engine.scoring import score_win
from engine.shanten import discard_shanten, waits
from engine.state.seat_view import DISCARD_OF, RIICHI_OF, Phase, SeatView

_DRAWN, _CALLED, _DECLARED, _DISCARDED, _KAN = (
    Phase.DRAWN, Phase.CALLED, Phase.DECLARED, Phase.DISCARDED, Phase.KAN,
)  # fmt: skip


def find_legal_actions(state: SeatView) -> tuple[Action, ...]:
    """The viewer's legal actions; see :meth:`engine.state.GameState.legal_actions`."""
    phase = state.phase
    if state.turn == state.seat:
        if phase is _DRAWN:
            return tuple(_own_turn(state))
        if phase is _CALLED:
            discards = _discards(state)
            swapping = [action for action in discards if state.kuikae >> (action.tile >> 2) & 1]
            return tuple(action for action in discards if action not in swapping or len(swapping) == len(discards))
        if phase is _DECLARED:
            ready = riichi_discards(state)
            return tuple(action for action in _discards(state) if action.tile >> 2 in ready)
    elif phase is _DISCARDED or (phase is _KAN and state.offered >= 0):
        claims = _claims(state)
        if claims:
            return (*claims, PASS)
    return ()


def canonical(state: SeatView, action: Action) -> Action:
    """The legal action that nobody can tell from this one; the action itself if there is none."""
    kind = action.kind
    if kind is ActionKind.DISCARD or kind is ActionKind.RIICHI:
        if action.tile != state.drawn and action.tile in state.hand:
            return Action(kind, _lowest(state, action.tile))
    elif kind is ActionKind.CHI or kind is ActionKind.PON:
        if len(set(action.own)) == len(action.own) == 2 and all(tile in state.hand for tile in action.own):
            return Action(kind, action.tile, _lowest_pair(state, action.own))
    elif kind is ActionKind.ANKAN and 0 <= action.tile < TILES:
        return Action(kind, action.tile & ~3)
    return action


def _lowest(state: SeatView, tile: int) -> int:
    """The lowest copy held that was not just drawn and that nobody can tell from the tile."""
    looks = TILE37 if state.rules.red_fives else TILE34
    return next(held for held in state.hand if looks[held] == looks[tile] and held != state.drawn)


def _lowest_pair(state: SeatView, own: Sequence[int]) -> tuple[int, ...]:
    looks = TILE37 if state.rules.red_fives else TILE34
    chosen: list[int] = []
    for tile in sorted(own):
        chosen.append(next(held for held in state.hand if looks[held] == looks[tile] and held not in chosen))
    return tuple(sorted(chosen))


# -- own turn ------------------------------------------------------------------------------------------------------


def _own_turn(state: SeatView) -> list[Action]:
    seat, drawn = state.seat, state.drawn
    actions: list[Action] = []
    if drawn is None:  # a snapshot does not show the draw
        return actions
    if state.waits_mask >> (drawn >> 2) & 1 and _has_yaku(state, drawn, seat):
        actions.append(Action(ActionKind.TSUMO, drawn))
    can_kan = state.wall_left > 0 and sum(state.kans) < 4
    if state.riichi[seat]:
        if can_kan and waits_survive_kan(state, drawn >> 2):
            actions.append(Action(ActionKind.ANKAN, drawn & ~3))
        actions.append(DISCARD_OF[drawn])
        return actions
    counts = state.counts
    if state.uninterrupted and not state.rivers[seat] and sum(1 for k in TERMINALS_AND_HONOURS if counts[k]) >= 9:
        actions.append(NINE_TERMINALS)
    discards = _discards(state)
    if state.wall_left >= RIICHI_WALL and state.scores[seat] >= RIICHI_STICK and state.closed:
        ready = riichi_discards(state)
        if ready:
            actions += [RIICHI_OF[action.tile] for action in discards if action.tile >> 2 in ready]
    if can_kan:
        if 4 in counts:
            actions += [Action(ActionKind.ANKAN, 4 * kind) for kind, count in enumerate(counts) if count == 4]
        actions += [
            Action(ActionKind.KAKAN, next(tile for tile in state.hand if tile >> 2 == meld.tile34))
            for meld in state.melds[seat]
            if meld.kind is MeldKind.PON and counts[meld.tile34]
        ]
    actions += discards
    return actions


def riichi_discards(state: SeatView) -> list[int]:
    """The ``tile34`` whose discard leaves the viewer's hand, with a tile to discard, tenpai; ascending."""
    after = discard_shanten(state.counts, len(state.melds[state.seat]))
    return [kind for kind, shanten in enumerate(after) if shanten == 0]


def waits_survive_kan(state: SeatView, kind: int) -> bool:
    """Whether the viewer, in riichi, may make a closed kan of ``kind``: of the tile drawn, with unchanged waits."""
    drawn = state.drawn
    if drawn is None or drawn >> 2 != kind or state.counts[kind] != 4:
        return False
    rest = state.counts.copy()
    rest[kind] = 0
    return waits(rest, len(state.melds[state.seat]) + 1) == state.waits


def _discards(state: SeatView) -> list[Action]:
    """One discard for each tile that looks different, the drawn tile last and separate."""
    looks = TILE37 if state.rules.red_fives else TILE34
    drawn = state.drawn
    actions = []
    last = -1
    for tile in state.hand:  # tiles are ascending, so copies that look the same are adjacent
        if tile != drawn and looks[tile] != last:
            last = looks[tile]
            actions.append(DISCARD_OF[tile])
    if drawn is not None:
        actions.append(DISCARD_OF[drawn])
    return actions


def _has_yaku(state: SeatView, tile: int, from_seat: int) -> bool:
    """Whether the complete hand has a yaku; a hand in riichi, or a closed self-draw, always has one."""
    if state.riichi[state.seat] or (from_seat == state.seat and state.closed):
        return True
    return score_win(state.win_context(tile, from_seat)) is not None


# -- another's tile ------------------------------------------------------------------------------------------------


def _claims(state: SeatView) -> list[Action]:
    tile = state.offered
    kind = tile >> 2
    actions: list[Action] = []
    if state.waits_mask >> kind & 1 and not state.furiten and _has_yaku(state, tile, state.turn):
        actions.append(Action(ActionKind.RON, tile))
    held = state.counts[kind]
    runs = kind < HONOURS and state.seat == (state.turn + 1) & 3
    if held < 2 and not runs:
        return actions
    if state.phase is _KAN or state.riichi[state.seat] or state.wall_left == 0 or forced_draw(state):
        return actions
    if held >= 2:
        copies = [own for own in state.hand if own >> 2 == kind]
        if held == 3 and sum(state.kans) < 4:
            actions.append(Action(ActionKind.DAIMINKAN, tile))
        actions += [Action(ActionKind.PON, tile, pair) for pair in _pairs(state, copies)]
    if runs:
        actions += _chis(state, tile)
    return actions


def _pairs(state: SeatView, copies: list[int]) -> list[tuple[int, int]]:
    """The pairs among two or three copies that look different."""
    looks = TILE37 if state.rules.red_fives else TILE34
    if len(copies) == 2 or looks[copies[0]] == looks[copies[1]]:
        return [(copies[0], copies[1])]
    return [(copies[0], copies[1]), (copies[1], copies[2])]


def _chis(state: SeatView, tile: int) -> list[Action]:
    counts = state.counts
    kind = tile >> 2
    number = kind % 9
    actions = []
    for first, second in ((-2, -1), (-1, 1), (1, 2)):
        if not (number + first >= 0 and number + second <= 8 and counts[kind + first] and counts[kind + second]):
            continue
        forbidden = kuikae_mask(kind, (kind + first, kind + second))
        actions += [
            Action(ActionKind.CHI, tile, (one, other))
            for one in _copies(state, kind + first)
            for other in _copies(state, kind + second)
            if any(not forbidden >> (own >> 2) & 1 for own in state.hand if own not in (one, other))
        ]
    return actions


def _copies(state: SeatView, kind: int) -> list[int]:
    """One held copy for each look of a kind: the red five and the lowest plain tile."""
    looks = TILE37 if state.rules.red_fives else TILE34
    copies: list[int] = []
    for tile in state.hand:
        if tile >> 2 == kind and (not copies or looks[copies[-1]] != looks[tile]):
            copies.append(tile)
    return copies


_KINDS: Final = {
    MeldKind.CHI: ActionKind.CHI,
    MeldKind.PON: ActionKind.PON,
    MeldKind.DAIMINKAN: ActionKind.DAIMINKAN,
    MeldKind.ANKAN: ActionKind.ANKAN,
    MeldKind.KAKAN: ActionKind.KAKAN,
}


def call_action(event: Call) -> Action:
    """The action by which a meld was made."""
    meld = event.meld
    kind = _KINDS[meld.kind]
    if meld.kind is MeldKind.ANKAN:
        return Action(kind, meld.tiles[0])
    if meld.kind is MeldKind.KAKAN:
        return Action(kind, -1 if meld.added is None else meld.added)
    own = () if meld.kind is MeldKind.DAIMINKAN else meld.own_tiles
    return Action(kind, -1 if meld.called is None else meld.called, own)


Fact = Callable[[SeatView], bool]
"""Whether something holds of what a seat knows."""


def _four_winds(state: SeatView) -> bool:
    if not state.uninterrupted or list(map(len, state.rivers)) != [1, 1, 1, 1]:
        return False
    kinds = {river[0].tile >> 2 for river in state.rivers}
    return len(kinds) == 1 and EAST <= kinds.pop() <= NORTH


FORCED_DRAWS: Final[dict[RyuukyokuKind, tuple[Fact, str]]] = {
    RyuukyokuKind.FOUR_RIICHI: (
        lambda s: s.phase is _DISCARDED and 0 not in s.riichi,
        "four riichi must be accepted",
    ),
    RyuukyokuKind.FOUR_KANS: (
        lambda s: s.phase is _DISCARDED and sum(s.kans) == 4 and max(s.kans) < 4,
        "four kans must be made by two players or more, and the discard have passed",
    ),
    RyuukyokuKind.FOUR_WINDS: (
        lambda s: s.phase is _DISCARDED and _four_winds(s),
        "four like winds must be the first four discards, without a call",
    ),
}
"""The condition for each abortive draw that nobody declares, and how to express it."""


def forced_draw(state: SeatView) -> RyuukyokuKind | None:
    """The abortive draw with which the hand must end unless the discard is won on, or None."""
    for kind, (fact, _) in FORCED_DRAWS.items():
        if fact(state):
            return kind
    return None
