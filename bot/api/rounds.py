"""The inputs and outputs of a simulator: walls, rounds, positions, and hands kept for logs."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from bot.api.arguments import listed, one_of, whole_numbers
from bot.machine.errors import InputError
from bot.machine.text import plural
from engine._jit import Records, dtype_of
from engine.arena.walls import Shuffle
from engine.model.events import Event, StartKyoku
from engine.model.rules import Rules
from engine.model.seats import SEATS, kyoku_name
from engine.model.tiles import TILES
from engine.networks.imitation import NUMBERS as NETWORK_NUMBERS
from engine.networks.imitation import PLANES as NETWORK_PLANES
from engine.networks.imitation_batch_kernels import fill_asked
from engine.networks.imitation_layout_kernels import QUESTION, WHO_OTHER
from engine.settings import shown
from engine.shanten.tables import hand_tables
from engine.simulator.game_kernels import GameTable
from engine.simulator.history import HandHistory
from engine.simulator.observation_kernels import observe
from engine.simulator.play_kernels import Questions
from engine.simulator.tables import BatchDecider

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_SIDES: Final = ("own", "right", "across", "left")
_OF_A_SEAT: Final = ("discarded", "discarded from the hand", "number of its last discard", "declared riichi with it")
PLANES: Final[tuple[str, ...]] = (
    *("held", "red five held", "just drawn", "on offer", "times dora", "visible copies"),
    *(f"{side}: {what}" for side in _SIDES for what in (*_OF_A_SEAT, "in its melds")),
)
"""What each column of :attr:`bot.api.rounds.Round.planes` is."""
_EACH: Final = ("score", "riichi, 2 for double", "ippatsu", "melds", "closed")
NUMBERS: Final[tuple[str, ...]] = (
    *("kyoku", "honba", "riichi sticks", "tiles left", "last scheduled kyoku", "dealer"),
    *("asked: 0 after a draw, 1 after a call, 2 about a discard, 3 about an added kan", "whose turn", "shanten"),
    *("furiten", *(f"{side}: {what}" for what in _EACH for side in _SIDES)),
    *(f"red five of {suit} seen by all" for suit in "mps"),
)
"""What each column of :attr:`bot.api.rounds.Round.numbers` is.

A dealer or turn is given relative to the seat, 1 for the right.
"""
Walls = Literal["fast", "tenhou"] | Sequence[Sequence[Sequence[int]]]
"""Where walls come from; see :class:`bot.api.simulator.Simulator`."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Round:
    """One step's output: questions, legal answers, and the results of the last answers.

    Of the n questions those of one table stand side by side. A question is a row of the first five arrays.

    Attributes:
        tables: int64 (n,), the table of each question.
        seats: int64 (n,), the seat that is asked, 0 to 3; 0 is the first dealer of the game.
        mask: bool (n, ANSWERS), which answers are legal.
        planes: uint8 (n, 34, len(PLANES)), what the seat sees of each kind of tile, as
            :data:`PLANES` says; or the inputs of the network, len(NETWORK_PLANES) of them; no rows if none
            were wanted.
        numbers: int32 (n, len(NUMBERS)), what it sees of the table, as :data:`NUMBERS` says; or uint8
            (n, len(NETWORK_NUMBERS)); no rows if none were wanted.
        points: int64 (tables, 4), by which each score has changed since the round before.
        rewards: float64 (tables, 4), by which the expected final result of each seat has changed, in thousands of
            points with uma and oka; it changes when a hand ends. The rewards of a game add up to its final result.
        ended: bool (tables,), where a hand has ended.
        done: bool (tables,), where an episode has ended.
    """

    tables: Ints
    seats: Ints
    mask: NDArray[np.bool_]
    planes: NDArray[np.uint8]
    numbers: NDArray[np.int32] | NDArray[np.uint8]
    points: Ints
    rewards: Floats
    ended: NDArray[np.bool_]
    done: NDArray[np.bool_]

    def __repr__(self) -> str:
        ended = f"{plural(int(self.ended.sum()), 'hand')} and {plural(int(self.done.sum()), 'episode')} ended"
        return f"<Round: {plural(len(self.tables), 'question')} of {plural(len(self.done), 'table')}, {ended}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Position:
    """A snapshot of a table, which can be put into any tables of its rules. It can be pickled, but not changed.

    Attributes:
        rules: rules of the table.
        record: the record of the table, a structured array of one element.
        expected: (4,), final result of each seat that was expected when the hand was dealt.
        seal: a hash of the other three, by which it is seen that they belong together: the kernels follow a record
            wherever it points.
    """

    rules: Rules
    record: NDArray[np.void]
    expected: Floats
    seal: str = ""

    def __repr__(self) -> str:
        """Which hand it is and who is asked; what the seats hold is not shown."""
        try:
            record = self.record[0]
            asked = ", ".join(map(str, self.asked)) or "nobody"
            hand = kyoku_name(int(record["kyoku"]), int(record["honba"]))
            return f"<Position: {hand}, asked: {asked}, scores {record['scores'].tolist()}>"
        except Exception:  # noqa: BLE001 - it was made by hand
            return "<Position: not as save(table) or position(place) made it>"

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to answer."""
        return tuple(seat for seat in SEATS if int(self.record["asked"][0]) >> seat & 1)


def position_of(rules: Rules, record: NDArray[np.void], expected: Floats) -> Position:
    """The position that a record, an array of one, is a copy of."""
    record, expected = record.copy(), expected.copy()
    record.flags.writeable = expected.flags.writeable = False
    return Position(rules, record, expected, _seal(rules, record, expected))


def _seal(rules: Rules, record: NDArray[np.void], expected: Floats) -> str:
    digest = hashlib.blake2b(repr(rules).encode(), digest_size=16)
    for name in record.dtype.names or ():  # one by one, since a copy leaves open what lies between them
        digest.update(record[name].tobytes())
    digest.update(expected.tobytes())
    return digest.hexdigest()


def check_position(position: Any, rules: Rules) -> None:
    """Raise InputError unless a table by these rules can go on from the position."""
    if not isinstance(position, Position):
        raise InputError(f"position {shown(position)}: it comes from save(table) or position(place)")
    record: Any = position.record
    expected: Any = position.expected
    is_record = isinstance(record, np.ndarray) and record.shape == (1,) and record.dtype == dtype_of(GameTable)
    is_expected = isinstance(expected, np.ndarray) and expected.shape == (4,) and expected.dtype == np.float64
    if not is_record or not is_expected or position.seal != _seal(position.rules, record, expected):
        raise InputError(
            "the position is not as save(table) or position(place) made it: it was changed since, or another version "
            "of oshihiki made it"
        )
    if position.rules != rules:
        raise InputError("the position comes from a table with other rules")
    if not record["hands"][0]:
        raise InputError("the position has no hand in play: its table was never reset")


def check_room(tables: int) -> None:
    """Raise InputError if the machine lacks the memory for this number of tables."""
    needed = tables * dtype_of(GameTable).itemsize
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # the system does not say
        return
    if needed > there:
        raise InputError(f"tables {tables}: they take {needed / 1e9:,.1f} GB, and this machine has {there / 1e9:,.1f}")


def seen_by(games: Records[GameTable], tables: Ints, seats: Ints) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Planes and numbers of what lies on the table, for any seats: int64 (n,) each."""
    places, viewers = np.ascontiguousarray(tables, np.int64), np.ascontiguousarray(seats, np.int64)
    planes = np.empty((len(places), 34, len(PLANES)), np.uint8)
    numbers = np.empty((len(places), len(NUMBERS)), np.int32)
    observe(games, places, viewers, planes, numbers, hand_tables())
    return planes, numbers


