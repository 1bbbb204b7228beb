"""Shanten, ukeire, waits, discards and readings of one hand, and shanten of many hands.

A hand is 34 counts of concealed tiles and a number of melds. Shanten is the number of tiles that must be replaced to
reach tenpai: 0 is tenpai, -1 complete. Forms that would need a fifth tile of a kind besides the concealed ones do not
count: ``1111m`` waiting for ``1m`` is not tenpai. Copies in melds are ignored: a hand that waits for a tile of which it
has three in a pon and the fourth in a run is tenpai. Tenhou pays exhaustive draws this way (among 82,000 recorded hands
at 20,500 draws, one of the first sort was shown as noten, and three of the second as tenpai).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from engine.model.plural import plural
from engine.model.tiles import KINDS, format_tile37
from engine.shanten import shanten_kernels as kernels
from engine.shanten.shanten_kernels import find_rows
from engine.shanten.table_kernels import EACH_RUN_AT, LAST_READING, PAIR_AT, ROWS, TRIPLETS_AT, HandTables
from engine.shanten.tables import hand_tables

NOT_HELD: Final = kernels.NOT_HELD

Counts = Sequence[int] | NDArray[np.uint8]
"""34 counts: a list, a tuple, or a uint8 array."""


class HandError(ValueError):
    """The counts are not a hand; the message quotes them."""


@dataclass(frozen=True, slots=True)
class Ukeire:
    """The tiles that improve a hand of 13 - 3k tiles.

    Attributes:
        shanten: shanten of the hand.
        tiles: (``tile34``, copies unseen) of each kind that lowers the shanten; 0 if no copy is left.
        total: sum of the copies.
    """

    shanten: int
    tiles: tuple[tuple[int, int], ...]
    total: int


class Discards(NamedTuple):
    """The hand of 14 - 3k tiles after each discard, by ``tile34``."""

    shanten: list[int]  # shanten then; ``NOT_HELD`` for kinds not held
    kinds: list[int]  # bit set of the kinds that lower it
    ukeire: list[int]  # number of unseen copies of these kinds


def shanten(counts34: Counts, melds: int = 0) -> int:
    """Shanten of a hand: the minimum of standard, seven-pairs and thirteen-orphans shanten; -1 is complete.

    Args:
        counts34: 13 - 3k or 14 - 3k concealed tiles.
        melds: k, including closed kans.

    Raises:
        HandError: the number of tiles is wrong, or there are five of a kind.
    """
    return _shanten(counts34, melds, kernels.ANY_FORM)


def standard_shanten(counts34: Counts, melds: int = 0) -> int:
    """Shanten to four sets and a pair; see :func:`shanten`."""
    return _shanten(counts34, melds, kernels.STANDARD)


def seven_pairs_shanten(counts34: Counts) -> int:
    """Shanten to seven different pairs for a hand without melds; see :func:`shanten`."""
    return _shanten(counts34, 0, kernels.SEVEN_PAIRS)


def thirteen_orphans_shanten(counts34: Counts) -> int:
    """Shanten to thirteen orphans for a hand without melds; see :func:`shanten`."""
    return _shanten(counts34, 0, kernels.ORPHANS)


def is_agari(counts34: Counts, melds: int = 0) -> bool:
    """Whether the hand is complete in any form, regardless of yaku; see :func:`shanten`."""
    return shanten(counts34, melds) == -1


def shanten_batch(counts34: NDArray[np.uint8], melds: NDArray[np.uint8] | None = None) -> NDArray[np.int8]:
    """:func:`shanten` of n hands.

    Args:
        counts34: uint8, shape (n, 34), C order.
        melds: uint8, shape (n,); None means no melds.

    Returns:
        int8, shape (n,).

    Raises:
        HandError: a row is not a hand, or an array has another shape or type.
    """
    if counts34.ndim != 2 or counts34.shape[1] != KINDS or counts34.dtype != np.uint8:
        raise HandError(f"hands must be uint8 of shape (n, 34), not {counts34.dtype} of shape {counts34.shape}")
    if melds is None:
        melds = np.zeros(len(counts34), np.uint8)
    elif melds.shape != (len(counts34),) or melds.dtype != np.uint8:
        raise HandError(f"melds must be uint8 of shape ({len(counts34)},), not {melds.dtype} of shape {melds.shape}")
    result = np.empty(len(counts34), np.int8)
    bad = kernels.batch_shanten(np.ascontiguousarray(counts34), np.ascontiguousarray(melds), hand_tables(), result)
    if bad >= 0:
        _refuse(counts34[bad], int(melds[bad]), f"hand {bad}: ")
    return result


def waits(counts34: Counts, melds: int = 0) -> tuple[int, ...]:
    """The ``tile34`` that complete a hand of 13 - 3k tiles, ascending; empty if it is not tenpai.

    A kind held four times in ``counts34`` is not a wait, and a hand with no other wait is not tenpai.

    Raises:
        HandError: there are not 13 - 3k tiles, or there are five of a kind.
    """
    after = _neighbours(counts34, melds, 1)
    if after[KINDS] != 0:
        return ()
    return tuple([kind for kind in range(KINDS) if after[kind] == -1])


def discard_shanten(counts34: Counts, melds: int = 0) -> list[int]:
    """Shanten after discarding each kind from a hand of 14 - 3k tiles, by ``tile34``; 99 for kinds not held.

    Raises:
        HandError: there are not 14 - 3k tiles, or there are five of a kind.
    """
    return _neighbours(counts34, melds, -1)[:KINDS]


def ukeire(counts34: Counts, melds: int = 0, unseen34: Sequence[int] | None = None) -> Ukeire:
    """The tiles that lower the shanten of a hand of 13 - 3k tiles.

    Args:
        counts34: concealed tiles.
        melds: number of melds.
        unseen34: unseen copies of each kind; None: four minus those in ``counts34``.

    Raises:
        HandError: there are not 13 - 3k tiles, or there are five of a kind.
    """
    after = _neighbours(counts34, melds, 1)
    before = after[KINDS]
    if unseen34 is None:
        tiles = tuple([(kind, 4 - int(counts34[kind])) for kind in range(KINDS) if after[kind] < before])
    else:
        tiles = tuple([(kind, int(unseen34[kind])) for kind in range(KINDS) if after[kind] < before])
    return Ukeire(before, tiles, sum(copies for _, copies in tiles))


def shape_draws(counts34: Counts, melds: int, unseen34: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The tiles that improve a hand of 13 - 3k tiles without lowering its shanten.

    After the best discard more copies lower it than do now.

    Args:
        counts34: concealed tiles.
        melds: number of melds.
        unseen34: unseen copies of each kind.

    Returns:
        (``tile34``, copies unseen) of each kind of which some are left.

    Raises:
        HandError: there are not 13 - 3k tiles, or there are five of a kind.
    """
    now = ukeire(counts34, melds, unseen34)
    nearer = {kind for kind, _ in now.tiles}
    counts, unseen = [int(each) for each in counts34], [int(each) for each in unseen34]
    found = []
    for kind, copies in enumerate(unseen34):
        if kind in nearer or copies <= 0 or counts[kind] == 4:
            continue
        counts[kind] += 1
        unseen[kind] -= 1
        after = discard_ukeire(counts, melds, unseen)
        kept = (total for total, left in zip(after.ukeire, after.shanten, strict=True) if left == now.shanten)
        if max(kept, default=0) > now.total:
            found.append((kind, int(copies)))
        counts[kind] -= 1
        unseen[kind] += 1
    return tuple(found)


