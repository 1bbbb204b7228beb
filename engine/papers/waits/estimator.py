"""The wait networks of Matsuda and Ito, condition (b), as a danger estimate: waits from the order of discards.

A discard is one of 74 codes: its ``tile37`` if it was the tile just drawn, plus 37 if it came from the hand. The set of
codes is 74 bits; the set of ordered pairs, first x 74 + second, is 5,476 bits.

The networks see only ordered pairs of discards. Kinds that the rules do not distinguish share one: nine numbers, winds
and dragons, with the river renamed accordingly. A logistic curve fitted on recorded games turns a network's score into
a chance. The weights are in ``tables/waits.npz``, card and curves in ``tables/waits.json``; ``oshihiki train waits``
writes both.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import EAST, HAKU, HONOURS, KINDS, KINDS37, PLAIN37, tile37_of
from engine.opponents.danger import Danger
from engine.opponents.danger_tables import danger_tables, tables_digest
from engine.opponents.facts import STANCES, genbutsu_masks, opponents
from engine.papers.waits.net_kernels import Net, kind_logits
from engine.state import GameState, RiverTile
from engine.tables import arrays_in, numbers, readable, require_features, short_hash, table_digest

CODES: Final = 2 * KINDS37
PAIRS: Final = CODES * CODES

FEATURES: Final = "codes: tile37 + 37 from hand; pairs: first * 74 + second, each once; ascending"
"""Describes the inputs; its hash is stored with trained weights."""
NETS: Final = 11
"""Numbers 1-9, winds, dragons."""
NET_OF: Final = np.array([kind % 9 if kind < HONOURS else 9 if kind < HAKU else 10 for kind in range(KINDS)])
CURVES: Final = (len(STANCES), 2)
"""Logistic curves: by stance, for numbers and for honours."""
REBUILD: Final = "oshihiki train waits LOG…"
"""The command that fits the networks again."""
LEVELS: Final = 15
"""Weights of the first layer are stored in this many steps to either side of 0."""


def river_codes(river: Sequence[RiverTile], red_fives: bool = True) -> NDArray[np.int64]:
    """(n,) codes in order of discard. If a snapshot does not say, a tile counts as from the hand."""
    return np.array([tile37_of(tile.tile, red_fives) + KINDS37 * (not tile.tsumogiri) for tile in river], np.int64)


def set_bits(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ascending positions of the set bits among the 74."""
    return np.unique(codes)


