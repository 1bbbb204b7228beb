"""Tables of the other three players' behaviour, fitted on recordings: discards, ends of hands, tenpai.

The tables are in ``tables/discards.json``, written by ``oshihiki train discards``; its card names the data.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import HAKU, HONOURS, KINDS, dora34
from engine.search.position import Position
from engine.tables import ShippedFile, numbers

Floats = NDArray[np.float64]
FILE: Final = ShippedFile("engine.search", "discards.json", "oshihiki train discards LOG…")

DRAWS: Final = 18
"""Number of rows by own draws left, 0-17."""
CLASSES: Final = ("19", "28", "37", "46", "5", "dragon", "round wind", "wind")


@cache
def kind_classes(round_wind: int) -> NDArray[np.intp]:
    """The row of :data:`CLASSES` for each ``tile34``."""
    result = np.empty(KINDS, np.intp)
    for kind in range(KINDS):
        if kind < HONOURS:
            result[kind] = 4 - abs(kind % 9 - 4)
        elif kind >= HAKU:
            result[kind] = 5
        else:
            result[kind] = 6 if kind == round_wind else 7
    return result


GENBUTSU, SUJI, OTHER = range(3)
"""Safety of a kind against a river: in it, screened by it, neither."""


def safety(river_masks: int | NDArray[np.int64]) -> NDArray[np.intp]:
    """(…, 34): ``GENBUTSU``, ``SUJI`` (every two-sided wait on it is furiten) or ``OTHER`` for each ``tile34``."""
    masks = np.asarray(river_masks)[..., None]
    return np.where(masks & _KINDS, GENBUTSU, np.where(masks & _SCREENS == _SCREENS, SUJI, OTHER))


def _screens(kind: int) -> int:
    """Bit set of the kinds that screen a kind: three below and above it; one that nobody has for honours."""
    if kind >= HONOURS:
        return 1 << KINDS
    below, above = kind % 9 >= 3, kind % 9 <= 5
    return below << max(kind - 3, 0) | above << kind + 3


_KINDS: Final = 1 << np.arange(KINDS)
_SCREENS: Final = np.array([_screens(kind) for kind in range(KINDS)])


STANCES: Final = ("silent", "open", "riichi")
"""Stances of a hand that waits."""
SORTS: Final = ("honour", "19", "28", "3 to 7")
"""Sorts of a kind that is waited for."""
SORT_OF: Final = np.array([0 if kind >= HONOURS else min(1 + min(kind % 9, 8 - kind % 9), 3) for kind in range(KINDS)])
"""The row of :data:`SORTS` for each ``tile34``."""
LATE: Final = (3, 6, 9, DRAWS)
"""Ends of the groups of own draws left for which waits are counted."""


def group_of(left: NDArray[np.integer] | int) -> NDArray[np.intp]:
    """The group of :data:`LATE` for a number of own draws left."""
    return np.minimum(np.searchsorted(LATE, left, side="right"), len(LATE) - 1)


def is_dora(indicators: Iterable[int]) -> NDArray[np.intp]:
    """1 for the kinds that are dora, for each ``tile34``; ``indicators`` are ``tile136``."""
    return np.minimum(dora34(indicators), 1)


@dataclass(frozen=True)
class DiscardTables:
    """The fitted figures."""

    # ``[class, dora, unseen - 1, draws left]``: how often a discard is of the kind, relative to the kind's share of the
    # tiles that the observing player, not in riichi, does not see
    open_rates: Floats
    riichi_rates: Floats  # ``[class, dora, safety, draws left]``: the same against a player in riichi
    # open_survival, riichi_survival: ``[opponents in riichi (0, 1, 2 or more), draws left]``: chance that nobody else
    # ends the hand in the go-around after a discard that passed
    open_survival: Floats
    riichi_survival: Floats
    tenpai_counts: Floats  # ``[opponents in riichi, number]``: number of opponents who are tenpai at an exhaustive draw
    # ``[discards, draws][stance][an opponent in riichi][sort][unseen - 1][group of own draws left]``: how often the
    # others discard, and the player draws, a kind that its hand waits for, relative to the rates above and to its share
    waited: Floats
    ippatsu_kept: tuple[float, float]  # (ron, tsumo): chance that no call has broken a riichi's ippatsu by then

    def survival_by_draws(self, position: Position, draws: int) -> Floats:
        """(2, draws + 1): chance that nobody else ends the hand in the go-around, without and with own riichi."""
        found = np.empty((2, draws + 1))
        rows = min(draws + 1, DRAWS)
        for own, table in enumerate((self.open_survival, self.riichi_survival)):
            found[own, :rows] = table[min(position.riichi_against, 2), :rows]
            found[own, rows:] = found[own, rows - 1]
        return found

    def tenpai_opponents(self, position: Position) -> tuple[float, ...]:
        """Chance that 0, 1, 2, 3 opponents are tenpai at the exhaustive draw."""
        return tuple(self.tenpai_counts[min(position.riichi_against, 3)].tolist())


@cache
def discard_tables() -> DiscardTables:
    """The tables shipped with the package."""
    with FILE.reading():
        data = json.loads(FILE.contents())
        ron, tsumo = numbers(data["ippatsu_kept"]).tolist()
        return DiscardTables(
            **{name: numbers(data[name]) for name in DiscardTables.__annotations__ if name != "ippatsu_kept"},
            ippatsu_kept=(ron, tsumo),
        )


def discards_digest() -> str:
    """The digest of their file."""
    return FILE.digest()
