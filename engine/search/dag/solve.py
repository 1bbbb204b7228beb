"""From hands and a model to the worth of every root action."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK
from engine.model.tiles import DORA_AFTER, KINDS, RED_FIVES
from engine.scoring import hand_flags, pack_melds
from engine.scoring.yaku_kernels import WIN_DOUBLE_RIICHI, WIN_RIICHI
from engine.search.dag import draw_kernels, search_kernels, sweep_kernels, worth_kernels
from engine.search.dag.discard_kernels import OPPONENTS
from engine.search.dag.graph import Bounds, number_of
from engine.search.dag.graph_kernels import SLOT_BITS, Hands, Root
from engine.search.dag.leaf_kernels import Table
from engine.search.dag.meld_kernels import kan_kinds
from engine.search.dag.model import Model, RiichiMode
from engine.search.discard_tables import discard_tables, is_dora, kind_classes, safety
from engine.search.evaluator import AS_IT_STANDS, CALLING, DECLARING, Stakes, TileChances, Utility
from engine.search.position import Position
from engine.shanten.tables import hand_tables

DOUBLE = 2
"""Value of ``Position.riichi`` after a double riichi."""
_DORA_AFTER = np.array(DORA_AFTER, np.int8)


class Turns(NamedTuple):
    """What depends on the turn, as arrays for the kernels; ``D`` is the number of own draws left at the root."""

    # float64, shape (2, D + 1, 3, 34): ``[own riichi, d, opponent, tile34]``, how often the opponent on the left,
    # across, on the right discards the kind relative to its share of the unseen tiles
    rate: NDArray[np.float64]
    # float64, shape (2, 34): ``[own riichi, tile34]``, how often the player draws the kind relative to its share; and
    # by turn, draw_scale: float64, shape (2, D + 2), a factor on all kinds that lead to another hand. A kan at the root
    # brings one draw more.
    draw_kinds: NDArray[np.float64]
    draw_scale: NDArray[np.float64]
    # float64, shape (2, D + 1): chance that nobody else ends the hand in the go-around; without own draws left, in a
    # whole one after the last own discard, of which ``tail`` thirds are played
    survive: NDArray[np.float64]
    # float64, shape (3,): worth of the exhaustive draw: noten, tenpai, tenpai with a riichi declared in the search
    terminal: NDArray[np.float64]
    # float64, shape (2, D + 1): worth of a hand that another player ended, or that dealt in, without and with such a
    # riichi
    ended: NDArray[np.float64]
    ippatsu_kept: tuple[float, float]  # (ron, tsumo): chance that no call has broken ippatsu by then
    tail: int  # number of opponents who discard after the last own discard
    fold: NDArray[np.float64]  # float64, shape (D + 1,): worth of folding; minus infinity if that is not an option


def turns_of(
    position: Position, model: Model, stakes: Stakes, opponents: int = OPPONENTS, called: bool = False
) -> Turns:
    """The arrays for a position.

    Args:
        position: the position after the root action.
        model: the parts of the game that are played.
        stakes: the worth of the ends of the hand.
        opponents: number of opponents who discard before the player's next draw.
        called: whether the root action was a call.
    """
    draws = position.draws_left
    draw_kinds, draw_scale = np.ones((2, KINDS)), np.ones((2, draws + 2))
    if stakes.tiles is not None and not model.draws_only:
        rate = _discards_of(stakes.tiles, draws, opponents, called)
        draw_kinds, draw_scale = _draws_of(stakes.tiles, position, called)
    else:
        average = np.ones((2, draws + 1, KINDS)) if model.draws_only else rates_of(position, draws)
        rate = np.repeat(average[:, :, None], OPPONENTS, axis=2)
    survive = np.ones((2, draws + 1))
    if stakes.tiles is not None and not model.draws_only:
        survive = _survival_of(stakes.tiles, draws, opponents if draws else position.tail, called)
    elif stakes.survive:
        survive = _by_turn(stakes.survive, draws + 1)
    elif not model.draws_only:
        survive = discard_tables().survival_by_draws(position, draws)
    if stakes.tiles is None:
        survive[:, 0] = 1.0  # the average table counts no win after the last own discard
    given_up = np.zeros(draws + 1)
    if stakes.tiles is not None and stakes.fold:
        given_up = stakes.tiles.by_draws(stakes.tiles.give_up[CALLING if called else AS_IT_STANDS], draws)
    survive, ended = _at_stake(stakes, survive, given_up)
    fold = np.full(draws + 1, -np.inf)
    fold[: len(stakes.fold)] = stakes.fold[: draws + 1]
    return Turns(
        rate=rate,
        draw_kinds=draw_kinds,
        draw_scale=draw_scale,
        survive=survive,
        terminal=np.array(stakes.terminal),
        ended=ended,
        ippatsu_kept=(0.0, 0.0) if model.draws_only or not position.rules.ippatsu else discard_tables().ippatsu_kept,
        tail=position.tail,
        fold=fold,
    )


def rates_of(position: Position, draws: int) -> NDArray[np.float64]:
    """(2, draws + 1, 34): how often others discard each kind, without and with own riichi and by own draws left.

    Relative to the kind's share of the unseen tiles: times these shares the rates sum to 1.
    """
    fitted, found = discard_tables(), np.empty((2, draws + 1, KINDS))
    search_kernels.fill_rates(
        fitted.open_rates, fitted.riichi_rates, kind_classes(position.round_wind), is_dora(position.dora_indicators),
        safety(position.river_mask), np.array(position.unseen), found,
    )  # fmt: skip
    return found


def _discards_of(tiles: TileChances, draws: int, opponents: int, called: bool) -> NDArray[np.float64]:
    """(2, draws + 1, OPPONENTS, 34): how often each opponent discards each kind, by own draws left.

    Those who do not discard before the player's next draw are a turn behind the others.
    """
    turn = draws - np.arange(draws + 1)
    rate = np.empty((2, draws + 1, OPPONENTS, KINDS))
    last = tiles.discards.shape[2] - 1
    for opponent in range(OPPONENTS):
        behind = int(opponent >= opponents)
        turns = np.clip(turn - behind, 0, last)
        for own, how in enumerate((CALLING if called else AS_IT_STANDS, DECLARING)):
            rate[own, :, opponent] = tiles.discards[how, opponent, turns]
    return rate


def _survival_of(tiles: TileChances, draws: int, opponents: int, called: bool) -> NDArray[np.float64]:
    """(2, draws + 1): chance that nobody else ends the hand in the go-around, by own draws left.

    The sweep takes of the first go-around the part in which ``opponents`` of the three discard; what is stated is the
    chance of that part already.
    """
    rows = CALLING if called else AS_IT_STANDS, DECLARING
    survive = np.array([tiles.by_draws(tiles.survive[how], draws) for how in rows])
    survive[:, draws] **= OPPONENTS / max(opponents, 1)
    return survive


def _draws_of(tiles: TileChances, position: Position, called: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How often each kind is drawn, (2, 34), and a factor by own draws left, (2, draws + 2).

    The search takes the product of the two for what it is told by kind and turn, which it is within a few percent. Of
    a hand not in riichi any tile may lead to another hand, so its chances sum to 1 at most.
    """
    draws, last = position.draws_left, tiles.draws.shape[1] - 1
    turns = np.clip(draws - np.arange(draws + 2), 0, last)
    kinds, scale = np.empty((2, KINDS)), np.empty((2, draws + 2))
    for own, how in enumerate((CALLING if called else AS_IT_STANDS, DECLARING)):
        by_turn = tiles.draws[how]
        kinds[own] = by_turn[: draws + 1].mean(axis=0)
        scale[own] = (by_turn.sum(axis=1) / max(float(kinds[own].sum()), 1e-9))[turns]
    unseen = np.array(position.unseen, np.float64)
    scale[0] = np.minimum(scale[0], unseen.sum() / max(float(kinds[0] @ unseen), 1e-9))
    return kinds, scale