def pair_bits(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ascending positions of the set bits among the 5,476."""
    first, second = np.triu_indices(len(codes), 1)
    return np.unique(codes[first] * CODES + codes[second])


def renamed_codes(kinds: Sequence[int]) -> NDArray[np.int64]:
    """(74,) new code of each code when kind ``k`` is renamed ``kinds[k]``; red fives follow their suit."""
    result = np.empty(CODES, np.int64)
    for code in range(CODES):
        tile37 = code % KINDS37
        kind = kinds[PLAIN37[tile37]]
        result[code] = (kind if tile37 < KINDS else KINDS + kind // 9) + code // KINDS37 * KINDS37
    return result


def brought_first(kind: int) -> list[int]:
    """(34,) new names that make ``kind`` the first of the kinds that the rules do not distinguish.

    Suits are exchanged as a whole, winds with east, dragons with white: the same number in manzu, east, or white.
    """
    names = list(range(KINDS))
    if kind < HONOURS:
        suit = kind // 9
        for number in range(9):
            names[number], names[9 * suit + number] = names[9 * suit + number], names[number]
    else:
        first = HAKU if kind >= HAKU else EAST
        names[first], names[kind] = names[kind], names[first]
    return names


RENAMES: Final = np.stack([renamed_codes(brought_first(kind)) for kind in range(KINDS)])
"""The codes of a river, renamed for each kind."""


def features_hash() -> str:
    """A hash of the networks' inputs; weights fitted on other inputs are refused."""
    return short_hash(FEATURES.encode())


@dataclass(frozen=True)
class WaitNets:
    """Trained networks."""

    nets: Net  # stacked, see :func:`engine.papers.waits.net_kernels.kind_logits`
    rows: NDArray[np.int64]  # (5476,) row of each ordered pair; -1 for those left out
    # slope, offset: (3, 2) curve that turns a score into a chance, by stance, honours apart
    slope: NDArray[np.float64]
    offset: NDArray[np.float64]

    def logits(self, codes: NDArray[np.int64]) -> NDArray[np.float32]:
        """(34,) score of each kind as a wait of the player with that river."""
        out = np.empty(KINDS, np.float32)
        kind_logits(self.nets, codes, RENAMES, NET_OF, self.rows, out)
        return out

    def chances(self, logits: NDArray[np.float32], stance: int) -> NDArray[np.float64]:
        """(34,) chance of each kind as a wait of a tenpai player."""
        curve = _IS_HONOUR
        result: NDArray[np.float64] = 1 / (
            1 + np.exp(-(self.slope[stance, curve] * logits + self.offset[stance, curve]))
        )
        return result


_IS_HONOUR: Final = (np.arange(KINDS) >= HONOURS).astype(np.intp)


def pack(nets: Net) -> dict[str, NDArray[Any]]:
    """Arrays for storage: the first layer in ``2 * LEVELS + 1`` steps, the rest in half precision."""
    steps = np.abs(nets.first).max(axis=(1, 2)) / LEVELS
    first = np.round(nets.first / steps[:, None, None]).astype(np.int8)
    rest = {name: part.astype(np.float16) for name, part in nets._asdict().items() if name != "first"}
    return {"first": first, "steps": steps.astype(np.float32), **rest}


def unpack(arrays: dict[str, NDArray[Any]]) -> Net:
    """The inverse of :func:`pack`, up to rounding."""
    first = numbers(arrays["first"], np.float32) * numbers(arrays["steps"], np.float32)[:, None, None]
    return Net(first, *(numbers(arrays[name], np.float32) for name in Net._fields[1:]))


def read_nets(folder: Traversable) -> WaitNets:
    """Read the networks from a folder.

    Raises:
        WeightsError: they are missing, damaged, or were fitted on other features.
    """
    with readable(f"waits.json or waits.npz of {folder}", REBUILD):
        card = json.loads(folder.joinpath("waits.json").read_text(encoding="utf-8"))
        require_features(card["card"]["features_hash"], features_hash())
        arrays = arrays_in(folder.joinpath("waits.npz").read_bytes())
        rows = arrays.pop("rows").astype(np.int64)
        slope, offset = numbers(card["slope"]), numbers(card["offset"])
        if rows.shape != (PAIRS,) or slope.shape != CURVES or offset.shape != CURVES or len(arrays["first"]) != NETS:
            raise ValueError("it has another shape")
        return WaitNets(unpack(arrays), rows, slope, offset)


@cache
def wait_nets() -> WaitNets:
    """The networks shipped with the package."""
    return read_nets(files("engine.papers.waits").joinpath("tables"))


class WaitsEstimator:
    """Waits from the networks; tenpai, yaku and points from the tables."""

    name = "waits"

    def __init__(self) -> None:
        self._tables = danger_tables()
        self._nets = wait_nets()
        self.digests = {"danger": tables_digest(), "waits": table_digest("engine.papers.waits", "waits.npz")}

    def estimate(self, state: GameState) -> Danger:
        """See :class:`~engine.opponents.danger.DangerEstimator`."""
        found = opponents(state)
        waits = np.empty((len(found), KINDS))
        for row, each in enumerate(found):
            codes = river_codes(state.rivers[each.seat], state.rules.red_fives)
            waits[row] = self._nets.chances(self._nets.logits(codes), each.stance)
        return self._tables.danger(state, found, genbutsu_masks(state), waits)