def network_inputs(games: Records[GameTable], asked: Questions) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The inputs of the imitating network for all questions."""
    number = len(asked.tables)
    planes = np.empty((number, 34, len(NETWORK_PLANES)), np.uint8)
    numbers = np.empty((number, len(NETWORK_NUMBERS)), np.uint8)
    questions = np.empty((number, QUESTION), np.int64)
    fill_asked(games, asked, np.arange(number), WHO_OTHER, hand_tables(), planes, numbers, questions)
    return planes, numbers


@dataclass(frozen=True, slots=True, eq=False)
class SimulatorPlayer:
    """A player that answers for a simulator, and what it has heard of: (tables,), the number of each table's hand."""

    player: BatchDecider
    heard: Ints

    def answer_all(self, games: Records[GameTable], asked: Questions, hands: Ints) -> Ints:
        """Its answers, once it has heard which hands are new to it; ``hands``: (tables,), the number of each."""
        new = np.flatnonzero(self.heard != hands)
        if len(new):
            self.player.start_kyoku(new)
            self.heard[new] = hands[new]
        return self.player.answer_all(games, asked)


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
        one_of("walls", walls, ("fast", "tenhou"))
        if walls == "fast":
            return None
        return [Shuffled(seed + table, tables) for table in range(tables)]
    given = listed(walls)
    if given is None:
        raise InputError(f"walls {shown(walls)}: they are 'fast', 'tenhou', or for each table a list of walls")
    if len(given) != tables:
        raise InputError(f"walls for {plural(len(given), 'table')}; there are {tables}")
    sources = []
    for table, each in enumerate(given):
        hands = listed(each)
        if hands is None:
            raise InputError(f"table {table}: its walls are {shown(each)}; they are a list of walls")
        sources.append(Source([_wall(wall, table, at) for at, wall in enumerate(hands)]))
    return sources


def _wall(wall: Any, table: int, at: int) -> list[int]:
    """A wall that was given."""
    try:
        tiles: list[int] = whole_numbers("a wall's tiles", wall).tolist()
    except InputError:
        tiles = []
    if sorted(tiles) != list(range(TILES)):
        raise InputError(
            f"table {table}: wall {at} must hold each of the tiles 0 to 135 once; this one has "
            f"{plural(len(tiles), 'tile')}, {len(set(tiles))} different"
        )
    return tiles


@dataclass(frozen=True, slots=True)
class EndedHand:
    """A table at the end of a hand, and the dice of its wall."""

    record: NDArray[np.void]
    dice: tuple[int, int] | None

    def events(self, rules: Rules) -> Iterable[Event]:
        """The events of the hand."""
        for event in HandHistory(rules).news(self.record[0]):
            yield replace(event, dice=self.dice) if isinstance(event, StartKyoku) else event


@dataclass(slots=True)
class Kept:
    """The hands of a table that are kept."""

    # those of the last episode that was done; ``last_shuffle``: the seed of its walls
    last: list[EndedHand] = field(default_factory=list)
    last_shuffle: str = ""
    # those of the running one, None if it began before it was to be kept; ``shuffle``: the seed of its walls
    running: list[EndedHand] | None = None
    shuffle: str = ""

    def begin(self, shuffle: str) -> None:
        """An episode begins."""
        self.running, self.shuffle = [], shuffle

    def add(self, hand: EndedHand, *, last: bool) -> None:
        """A hand has ended, and with it perhaps the episode."""
        if self.running is None:
            return
        self.running.append(hand)
        if last:
            self.last, self.last_shuffle = self.running, self.shuffle
            self.running = None
