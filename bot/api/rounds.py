"""What a simulator hands out: the rounds between two answers, and positions to come back to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import Rules
from engine.model.seats import SEATS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Everything between two answers: who is asked what, and what came of the last answers.

    Of the n questions those of one table stand side by side. A question is a row of the first five arrays.

    Attributes:
        tables: int64 (n,), the table of each question.
        seats: int64 (n,), the seat that is asked, 0 to 3; 0 is the first dealer of the game.
        mask: bool (n, ANSWERS), which answers are legal.
        planes: uint8 (n, 34, len(PLANES)), what the seat sees of each kind of tile, as
            :data:`bot.api.seen.PLANES` says; or the inputs of the network, len(NETWORK_PLANES) of them; no rows if none
            were wanted.
        numbers: int32 (n, len(NUMBERS)), what it sees of the table, as :data:`bot.api.seen.NUMBERS` says; or uint8
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


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A table as it was, to be put into any tables of the same rules. It can be pickled.

    Attributes:
        rules: rules of the table.
        record: the record of the table, a structured array of one element.
        expected: (4,), final result of each seat that was expected when the hand was dealt.
    """

    rules: Rules
    record: NDArray[np.void]
    expected: Floats

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to answer."""
        return tuple(seat for seat in SEATS if int(self.record["asked"][0]) >> seat & 1)