def _at_stake(
    stakes: Stakes, survive: NDArray[np.float64], given_up: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(2, draws + 1) twice: chance that the hand goes on after the go-around, and the worth of its end if it does not.

    It ends by another player's win, by a deal-in, or because its player gives it up, which a hand in riichi cannot.
    """
    hazard = _by_turn(stakes.hazard, survive.shape[1])
    hazard[:, 0] = given_up[0] = 0.0  # there is no discard any more
    kept = survive * (1.0 - hazard)
    lost = (1.0 - survive) * np.array(stakes.ended)[:, None] + survive * hazard * np.array(stakes.hazard_worth)[:, None]
    if given_up.any():
        lost[0] += kept[0] * given_up * _by_turn((stakes.fold,), len(given_up))[0]
        kept[0] *= 1.0 - given_up
    ended = np.divide(lost, 1.0 - kept, out=np.zeros_like(lost), where=kept < 1.0)
    # always the same memory layout, for which the kernels are compiled
    return np.ascontiguousarray(kept), np.ascontiguousarray(ended)


def _by_turn(given: tuple[tuple[float, ...], ...], count: int) -> NDArray[np.float64]:
    """float64, shape (2, count): each row as given, continued with its last figure."""
    rows = np.array(given)
    return rows[:, np.minimum(np.arange(count), rows.shape[1] - 1)]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The result of a sweep."""

    # float32[draws + 1, root nodes, 4], records of the root nodes by draws left, without a riichi declared now
    plain: NDArray[np.float32]
    # the same with a riichi declared now, or in the riichi that the root is in; NaN if there is none
    riichi: NDArray[np.float32]
    riichi_known: bool  # whether there may be any
    kinds: list[int]  # the kind whose discard makes each root node; none if the root discards nothing
    # float32[4], the value of the first node right before its own draw, the last of the turns swept; zeros if there was
    # none
    drawn: NDArray[np.float32]
    # float32[root nodes], the toll of each root node's own discard, which is not part of the records
    toll: NDArray[np.float32]
    edges: int  # number of links of all kinds


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a search."""

    draws: int  # own draws left; one more than the turns have may be swept (the replacement draw after a kan)
    kans: int = 0  # number of kans in the root action, whose indicators are still unknown
    opponents: int = 3  # number of opponents who discard between the root and the own draw
    double: bool = False  # whether a riichi declared now is a double one
    blocked: bool = False  # whether no discard can be won on, whatever the waits
    # whether the hand, of 13 tiles, has passed a win: it cannot win before its own draw and discard
    passed: bool = False
    called: bool = False  # whether the root was reached by a call


def solve(
    hands: Hands,
    root: Root,
    bounds: Bounds,
    position: Position,
    model: Model,
    stakes: Stakes,
    start: Start,
) -> Sweep:
    """Link the hands and sweep the turns backwards.

    Args:
        hands: the hands of the root.
        root: the hand they were listed for.
        bounds: the bounds within which they were listed.
        position: the root's position, after the root action.
        model: the parts of the game that are played.
        stakes: the worth of the ends of the hand.
        start: the beginning of the search.
    """
    turns = turns_of(position, model, stakes, start.opponents, start.called)
    if start.passed:
        waits = position.waits()
        turns.rate[:, -1, :, [kind for kind in range(KINDS) if waits >> kind & 1]] = 0.0
    automatic = model.riichi is RiichiMode.AUTO and not position.riichi
    choice = model.riichi is RiichiMode.CHOICE and position.closed and position.points >= RIICHI_STICK
    riichi = choice or position.riichi > 0
    table = _table(hands, root, position, model, turns, start, riichi, automatic)
    scorer = worth_kernels.Scorer(
        hand_tables(),
        *_worth(stakes.ron, stakes.tsumo, position.dealer, position.rules.kiriage, position.on_the_table),
    )
    tolled = any(stakes.toll) or stakes.kan_toll != 0
    toll = tolls(hands, root, stakes) if tolled else np.zeros(number_of(hands), np.float32)
    course = sweep_kernels.Course(
        start.draws, turns.rate.shape[1] - 1, start.opponents, turns.tail,
        len(own_kans(root)) if hands.has_kans else 0, riichi, position.riichi > 0,
        stakes.tiles is not None and not start.kans, position.ippatsu,
        turns.rate, turns.draw_kinds, turns.draw_scale, turns.survive, turns.ended, turns.terminal, turns.fold,
        *turns.ippatsu_kept,
    )  # fmt: skip
    roots = int(hands.node_start[1])  # those that one discard of the root makes come first
    plain = np.empty((start.draws + 1, roots, draw_kernels.FIGURES), np.float32)
    declared = np.empty((start.draws + 1, roots, draw_kernels.FIGURES), np.float32)
    declared.fill(np.nan)
    drawn = np.zeros(draw_kernels.FIGURES, np.float32)
    graph = search_kernels.link_hands(hands, root, bounds.limits)
    edges = search_kernels.solve_graph(graph, table, scorer, course, tolled, toll, plain, declared, drawn)
    discards = hands.node_out[: roots if position.to_discard else 0]
    kinds = hands.outs.less_kind[hands.outs.less_start[discards]].tolist()
    return Sweep(plain, declared, riichi, kinds, drawn, toll[:roots], edges)


def tolls(hands: Hands, root: Root, stakes: Stakes) -> NDArray[np.float32]:
    """float32[nodes]: what each hand has paid for the kinds of the root that it has discarded, and for its new kans."""
    toll = stakes.toll or (0.0,) * len(root.held)
    paid = np.zeros(len(hands.outs.packed))
    for slot, kind in enumerate(np.flatnonzero(hands.outs.stride)):
        if toll[kind]:
            paid += toll[kind] * ((hands.outs.packed & (7 << (SLOT_BITS * slot))) != 0)
    tolled = paid[hands.node_out].astype(np.float32)
    if hands.has_kans:
        # a kan counts as three tiles, but the root's fourth one is in it, not discarded
        fours = own_kans(root)
        for variant in np.flatnonzero(hands.melds):
            kans = kan_kinds(int(hands.melds[variant]))
            back = sum(toll[kind] for kind in fours if kans >> kind & 1)
            extra = stakes.kan_toll * kans.bit_count() - back
            tolled[hands.node_start[variant] : hands.node_start[variant + 1]] += np.float32(extra)
    return tolled


def own_kans(root: Root) -> list[int]:
    """The kinds of which the root holds all four; such a kan lets a line of play be a tile ahead of its turns."""
    return [kind for kind, held in enumerate(root.held.tolist()) if held == (1 if root.pons >> kind & 1 else 4)]


def _table(
    hands: Hands,
    root: Root,
    position: Position,
    model: Model,
    turns: Turns,
    start: Start,
    riichi: bool,
    automatic: bool,
) -> Table:
    rules = position.rules
    melded = np.zeros(34, np.int8)
    for meld in position.melds:
        for tile in meld.tiles:
            melded[tile >> 2] += 1
    in_melds = {tile for meld in position.melds for tile in meld.tiles}
    reds = RED_FIVES if rules.red_fives else ()
    concealed = set(position.concealed)
    flags = hand_flags(position.seat_wind, position.round_wind, rules)
    return Table(
        root, melded, pack_melds(position.melds),
        np.array([red in concealed for red in reds] or [False] * 3, np.int8), np.array(position.red_unseen, np.int8),
        len(in_melds.intersection(reds)), np.array([tile >> 2 for tile in position.dora_indicators], np.int8),
        _DORA_AFTER, start.kans, flags,
        WIN_DOUBLE_RIICHI if start.double or position.riichi == DOUBLE else WIN_RIICHI,
        not model.draws_only, riichi, automatic, rules.ura_dora,
        int(turns.tail == 0 or hands.has_kans or start.kans > 0), int(turns.tail > 0), position.river_mask,
        start.blocked,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _worth(
    ron: Utility, tsumo: Utility, dealer: bool, kiriage: bool, extra: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    points = np.empty((2, worth_kernels.FU_ROWS, worth_kernels.MOST_HAN))
    points_yakuman = np.empty((2, worth_kernels.YAKUMAN_ROWS))
    worth_kernels.fill_points(dealer, kiriage, extra, points, points_yakuman)
    return _with_utility(ron, tsumo, points), _with_utility(ron, tsumo, points_yakuman)


def _with_utility(ron: Utility, tsumo: Utility, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """``[tsumo, …, 2]``: utility and points of each win."""
    return np.stack([np.stack([ron.of_each(points[0]), tsumo.of_each(points[1])]), points], axis=-1)
