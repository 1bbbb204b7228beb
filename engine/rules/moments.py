"""Moments of recorded hands, played again with all four hands open."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import new_records
from engine.model.events import Event
from engine.model.rules import Rules
from engine.rules.code_kernels import FIRST_AT
from engine.rules.moment_kernels import MOST_MOMENTS, Games, Moment, Moments, collect_moments
from engine.rules.recordings import Recordings, open_game
from engine.rules.tables import write_rules
from engine.shanten.tables import hand_tables

ROOM: Final = 8_192
"""Moments in memory at once: 15 MB."""


def games_of(recordings: Recordings) -> Games:
    """The arrays that the kernels play."""
    return Games(recordings.kyoku, recordings.hands, recordings.events)


def new_moments(number: int = MOST_MOMENTS + 1, rules: Rules | None = None) -> Moments:
    """Allocate records for moments at tables of these rules; None: those of all recordings that are kept."""
    records = new_records(Moment, number)
    write_rules(records, rules or Rules())
    return Moments(records, np.asarray(records).view(np.uint64).reshape(number, -1))


def moments(
    recordings: Recordings,
    hands: NDArray[np.int64],
    before: tuple[int, ...],
    room: Moments | None = None,
) -> Iterator[NDArray[Any]]:
    """Yield the moments of the hands in order, some whole hands at a time.

    Args:
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        before: types of event, of :mod:`engine.rules.code_kernels`, before which a moment is kept.
        room: for the moments of one hand at least; None: for :data:`ROOM`.

    Yields:
        Structured arrays with the fields of :class:`Moment`; they are filled again for the next.
    """
    room = room or new_moments(ROOM)
    games, tables = games_of(recordings), hand_tables()
    bits = sum(1 << kind for kind in before)
    done = 0
    while done < len(hands):
        n, played = collect_moments(games, hands[done:], bits, tables, room)
        done += played
        yield np.asarray(room.records)[:n]


def next_kinds(moments: Any) -> Any:
    """The kind that is drawn, discarded or added next, of one moment or of (n,); of other events it means nothing."""
    return (moments["code"] >> FIRST_AT & 255) >> 2


def unseen_by(moments: NDArray[Any], seats: Any) -> NDArray[np.int64]:
    """(n, 34): the copies of each kind that a seat does not see, one seat for each of the moments or for all."""
    own = moments["counts"][np.arange(len(moments)), seats].astype(np.int64)
    unseen: NDArray[np.int64] = 4 - own - moments["open_tiles"]
    return unseen


def game_moments(events: Iterable[Event], before: tuple[int, ...]) -> NDArray[Any]:
    """The moments of all hands of one game, of any rules; ``row`` is the number of the hand in the game.

    Args:
        events: of the game, all hands open.
        before: see :func:`moments`.

    Raises:
        HiddenTileError: a hand or a drawn tile is hidden.
        UnusableGameError: a hand cannot have been played.
    """
    game, rules = open_game(events)
    room = new_moments(len(game.events) + MOST_MOMENTS + 1, rules)
    every = list(moments(game, np.arange(len(game.kyoku)), before, room))
    return every[0] if every else np.asarray(room.records)[:0]
