"""Worths of decisions at the simulator's tables, by a critic that sees all hands.

Values stand at two kinds of moments: before each draw, and after each discard that nobody wins on. From one to the next
they change by the draw, which is luck, and by what players decide. Only the latter counts: the advantage of a decision
is the sum of these changes after it, each later one less by the factor lambda (generalised advantages without the luck
of the draw).
"""

from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records
from engine.critic.network import Critic, inputs_of
from engine.critic.outcomes import PLACE, expected_places, worth_tables
from engine.critic.worths import hands_to_come, standings_of
from engine.rules.code_kernels import DISCARD, DRAW, TYPE, WIN
from engine.rules.moment_kernels import Moment, accept_declared
from engine.rules.moments import moments, next_kinds
from engine.rules.recordings import Recordings
from engine.train.played import recordings_of, what_follows
from engine.train.sampling import Choices, SampledPlay

Floats = NDArray[np.float32]

_EVENTS: Final = 1 << 10
"""More than the events of any hand."""
STAGES: Final = (56, 42, 28, 14, 0)
"""Tiles in the wall, at least, by which it is shown how much the critic explains."""


class HandValues(NamedTuple):
    """How the values of hands went."""

    keys: NDArray[np.int64]  # (n,), 1 024 * hand + number of the next event, ascending
    values: Floats  # (n, 4), expected change of the final place through the hand, before what comes next
    luck: Floats  # (n, 4), what the draw that comes next changed; 0 where none does
    walls: NDArray[np.int64]  # (n,), tiles in the wall

    @property
    def hands(self) -> NDArray[np.int64]:
        """(n,), the hand of each moment."""
        return self.keys // _EVENTS


def course_of(recordings: Recordings, critic: Critic) -> HandValues:
    """How the values of all hands of the recordings went."""
    dealt, place = hands_to_come(recordings.kyoku), np.arange(len(recordings.kyoku))
    parts: list[HandValues] = []
    for every in moments(recordings, place, before=(DRAW,), after=(DISCARD,)):
        # the critic was fitted before draws: it knows neither of a discard that somebody is about to win on, nor of a
        # riichi that stands open
        found = every[every["code"] & TYPE != WIN]
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
        parts.append(HandValues(keys, values.before[:, :, PLACE].copy(), luck, found["wall"].copy()))
    return HandValues(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def advantages_of(course: HandValues, brought: Floats, decay: float) -> Floats:
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
    course: HandValues, hands: NDArray[np.int64], events: NDArray[np.int64], own: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """(n,): the moment of the course from which each decision is judged; -1: a discard that somebody won on.

    Args:
        course: how the values went.
        hands: (n,), the hand of each decision.
        events: (n,), how many events had happened.
        own: (n,), whether it was made in the own turn: then what came before it, the draw or the call, is included.
    """
    keys = _EVENTS * hands + events - own
    found = np.searchsorted(course.keys, keys, side="right") - 1
    found[~own & (course.keys[found] != keys)] = -1
    return found


class JudgedChoices(NamedTuple):
    """Decisions with their advantages."""

    choices: Choices  # the decisions
    advantages: Floats  # (n,), by how much each lowered the expected final place of who made it
    recordings: Recordings  # the hands that were played, for the critic to learn from
    brought: Floats  # (hands, 4), how much each hand changed the expected final place
    course: HandValues  # how the values went
    left: Choices  # decisions of hands that have not ended


def judge(played: SampledPlay, critic: Critic, decay: float) -> JudgedChoices:
    """The advantages of the decisions in hands that have ended."""
    recordings = recordings_of(played.ended)
    brought = expected_places(what_follows(played.ended)) - expected_places(hands_to_come(recordings.kyoku))
    course = course_of(recordings, critic)
    changes = advantages_of(course, brought, decay)
    order = np.argsort(played.numbers)
    place = np.searchsorted(played.numbers, played.choices.hands, sorter=order)
    found = order[np.minimum(place, len(order) - 1)]
    over = played.numbers[found] == played.choices.hands
    choices = played.choices.where(over)
    rows = moments_of(course, found[over], choices.events, choices.own)
    counted = rows >= 0
    choices, rows = choices.where(counted), rows[counted]
    mine = -changes[rows, choices.seats].astype(np.float32)
    return JudgedChoices(choices, mine, recordings, brought, course, played.choices.where(~over))


def figures_of(judged: list[JudgedChoices]) -> dict[str, Any]:
    """Hands, spreads, and the share of their results that the critic explains, by tiles in the wall."""
    brought = np.concatenate([each.brought[each.course.hands] for each in judged])
    values, walls = (np.concatenate([getattr(each.course, name) for each in judged]) for name in ("values", "walls"))
    shares = {}
    below = np.inf
    for least in STAGES:
        here = (walls >= least) & (walls < below)
        below = least
        if here.any():
            error = float(((brought[here] - values[here]) ** 2).mean())
            shares[str(least)] = round(1.0 - error / float((brought[here] ** 2).mean()), 4)
    return {
        "hands": sum(len(each.brought) for each in judged),
        "explained": shares,
        "spread": round(float(np.concatenate([each.advantages for each in judged]).std()), 4),
        "spread_of_results": round(float(np.concatenate([each.brought for each in judged]).std()), 4),
    }
