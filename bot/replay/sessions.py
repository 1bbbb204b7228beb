"""Captured sessions without the hands that cannot be followed: damaged ones, and those that contradict the rules."""

from collections.abc import Iterable

from engine.model import events as ev
from engine.model.seats import kyoku_name
from engine.state import Follower, GameState, StateError
from protocol.logs.game_log import LeftOut
from protocol.logs.wire import OUTSIDE, Damaged, Seen, Step, WireSession, leave_out, play_whole


def followed_steps(session: WireSession) -> list[Step]:
    """What one client received and sent, without the hands that cannot be followed.

    In place of such a hand stands a :class:`~protocol.logs.wire.Damaged` with its name. A hand during which the
    connection was lost stays: the server has sent its state.

    Raises:
        UnsupportedGameError: a three-player game begins.
    """
    steps: list[Step] = []
    follower = Follower(GameState(0), lost=True)
    hand, first, lost = "", 0, False  # the hand begun last, the index of its first step, whether it is left out
    for step in play_whole(session):
        event = step.event if isinstance(step, Seen) else None
        if isinstance(step, Damaged):
            follower.lose(StateError(step.why))
        if isinstance(step, Seen) and isinstance(event, ev.StartGame):
            follower = Follower(GameState(step.viewer, event.rules), lost=follower.lost)
        if isinstance(event, ev.StartKyoku | ev.Resume):
            name = kyoku_name(event.kyoku, event.honba)
            if name != hand or isinstance(event, ev.StartKyoku):
                hand, first, lost = name, len(steps), False
        if isinstance(step, Seen) and event is not None and not lost:
            follower.hear(event)
            if follower.fault is not None and not isinstance(event, ev.EndGame):
                leave_out(steps, first, Damaged(step.line, str(follower.fault), hand))
                lost = True
        if not lost or isinstance(step, Damaged) or isinstance(event, OUTSIDE):
            steps.append(step)
    return steps


def hands_left_out(steps: Iterable[Step]) -> tuple[LeftOut, ...]:
    """The hands that are left out of a session, in order."""
    return tuple(
        LeftOut(step.hand, f"line {step.line}", step.why, at + 1)
        for at, step in enumerate(steps)
        if isinstance(step, Damaged) and step.hand
    )
