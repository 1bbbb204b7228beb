"""Asking a policy about every decision of a seat, and comparing its answers with what was played and can be seen."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event as Flag
from threading import Lock
from typing import Any, Final

from bot.deciding.ask import ask, guarded
from bot.page.table import table_fields
from bot.replay.decisions import DecisionPoint, Fault
from bot.replay.steps import steps
from bot.review.document import Truth
from bot.review.facts import facts_of
from bot.review.measure import shown_unit
from bot.review.recording import Recording, truth_fields
from bot.review.verdicts import (
    Judge,
    Judgement,
    Row,
    Score,
    Verdict,
    judge_answer,
    judgement_fields,
    score,
    standard_error,
)
from engine.model.events import Resume, StartKyoku
from engine.model.hands import Holdings, Played, hands_of
from engine.model.seats import SEATS, absolute, relative
from engine.model.tiles import format_tile37
from engine.opponents.danger import Danger
from engine.opponents.registry import best_estimator
from engine.policy.decision import Budget, Decider, Decision
from engine.policy.explaining import safety
from engine.policy.grounds import Ground
from engine.policy.scene import Scene

TURNING_POINTS: Final = 5
"""Number of the costliest decisions that are singled out."""
LANES: Final = 2
"""Number of threads for one game whose reader waits; a third would only wait for the interpreter."""


@dataclass(frozen=True, slots=True)
class Audit:
    """One seat of one recording, examined."""

    recording: Recording  # the recording
    seat: int  # absolute seat
    policy: str  # name of the policy asked
    settings: Mapping[str, Any]  # settings of the policy
    nodes: int | None  # bound on the search nodes of each decision; None: the policy's own
    values: str  # unit of its values; ``unit``: the one in which they are shown, see :mod:`bot.review.measure`
    unit: str
    played: Played  # hands and ends of games
    rows: tuple[Row, ...]  # every decision in order
    score: Score  # score of all decisions
    error: float | None  # standard error of what was lost in a hundred decisions; None if there are too few hands
    turning_points: tuple[Row, ...]  # the costliest decisions, worst first
    faults: tuple[Fault, ...]  # hands that contradict our rules; their decisions up to that point are included

    @property
    def complete(self) -> bool:
        """Whether the recording reaches the end of each of its games."""
        games = len({hand.game for hand in self.played.hands})
        return len(self.played.ends) == games > 0


Fresh = Callable[[], Decider]
"""Creates a policy for one seat."""
OnRow = Callable[[Row], None]


def examine(
    recording: Recording,
    seat: int,
    fresh: Fresh,
    nodes: int | None = None,
    on_row: OnRow | None = None,
    lanes: int = 1,
) -> Audit:
    """Audit one seat.

    Args:
        recording: the recording of the game.
        seat: absolute seat; for a captured session its viewer's.
        fresh: creates the policy.
        nodes: bound on the search nodes of each decision; None: the policy's own.
        on_row: called with each finished decision, by one thread at a time; with several lanes not in their order.
        lanes: number of threads that share the hands, the calling one among them, each with its own instance of the
            policy; the result is that of one lane. A policy from outside is asked in the calling thread alone.

    Raises:
        LogError: the recording is invalid.
        ValueError: the seat does not exist, or the session is another seat's.
    """
    if seat not in SEATS or recording.viewer not in {None, seat}:
        raise ValueError(f"seat {seat} cannot be audited in {recording.name}")
    played = hands_of(recording.events)
    deciders = [fresh()]
    if lanes > 1 and guarded(deciders[0]).ours:
        deciders += [fresh() for _ in range(1, lanes)]
    faults: list[Fault] = []
    rows = _rows_of_all(recording, seat, deciders, nodes, played, faults, on_row)
    by_hand = [score(row.judgement for row in rows if row.hand == at) for at in range(len(played.hands))]
    return Audit(
        recording=recording,
        seat=seat,
        policy=deciders[0].name,
        settings=dict(deciders[0].settings()),
        nodes=nodes,
        values=_unit(rows),
        unit=shown_unit(_unit(rows)),
        played=played,
        rows=tuple(rows),
        score=score(row.judgement for row in rows),
        error=standard_error(by_hand),
        turning_points=_costliest(rows),
        faults=tuple(faults),
    )


def _rows_of_all(
    recording: Recording,
    seat: int,
    deciders: Sequence[Decider],
    nodes: int | None,
    played: Played,
    faults: list[Fault],
    on_row: OnRow | None,
) -> list[Row]:
    """Every decision in order; the deciders share the hands, the first in this thread and each other in its own."""
    one_at_a_time, stopped = Lock(), Flag()

    def rows_of(lane: int) -> list[Row]:
        found = []
        share = range(lane, len(played.hands), len(deciders))
        for row in _rows(recording, seat, deciders[lane], nodes, played, share, [] if lane else faults):
            if stopped.is_set():
                break
            found.append(row)
            if on_row is not None:
                with one_at_a_time:
                    on_row(row)
        return found

    with ThreadPoolExecutor(len(deciders)) as pool:  # no thread begins before it has something to do
        try:
            others = [pool.submit(rows_of, lane) for lane in range(1, len(deciders))]
            rows = rows_of(0)
            for other in others:
                rows += other.result()
        finally:
            stopped.set()
    return sorted(rows, key=lambda row: row.number)


def _unit(rows: Iterable[Row]) -> str:
    """The unit of the policy's values."""
    return next((row.decision.unit for row in rows if row.decision.unit), "")


