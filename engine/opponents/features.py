"""The meaning of each number in a row of features, and a hash that shows whether weights were fitted on the same."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.opponents import feature_kernels as kernels
from engine.rules.table_kernels import IS_CHI, IS_CLOSED_KAN, WAS_RIICHI, Table
from engine.rules.tables import new_tables
from engine.tables import short_hash

PLANES: Final = (
    "in the seat's river",
    "place of its first discard there, from 1 down by 1/24 a discard",
    "the first was from the hand",
    "place of its last discard there, up by 1/24 a discard",
    "the last was from the hand",
    "discarded twice or more",
    "discarded from the hand, 1st to 4th discard",
    "discarded from the hand, 5th to 8th",
    "discarded from the hand, 9th to 12th",
    "discarded from the hand, later",
    "tsumogiri, 1st to 8th discard",
    "tsumogiri, later",
    "the latest discard from the hand",
    "the second latest",
    "the third latest",
    "riichi was declared with it",
    "discarded right after a chi or pon",
    "cannot be won on now: own river, passed since its last discard or since its riichi",
    "passed by another, the hand unchanged since",
    "passed by another, the hand changed once since",
    "passed by another, changed twice or three times since",
    "passed by another, changed more often since",
    "passed from the left (chi) with two changes or fewer since",
    "one copy or more visible",
    "two or more visible",
    "three or more visible",
    "four visible",
    "the discarder holds one or more",
    "the discarder holds two or more",
    "the discarder holds three or more",
    "times dora; one more where the only copy held is red",
    "a red five nobody has shown",
    "copies in its melds / 4",
    "called by it",
    "copies in the others' rivers / 4",
    "ways to hold the two tiles above it, 0 where that wait is furiten, / 16",
    "ways to hold the two below, likewise",
    "ways to hold both neighbours / 16",
    "ways to hold the edge wait (12 or 89) / 16",
    "ways to hold a pair of it / 6",
    "copies not visible / 4",
    "in the river of another who is in riichi",
)
"""Features of each kind."""

EXTRAS: Final = (
    "discards of the suit / 8",
    "of these from the hand / 8",
    "place of the first",
    "place of the last from the hand",
    "share of all its discards",
    "copies of the suit not visible / 36",
    "copies the discarder holds / 14",
    "melds of the suit / 4",
)
"""Features of each suit."""

TRAITS: Final = ("the seat's wind", "the round's wind", "a dragon", "the discarder's wind")
"""Features of each honour, besides :data:`PLANES`."""

GLOBALS: Final = (
    *("riichi", "double riichi", "ippatsu", "turn of the riichi / 18", "turns since / 12", "riichi tile from the hand"),
    *("discards / 18", "discards from the hand / 14", "tsumogiri at the end of the river / 8"),
    *(f"discard {back} from the end was from the hand" for back in range(1, 7)),
    "place of the last discard from the hand",
    *(f"discards {2 * pair + 1} and {2 * pair + 2} made / 2" for pair in range(9)),
    *(f"{number} open melds" for number in range(5)),
    *("runs / 4", "triplets / 4", "kans / 2", "closed kans / 2"),
    *(f"{number} dora or more in its melds" for number in range(1, 6)),
    *("han of yakuhai in its melds", "melds with a terminal or honour / 4", "melds without / 4", "only such without"),
    *("open melds, all of one suit and honours, / 4", "open melds, none a run, / 4", "melds of honours / 4"),
    *("discards since the last call / 12", "of these from the hand / 8", "no visible yaku and no all simples"),
    "discards of other suits than its melds', share",
    *("the seat deals", "the discarder deals", "on the right", "across", "on the left"),
    *("another is in riichi", "both others are", "the discarder is", "most melds of another / 4"),
    *("wall / 70", "wall below 36", "below 20", "below 8", "empty"),
    *("indicators / 4", "dora not visible / 4", "dora the discarder holds / 4", "red fives not visible / 3"),
    *("honba / 5", "riichi sticks / 4", "score above 25 000, / 25 000", "score above the discarder's, / 25 000"),
    *(f"place {place}" for place in range(1, 5)),
    *("last hand or later", "hands to the last / 8", "melds of the discarder / 4", "discards of all / 72"),
)
"""Features of the whole table."""


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
    rows = Rows(np.empty((n, kernels.FEATURES), np.float32), *np.empty((2, n), np.int64))
    kernels.fill_opponents(views, *rows)
    return rows


@cache
def features_hash() -> str:
    """Sixteen hex digits over the names above and over the kernel's output for an invented table.

    Equal on every machine; it changes as soon as a number changes its meaning.
    """
    parts = ["\n".join((*PLANES, *EXTRAS, *TRAITS, *GLOBALS)).encode()]
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
