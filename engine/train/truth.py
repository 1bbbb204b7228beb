"""The hidden truth of recorded games: the waits and the wins at each discard."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, new_records
from engine.model.events import Discard, Disconnected, Event, Reconnected, Ryuukyoku, RyuukyokuKind, Win
from engine.model.seats import others
from engine.rules.code_kernels import DISCARD
from engine.rules.moment_kernels import Moment
from engine.rules.moments import game_moments
from engine.shanten.tables import hand_tables
from engine.train.sample_kernels import Opposed, fill_opposed

OPPONENTS: Final = 3


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


@dataclass
class Won:
    """The wins on one discard."""

    # the seats that won on it; at a triple ron, which is a draw, all others
    by: list[int] = field(default_factory=list)
    # points the discarder paid to each seat that won on it, honba included, by absolute seat
    paid: list[int] = field(default_factory=lambda: [0, 0, 0, 0])


def wins_on_discards(events: Sequence[Event]) -> list[Won]:
    """The wins on each discard of a game, in order."""
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
