"""From hands and a model to the worth of every root action."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK
from engine.model.tiles import DORA_AFTER, RED_FIVES
from engine.scoring import pack_melds
from engine.scoring.yaku_kernels import ROUND_AT, SEAT_AT, WIN_DOUBLE_RIICHI, WIN_OPEN_TANYAO, WIN_RIICHI
from engine.search.dag import draw_kernels, leaf_kernels, search_kernels, sweep_kernels, worth_kernels
from engine.search.dag.exchange_kernels import SLOT_BITS
from engine.search.dag.graph import Bounds, Root
from engine.search.dag.graph_kernels import Hands
from engine.search.dag.leaf_kernels import Table
from engine.search.dag.meld_kernels import kan_kinds
from engine.search.dag.model import Model, RiichiMode, Turns
from engine.search.position import Position
from engine.search.stakes import Stakes, Utility
from engine.shanten.tables import hand_tables

DOUBLE = 2
"""Value of ``Position.riichi`` after a double riichi."""
_DORA_AFTER = np.array(DORA_AFTER, np.int8)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The result of a sweep.

    Attributes:
        plain: float32[draws + 1, root nodes, 4], records of the root nodes by draws left, without a riichi declared
            now.
        riichi: the same with a riichi declared now, or in the riichi that the root is in; NaN if there is none.
        riichi_known: whether there may be any.
        toll: float32[root nodes], the toll of each root node's own discard, which is not part of the records.
        drawn: float32[4], the value of the first node right before its own draw, the last of the turns swept; zeros if
            there was none.
        edges: number of links of all kinds.
    """

    plain: NDArray[np.float32]
    riichi: NDArray[np.float32]
    riichi_known: bool
    drawn: NDArray[np.float32]
    toll: NDArray[np.float32]
    edges: int


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a search.

    Attributes:
        draws: own draws left; one more than the turns have may be swept (the replacement draw after a kan).
        kans: number of kans in the root action, whose indicators are still unknown.
        opponents: number of opponents who discard between the root and the own draw.
        double: whether a riichi declared now is a double one.
        blocked: whether no discard can be won on, whatever the waits.
    """

    draws: int
    kans: int = 0
    opponents: int = 3
    double: bool = False
    blocked: bool = False


def solve(
    hands: Hands,
    root: Root,
    bounds: Bounds,
    position: Position,
    model: Model,
    stakes: Stakes,
    turns: Turns,
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
        turns: what depends on the turn.
        start: the beginning of the search.
    """
    automatic = model.riichi is RiichiMode.AUTO and not position.riichi
    choice = model.riichi is RiichiMode.CHOICE and position.closed and position.points >= RIICHI_STICK
    riichi = choice or position.riichi > 0
    table = _table(hands, root, position, model, turns, start, riichi, automatic)
    scorer = worth_kernels.Scorer(
        hand_tables(),
        *_worth(
            stakes.ron, stakes.tsumo, position.dealer, position.rules.kiriage,
            position.rules.honba_points * position.honba + RIICHI_STICK * position.riichi_sticks,
        ),
    )  # fmt: skip
    columns = leaf_kernels.COLUMNS if riichi else leaf_kernels.RIICHI_TSUMO
    tolled = any(stakes.toll) or stakes.kan_toll != 0
    toll = tolls(hands, root, stakes) if tolled else np.zeros(hands.nodes, np.float32)
    course = sweep_kernels.Course(
        start.draws, turns.rate.shape[1] - 1, start.opponents, turns.tail,
        len(own_kans(root)) if hands.has_kans else 0, riichi, position.riichi > 0, position.ippatsu,
        turns.rate, turns.wait_draws, turns.survive, turns.ended, turns.terminal, turns.fold, *turns.ippatsu_kept,
    )  # fmt: skip
    roots = hands.roots
    plain = np.empty((start.draws + 1, roots, draw_kernels.FIGURES), np.float32)
    declared = np.empty((start.draws + 1, roots, draw_kernels.FIGURES), np.float32)
    declared.fill(np.nan)
    drawn = np.zeros(draw_kernels.FIGURES, np.float32)
    edges = search_kernels.solve_hands(
        hands, root.limit, bounds.calls > 0, bounds.kan_kinds if bounds.kans else 0, table, scorer, course, columns,
        position.river_mask, start.blocked, tolled, toll, plain, declared, drawn,
    )  # fmt: skip
    return Sweep(plain, declared, riichi, drawn, toll[:roots], edges)


def tolls(hands: Hands, root: Root, stakes: Stakes) -> NDArray[np.float32]:
    """float32[nodes]: what each hand has paid for the kinds of the root that it has discarded, and for its new kans."""
    toll = stakes.toll or (0.0,) * len(root.held)
    paid = np.zeros(len(hands.out_packed))
    for slot, kind in enumerate(np.flatnonzero(hands.stride)):
        discarded = (hands.out_packed >> (SLOT_BITS * slot)) & 7
        paid += (discarded > 0) * toll[kind]
    tolled = paid[hands.node_out].astype(np.float32)
    if hands.has_kans:
        # a kan counts as three tiles, but the root's fourth one is in it, not discarded
        for variant in np.flatnonzero(hands.melds):
            kans = kan_kinds(int(hands.melds[variant]))
            back = sum(toll[kind] for kind in own_kans(root) if kans >> kind & 1)
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
    flags = (position.seat_wind - 27) << SEAT_AT | (position.round_wind - 27) << ROUND_AT
    if rules.open_tanyao:
        flags |= WIN_OPEN_TANYAO
    return Table(
        root.held, root.unseen, melded, pack_melds(position.melds), root.pons,
        np.array([red in concealed for red in reds] or [False] * 3, np.int8), np.array(position.red_unseen, np.int8),
        len(in_melds.intersection(reds)), np.array([tile >> 2 for tile in position.dora_indicators], np.int8),
        _DORA_AFTER, start.kans, flags,
        WIN_DOUBLE_RIICHI if start.double or position.riichi == DOUBLE else WIN_RIICHI,
        model.ron, riichi, automatic, model.ura and rules.ura_dora,
        int(turns.tail == 0 or hands.has_kans or start.kans > 0), int(turns.tail > 0),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _worth(
    ron: Utility, tsumo: Utility, dealer: bool, kiriage: bool, extra: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    worth = np.empty((2, worth_kernels.FU_ROWS, worth_kernels.MOST_HAN, 2))
    worth_yakuman = np.empty((2, worth_kernels.YAKUMAN_ROWS, 2))
    worth_kernels.fill_worth(ron.table(), dealer, kiriage, extra, worth, worth_yakuman)
    if tsumo is not ron:
        drawn, drawn_yakuman = np.empty_like(worth), np.empty_like(worth_yakuman)
        worth_kernels.fill_worth(tsumo.table(), dealer, kiriage, extra, drawn, drawn_yakuman)
        worth[1], worth_yakuman[1] = drawn[1], drawn_yakuman[1]
    return worth, worth_yakuman