def discard_ukeire(counts34: Counts, melds: int, unseen34: Counts) -> Discards:
    """Shanten and the tiles that lower it after each discard from a hand of 14 - 3k tiles.

    Args:
        counts34: concealed tiles.
        melds: number of melds.
        unseen34: unseen copies of each kind.

    Raises:
        HandError: there are not 14 - 3k tiles, or there are five of a kind.
    """
    counts, unseen = _array(counts34), _array(unseen34)
    after, kinds, copies = np.empty(KINDS, np.int8), np.empty(KINDS, np.int64), np.empty(KINDS, np.int64)
    if kernels.discard_ukeire(counts, melds, unseen, hand_tables(), after, kinds, copies) != kernels.TILES_OK:
        _refuse(counts, melds, tiles=14)
    return Discards(after.tolist(), kinds.tolist(), copies.tolist())


def hand_array(counts34: Counts, melds: int, tiles: int) -> NDArray[np.uint8]:
    """A fresh uint8 copy of ``counts34``, checked to be a hand of ``tiles`` (13 or 14) minus three for each meld.

    Raises:
        HandError: the counts are not such a hand, or there are five of a kind.
    """
    counts = _array(counts34)
    if kernels.check_hand(counts, melds, tiles == 13, tiles == 14) != kernels.TILES_OK:
        _refuse(counts, melds, tiles=tiles)
    return counts


