"""Hands played at the simulator's tables as recordings, to learn from, and the threads that play them side by side."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.arena.walls import wall_from_order
from engine.critic.outcomes import HandsToCome
from engine.critic.worths import sticks_of
from engine.model.rules import RIICHI_STICK, Rules
from engine.model.tiles import TILES
from engine.networks.imitation_layout_kernels import WHO_OTHER
from engine.policy.batches import ask
from engine.rules.recordings import (
    GAME_COLUMNS,
    KYOKU_COLUMNS,
    NO_SPLIT,
    End,
    GameColumn,
    KyokuColumn,
    Recordings,
)
from engine.simulator.game_kernels import EXHAUSTIVE, NAGASHI, RON, TSUMO
from engine.simulator.tables import BatchDecider, Tables

_END: Final = np.full(16, End.ABORTIVE, np.int32)
_END[[TSUMO, RON, EXHAUSTIVE, NAGASHI]] = End.TSUMO, End.RON, End.EXHAUSTIVE, End.EXHAUSTIVE
_PLACES: Final = wall_from_order(range(TILES))
"""Places in the shuffled tiles instead of tiles."""
_DEALT: Final = np.array(_PLACES.hands)


def recordings_of(tables: NDArray[Any]) -> Recordings:
    """Hands that have just ended as recordings, one game each.

    Args:
        tables: records of :class:`engine.simulator.game_kernels.GameTable` whose hands have ended; not changed.
    """
    n = len(tables)
    kyoku = np.zeros((n, KYOKU_COLUMNS), np.int32)
    lengths = tables["logged"].astype(np.int64)
    every = np.arange(tables["log"].shape[1]) < lengths[:, None]
    events = tables["log"][every]
    columns = {
        KyokuColumn.GAME: np.arange(n),
        KyokuColumn.KYOKU: tables["kyoku"],
        KyokuColumn.HONBA: tables["honba"],
        KyokuColumn.STICKS: tables["dealt_sticks"],
        KyokuColumn.DEALER: tables["dealer"],
        KyokuColumn.INDICATOR: tables["tiles"][:, _PLACES.dora_indicators[0]],
        KyokuColumn.FIRST_EVENT: np.cumsum(lengths) - lengths,
        KyokuColumn.EVENTS: lengths,
        KyokuColumn.LAST_KYOKU: tables["last_kyoku"],
        KyokuColumn.END: _END[tables["ending"]],
        KyokuColumn.FROM_SEAT: np.where(tables["ending"] == RON, tables["win_froms"][:, 0], -1),
        KyokuColumn.WINNERS: _winners(tables),
    }
    for column, values in columns.items():
        kyoku[:, column] = values
    kyoku[:, KyokuColumn.SCORE : KyokuColumn.SCORE + 4] = tables["dealt_scores"]
    kyoku[:, KyokuColumn.DELTA : KyokuColumn.DELTA + 4] = tables["deltas"] - RIICHI_STICK * sticks_of(events, lengths)
    away = (np.arange(4) - tables["dealer"][:, None]) & 3
    hands = tables["tiles"][np.arange(n)[:, None, None], _DEALT[away]]
    games = np.full((n, GAME_COLUMNS), -1, np.int32)
    games[:, GameColumn.SPLIT], games[:, GameColumn.ROOM] = NO_SPLIT, WHO_OTHER
    games[:, GameColumn.FIRST_KYOKU] = np.arange(n)
    return Recordings(np.full(n, "", np.str_), games, kyoku, np.ascontiguousarray(hands), events)


def what_follows(tables: NDArray[Any]) -> HandsToCome:
    """The situations after hands that have ended."""
    scores, kyoku, honba, sticks, last = (
        tables[name].astype(np.int64) for name in ("scores", "next_kyoku", "next_honba", "sticks", "last_kyoku")
    )
    return HandsToCome(scores, kyoku, honba, sticks, last, tables["over"] != 0)


def _winners(tables: NDArray[Any]) -> NDArray[np.int64]:
    winners = np.zeros(len(tables), np.int64)
    for at in range(2):
        winners |= np.where(tables["wins"] > at, 1 << tables["win_seats"][:, at], 0)
    return winners


def play_on(tables: Tables, players: Sequence[BatchDecider], sitting: NDArray[np.int64]) -> NDArray[np.int64]:
    """Deal where a hand is due, let the players answer all questions, and return the tables whose hands ended.

    Args:
        tables: the tables.
        players: who play.
        sitting: (tables, 4), the number of the player in each seat.
    """
    _, answers = ask(tables, players, sitting)
    return tables.answer(answers)


def play_hands(number: int, players: Sequence[Sequence[BatchDecider]], rules: Rules, seed: int) -> Recordings:
    """Play at least a number of hands, and return them as recordings.

    Args:
        number: of hands at least; games go on one after the other.
        players: for each table its players by seat; one that sits in several seats must be the same object.
        rules: of all tables.
        seed: of the walls.
    """
    tables = Tables(len(players), rules, seed=seed)
    every = list({id(player): player for table in players for player in table}.values())
    sitting = np.array([[every.index(player) for player in table] for table in players])
    parts: list[Recordings] = []
    hands = 0
    while hands < number:
        over = play_on(tables, every, sitting)
        if len(over):
            ended = np.asarray(tables.games)[over]
            parts.append(recordings_of(ended))
            hands += len(over)
            tables.restart(over[ended["over"] != 0])
    return Recordings.concatenate(parts)


Found = TypeVar("Found")


class Crew:
    """A number of threads.

    Attributes:
        threads: how many.
    """

    def __init__(self, threads: int = 1, begin: Callable[[], None] = lambda: None) -> None:
        """Start the threads, each of which calls ``begin`` first; a crew of one works in the calling thread."""
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, "crew", begin) if threads > 1 else None

    def each(self, work: Callable[[int], Found]) -> list[Found]:
        """The results of ``work`` for the number of each thread, computed side by side."""
        if self._pool is None:
            return [work(0)]
        return list(self._pool.map(work, range(self.threads)))


class Stock:
    """Units of work that the threads of a crew share: who is faster takes more."""

    def __init__(self, units: int) -> None:
        """Begin with a number of units."""
        self._left = units
        self._lock = Lock()

    def take(self, units: int = 1) -> int:
        """Take some away, and return how many are left; fewer than 0 if there were too few."""
        with self._lock:
            self._left -= units
            return self._left

    @property
    def left(self) -> int:
        """How many are left."""
        return self._left
