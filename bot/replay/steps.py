"""One seat's game step by step: what happened, the table after it, and what the seat was asked there.

:func:`steps` follows a whole recording, and knows how each question was answered. :class:`Following` follows a game
event by event, as one that is still being recorded needs it. Whoever follows a recorded game takes it from here::

    for step in steps(read_log(file), seat=2):
        if step.point is not None:
            decision = policy.decide(step.state, step.point.legal, Budget())   # live, copy the state to keep it

A log contains what happened, not the prompts: a seat is asked where its own rules leave it an answer. A captured
session contains both the prompts and the client's answers.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bot.replay.decisions import DecisionPoint, Fault, Known, Place, answer_said, answer_shown
from bot.replay.sessions import followed_steps
from engine.model import events as ev
from engine.model.actions import PASS, Action
from engine.model.rules import Rules
from engine.policy.decision import Decider
from engine.state import Follower, GameState, StateError, visible_to
from protocol.errors import LogError
from protocol.logs.game_log import GameLog
from protocol.logs.wire import Damaged, Furiten, Seen, WireSession
from protocol.tenhou.actions import offered

NO_END = StateError("the hand before this has no end")
"""Why a view is lost where a log goes on with another hand."""


class Step(NamedTuple):
    """One event of a recording, and the table after it."""

    at: int  # index of the event in ``GameLog.events``; in a session, the line of the capture
    event: ev.Event  # as the recording shows it
    seen: ev.Event  # as the seat saw it
    state: GameState  # the seat's view after it; live, so copy it to keep it
    followed: bool  # whether the view could follow; if not, it is as it was before
    point: DecisionPoint | None  # what the seat was asked, and its answer; None if nothing


class Following:
    """One seat's view while it follows a game; after an impossible event the rest of the hand is passed over.

    Attributes:
        hands: number of hands begun.
    """

    def __init__(self, seat: int, rules: Rules, hands: int = 0) -> None:
        self.hands = hands
        self._follower = Follower(GameState(seat, rules))
        self._absent = False

    @property
    def state(self) -> GameState:
        """The view; what it could not follow of a hand is missing."""
        return self._follower.state

    @property
    def lost(self) -> bool:
        """Whether the rest of the hand is passed over."""
        return self._follower.lost

    @property
    def fault(self) -> StateError | None:
        """Why the event that was heard last cannot have happened; None if it can, or was passed over."""
        return self._follower.fault

    def hear(self, event: ev.Event) -> bool:
        """Apply an event as the seat saw it; returns whether that was possible."""
        match event:
            case ev.StartKyoku():
                self.hands += 1
            case ev.Resume():
                same = (event.kyoku, event.honba) == (self.state.kyoku, self.state.honba)
                self.hands += not (self.hands and same)
            case ev.Disconnected() | ev.Reconnected() if event.seat == self.state.seat:
                self._absent = isinstance(event, ev.Disconnected)
        return self._follower.hear(event)

    def lose(self, why: StateError = NO_END) -> None:
        """What follows, up to the next hand, cannot be followed."""
        self._follower.lose(why)

    def asked(self, event: ev.Event) -> tuple[Action, ...]:
        """The answers that our rules leave the seat after the event that it has just followed; empty if none."""
        seat = self.state.seat
        match event:
            case ev.Draw():
                asked = event.seat == seat
            case ev.Discard():
                asked = event.seat != seat
            case ev.Call():
                asked = event.seat != seat or not event.meld.kind.is_kan
            case ev.Resume():
                asked = event.called
            case _:
                asked = False
        return self.state.legal_actions() if asked else ()

    def point(self, at: int, legal: tuple[Action, ...], played: Action | None, known: Known) -> DecisionPoint:
        """The decision to be made now."""
        state = self.state
        place = Place(max(0, self.hands - 1), state.kyoku, state.honba, len(state.rivers[state.seat]) + 1, at)
        return DecisionPoint(place, state, legal, played, known, self._absent)


def steps(source: GameLog | WireSession, seat: int | None = None, faults: list[Fault] | None = None) -> Iterator[Step]:
    """Yield everything that happened in a recording, with every decision of one seat.

    Claims that the server of a captured session did not ask about are no decisions, even if our rules would allow them
    because something was missed before a reconnection. Its hands that cannot be followed are left out; see
    :func:`~bot.replay.sessions.followed_steps`.

    Args:
        source: a game or a part of one, in which tiles that the seat could not see may be hidden; or a session.
        seat: absolute seat; of a session it is its client's.
        faults: collects the hands that contradict our rules; their decisions up to that point are included.

    Raises:
        LogError: a hand contradicts our rules and ``faults`` is None, or a session begins a three-player game.
        ValueError: the seat does not exist.
    """
    if isinstance(source, WireSession):
        return _of_session(source, faults)
    if seat is None:
        raise ValueError("a log shows four seats: choose one")
    return _of_log(source, seat, faults)


def _of_log(log: GameLog, seat: int, faults: list[Fault] | None) -> Iterator[Step]:
    events, restarts = log.events, log.restarts
    following = Following(seat, log.start.rules)
    for at, event in enumerate(events):
        if at in restarts:
            following.lose()
        seen, point = visible_to(event, seat), None
        followed = following.hear(seen)
        if not followed:
            _note(following, at, log.source, faults)
        elif legal := following.asked(event):
            point = following.point(at, legal, *answer_shown(following.state, legal, events, at))
        yield Step(at, event, seen, following.state, followed, point)


def _of_session(session: WireSession, faults: list[Fault] | None) -> Iterator[Step]:
    told = [step for step in followed_steps(session) if not isinstance(step, Furiten)]
    following: Following | None = None
    for number, step in enumerate(told):
        if isinstance(step, Damaged) and following is not None:
            following.lose()
        if not isinstance(step, Seen):
            continue
        event, point = step.event, None
        if isinstance(event, ev.StartGame):
            following = Following(step.viewer, event.rules, following.hands if following else 0)
        if following is None:
            continue
        followed = following.hear(event)
        if not followed:
            _note(following, step.line, session.source, faults)
        else:
            legal = offered(following.asked(event), step.flags)
            if legal not in ((), (PASS,)):
                point = following.point(step.line, legal, *answer_said(following.state, legal, told, number))
        yield Step(step.line, event, event, following.state, followed, point)


def _note(following: Following, at: int, source: str, faults: list[Fault] | None) -> None:
    """Note why an event could not be followed, unless its hand is passed over already.

    Raises:
        LogError: nobody collects faults.
    """
    fault = following.fault
    if fault is None:
        return
    if faults is None:
        raise LogError(f"{fault}; run `oshihiki verify` for details", source, f"event {at}")
    faults.append(Fault(at, following.state.place(), str(fault)))


def begin_hand(decider: Decider, step: Step) -> None:
    """Let a policy forget the previous hand where a hand begins or is resumed, as live play does."""
    if step.followed and isinstance(step.event, ev.StartKyoku | ev.Resume):
        decider.start_kyoku()


def decision_points(
    source: GameLog | WireSession,
    seat: int | None = None,
    faults: list[Fault] | None = None,
    decider: Decider | None = None,
) -> Iterator[DecisionPoint]:
    """Yield every decision of one seat, in order; see :func:`steps`. ``decider`` is told where hands begin."""
    for step in steps(source, seat, faults):
        if decider is not None:
            begin_hand(decider, step)
        if step.point is not None:
            yield step.point
