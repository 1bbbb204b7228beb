"""Recorded hands again: moments with all four hands open, how hands ended, and what was waited on and won."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, new_records
from engine.model.events import Discard, Disconnected, Event, Reconnected, Ryuukyoku, RyuukyokuKind, StartKyoku, Win
from engine.model.rules import Rules
from engine.model.seats import others
from engine.rules.code_kernels import DISCARD, FIRST_AT
from engine.rules.moment_kernels import MOST_MOMENTS, Games, Moment, Moments, collect_moments
from engine.rules.tables import write_rules
from engine.shanten.tables import hand_tables
from engine.train.recordings import Recordings, open_game
from engine.train.sample_kernels import Opposed, fill_opposed

ROOM: Final = 8_192
"""Moments in memory at once: 15 MB."""
OPPONENTS: Final = 3


def games_of(recordings: Recordings) -> Games:
    """The arrays that the kernels play."""
    return Games(recordings.kyoku, recordings.hands, recordings.events)


def new_moments(number: int = MOST_MOMENTS + 1, rules: Rules | None = None) -> Moments:
    """Room for so many moments, at tables of these rules; None: those of all recordings that are kept."""
    records = new_records(Moment, number)
    write_rules(records, rules or Rules())
    return Moments(records, np.asarray(records).view(np.uint64).reshape(number, -1))


def moments(
    recordings: Recordings,
    hands: NDArray[np.int64],
    before: tuple[int, ...] = (),
    after: tuple[int, ...] = (),
    room: Moments | None = None,
) -> Iterator[NDArray[Any]]:
    """Yield the moments of the hands in order, some whole hands at a time.

    Args:
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        before: types of event, of :mod:`engine.rules.code_kernels`, before which a moment is kept.
        after: types of event after which one is kept.
        room: for the moments of one hand at least; None: for :data:`ROOM`.

    Yields:
        Structured arrays with the fields of :class:`Moment`; they are filled again for the next.
    """
    room = room or new_moments(ROOM)
    games, tables = games_of(recordings), hand_tables()
    bits = sum(1 << kind for kind in before), sum(1 << kind for kind in after)
    done = 0
    while done < len(hands):
        n, played = collect_moments(games, hands[done:], *bits, tables, room)
        done += played
        yield np.asarray(room.records)[:n]


def next_kinds(moments: Any) -> Any:
    """The kind that is drawn, discarded or added next, of one moment or of (n,); of other events it means nothing."""
    return (moments["code"] >> FIRST_AT & 255) >> 2


def game_moments(events: Iterable[Event], before: tuple[int, ...] = (), after: tuple[int, ...] = ()) -> NDArray[Any]:
    """The moments of all hands of one game, of any rules; ``row`` is the number of the hand in the game.

    Args:
        events: of the game, all hands open.
        before: see :func:`moments`.
        after: see :func:`moments`.

    Raises:
        HiddenTileError: a hand or a drawn tile is hidden.
    """
    game, rules = open_game(events)
    room = new_moments(len(game.events) + MOST_MOMENTS + 1, rules)
    every = list(moments(game, np.arange(len(game.kyoku)), before, after, room))
    return every[0] if every else np.asarray(room.records)[:0]


def discards_of(events: Sequence[Event]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Every discard of a game in which all hands are visible, in order, and the opponents at each.

    Returns:
        The moments before the discards, records of :class:`engine.rules.moment_kernels.Moment`; three records of
        :class:`engine.train.sample_kernels.Opposed` for each, by absolute seat.

    Raises:
        HiddenTileError: a hand or a drawn tile is hidden, as in captured sessions.
    """
    moments = game_moments(events, before=(DISCARD,))
    rows = new_records(Opposed, OPPONENTS * len(moments))
    fill_opposed(cast("Records[Moment]", moments), hand_tables(), rows)
    return moments, np.asarray(rows)


class Hand(NamedTuple):
    """One hand: its deal, and its wins or its draw; nothing where the log ends before."""

    start: StartKyoku
    ends: list[Win | Ryuukyoku]


def hands_of(events: Sequence[Event]) -> list[Hand]:
    """The hands of a game in order, as moments number them."""
    found: list[Hand] = []
    for event in events:
        if isinstance(event, StartKyoku):
            found.append(Hand(event, []))
        elif isinstance(event, Win | Ryuukyoku):
            found[-1].ends.append(event)
    return found


@dataclass
class Won:
    """What was won on a discard.

    Attributes:
        by: the seats that won on it; at a triple ron, which is a draw, all others.
        paid: points the discarder paid to each seat that won on it, honba included, by absolute seat.
    """

    by: list[int] = field(default_factory=list)
    paid: list[int] = field(default_factory=lambda: [0, 0, 0, 0])


def wins_on_discards(events: Sequence[Event]) -> list[Won]:
    """What was won on each discard of a game, in order."""
    found: list[Won] = []
    discard: Discard | None = None
    for event in events:
        if isinstance(event, Discard):
            discard = event
            found.append(Won())
        elif isinstance(event, Win) and discard is not None:
            found[-1].by.append(event.seat)
            found[-1].paid[event.seat] = -event.deltas[discard.seat]
        elif isinstance(event, Ryuukyoku) and event.kind is RyuukyokuKind.TRIPLE_RON and discard is not None:
            found[-1].by.extend(others(discard.seat))
            discard = None
        elif not isinstance(event, Disconnected | Reconnected):
            discard = None
    return found
