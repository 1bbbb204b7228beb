"""Comparison of an answer with the policy's: whether it can be judged, what it cost, and what it was about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from bot.audit.measure import Grade, grade_of, shown_unit, worth_of_one
from bot.replay.decisions import DecisionPoint, Known, look_alike
from engine.model.actions import KANS, WINS, Action, ActionKind
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Ground
from engine.policy.pushfold import Mode
from engine.state import GameState

NOISE: Final[Mapping[str, float]] = {"points": 30.0, "ukeire": 1.0}
"""Difference of value below which two actions count as equal, by unit, for policies that do not state their noise."""


FALLBACK: Final = "fallback"
"""Mode of the decision that is used if a policy fails."""


class Verdict(StrEnum):
    """How an answer compares."""

    SAME = "same"
    """The policy's own choice, or a tile that looks the same."""
    EQUAL = "equal"
    """Another action, worth as much within the noise: no mistake."""
    DIFFERS = "differs"
    """Another action, worth less."""
    FORCED = "forced"
    """There was one legal answer."""
    UNWEIGHED = "unweighed"
    """The policy did not evaluate what was played, or failed; nothing can be said."""
    UNKNOWN = "unknown"
    """The log does not show the answer: another player's call had priority, or the log ends."""
    ABSENT = "absent"
    """The player was disconnected; the server answered."""


class Category(StrEnum):
    """What a decision is about."""

    DISCARD = "discard"
    PUSH_FOLD = "push_fold"
    CALL = "call"
    RIICHI = "riichi"
    KAN = "kan"
    WIN = "win"
    ABORT = "abort"


JUDGED: Final = frozenset((Verdict.SAME, Verdict.EQUAL, Verdict.DIFFERS))
"""Verdicts that count for the rating."""


_GRADES: Final = {Verdict.SAME: Grade.BEST, Verdict.EQUAL: Grade.EQUAL}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The comparison of one answer.

    Attributes:
        verdict: how it compares.
        category: what it is about.
        loss: value lost relative to the policy's choice, 0 within the noise; None if that is not known. Like the stake
            and the noise it counts the unit of :mod:`bot.audit.measure`.
        stake: mean of that loss over all actions evaluated: what choosing at random would cost.
        noise: difference below which actions count as equal here.
        played: figures of the action played, if it was evaluated.
        chosen: figures of the policy's choice.
        grade: how good the answer was; None if it is not judged.
    """

    verdict: Verdict
    category: Category
    loss: float | None
    stake: float
    noise: float
    played: Candidate | None
    chosen: Candidate
    grade: Grade | None = None


def judge(point: DecisionPoint, decision: Decision) -> Judgement:
    """Compare what was played with what the policy chose in the same state."""
    red = point.state.rules.red_fives
    noise = decision.noise or NOISE.get(decision.unit, 0.0)
    chosen = find(decision, decision.action, red_fives=red) or Candidate(decision.action, 0.0)
    played = None if point.played is None else find(decision, point.played, red_fives=red)
    losses = [_loss(chosen, candidate, noise) for candidate in decision.candidates]
    stake = sum(losses) / len(losses) if losses else 0.0
    verdict, loss = _compare(point, decision, chosen, played, noise)
    one = worth_of_one(decision)
    lost = None if loss is None else loss / one
    grade = _GRADES.get(verdict)
    if verdict is Verdict.DIFFERS:
        grade = grade_of(lost or 0.0, shown_unit(decision.unit), noise / one)
    return Judgement(verdict, categorise(point, decision), lost, stake / one, noise / one, played, chosen, grade)


def find(decision: Decision, action: Action, *, red_fives: bool = True) -> Candidate | None:
    """The candidate that is this action, or looks like it; None if none was evaluated."""
    exact = next((one for one in decision.candidates if one.action == action), None)
    if exact is not None:
        return exact
    return next((one for one in decision.candidates if look_alike(one.action, action, red_fives=red_fives)), None)


def _compare(
    point: DecisionPoint, decision: Decision, chosen: Candidate, played: Candidate | None, noise: float
) -> tuple[Verdict, float | None]:
    if point.absent:
        return Verdict.ABSENT, None
    if point.played is None or point.known in {Known.OVERRIDDEN, Known.CUT_OFF}:
        return Verdict.UNKNOWN, None
    if len(point.legal) == 1:
        return Verdict.FORCED, None
    if decision.mode == FALLBACK:
        return Verdict.UNWEIGHED, None
    if look_alike(point.played, decision.action, red_fives=point.state.rules.red_fives):
        return Verdict.SAME, 0.0
    if played is None:
        return Verdict.UNWEIGHED, None
    loss = _loss(chosen, played, noise)
    return (Verdict.DIFFERS, loss) if loss else (Verdict.EQUAL, 0.0)


def _loss(chosen: Candidate, other: Candidate, noise: float) -> float:
    lost = chosen.lead(other)
    return lost if lost > noise else 0.0


def categorise(point: DecisionPoint, decision: Decision) -> Category:
    """What a decision is about: what either answer does that the other does not, otherwise what is legal."""
    answers = {decision.action.kind} | ({point.played.kind} if point.played else set())
    legal = {action.kind for action in point.legal}
    if legal & WINS:
        return Category.WIN
    if answers & KANS:
        return Category.KAN
    if ActionKind.NINE_TERMINALS in answers:
        return Category.ABORT
    if ActionKind.PASS in legal:
        return Category.CALL
    if ActionKind.RIICHI in answers:
        return Category.RIICHI
    if threatened(point.state) or str(decision.mode) == Mode.FOLD.value:
        return Category.PUSH_FOLD
    return Category.DISCARD


def threatened(state: GameState) -> bool:
    """Whether an opponent has declared riichi."""
    return bool(state.riichi_opponents)


@dataclass(frozen=True, slots=True)
class Row:
    """One decision of the report.

    Attributes:
        number: number in order of play, from 1.
        hand: index into :attr:`Audit.hands`.
        turn: as :attr:`bot.replay.decisions.Place.turn`.
        event: position in the recording.
        own_turn: whether it is an own turn, not about another player's tile.
        legal: number of legal answers.
        known: how the answer is known.
        played: the answer; None if not known.
        decision: the policy's decision.
        judgement: how they compare.
        threatened: whether an opponent has declared riichi.
        table: what the seat saw, as plain values; see :mod:`bot.page.table`.
        truth: what the others really held, as far as the log shows it.
        safety: by relative seat, the name of the discarded tile's safety; empty if nothing was discarded.
        danger: by tile of the hand, the chance that it deals in to the right, across and left; empty unless it is the
            seat's turn.
    """

    number: int
    hand: int
    turn: int
    event: int
    own_turn: bool
    legal: int
    known: Known
    played: Action | None
    decision: Decision
    judgement: Judgement
    threatened: bool
    table: dict[str, Any]
    truth: dict[str, Any]
    safety: Mapping[int, Ground] = field(default_factory=dict)
    danger: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
