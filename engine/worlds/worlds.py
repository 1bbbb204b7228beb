"""Worlds: tables that show what one seat sees, with hidden tiles drawn as likely as that makes them; playing on."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import new_records
from engine.imitation import layout_kernels as layout
from engine.imitation.network import view_inputs
from engine.model.actions import Action
from engine.model.rules import LIVE_WALL
from engine.model.seats import turn_order
from engine.model.tiles import RED_FIVES
from engine.network.trunk import Floats
from engine.rules.answers import number_of
from engine.rules.table_kernels import CALLED, DISCARDED, DRAWN, KAN, Table
from engine.shanten.tables import hand_tables
from engine.simulator.game_kernels import GameTable
from engine.simulator.tables import BatchDecider, Tables
from engine.state import GameState
from engine.state.seat_view import Phase
from engine.worlds.network import OTHERS, HiddenHands, with_known
from engine.worlds.world_kernels import fill_tenpai, fill_worlds

HAND: Final = 13
_PHASES: Final = {Phase.DRAWN: DRAWN, Phase.CALLED: CALLED, Phase.DISCARDED: DISCARDED, Phase.KAN: KAN}


def can_be_drawn(state: GameState) -> bool:
    """Whether worlds can be drawn: the course of the hand is known, and the seat is asked something."""
    return state.history_known and state.phase in _PHASES


def draw_worlds(state: GameState, network: HiddenHands, number: int, seed: int) -> Tables:
    """So many worlds in which the state's seat sees what it sees, all with the same question.

    Of several times as many hands those are taken that are likely, some of them more than once, with walls of their
    own: who has declared riichi is tenpai in all of them. There are none if no such hands were drawn.

    Args:
        state: see :func:`can_be_drawn`.
        network: guesses hands.
        number: how many.
        seed: of everything drawn.
    """
    random = np.random.default_rng(seed)
    around = turn_order(state.seat)[1:]
    riichi = np.array([bool(state.riichi[seat]) or state.riichi_pending == seat for seat in around])
    sizes = np.array([HAND - 3 * len(state.melds[seat]) for seat in around])
    times = number * (TIMES_IN_RIICHI if riichi.any() else TIMES)
    one = Seen(*view_inputs(state), sizes, riichi)
    drawn = draw_hands(network, Seen._make(np.repeat(each[None], times, axis=0) for each in one), random)
    weights = drawn.weights * _filled(state, drawn.hands, random)[1]
    if not weights.any():
        return Tables(0, state.rules)
    hands = drawn.hands[_chosen(weights, number, random)]
    tables = Tables(number, state.rules)
    np.asarray(tables.games)[:] = _filled(state, hands, random)[0]
    tables.look_again()
    return tables


TIMES, TIMES_IN_RIICHI = 2, 4
"""Times as many hands are drawn, and where somebody has declared riichi. Guesses."""
ODDS: Final = np.array([1.0, 2.2, 1.3], np.float32)
"""By stance, what a hand that is tenpai weighs beside one that is not, because too few drawn hands are. Fitted on 2,989
views of the validation split: 34.6% of open hands were tenpai, 23.2% of the drawn ones, 35.0% as they are weighed; of
closed ones 2.95, 2.30 and 2.90%."""


def _chosen(weights: Floats, number: int, random: np.random.Generator) -> NDArray[np.int64]:
    """(number,): places, each as often as its share of the weights says, but for the fraction of one."""
    shares = np.cumsum(weights / weights.sum(), dtype=np.float64)
    return np.minimum(np.searchsorted(shares, (np.arange(number) + random.random()) / number), len(weights) - 1)


class Seen(NamedTuple):
    """What n seats see.

    Attributes:
        planes, numbers: see :func:`engine.imitation.network.view_inputs`.
        sizes: (n, OTHERS), concealed tiles of each of the others, counted from the one on the right.
        tenpai: (n, OTHERS), who must be tenpai.
    """

    planes: NDArray[np.uint8]
    numbers: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    tenpai: NDArray[np.bool_]


class Drawn(NamedTuple):
    """Hands that were drawn.

    Attributes:
        hands: (n, OTHERS, 34), tiles of the others.
        weights: (n,), how likely those who must be tenpai are so with their last tiles; 0 if they are not.
    """

    hands: NDArray[np.uint8]
    weights: Floats


def draw_hands(network: HiddenHands, seen: Seen, random: np.random.Generator) -> Drawn:
    """Hands of the others, tile by tile.

    The last tile of those who must be tenpai is drawn among those that make them so, if there are any.

    Args:
        network: guesses hands.
        seen: by n seats.
        random: draws.
    """
    planes, numbers, sizes, tenpai = seen
    known = np.zeros((len(planes), OTHERS, 34), np.uint8)
    left = planes[:, :, layout.UNSEEN].copy()
    weights = np.ones(len(planes), np.float32)
    for step in range(HAND):
        now, then = sizes * step // HAND, sizes * (step + 1) // HAND
        logits = network.next_kinds(*with_known(planes, numbers, known, sizes - now))
        for one in range(OTHERS):
            rows = np.flatnonzero(then[:, one] > now[:, one])
            chances = np.exp(logits[rows, one] - logits[rows, one].max(axis=1, keepdims=True)) * (left[rows] > 0)
            last = np.flatnonzero(tenpai[rows, one] & (then[rows, one] == sizes[rows, one]))
            if len(last):
                weights[rows[last]] *= _only_tenpai(known[rows[last], one], chances, last)
            kinds = (np.log(np.maximum(chances, TINY)) + random.gumbel(size=chances.shape)).argmax(axis=1)
            known[rows, one, kinds] += 1
            left[rows, kinds] -= 1
    return Drawn(known, weights)


TINY: Final = 1e-30
"""A chance so small that no other is."""


def _only_tenpai(hands: NDArray[np.uint8], chances: Floats, which: NDArray[np.int64]) -> Floats:
    """Leave to some rows of the chances only the kinds with which the hands are tenpai; the share that these had."""
    makes = np.zeros((len(hands), 34), np.bool_)
    fill_tenpai(hands, hand_tables(), makes)
    some = chances[which] * makes
    shares: Floats = some.sum(axis=1) / chances[which].sum(axis=1)
    found = shares > 0
    chances[which[found]] = some[found]
    return shares


def _filled(state: GameState, hands: NDArray[np.uint8], random: np.random.Generator) -> tuple[NDArray[np.void], Floats]:
    """Tables with these hands, and what each weighs."""
    games = new_records(GameTable, len(hands))
    array = np.asarray(games)
    array[:] = _as_seen(state)
    array["random"] = random.integers(1 << 63, size=len(hands))
    unseen = np.flatnonzero(np.frombuffer(bytes(state.seen), np.uint8) == 0).astype(np.uint8)
    weights = np.zeros(len(hands), np.float32)
    fill_worlds(games, state.seat, unseen, hands, ODDS, weights, hand_tables())
    return array, weights


def _as_seen(state: GameState) -> NDArray[np.void]:
    """A table that holds what the seat sees; the other hands and the wall are empty."""
    table = np.asarray(Tables(1, state.rules).games)[0:1].copy()
    view = np.asarray(state.as_table())
    for name in new_records(Table).dtype.names:  # type: ignore[attr-defined]
        table[name] = view[name]
    one = table[0]
    seat = state.seat
    one["phase"], one["turn"], one["kuikae"] = _PHASES[state.phase], state.turn, state.kuikae
    one["from_dead_wall"], one["uninterrupted"] = state.rinshan, state.uninterrupted
    one["dora_owed"] = state.pending_dora
    one["riichi"], one["ippatsu"], one["kans"] = state.riichi, state.ippatsu, state.kans
    one["discards"] = sum(map(len, state.rivers))
    one["river_mask"] = [sum({1 << (tile.tile >> 2) for tile in river}) for river in state.rivers]
    one["counts"][seat] = state.counts
    for tile in state.hand:
        one["copies"][seat, tile >> 2] |= 1 << (tile & 3)
    one["open_tiles"] = np.array(state.visible) - np.array(state.counts)
    if state.rules.red_fives:
        one["open_reds"] = [bool(state.seen[red]) and red not in state.hand for red in RED_FIVES]
    one["waits"][seat], one["missed"][seat] = state.waits_mask, state.missed
    one["furiten_turn"][seat], one["furiten_riichi"][seat] = state.furiten_turn, state.furiten_riichi
    robbed = state.phase is Phase.KAN
    one["dead_drawn"] = sum(state.kans) - robbed
    one["live_drawn"] = LIVE_WALL - state.wall_left - one["dead_drawn"]
    for at, tile in enumerate(state.dora_indicators):
        one["tiles"][5 + 2 * at] = tile
    one["dealt_scores"], one["dealt_sticks"] = state.scores, state.riichi_sticks
    one["hands"] = 1
    return table


# -- playing on --------------------------------------------------------------------------------------------------------


def answer_number(table: GameTable, action: Action) -> int:
    """The number of an action at a table."""
    return number_of(action, int(table.drawn) if table.phase == DRAWN else None, bool(table.red_fives))


def play_out(tables: Tables, first: Sequence[Mapping[int, Action]], player: BatchDecider) -> None:
    """Play the hands at all tables to their end.

    Args:
        tables: the tables; all are asked something.
        first: for each table, answers by seat to be given now instead of the player's.
        player: who plays on all seats.

    Raises:
        AnswerError: an answer of ``first`` is not legal.
    """
    asked = tables.questions()
    answers = player.answer_all(tables.games, asked)
    for row, (at, seat) in enumerate(zip(asked.tables.tolist(), asked.seats.tolist(), strict=True)):
        if seat in first[at]:
            answers[row] = answer_number(tables.games[at], first[at][seat])
    tables.answer(answers)
    while len((asked := tables.questions()).tables):
        tables.answer(player.answer_all(tables.games, asked))


def copies(worlds: Tables, number: int) -> Tables:
    """So many times the same tables, one set after the other."""
    found = Tables(number * len(worlds), worlds.rules)
    np.asarray(found.games)[:] = np.tile(np.asarray(worlds.games), number)
    found.look_again()
    return found
