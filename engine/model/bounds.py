"""What the numbers of a table can be: every bound stands here once, with its reason.

A file, a server, a program or a caller may state any number. Rules, views of a hand, positions and the simulator's
tables check theirs when they are made or take an event, and the kernels are reached through these alone.
"""

from collections.abc import Sequence
from numbers import Integral
from typing import Final, NamedTuple

from engine.model.plural import plural
from engine.model.seats import LAST_KYOKU, SEATS
from engine.model.tiles import EAST, KINDS, TILES
from engine.settings import shown


class Range(NamedTuple):
    """Whole numbers from ``low`` to ``high``, both included."""

    low: int
    high: int

    def fault(self, what: str, value: object) -> str:
        """Why a value of this name is refused; empty if it is one of the numbers."""
        if (type(value) is int or isinstance(value, Integral)) and self.low <= int(value) <= self.high:
            return ""
        return f"{what} {shown(value)}: it is a whole number from {self.low:,} to {self.high:,}"


POINTS: Final = 1_000_000
"""The most points at a table, riichi sticks included: ten times the 100,000 of Tenhou's tables."""
START_POINTS: Final = Range(0, POINTS // 4)
RETURN_POINTS: Final = Range(0, POINTS)
UMA: Final = Range(-POINTS // 1_000, POINTS // 1_000)
"""In thousands of points."""
SCORE: Final = Range(-POINTS, POINTS)
"""A score with which a hand is dealt; below zero only where the rules let a game go on then."""
STICKS: Final = Range(0, POINTS // 1_000)
"""Riichi sticks on the table, of 1,000 points each: somebody has paid for each of them."""
HONBA: Final = Range(0, 1_000)
"""Honba of a hand: far beyond any that was played, though draws for which nobody pays could go on for ever."""
HONBA_POINTS: Final = Range(0, 10_000)
"""Points that each honba adds to a win: 300, and 1,500 at some of Tenhou's tables."""
MOST_CHANGE: Final = 7 * 48_000 + HONBA_POINTS.high * HONBA.high + POINTS
"""The most that a win brings: seven yakuman of the dealer, all honba, and all sticks; nobody loses as much."""
CHANGE: Final = Range(-MOST_CHANGE, MOST_CHANGE)
FINAL_SCORE: Final = Range(-POINTS - MOST_CHANGE, POINTS + MOST_CHANGE)
"""A score at the end of a hand or a game."""

SEAT: Final = Range(0, len(SEATS) - 1)
KYOKU: Final = Range(0, LAST_KYOKU)
INDICATORS: Final = Range(1, 5)
"""Number of dora indicators: the first, and one for each of four kans."""
MELDS: Final = Range(0, 4)
KANS: Final = Range(0, 4)
"""Of all seats together; the fifth cannot be made."""
TILE: Final = Range(0, TILES - 1)
TILE_OR_NONE: Final = Range(-1, TILES - 1)
WIND: Final = Range(EAST, EAST + 3)
KIND_SET: Final = Range(0, (1 << KINDS) - 1)
"""A set of ``tile34``, one bit each."""


def first_fault(*faults: str) -> str:
    """The first that is not empty; empty if all are."""
    return next(filter(None, faults), "")


def fault_of_standing(kyoku: object, honba: object, sticks: int, scores: Sequence[int]) -> str:
    """Why no hand can be played at this standing; empty if one can.

    Sticks paid during the hand count; they have left the scores.
    """
    if len(scores) != len(SEATS):
        return f"scores {shown(scores)}: there are four"
    fault = first_fault(
        KYOKU.fault("kyoku", kyoku),
        HONBA.fault("honba", honba),
        STICKS.fault("riichi sticks", sticks),
        *(SCORE.fault(f"score of seat {seat}", score) for seat, score in enumerate(scores)),
    )
    if fault or sum(score for score in scores if score > 0) + 1_000 * sticks <= POINTS:
        return fault
    return (
        f"scores {', '.join(f'{score:,}' for score in scores)} and {plural(sticks, 'riichi stick')}: "
        f"a table has at most {POINTS:,} points"
    )


def fault_of_changes(changes: Sequence[int]) -> str:
    """Why no hand can end with these changes of the scores; empty if one can."""
    return first_fault(*(CHANGE.fault(f"change of seat {seat}'s score", each) for seat, each in enumerate(changes)))


def fault_of_final_scores(scores: Sequence[int]) -> str:
    """Why no game can end with these scores; empty if one can."""
    return first_fault(*(FINAL_SCORE.fault(f"score of seat {seat}", each) for seat, each in enumerate(scores)))
