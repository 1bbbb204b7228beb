"""What a policy states of the actions that were played in recorded games, compared with what came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.deciding.players import PlayerSpec
from bot.matches.judging import sampled_decisions
from bot.replay.decisions import look_alike
from engine.model.events import Discard, EndGame, Event, Ryuukyoku, StartKyoku, Win
from engine.model.seats import four
from engine.policy.scene import Scene
from engine.policy.standing import Standing
from protocol.logs.game_log import GameLog


@dataclass(frozen=True, slots=True)
class Course:
    """How a hand went on after a decision, for one seat.

    Attributes:
        won: whether it won the hand.
        dealt_in: whether it dealt in, with this discard or later.
        dealt_in_now: whether it dealt in with this discard.
        tenpai: whether the hand ended in an exhaustive draw and it was tenpai.
        after: the standing after the hand.
    """

    won: bool
    dealt_in: bool
    dealt_in_now: bool
    tenpai: bool
    after: Standing


@dataclass(frozen=True, slots=True)
class Forecast:
    """A decision: what the policy states of the action that was played, and what came.

    Attributes:
        action: kind of the action that was played.
        turn: the seat's turn in the hand.
        shanten: shanten before the decision.
        against: number of opponents in riichi.
        own: ``riichi``, ``open`` or ``closed``.
        folds: whether the policy would fold here.
        same: whether it would have played the same.
        p_win, p_tenpai, p_deal_in: what it states; None where it states nothing.
        result: what it states of the result of the hand, in points, relative to an aborted hand.
        won, tenpai, dealt_in_now, dealt_in, came: what came; ``came`` is the result in the same unit.
    """

    action: str
    turn: int
    shanten: int
    against: int
    own: str
    folds: bool
    same: bool
    p_win: float | None
    p_tenpai: float | None
    p_deal_in: float | None
    result: float
    won: bool
    tenpai: bool
    dealt_in_now: bool
    dealt_in: bool
    came: float

    def fields(self) -> dict[str, Any]:
        """The figures as JSON shows them."""
        return asdict(self)


def forecasts(game: GameLog, seat: int, player: PlayerSpec, nodes: int, share: float) -> Iterator[Forecast]:
    """Yield the forecasts of a seat's decisions; those whose hand has no end in the log are left out.

    Args:
        game: the game.
        seat: the seat.
        player: the policy; its values must be worths of standings, as those of ``value`` are.
        nodes: bound of its searches.
        share: share of the decisions.
    """
    decider = player.make(0)
    worth = decider.standing(game.start.rules, seat)
    if worth is None:
        return
    for point, decision in sampled_decisions(game, seat, decider, nodes, share):
        if point.played is None or point.absent:
            continue
        played = point.played
        stated = next((one for one in decision.candidates if look_alike(one.action, played)), None)
        course = course_of(game.events, point.place.event, seat)
        if stated is None or course is None:
            continue
        state = point.state
        scene = Scene(state, point.legal)
        before = Standing(state.kyoku, state.honba, state.riichi_sticks, four(state.scores)).aborted
        yield Forecast(
            action=played.kind.name.lower(),
            turn=point.place.turn,
            shanten=scene.shanten,
            against=len(state.riichi_opponents),
            own=_own(scene),
            folds=decision.mode == "fold",
            same=look_alike(decision.action, point.played),
            p_win=stated.p_win,
            p_tenpai=stated.p_tenpai,
            p_deal_in=stated.p_deal_in,
            result=stated.value / decision.per_point,
            won=course.won,
            tenpai=course.tenpai,
            dealt_in_now=course.dealt_in_now,
            dealt_in=course.dealt_in,
            came=(worth(course.after) - worth(before)) / decision.per_point,
        )


def course_of(events: Sequence[Event], at: int, seat: int) -> Course | None:
    """How the hand went on after ``events[at]``, which asks the question; None if the log ends before the hand does."""
    wins: list[Win] = []
    tenpai = False
    discards = 0
    now = False
    for event in events[at + 1 :]:
        if isinstance(event, Discard):
            discards += 1
        elif isinstance(event, Win):
            wins.append(event)
            now = now or (discards == 1 and event.from_seat == seat != event.seat)
        elif isinstance(event, Ryuukyoku):
            tenpai = event.hands[seat] is not None
        elif isinstance(event, StartKyoku | EndGame):
            return Course(
                won=any(win.seat == seat for win in wins),
                dealt_in=any(win.from_seat == seat != win.seat for win in wins),
                dealt_in_now=now,
                tenpai=tenpai,
                after=_standing(event),
            )
    return None


def _standing(event: StartKyoku | EndGame) -> Standing:
    if isinstance(event, EndGame):
        return Standing(-1, 0, 0, event.scores)
    return Standing(event.kyoku, event.honba, event.riichi_sticks, event.scores)


def _own(scene: Scene) -> str:
    if scene.position.riichi:
        return "riichi"
    return "closed" if scene.position.closed else "open"
