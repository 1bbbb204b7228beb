"""``oshihiki bench dag``: the size and the speed of the DAG search on hands from games.

Hands are closed ones at a player's fourth discard, one seat a kyoku drawn by the seed. Sizes are those of the paper's
Table 1 under this reading: shanten of the 14 tiles, standard form, seen tiles not taken off, a riichi not counted as
another hand, an added set possible where the concealed tiles that remain suffice for it.
"""

from __future__ import annotations

import random
import resource
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from time import thread_time
from typing import Any, Final

import numpy as np

from bot.errors import InputError
from engine.model.events import Discard, Event, StartGame, StartKyoku
from engine.model.tiles import allocate136, parse_tiles37
from engine.search.dag.graph import Root, list_hands
from engine.search.dag.model import DRAWS, FULL, Model
from engine.search.dag.search import DagEvaluator
from engine.search.position import Position, PositionError
from engine.shanten import shanten
from engine.state import GameState, visible_to

FOURTH: Final = 3
"""Discards a player has made before the decision that is sampled."""

SPEEDS: Final = (
    ("draws", "0", 0, 1),
    ("draws", "1", 1, 2),
    ("draws", "2", 2, 3),
    ("draws", "3", 3, 4),
    ("full", "0", 0, 1),
    ("full", "1", 1, 2),
    ("full", "2", 2, 3),
    ("full", "3n3", 3, 3),
    ("full", "3n4", 3, 4),
)
"""Model, name of the figure, shanten, n."""

MODELS: Final = {"draws": DRAWS, "full": FULL}

PAPER: Final = (
    (1, 1, (57, 180)),
    (1, 2, (2_323, 5_804)),
    (1, 3, (13_631, 32_859)),
    (2, 2, (337, 765, 949)),
    (2, 3, (7_865, 20_044, 26_602)),
    (3, 3, (2_091, 4_802, 6_305)),
    (3, 4, (36_919, 103_249, 139_468)),
    (4, 4, (10_737, 30_243, 40_614)),
)
"""Table 1: shanten, n, mean |Q_S| for m_f = 0, 1, 2."""


def bench_dag(games: Iterable[Sequence[Event]], hands: Path | None, seed: int, each: int) -> dict[str, Any]:
    """The figures, from games or from a file with one hand of fourteen tiles a line; ``each`` hands a shanten."""
    positions = read_hands(hands) if hands else sample(games, seed, each)
    by_shanten: dict[int, list[Position]] = {}
    for position in positions:
        by_shanten.setdefault(shanten(position.counts), []).append(position)
    if not by_shanten:
        raise InputError("no hand to measure: name logs of games, or a file of hands")
    speeds: dict[str, dict[str, float]] = {"draws": {}, "full": {}}
    curve = []
    for model, name, far, exchanges in SPEEDS:
        if far in by_shanten:
            runs = [_run(position, MODELS[model], exchanges) for position in by_shanten[far]]
            speeds[model][name] = round(statistics.median(run[0] for run in runs) * 1e3, 3)
            curve += runs
    sizes = [
        {"shanten": far, "n": n, "m_f": calls, "hands": len(by_shanten[far]), "mean": round(mean), "paper": paper}
        for far, n, row in PAPER
        if far in by_shanten
        for calls, paper in enumerate(row)
        for mean in [statistics.mean(_size(position, n, calls) for position in by_shanten[far])]
    ]
    steps = sum(run[1] for run in curve)
    return {
        "model": speeds,
        "sizes": sizes,
        "ns_per_edge_turn": round(sum(run[0] for run in curve) / steps * 1e9, 2),
        "us_per_hand": {
            f"{low}-{10 * low}": round(sum(run[0] for run in part) / sum(run[2] for run in part) * 1e6, 2)
            for low in (100, 1_000, 10_000, 100_000)
            if (part := [run for run in curve if low <= run[2] < 10 * low])
        },
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


def sample(games: Iterable[Sequence[Event]], seed: int, each: int) -> list[Position]:
    """Up to ``each`` closed hands a shanten, at the fourth discard of one seat a kyoku."""
    source = random.Random(seed)  # noqa: S311 - hands, nothing secret
    found: dict[int, list[Position]] = {far: [] for far in range(5)}
    for events in games:
        if all(len(row) >= each for row in found.values()):
            break
        start = events[0]
        if not isinstance(start, StartGame):
            continue
        states = [GameState(seat, start.rules) for seat in range(4)]
        asked = -1
        for event in events:
            if isinstance(event, StartKyoku):
                asked = source.randrange(4)
            if isinstance(event, Discard) and event.seat == asked:
                state = states[asked]
                if len(state.rivers[asked]) == FOURTH and not state.melds[asked] and not state.riichi[asked]:
                    position = Position.from_state(state)
                    row = found.get(shanten(position.counts))
                    if row is not None and len(row) < each:
                        row.append(position)
            for seat, state in enumerate(states):
                state.apply(visible_to(event, seat))
    return [position for row in found.values() for position in row]


def read_hands(path: Path) -> list[Position]:
    """One hand a line, fourteen tiles each, judged as at the fourth discard."""
    positions = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                positions.append(Position.of_hand(allocate136(parse_tiles37(line.strip())), turn=FOURTH + 1))
            except (PositionError, ValueError) as error:
                raise InputError(f"{path}, line {number}: {error}") from error
    return positions


def _run(position: Position, model: Model, exchanges: int) -> tuple[float, int, int]:
    """Seconds of processor time, edges times turns, hands; the second of two runs."""
    evaluator = DagEvaluator(replace(model, exchanges=exchanges))
    for _ in range(2):
        started = thread_time()
        found = evaluator.evaluate(position)
        seconds = thread_time() - started
    return seconds, found.edges * max(1, position.draws_left), found.hands


def _size(position: Position, exchanges: int, calls: int) -> int:
    held = np.array(position.counts, np.int8)
    free = (4 - held).astype(np.int8)
    return list_hands(Root(held, free, free), exchanges + 1, calls, False, False).nodes
