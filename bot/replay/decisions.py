"""A decision of one seat in a recorded game: what it knew, what it could do, and what it did.

A log contains what happened, not the prompts. A seat is prompted when its own rules leave it an answer: after its draw,
after its chi or pon, and about another player's tile that it may claim. Where it claimed nothing, the following events
show whether it passed or whether another claim had priority, in which case nobody can know. A captured session contains
more: the client's own answers. :func:`~bot.replay.steps.decision_points` goes over all decisions of a game::

    for point in decision_points(read_log(file), seat=2):
        decision = policy.decide(point.state, point.legal, Budget())   # state: live, copy it to keep it
        if point.played is not None:
            same = look_alike(decision.action, point.played)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Final

from engine.model import events as ev
from engine.model.actions import CLAIM_RANK, NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.melds import MeldKind
from engine.model.seats import kyoku_name
from engine.model.tiles import TILE34, TILE37, TILES
from engine.policy.decision import Candidate, Decision
from engine.rules.answers import call_action
from engine.state import GameState
from protocol.logs.wire import Damaged, Said, Seen


class Known(StrEnum):
    """How it is known what a seat did."""

    ACTED = "acted"
    """The log shows the action."""
    LET_GO = "let go"
    """It passed; a claim would be in the log."""
    OVERRIDDEN = "overridden"
    """Another claim had priority: the seat may have passed or claimed in vain."""
    CUT_OFF = "cut off"
    """The log, or the hand, ends before it shows."""


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a decision in a game."""

    hand: int  # index of the hand in this log, from 0
    # kyoku, honba: as in :class:`~engine.model.events.StartKyoku`
    kyoku: int
    honba: int
    turn: int  # number of the seat's own turn in the hand, from 1; a claim counts towards the turn it would begin
    event: int  # index in ``GameLog.events`` of the event that prompts; in a session, the line of the capture

    def __str__(self) -> str:
        return f"{kyoku_name(self.kyoku, self.honba)} turn {self.turn}"


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """One prompt to a seat, and its answer."""

    place: Place  # position in the game
    # what the seat knew; live, and valid only until the next point is requested, so copy it to keep it
    state: GameState
    legal: tuple[Action, ...]  # its legal answers, at least one
    # its answer, as listed in ``legal`` (``PASS`` if it passed); None if that is not known, or was not a possible
    # answer. Only a kuikae discard, which Tenhou's server accepts, is not in ``legal``.
    played: Action | None
    known: Known  # how the answer is known
    absent: bool = False  # whether the player was disconnected, so that the server answered

    @property
    def own_turn(self) -> bool:
        """Whether the prompt is for an own turn, not about another player's tile."""
        return PASS not in self.legal

    @property
    def possible(self) -> tuple[Action, ...]:
        """The answers that the seat may have given: only ``played`` if that is known."""
        if self.played is not None:
            return (self.played,)
        if self.known is Known.OVERRIDDEN:
            return tuple(action for action in self.legal if action.kind is not ActionKind.RON)
        return self.legal


@dataclass(frozen=True, slots=True)
class Fault:
    """A hand that could not be followed to its end; its decisions after ``event`` are missing."""

    event: int  # index of the event, or line of the capture
    place: str  # name of the hand
    message: str  # what is wrong


def find(decision: Decision, action: Action, *, red_fives: bool = True) -> Candidate | None:
    """The candidate that is this action, or else looks like it; None if none was evaluated."""
    exact = next((one for one in decision.candidates if one.action == action), None)
    if exact is not None:
        return exact
    return next((one for one in decision.candidates if look_alike(one.action, action, red_fives=red_fives)), None)


def look_alike(one: Action, other: Action, *, red_fives: bool = True) -> bool:
    """Whether people cannot tell two answers apart: equal kinds of action on tiles of equal looks.

    A tile just drawn and the same tile from the hand count as the same discard.
    """
    return appearance(one, red_fives=red_fives) == appearance(other, red_fives=red_fives)


def appearance(action: Action, *, red_fives: bool = True) -> tuple[ActionKind, int, tuple[int, ...]]:
    """The visible part of an answer: its kind and the looks of its tiles."""
    table = TILE37 if red_fives else TILE34

    def looks(tile: int) -> int:
        return table[tile] if 0 <= tile < TILES else TILES + tile

    return action.kind, looks(action.tile), tuple(sorted(map(looks, action.own)))


