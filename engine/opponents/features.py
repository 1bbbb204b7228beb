"""The features of views, and a hash of their meaning that shows whether weights were fitted on the same."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.opponents import feature_kernels as kernels
from engine.opponents import layout_kernels as layout
from engine.rules.table_kernels import IS_CHI, IS_CLOSED_KAN, WAS_RIICHI, Table
from engine.rules.tables import new_tables
from engine.tables import short_hash


class Rows(NamedTuple):
    """Rows about the three opponents of each viewer, by seat.

    Attributes:
        features: (3n, FEATURES).
        safe: (3n,) bit sets of the kinds that they cannot win on now.
        stances: (3n,) ``RIICHI``, ``OPEN`` or ``CLOSED``.
    """

    features: NDArray[np.float32]
    safe: NDArray[np.int64]
    stances: NDArray[np.int64]


def features_of(views: Records[Table]) -> Rows:
    """What n viewers know about their opponents."""
    n = 3 * len(views)
    rows = Rows(np.empty((n, layout.FEATURES), np.float32), *np.empty((2, n), np.int64))
    kernels.fill_opponents(views, *rows)
    return rows


@cache
def features_hash() -> str:
    """Sixteen hex digits over the names of the layout and over the kernel's output for an invented table.

    Equal on every machine; it changes as soon as a number changes its meaning.
    """
    declared = (layout.KIND, layout.OF_SUIT, layout.OF_HONOUR, layout.WHOLE)
    parts = ["\n".join(row.name for columns in declared for row in columns.rows).encode()]
    for number in range(4):
        for row, safe, _ in zip(*features_of(_made_up(number)), strict=True):
            parts += [np.rint(row * 1000).astype("<i4").tobytes(), int(safe).to_bytes(8, "little")]
    return short_hash(*parts)


def _made_up(number: int) -> Records[Table]:
    """An invented view that contains something of everything."""
    random = np.random.Generator(np.random.PCG64(number)).integers
    views = new_tables(Rules())
    view = views[0]
    view.viewer, view.wall, view.indicators = number, int(random(0, 70)), 2
    view.dealer, view.kyoku, view.honba, view.sticks = random(0, (4, 8, 4, 3)).tolist()
    view.scores[:] = 100 * random(50, 500, 4)
    view.riichi[:] = random(0, 3, 4)
    view.ippatsu[:] = random(0, 2, 4)
    view.reds_seen[:], view.own_reds[:] = random(0, 2, 6).reshape(2, 3)
    order = 0
    for _ in range(8 + 4 * number):
        for seat in SEATS:
            at = view.lengths[seat]
            view.river_kinds[seat, at], view.river_flags[seat, at] = random(0, 34), random(0, 2)
            view.river_orders[seat, at] = order
            view.lengths[seat] += 1
            order += 1
    for seat in SEATS:
        view.river_flags[seat, random(0, 8)] |= WAS_RIICHI
        view.melds[seat] = random(0, 4)
        for at in range(view.melds[seat]):
            kind = random(0, 5)
            low = 9 * random(0, 3) + random(0, 7) if kind == IS_CHI else random(0, 34)
            view.meld_kinds[seat, at], view.meld_lows[seat, at] = kind, low
            view.meld_called[seat, at] = -1 if kind == IS_CLOSED_KAN else low
            view.meld_from[seat, at], view.meld_orders[seat, at] = random(0, 4), random(0, order)
            view.meld_reds[seat, at] = random(0, 2)
    view.visible[:] = random(0, 5, 34)
    view.hand[:] = np.minimum(view.visible, random(0, 3, 34))
    view.dora[random(0, 34, 2)] += 1
    return views
