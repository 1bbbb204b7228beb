"""Asking a policy about every decision of a seat, and comparing its answers with what was played and can be seen."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event as Flag
from threading import Lock
from typing import Any, Final

import numpy as np

from bot.deciding.ask import ask, guarded
from bot.page.table import table_fields
from bot.replay.decisions import DecisionPoint, Fault, telling_hands
from bot.review.deal_ins import DealIn, deal_ins
from bot.review.facts import facts_of
from bot.review.measure import shown_unit
from bot.review.recording import Recording, truth_fields
from bot.review.verdicts import Answer, Judge, Row, Score, Verdict, judge_answer, score, standard_error
from engine.model.events import Event
from engine.model.hands import Hand, Holdings, Played, hands_of
from engine.model.rules import Rules
from engine.model.seats import SEATS, absolute, by_score, relative
from engine.model.standing import Standing
from engine.model.tiles import format_tile37
from engine.opponents.danger import Danger
from engine.opponents.registry import best_estimator
from engine.policy.decision import Budget, Decider
from engine.policy.explaining import safety
from engine.policy.grounds import Ground
from engine.policy.scene import Scene
from engine.tables import WeightsError
from engine.worth.objective import make_objective
from engine.worth.placement import RANKS, features, placement_model

TURNING_POINTS: Final = 5
"""Number of the costliest decisions that are singled out."""
LANES: Final = 2
"""Number of threads for one game whose reader waits; a third would only wait for the interpreter."""


@dataclass(frozen=True, slots=True)
class Placing:
    """The chances of a standing for one seat."""

    chances: tuple[float, ...]  # chance of each final place, first to fourth
    result: float  # expected result points in thousands, including uma and oka


def placing(standing: Standing | None, seat: int, rules: Rules) -> Placing | None:
    """The chances of a seat at a standing; None without a standing, or if the weights are missing.

    The chances come from the network that the policies use (:mod:`engine.worth.placement`), and are certain when
    the game is over.
    """
    if standing is None:
        return None
    if standing.over:
        place = by_score(standing.scores).index(seat)
        chances = tuple(float(place == each) for each in range(RANKS))
    else:
        scores, kyoku, honba, sticks, viewer, last = (
            np.array([each], np.int64)
            for each in (standing.scores, standing.kyoku, standing.honba, standing.sticks, seat, rules.last_kyoku)
        )
        try:
            found = placement_model().ranks(features(scores, kyoku, honba, sticks, viewer, last))
        except WeightsError:
            return None
        chances = tuple(found[0].astype(float).tolist())
    objective = make_objective("placement", rules)
    worth = sum(chance * each for chance, each in zip(chances, objective.by_rank, strict=True))
    return Placing(chances, worth + objective.per_point * standing.scores[seat])


@dataclass(frozen=True, slots=True)
class HandAudit:
    """One hand: how it was played, and how well.

    Attributes:
        hand: the hand as it was played.
        rows: its decisions.
        score: their score.
        before, after: chances of the final places before and after it; None if they are not known.
    """

    hand: Hand
    rows: tuple[Row, ...]
    score: Score
    before: Placing | None = None
    after: Placing | None = None


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
    hands: tuple[HandAudit, ...]  # the examined hands
    rows: tuple[Row, ...]  # every decision in order
    score: Score  # score of all decisions
    error: float | None  # standard error of what was lost in a hundred decisions; None if there are too few hands
    deal_ins: tuple[DealIn, ...]  # the seat's deal-ins, explained
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
    hands = []
    for index, hand in enumerate(played.hands):
        inside = tuple(row for row in rows if row.hand == index)
        before, after = (placing(standing, seat, recording.rules) for standing in (hand.standing, played.after(index)))
        hands.append(HandAudit(hand, inside, score(row.judgement for row in inside), before, after))
    return Audit(
        recording=recording,
        seat=seat,
        policy=deciders[0].name,
        settings=dict(deciders[0].settings()),
        nodes=nodes,
        values=_unit(rows),
        unit=shown_unit(_unit(rows)),
        played=played,
        hands=tuple(hands),
        rows=tuple(rows),
        score=score(row.judgement for row in rows),
        error=standard_error([hand.score for hand in hands]),
        deal_ins=deal_ins(played, rows, seat),
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
    truth = _Truth(recording.events)
    estimator, _ = best_estimator()
    judge = Judge()
    for number, point in enumerate(recording.points(seat, faults, telling_hands(decider)), 1):
        at = point.place.event
        hand = played.index_at(at)
        if hand not in share:
            continue
        decision = ask(decider, point.state, point.legal, Budget(nodes=nodes)).decision
        judgement = judge.judge(point, decision)
        scene = Scene(point.state, point.legal)
        danger = estimator.estimate(point.state) if point.own_turn else None
        asked = decision.candidates if judgement.verdict is Verdict.DIFFERS else ()
        yield Row(
            number=number,
            hand=hand,
            turn=point.place.turn,
            event=at,
            own_turn=point.own_turn,
            legal=len(point.legal),
            known=point.known,
            played=point.played,
            decision=decision,
            judgement=judgement,
            threatened=bool(point.state.riichi_opponents),
            table=table_fields(point.state),
            truth=truth_fields(truth.after(at), point.state),
            safety=_safety(point),
            answers={
                each.action: Answer(judge_answer(point, decision, each.action), facts_of(scene, each.action, danger))
                for each in asked
            },
            danger=_danger(point, danger),
        )


def _safety(point: DecisionPoint) -> dict[int, Ground]:
    """The name of the discarded tile's safety against each of the others."""
    if not point.own_turn or point.played is None or point.played.tile < 0:
        return {}
    state = point.state
    return {
        relative(seat, state.seat): each
        for seat, each in safety(Scene(state, point.legal), point.played.tile >> 2).items()
    }


def _danger(point: DecisionPoint, danger: Danger | None) -> dict[str, tuple[float, float, float]]:
    """The danger of each tile of the hand against each opponent."""
    state = point.state
    if danger is None:
        return {}
    right, across, left = (danger.p_deal_in[absolute(side, state.seat)] for side in (1, 2, 3))
    return {
        format_tile37(kind): (float(right[kind]), float(across[kind]), float(left[kind]))
        for kind, held in enumerate(state.counts)
        if held
    }


class _Truth:
    """Everybody's tiles, followed along with the decisions of a recording."""

    def __init__(self, events: tuple[tuple[int, Event], ...]) -> None:
        self._events = events
        self._next = 0
        self._holdings = Holdings()

    def after(self, position: int) -> Holdings:
        """The holdings after all events up to a position."""
        while self._next < len(self._events) and self._events[self._next][0] <= position:
            self._holdings.take(self._events[self._next][1])
            self._next += 1
        return self._holdings
