"""A position as the kernels of complete hands take it."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK
from engine.model.tiles import EAST
from engine.scoring import pack_melds
from engine.scoring.pattern_kernels import ROUND_AT, SEAT_AT, WIN_OPEN_TANYAO
from engine.search.forms.inversion_kernels import Parts
from engine.search.forms.win_kernels import Circumstances
from engine.search.position import Position
from engine.search.tiles import dora_by_kind, melds_bonus, reds_by_kind
from engine.shanten.tables import cached, hand_tables


def circumstances(position: Position) -> Circumstances:
    """What a win at the position depends on besides its concealed tiles."""
    flags = (position.seat_wind - EAST) << SEAT_AT | (position.round_wind - EAST) << ROUND_AT
    if position.rules.open_tanyao:
        flags |= WIN_OPEN_TANYAO
    extra = position.rules.honba_points * position.honba + RIICHI_STICK * position.riichi_sticks
    return Circumstances(
        pack_melds(position.melds), 4 - len(position.melds), flags, position.closed, melds_bonus(position), extra,
        dora_by_kind(position), reds_by_kind(position), hand_tables(),
    )  # fmt: skip


@cache
def all_parts() -> Parts:
    """What a suit and the honours can hold of a complete hand."""
    suit, suit_shape, honours, honours_shape = cached("parts", build_parts)
    return Parts(suit, suit_shape, honours, honours_shape)  # type: ignore[arg-type]


def build_parts() -> tuple[NDArray[np.int64], ...]:
    """Build the arrays of :class:`~engine.search.forms.inversion_kernels.Parts`; takes a fifth of a second."""
    runs = [0b001001001 << 3 * number for number in range(7)]
    return (*_parts(9, runs), *_parts(7, []))


def _parts(kinds: int, runs: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    groups = [*runs, *(3 << 3 * kind for kind in range(kinds))]
    found: list[tuple[int, int]] = []
    level = {0}
    for sets in range(5):
        with_pair = {part + (2 << 3 * kind) for part in level for kind in range(kinds)}
        found += [(part, 2 * sets) for part in sorted(level)]
        found += [(part, 2 * sets + 1) for part in sorted(with_pair) if _held(part, kinds)]
        level = {more for part in level for group in groups if _held(more := part + group, kinds)}
    return np.array([part for part, _ in found], np.int64), np.array([shape for _, shape in found], np.int64)


def _held(part: int, kinds: int) -> bool:
    """Whether no kind is needed more than four times; no count of a set and four others overflows three bits."""
    return all(part >> 3 * kind & 7 <= 4 for kind in range(kinds))
