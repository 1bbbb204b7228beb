"""What the tables of a simulator play from and what they leave behind: walls, and hands that are kept for logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bot.machine.errors import InputError
from engine.arena.walls import Shuffle
from engine.model.events import Event, StartKyoku
from engine.model.rules import Rules
from engine.model.tiles import TILES
from engine.simulator.history import HandHistory

Walls = Literal["fast", "tenhou"] | Sequence[Sequence[Sequence[int]]]
"""Where walls come from; see :class:`bot.api.simulator.Simulator`."""


class Source(Iterator[Sequence[int]]):
    """The walls of one table: those given.

    Attributes:
        dice: of the wall last taken, None if it has none.
        shuffle: seed of the game's walls as a log states it, empty if there is none.
    """

    dice: tuple[int, int] | None = None
    shuffle = ""

    def __init__(self, walls: Sequence[Sequence[int]] = ()) -> None:
        self._walls = walls
        self._at = 0

    @property
    def left(self) -> bool:
        """Whether there is another wall."""
        return self._at < len(self._walls)

    def new_game(self) -> None:
        """A game begins; walls that are given go on."""

    def __next__(self) -> Sequence[int]:
        if not self.left:
            raise StopIteration
        self._at += 1
        return self._walls[self._at - 1]


class Shuffled(Source):
    """Those of Tenhou's shuffle, one seed for each game."""

    left = True  # there is always another one

    def __init__(self, seed: int, stride: int) -> None:
        super().__init__()
        self._seed, self._stride = seed - stride, stride

    def new_game(self) -> None:
        """The next seed."""
        self._seed += self._stride
        self._shuffles = Shuffle.from_seed(self._seed)
        self.shuffle = self._shuffles.text

    def __next__(self) -> Sequence[int]:
        wall = next(self._shuffles)
        self.dice = wall.dice
        return wall.order()


def sources_of(walls: Walls, tables: int, seed: int) -> list[Source] | None:
    """A source of walls for each table; None: the tables shuffle for themselves."""
    if isinstance(walls, str):
        if walls == "fast":
            return None
        if walls == "tenhou":
            return [Shuffled(seed + table, tables) for table in range(tables)]
        raise InputError(f"walls {walls!r}: they are 'fast', 'tenhou', or given for each table")
    if len(walls) != tables:
        raise InputError(f"walls for {len(walls)} tables; there are {tables}")
    return [Source([_wall(wall, table, at) for at, wall in enumerate(each)]) for table, each in enumerate(walls)]


def _wall(wall: Any, table: int, at: int) -> list[int]:
    """A wall that was given."""
    try:
        tiles = [int(tile) for tile in wall]
    except (TypeError, ValueError):
        tiles = []
    if sorted(tiles) != list(range(TILES)):
        raise InputError(
            f"table {table}: wall {at} must hold each of the tiles 0 to 135 once; this one has {len(tiles)} tiles, "
            f"{len(set(tiles))} different"
        )
    return tiles


@dataclass(frozen=True, slots=True)
class Hand:
    """A table at the end of a hand, and the dice of its wall."""

    record: NDArray[np.void]
    dice: tuple[int, int] | None

    def events(self, rules: Rules) -> Iterable[Event]:
        """What happened."""
        for event in HandHistory(rules).news(self.record[0]):
            yield replace(event, dice=self.dice) if isinstance(event, StartKyoku) else event


@dataclass(slots=True)
class Kept:
    """The hands of a table that are kept.

    Attributes:
        last: those of the last episode that was done; ``last_shuffle``: the seed of its walls.
        running: those of the running one, None if it began before it was to be kept; ``shuffle``: likewise.
    """

    last: list[Hand] = field(default_factory=list)
    last_shuffle: str = ""
    running: list[Hand] | None = None
    shuffle: str = ""

    def begin(self, shuffle: str) -> None:
        """An episode begins."""
        self.running, self.shuffle = [], shuffle

    def add(self, hand: Hand, *, last: bool) -> None:
        """A hand has ended, and with it perhaps the episode."""
        if self.running is None:
            return
        self.running.append(hand)
        if last:
            self.last, self.last_shuffle = self.running, self.shuffle
            self.running = None