def _array(counts34: Counts) -> NDArray[np.uint8]:
    # a bytearray is by far the fastest way from a list to a writable array
    try:
        counts = np.frombuffer(bytearray(counts34), np.uint8)
    except (ValueError, TypeError) as error:
        raise HandError(f"counts must be 34 whole numbers from 0 to 4, not {counts34!r}") from error
    if len(counts) != KINDS:
        raise HandError(f"a hand is 34 counts (uint8 if an array), not {len(counts)}")
    return counts


def _shanten(counts34: Counts, melds: int, form: int) -> int:
    counts = _array(counts34)
    result = kernels.checked_shanten(counts, melds, form, hand_tables())
    if result < -1:
        _refuse(counts, melds)
    return result


def _neighbours(counts34: Counts, melds: int, step: int) -> list[int]:
    counts = _array(counts34)
    after = np.empty(KINDS + 1, np.int8)
    if kernels.neighbour_shanten(counts, melds, step, hand_tables(), after) != kernels.TILES_OK:
        _refuse(counts, melds, tiles=13 if step > 0 else 14)
    return after.tolist()


def _refuse(counts: NDArray[np.uint8], melds: int, where: str = "", tiles: int | None = None) -> NoReturn:
    for kind, count in enumerate(counts.tolist()):
        if count > 4:
            raise HandError(f"{where}{plural(int(count), 'tile')} of {format_tile37(kind)}; there are four")
    if not 0 <= melds <= 4:
        raise HandError(f"{where}{plural(int(melds), 'meld')}; a hand has 0 to 4")
    wanted = f"{tiles - 3 * melds}" if tiles else f"{13 - 3 * melds} or {14 - 3 * melds}"
    raise HandError(
        f"{where}{plural(int(counts.sum()), 'concealed tile')} with {plural(int(melds), 'meld')}; it must be {wanted}"
    )


@dataclass(frozen=True, slots=True)
class Decomposition:
    """One reading of the concealed tiles of a complete hand in standard form."""

    pair: int  # ``tile34`` of the pair
    runs: tuple[int, ...] = ()  # lowest ``tile34`` of each run, ascending
    triplets: tuple[int, ...] = ()  # ``tile34`` of each triplet, ascending


def decompose(counts34: Counts, melds: int = 0) -> tuple[Decomposition, ...]:
    """All readings of 14 - 3k concealed tiles as sets and a pair; empty if there is none.

    Args:
        counts34: concealed tiles, including the winning tile.
        melds: k, including closed kans.

    Raises:
        HandError: there are not 14 - 3k tiles, or there are five of a kind.
    """
    counts = hand_array(counts34, melds, tiles=14)
    tables = hand_tables()
    suits = [_readings_of(row, tables[0]) for row in find_rows(counts, tables)]
    found = []
    for choice in product(*suits):
        runs: list[int] = []
        triplets: list[int] = []
        pairs: list[int] = []
        for suit, reading in enumerate(choice):
            for number in range(7):
                times = reading >> (EACH_RUN_AT + 3 * number) & 7
                runs += [9 * suit + number] * times
            triplets += [9 * suit + number for number in range(9) if reading >> (TRIPLETS_AT + number) & 1]
            pairs += [9 * suit + number for number in range(9) if reading >> (PAIR_AT + number) & 1]
        if len(pairs) == 1:
            found.append(Decomposition(pairs[0], tuple(runs), tuple(triplets)))
    return tuple(found)


def _readings_of(row: int, tables: HandTables) -> list[int]:
    found: list[int] = []
    first = int(tables.firsts[row - ROWS])
    while first:
        reading = int(tables.readings[first])
        found.append(reading)
        first = 0 if reading & LAST_READING else first + 1
    return found
