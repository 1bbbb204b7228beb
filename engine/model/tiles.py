"""Tiles in the three encodings used throughout, and their text form.

* ``tile34``: the kind, 0-8 manzu 1-9, 9-17 pinzu, 18-26 souzu, 27-33 east south west north haku hatsu chun.
* ``tile37``: the kind with distinct red fives: 0-33 as ``tile34``, 34/35/36 the red five of manzu/pinzu/souzu.
* ``tile136``: the physical tile as Tenhou numbers it, ``4 * tile34 + copy``; copies 16, 52 and 88 are red if the rules
  have red fives.

Text is mpsz, such as ``123m406p77z``, with a red five written ``0``.
"""

from collections.abc import Iterable, Sequence
from typing import Final

KINDS: Final = 34
KINDS37: Final = 37
TILES: Final = 136
MAN, PIN, SOU, HONOURS = 0, 9, 18, 27
EAST, SOUTH, WEST, NORTH, HAKU, HATSU, CHUN = range(27, 34)
RED_FIVES: Final = (16, 52, 88)
"""The ``tile136`` of the red five of manzu, pinzu, souzu."""

TERMINALS_AND_HONOURS: Final = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
"""The thirteen ``tile34`` of thirteen orphans and of nine terminals."""

TILE34: Final = tuple(tile // 4 for tile in range(TILES))
"""``TILE34[tile136]`` is its ``tile34``."""

TILE37: Final = tuple(34 + RED_FIVES.index(tile) if tile in RED_FIVES else tile // 4 for tile in range(TILES))
"""``TILE37[tile136]`` is its ``tile37`` under rules with red fives."""

PLAIN37: Final = (*range(KINDS), 4, 13, 22)
"""``PLAIN37[tile37]`` is its ``tile34``."""

DORA_AFTER: Final = tuple(
    kind // 9 * 9 + (kind % 9 + 1) % 9
    if kind < HONOURS
    else EAST + (kind - EAST + 1) % 4
    if kind < HAKU
    else HAKU + (kind - HAKU + 1) % 3
    for kind in range(KINDS)
)
"""``DORA_AFTER[indicator34]`` is the dora's ``tile34``."""

KUIKAE: Final = tuple(
    (
        1 << kind | (1 << kind + 3 if kind < HONOURS and kind % 9 < 6 else 0),
        1 << kind,
        1 << kind | (1 << kind - 3 if kind < HONOURS and kind % 9 > 2 else 0),
    )
    for kind in range(KINDS)
)
"""``KUIKAE[tile34][place]`` is the bit set of the kinds that may not be discarded after a chi of the kind as the
lowest, middle or highest tile of the run: itself, and what would extend the run at its other end."""

_SUITS: Final = "mpsz"
_NAMES37: Final = (
    *(f"{number}{suit}" for suit in "mps" for number in range(1, 10)),
    *(f"{number}z" for number in range(1, 8)),
    "0m",
    "0p",
    "0s",
)


class TileError(ValueError):
    """Text that is not a tile or a hand; the message quotes it and the position."""


def dora34(indicators: Iterable[int]) -> list[int]:
    """For each ``tile34``, how many times these indicators (``tile136``) make it dora."""
    found = [0] * KINDS
    for indicator in indicators:
        found[DORA_AFTER[indicator >> 2]] += 1
    return found


def dora_among(tiles: Iterable[int], dora: Sequence[int], red_fives: bool) -> int:
    """Dora and red fives among tiles (``tile136``); ``dora`` as :func:`dora34` counts it."""
    return sum([dora[tile >> 2] + (red_fives and tile in RED_FIVES) for tile in tiles])


def tile37_of(tile136: int, red_fives: bool = True) -> int:
    """The ``tile37`` of a physical tile; every five is plain if there are no red fives."""
    return TILE37[tile136] if red_fives else TILE34[tile136]


def format_tile37(tile37: int) -> str:
    """``'5p'``, ``'0p'`` for the red five, ``'1z'`` for east."""
    return _NAMES37[tile37]


def format_tile(tile136: int, red_fives: bool = True) -> str:
    """The text of one physical tile."""
    return _NAMES37[tile37_of(tile136, red_fives)]


def format_tiles37(tiles37: Iterable[int]) -> str:
    """Compact text, sorted by suit and number with the red five among the fives: ``'406m1z'``."""
    groups: dict[str, list[tuple[int, str]]] = {suit: [] for suit in _SUITS}
    for tile37 in tiles37:
        name = _NAMES37[tile37]
        groups[name[1]].append((PLAIN37[tile37] * 2 + (tile37 < KINDS), name[0]))
    return "".join("".join(number for _, number in sorted(group)) + suit for suit, group in groups.items() if group)


def format_tiles(tiles136: Iterable[int], red_fives: bool = True) -> str:
    """Compact text of physical tiles; see :func:`format_tiles37`."""
    return format_tiles37(tile37_of(tile, red_fives) for tile in tiles136)


def parse_tiles37(text: str) -> tuple[int, ...]:
    """Read mpsz text into ``tile37``, in the order written.

    Raises:
        TileError: a character is not a tile, digits have no suit, or there are more than four of a kind.
    """
    tiles: list[int] = []
    pending: list[tuple[int, int]] = []
    for position, char in enumerate(text):
        if char in " _":
            continue
        if char.isascii() and char.isdigit():
            pending.append((position, int(char)))
        elif char in _SUITS:
            if not pending:
                raise TileError(f"{text!r}: suit {char!r} at position {position + 1} has no digits before it")
            for at, number in pending:
                tiles.append(_tile37(text, at, number, char))
            pending.clear()
        else:
            raise TileError(
                f"{text!r}: {char!r} at position {position + 1} is not a tile; write digits and m, p, s or z"
            )
    if pending:
        raise TileError(f"{text!r}: digits at position {pending[0][0] + 1} have no suit; end them with m, p, s or z")
    counts = [0] * KINDS37
    for tile37 in tiles:
        counts[tile37] += 1
    for red, kind in zip(range(KINDS, KINDS37), (4, 13, 22), strict=True):
        if counts[red] > 1:
            raise TileError(f"{text!r}: {counts[red]} red {format_tile37(kind)}; there is one")
        counts[kind] += counts[red]
    for kind in range(KINDS):
        if counts[kind] > 4:
            raise TileError(f"{text!r}: {counts[kind]} tiles of {format_tile37(kind)}; there are four")
    return tuple(tiles)


def _tile37(text: str, at: int, number: int, suit: str) -> int:
    if suit == "z":
        if not 1 <= number <= 7:
            raise TileError(f"{text!r}: {number}z at position {at + 1} is not a tile; honours are 1z to 7z")
        return EAST + number - 1
    base = 9 * _SUITS.index(suit)
    return KINDS + base // 9 if number == 0 else base + number - 1


def allocate136(tiles37: Sequence[int], taken: Iterable[int] = (), red_fives: bool = True) -> tuple[int, ...]:
    """A physical tile not in ``taken`` for each ``tile37``: the lowest free copy, and red only for a red five.

    Raises:
        TileError: no copy of a tile is left.
    """
    used = set(taken)
    result = []
    for tile37 in tiles37:
        kind = PLAIN37[tile37]
        if tile37 >= KINDS:
            copies: Iterable[int] = (RED_FIVES[tile37 - KINDS],)
        else:
            copies = (tile for tile in range(4 * kind, 4 * kind + 4) if not (red_fives and tile in RED_FIVES))
        tile = next((copy for copy in copies if copy not in used), None)
        if tile is None:
            raise TileError(_none_left(tile37, used))
        used.add(tile)
        result.append(tile)
    return tuple(result)


def _none_left(tile37: int, used: set[int]) -> str:
    """The reason why no copy of a tile is left; red and plain fives are counted separately."""
    kind, name = PLAIN37[tile37], format_tile37(tile37)
    free = [tile for tile in range(4 * kind, 4 * kind + 4) if tile not in used]
    if not free:
        return f"no {name} is left: all four copies are in use"
    other = _NAMES37[TILE37[free[0]]]
    if tile37 >= KINDS:
        return f"no {name} is left: the one red five is in use; the fives that are left are plain, written {other}"
    return f"no {name} is left: its three plain copies are in use; the fourth is the red five, written {other}"


def counts34(tiles136: Iterable[int]) -> list[int]:
    """Number of tiles of each ``tile34``; 34 entries."""
    counts = [0] * KINDS
    for tile in tiles136:
        counts[tile >> 2] += 1
    return counts
