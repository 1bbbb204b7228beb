"""What other ura indicators would have made of the wins in riichi: a part of the luck of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final, TypeGuard

import numpy as np
from numpy.typing import NDArray

from engine.model.events import Draw, Event, NewDora, StartKyoku, Win, WinScore
from engine.model.tiles import DORA_AFTER, TILES, counts34
from engine.scoring.wins import base_and_limit, total_points

URA: Final = 53
"""Tenhou's id of ura dora; a hand in riichi has it even if it is worth nothing."""
OTHERS: Final = 64
"""Other indicators with which those that were turned are compared."""
_DORA: Final = np.array(DORA_AFTER)


def ura_of(events: Iterable[Event]) -> Iterator[tuple[int, Win, NDArray[np.int64]]]:
    """Yield each win on which ura counted: the number of its hand, the win, and its points.

    The first of the points are those that it was worth, :data:`OTHERS` more those that it would have been worth with
    other indicators, drawn from the tiles that nobody had seen. Limits of a yakuman and wins of unknown value are left
    out.
    """
    hand = -1
    seen: set[int] = set()
    dealer = 0
    for event in events:
        if isinstance(event, StartKyoku):
            hand, dealer = hand + 1, event.dealer
            seen = {event.dora_indicator, *(tile for tiles in event.hands for tile in tiles or ())}
        elif isinstance(event, Draw) and event.tile is not None:
            seen.add(event.tile)
        elif isinstance(event, NewDora):
            seen.add(event.indicator)
        elif isinstance(event, Win) and event.ura_indicators and _counts_ura(event.score):
            yield hand, event, _points(event, event.score, event.seat == dealer, sorted(set(range(TILES)) - seen))


def _counts_ura(score: WinScore | None) -> TypeGuard[WinScore]:
    return score is not None and any(yaku == URA for yaku, _ in score.yaku)


def _points(win: Win, score: WinScore, dealer: bool, unseen: Sequence[int]) -> NDArray[np.int64]:
    held = np.array(counts34([*win.concealed, *(tile for meld in win.melds for tile in meld.tiles)]))
    turned = np.array(win.ura_indicators)
    seed = blake2b(bytes([*win.concealed, win.tile, *turned.tolist()]), digest_size=8).digest()
    random = np.random.default_rng(int.from_bytes(seed, "little"))
    others = random.permuted(np.broadcast_to(unseen, (OTHERS, len(unseen))), axis=1)[:, : len(turned)]
    han = held[_DORA[np.concatenate([turned[None], others]) >> 2]].sum(axis=1)
    before = score.han - int(han[0])
    worth = [
        total_points(base_and_limit(before + ura, score.fu)[0], dealer, win.seat == win.from_seat)
        for ura in range(int(han.max()) + 1)
    ]
    points: NDArray[np.int64] = np.array(worth)[han]
    return points
