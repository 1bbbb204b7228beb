"""What decisions at the simulator's tables were worth, by a critic that sees all hands.

Values stand at two kinds of moments: before each draw, and after each discard. From one to the next they change by the
draw, which is luck, and by what players decide. Only the latter counts: the advantage of a decision is the sum of these
changes after it, each later one less by the factor lambda (generalised advantages without the luck of the draw).
"""

from __future__ import annotations

from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records
from engine.critic.network import Critic, inputs_of
from engine.critic.outcomes import PLACE, worth_tables
from engine.rules.code_kernels import DISCARD, DRAW, TYPE
from engine.rules.moment_kernels import Moment, accept_declared
from engine.train.moments import moments, next_kinds
from engine.train.recordings import Recordings
from engine.train.worths import hands_to_come, standings_of

Floats = NDArray[np.float32]

_EVENTS: Final = 1 << 10
"""More than the events of any hand."""


class Course(NamedTuple):
    """How the values of hands went.

    Attributes:
        keys: (n,), 1 024 * hand + number of the next event, ascending.
        values: (n, 4), expected change of the final place through the hand, before what comes next.
        luck: (n, 4), what the draw that comes next changed; 0 where none does.
        walls: (n,), tiles in the wall.
    """

    keys: NDArray[np.int64]
    values: Floats
    luck: Floats
    walls: NDArray[np.int64]

    @property
    def hands(self) -> NDArray[np.int64]:
        """(n,), the hand of each moment."""
        return self.keys // _EVENTS


def course_of(recordings: Recordings, critic: Critic) -> Course:
    """How the values of all hands of the recordings went."""
    dealt, place = hands_to_come(recordings.kyoku), np.arange(len(recordings.kyoku))
    parts: list[Course] = []
    for found in moments(recordings, place, before=(DRAW,), after=(DISCARD,)):
        # the critic was fitted before draws, where no riichi stands open
        accept_declared(cast("Records[Moment]", found))
        now, which = standings_of(found, place)
        values = critic.values(inputs_of(found), which, worth_tables(dealt, now))
        drawn = found["code"] & TYPE == DRAW
        luck = np.where(
            drawn[:, None],
            values.after[np.arange(len(found)), next_kinds(found), :, PLACE] - values.before[:, :, PLACE],
            np.float32(0.0),
        )
        keys = _EVENTS * found["row"] + found["number"]
        parts.append(Course(keys, values.before[:, :, PLACE].copy(), luck, found["wall"].copy()))
    return Course(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def advantages_of(course: Course, brought: Floats, decay: float) -> Floats:
    """(n, 4): by how much what was decided from each moment on changed the final place.

    Args:
        course: how the values went.
        brought: (hands, 4), how much each hand changed the expected final place.
        decay: lambda; 1 for the whole rest of the hand.
    """
    hands = course.hands
    last = np.append(hands[1:] != hands[:-1], True)
    following = np.empty_like(course.values)
    following[:-1] = course.values[1:]
    following[last] = brought[hands[last]]
    changes = following - course.values - course.luck
    found = changes.copy()
    place = np.arange(len(hands)) - np.flatnonzero(np.append(True, last[:-1]))[hands - hands[0]]
    for at in range(int(place.max(initial=0)) - 1, -1, -1):
        rows = np.flatnonzero((place == at) & ~last)
        found[rows] += decay * found[rows + 1]
    return found


def moments_of(
    course: Course, hands: NDArray[np.int64], events: NDArray[np.int64], own: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """(n,): the moment of the course from which each decision is judged.

    Args:
        course: how the values went.
        hands: (n,), the hand of each decision.
        events: (n,), how many events had happened.
        own: (n,), whether it was made in the own turn: then what came before it, the draw or the call, is included.
    """
    keys = _EVENTS * hands + events - own
    return np.searchsorted(course.keys, keys, side="right") - 1
