"""From a graph and a model to what every root action is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import DORA_AFTER, RED_FIVES
from engine.scoring import pack_melds
from engine.scoring.pattern_kernels import ROUND_AT, SEAT_AT, WIN_OPEN_TANYAO
from engine.search.dag import leaf_kernels as leaves
from engine.search.dag import sweep_kernels as sweep
from engine.search.dag.exchange_kernels import SLOT_BITS
from engine.search.dag.graph import Graph
from engine.search.dag.link_kernels import WEIGHT_BITS
from engine.search.dag.model import Model, RiichiMode, Turns, Utility
from engine.search.position import Position
from engine.shanten.readings import reading_tables
from engine.shanten.tables import shanten_tables

FIVES = (4, 13, 22)
_DORA_AFTER = np.array(DORA_AFTER, np.int8)


@dataclass(frozen=True, slots=True)
class Sweep:
    """What the sweep leaves.

    Attributes:
        plain: float32[draws + 1, root nodes, 4], the records of the root nodes by draws left, no riichi declared now.
        riichi: likewise with a riichi declared now; NaN where there is none.
        toll: float32[root nodes], what each root node's own discard was charged; not in the records.
        drawn: float32[4], what the first node is worth right before its own draw, the last of the turns swept; zeros
            if none was.
    """

    plain: NDArray[np.float32]
    riichi: NDArray[np.float32]
    drawn: NDArray[np.float32]
    toll: NDArray[np.float32]


def solve(
    graph: Graph,
    position: Position,
    model: Model,
    turns: Turns,
    draws: int,
    new_kans: int = 0,
    opponents: int = 3,
) -> Sweep:
    """Sweep ``draws`` turns backwards.

    Args:
        graph: of the root.
        position: the root's, after the root action.
        model: what is played.
        turns: what depends on the turn; one draw more than it has may be swept (the dead wall's, after a kan).
        draws: own draws left.
        new_kans: kans of the root action, whose indicators are still unknown.
        opponents: how many of them discard between the root and the own draw.
    """
    unseen = np.array(position.unseen, np.int8)
    total = int(unseen.sum())
    automatic = model.riichi is RiichiMode.AUTO or position.riichi > 0
    choice = model.riichi is RiichiMode.CHOICE and position.closed and not automatic and position.points >= 1_000
    leaf, complete = _score(graph, position, model, unseen, turns.tail == 0, choice, automatic, new_kans)
    toll = tolls(graph, model)
    leaf[:, :, 0] -= toll[graph.win_link >> WEIGHT_BITS, None]
    ready, ready_start, ready_link, closed = sweep.list_waits(
        graph.nodes, graph.win_start, graph.win_link, complete, graph.win_melds
    )
    furiten = sweep.mark_furiten(
        position.river_mask, graph.stride, graph.node_out, graph.out_packed, graph.win_kind, ready, ready_start,
        ready_link,
    )  # fmt: skip
    asked, asked_start, target, tag = sweep.sort_options(
        graph.nodes, graph.option_node, graph.option_call, graph.option_tag, graph.win_link, graph.win_kind,
        ready, ready_start, ready_link, furiten, model.ron,
    )  # fmt: skip
    weights = sweep.sum_weights(graph.nodes, graph.draw_link, graph.win_link)
    roots = int(graph.level_node[1])
    plain = np.empty((draws + 1, roots, sweep.FIGURES), np.float32)
    declared = np.full((draws + 1, roots, sweep.FIGURES), np.nan, np.float32)
    drawn = np.zeros(sweep.FIGURES, np.float32)
    kept_ron, kept_tsumo = turns.ippatsu_kept
    sweep.sweep_turns(
        graph.level_node, total, draws, turns.rate.shape[1] - 1, turns.tail, opponents,
        len(graph.option_node) > 0, model.ron, choice, turns.rate, turns.survive, turns.ended, turns.terminal,
        turns.fold, toll, float(kept_ron), float(kept_tsumo), weights,
        graph.degree_start, graph.draw_link, graph.win_start, graph.win_link, graph.win_kind, leaf,
        graph.call_start, graph.call_node, ready, ready_start, ready_link, closed, furiten,
        asked, asked_start, target, tag, plain, declared, drawn,
    )  # fmt: skip
    return Sweep(plain, declared, drawn, toll[:roots])


def tolls(graph: Graph, model: Model) -> NDArray[np.float32]:
    """float32[nodes]: what each hand has paid for the kinds of the root that it has thrown; see ``Stakes.toll``."""
    if model.stakes is None or not any(model.stakes.toll):
        return np.zeros(graph.nodes, np.float32)
    paid = np.zeros(len(graph.out_packed))
    for slot, kind in enumerate(np.flatnonzero(graph.stride)):
        thrown = (graph.out_packed >> (SLOT_BITS * slot)) & 7
        paid += (thrown > 0) * model.stakes.toll[kind]
    return paid[graph.node_out].astype(np.float32)


def _score(
    graph: Graph,
    position: Position,
    model: Model,
    unseen: NDArray[np.int8],
    last_draw: bool,
    choice: bool,
    automatic: bool,
    new_kans: int,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    rules = position.rules
    melded = np.zeros(34, np.int8)
    for meld in position.melds:
        for tile in meld.tiles:
            melded[tile >> 2] += 1
    in_melds = {tile for meld in position.melds for tile in meld.tiles}
    reds = RED_FIVES if rules.red_fives else ()
    concealed = set(position.concealed)
    red_held = np.array([red in concealed for red in reds] or [False] * 3, np.int8)
    red_unseen = np.array(position.red_unseen, np.int8)
    ron, tsumo = (model.stakes.ron, model.stakes.tsumo) if model.stakes else (model.utility, model.utility)
    worth, worth_yakuman = _worth(
        ron, tsumo, position.dealer, rules.kiriage,
        rules.honba_points * position.honba + 1_000 * position.riichi_sticks,
    )  # fmt: skip
    flags = (position.seat_wind - 27) << SEAT_AT | (position.round_wind - 27) << ROUND_AT
    if rules.open_tanyao:
        flags |= WIN_OPEN_TANYAO
    complete = np.empty(len(graph.win_key), np.bool_)
    leaf = np.empty((len(graph.win_link), leaves.COLUMNS, 2), np.float32)
    words = shanten_tables().words
    readings = reading_tables()
    leaves.score_leaves(
        np.array(position.counts, np.int8), unseen, melded, pack_melds(position.melds), red_held,
        len(in_melds.intersection(reds)), red_unseen,
        np.array([tile >> 2 for tile in position.dora_indicators], np.int8), new_kans, _DORA_AFTER, flags, graph.stride,
        graph.out_packed, graph.win_start, graph.win_kind, graph.win_key, graph.win_melds, graph.win_out,
        model.ron, choice, automatic, model.ura, last_draw,
        words, readings.firsts, readings.readings, worth, worth_yakuman, complete, leaf,
    )  # fmt: skip
    return leaf, complete


@lru_cache(maxsize=64)
def _worth(
    ron: Utility, tsumo: Utility, dealer: bool, kiriage: bool, extra: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    worth = np.empty((2, leaves.FU_ROWS, leaves.MOST_HAN, 2))
    worth_yakuman = np.empty((2, leaves.YAKUMAN_ROWS, 2))
    leaves.fill_worth(ron.table(), dealer, kiriage, extra, worth, worth_yakuman)
    if tsumo is not ron:
        drawn, drawn_yakuman = np.empty_like(worth), np.empty_like(worth_yakuman)
        leaves.fill_worth(tsumo.table(), dealer, kiriage, extra, drawn, drawn_yakuman)
        worth[1], worth_yakuman[1] = drawn[1], drawn_yakuman[1]
    return worth, worth_yakuman