def _costliest(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The decisions that cost the most, worst first."""
    costly = sorted((row for row in rows if row.judgement.loss), key=lambda row: -(row.judgement.loss or 0.0))
    return tuple(costly[:TURNING_POINTS])


def _rows(
    recording: Recording,
    seat: int,
    decider: Decider,
    nodes: int | None,
    played: Played,
    share: Container[int],
    faults: list[Fault],
) -> Iterator[Row]:
    """Yield the decisions in a share of the hands; the policy forgets between hands, and after a reconnection."""
    holdings, judge, number = Holdings(), Judge(), 0
    estimator, _ = best_estimator()
    for step in steps(recording.source, seat, faults):
        holdings.take(step.event)
        if step.followed and isinstance(step.event, StartKyoku | Resume):
            decider.start_kyoku()
        point = step.point
        number += point is not None
        if point is None or (hand := played.index_at(step.at)) not in share:
            continue
        decision = ask(decider, point.state, point.legal, Budget(nodes=nodes)).decision
        danger = estimator.estimate(point.state) if point.own_turn else None
        truth = truth_fields(holdings, point.state)
        yield _row(number, hand, point, decision, judge.judge(point, decision, number), danger, truth)


def _row(
    number: int,
    hand: int,
    point: DecisionPoint,
    decision: Decision,
    judgement: Judgement,
    danger: Danger | None,
    truth: Truth,
) -> Row:
    """A decision with all that a page may show of it, which its state no longer has afterwards."""
    scene = Scene(point.state, point.legal)
    asked = decision.candidates if judgement.verdict is Verdict.DIFFERS else ()
    return Row(
        number=number,
        hand=hand,
        turn=point.place.turn,
        event=point.place.event,
        own_turn=point.own_turn,
        legal=len(point.legal),
        known=point.known,
        played=point.played,
        decision=decision,
        judgement=judgement,
        threatened=bool(point.state.riichi_opponents),
        table=table_fields(point.state),
        truth=truth,
        safety=_safety(point, scene),
        answers={
            each.action: {
                "judged": judgement_fields(judge_answer(point, decision, each.action)),
                "facts": facts_of(scene, each.action, danger),
            }
            for each in asked
        },
        danger=_danger(point, danger),
    )


def _safety(point: DecisionPoint, scene: Scene) -> dict[int, Ground]:
    """The name of the discarded tile's safety against each of the others."""
    if not point.own_turn or point.played is None or point.played.tile < 0:
        return {}
    names = safety(scene, point.played.tile >> 2)
    return {relative(seat, point.state.seat): each for seat, each in names.items()}


def _danger(point: DecisionPoint, danger: Danger | None) -> str:
    """The danger of each tile of the hand against each opponent, as :attr:`Row.danger` has it."""
    if danger is None:
        return ""
    state = point.state
    chances = [danger.p_deal_in[absolute(side, state.seat)] for side in (1, 2, 3)]
    return "".join(
        format_tile37(kind) + "".join(f"{min(round(1_000 * float(each[kind])), 999):03}" for each in chances)
        for kind, held in enumerate(state.counts)
        if held
    )