_ASIDE: Final = (ev.NewDora, ev.Disconnected, ev.Reconnected, ev.RiichiAccepted)
"""Events that may come between a prompt and its consequence."""


def answer_said(
    state: GameState, legal: tuple[Action, ...], steps: Sequence[Seen | Said | Damaged], at: int
) -> tuple[Action | None, Known]:
    """The client's answer to the prompt of ``steps[at]`` in its session, otherwise that which its events show."""
    said = next((each for each in steps[at + 1 : at + _REACH] if not _is_aside(each)), None)
    answer = state.canonical(said.action) if isinstance(said, Said) else None
    if answer is not None and _is_possible(state, legal, answer):
        return answer, Known.ACTED
    return answer_shown(state, legal, [each.event for each in steps[at : at + 2 * _REACH] if isinstance(each, Seen)], 0)


def _is_aside(step: Seen | Said | Damaged) -> bool:
    return isinstance(step, Damaged) or (isinstance(step, Seen) and isinstance(step.event, _ASIDE))


def answer_shown(
    state: GameState, legal: tuple[Action, ...], events: Sequence[ev.Event], at: int
) -> tuple[Action | None, Known]:
    """The seat's answer to the prompt of ``events[at]``, according to what followed."""
    later = (each for each in events[at + 1 : at + 1 + _REACH] if not isinstance(each, _ASIDE))
    following = next(later, None)
    seat = state.seat
    if state.turn == seat:
        return _acted(state, legal, _own_action(following, next(later, None), seat))
    ron = Action(ActionKind.RON, state.offered)
    if isinstance(following, ev.Ryuukyoku) and following.kind is ev.RyuukyokuKind.TRIPLE_RON:
        return _acted(state, legal, ron)
    if isinstance(following, ev.Draw | ev.Ryuukyoku):
        return PASS, Known.LET_GO
    if isinstance(following, ev.Win) and following.from_seat == state.turn:
        wins = takewhile(lambda event: isinstance(event, ev.Win), later)
        winners = [following.seat, *(win.seat for win in wins if isinstance(win, ev.Win))]
        if seat in winners:
            return _acted(state, legal, ron)
        highest = CLAIM_RANK[ActionKind.RON]
    elif isinstance(following, ev.Call) and following.meld.called == state.offered:
        claim = call_action(following)
        if following.seat == seat:
            return _acted(state, legal, claim)
        highest = CLAIM_RANK[claim.kind]
    else:
        return None, Known.CUT_OFF
    if any(CLAIM_RANK.get(action.kind, highest) < highest for action in legal):
        return None, Known.OVERRIDDEN
    return PASS, Known.LET_GO


_REACH: Final = 16
"""Number of events examined after a prompt; its answer follows closely."""


def _acted(state: GameState, legal: tuple[Action, ...], action: Action | None) -> tuple[Action | None, Known]:
    """An action that the log shows, if it was possible for the seat."""
    if action is None or not _is_possible(state, legal, action):
        return None, Known.CUT_OFF
    return state.canonical(action), Known.ACTED


def _is_possible(state: GameState, legal: tuple[Action, ...], action: Action) -> bool:
    """Whether an answer was possible: legal, or illegal only because it is a kuikae discard."""
    if action in legal or state.canonical(action) in legal:
        return True
    tile = action.tile
    return action.kind is ActionKind.DISCARD and tile in state.hand and bool(state.kuikae >> (tile >> 2) & 1)


def _own_action(following: ev.Event | None, after: ev.Event | None, seat: int) -> Action | None:
    """The action shown by a seat's own turn; None if there is none."""
    if isinstance(following, ev.Ryuukyoku):
        return NINE_TERMINALS if following.kind is ev.RyuukyokuKind.NINE_TERMINALS else None
    match following:
        case ev.Discard(seat=actor, tile=tile) if actor == seat:
            return Action(ActionKind.DISCARD, tile)
        case ev.RiichiDeclared(seat=actor) if actor == seat and isinstance(after, ev.Discard) and after.seat == seat:
            return Action(ActionKind.RIICHI, after.tile)
        case ev.Call(seat=actor) if actor == seat and following.meld.kind in _OWN_KANS:
            return call_action(following)
        case ev.Win(seat=actor, tile=tile) if actor == seat:
            return Action(ActionKind.TSUMO, tile)
    return None


_OWN_KANS: Final = (MeldKind.ANKAN, MeldKind.KAKAN)
