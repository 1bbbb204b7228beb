"""Asking a policy about every decision of a seat, and comparing its answers with what was played and can be seen."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Event as Flag
from threading import Lock
from typing import Any, Final

from bot.deciding.ask import ask, guarded
from bot.deciding.fields import ground_fields
from bot.page.table import figure, table_fields, written_action, written_candidate
from bot.replay.decisions import DecisionPoint, Fault
from bot.replay.steps import begin_hand, steps
from bot.review import document
from bot.review.facts import facts_of
from bot.review.habits import situation
from bot.review.measure import in_shown_unit, worth_of_one
from bot.review.recording import Recording, truth_fields
from bot.review.verdicts import Judge, Judgement, Verdict, judge_answer, judgement_fields
from engine.model.hands import Holdings, Played, hands_of
from engine.model.seats import SEATS, absolute, relative
from engine.model.tiles import format_tile37
from engine.opponents.danger import Danger
from engine.opponents.registry import best_estimator
from engine.policy.decision import Budget, Candidate, Decider, Decision
from engine.policy.explaining import safety
from engine.policy.grounds import Ground
from engine.policy.scene import Scene

LANES: Final = 2
"""Number of threads for one game whose reader waits; a third would only wait for the interpreter."""


@dataclass(frozen=True, slots=True)
class Row:
    """A decision as the review has it, and what it was made of."""

    fields: document.Decision  # but for its clauses
    decision: Decision  # the policy's decision
    judgement: Judgement  # how what was played compares
    # by relative seat, the name of the discarded tile's safety; empty if nothing was discarded
    safety: Mapping[int, Ground]


@dataclass(frozen=True, slots=True)
class Audit:
    """One seat of one recording, examined."""

    recording: Recording  # the recording
    seat: int  # absolute seat
    policy: str  # name of the policy asked
    settings: Mapping[str, Any]  # settings of the policy
    nodes: int | None  # bound on the search nodes of each decision; None: the policy's own
    played: Played  # hands and ends of games
    rows: tuple[Row, ...]  # every decision in order
    faults: tuple[Fault, ...]  # hands that contradict our rules; their decisions up to that point are included


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
    return Audit(
        recording=recording,
        seat=seat,
        policy=deciders[0].name,
        settings=dict(deciders[0].settings()),
        nodes=nodes,
        played=played,
        rows=tuple(rows),
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
    return sorted(rows, key=lambda row: row.fields["number"])


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
    holdings, judge, number, turns = Holdings(), Judge(), 0, dict[int, int]()
    estimator, _ = best_estimator()
    for step in steps(recording.source, seat, faults):
        holdings.take(step.event)
        begin_hand(decider, step)
        point = step.point
        number += point is not None
        if point is None or (hand := played.index_at(step.at)) not in share:
            continue
        turns[number] = point.place.turn
        decision = ask(decider, point.state, point.legal, Budget(nodes=nodes)).decision
        judgement = judge.judge(point, decision, number)
        scene, danger = Scene(point.state, point.legal), estimator.estimate(point.state) if point.own_turn else None
        held: document.Held | None = None
        if judgement.held is not None:
            held = {"decision": judgement.held, "turn": turns[judgement.held]}
        state, red = point.state, point.state.rules.red_fives
        threatened = bool(state.riichi_opponents)
        fields: document.Decision = {
            "number": number,
            "hand": hand,
            "turn": point.place.turn,
            "event": point.place.event,
            "own_turn": point.own_turn,
            "legal": len(point.legal),
            "known": point.known.value,
            "played": None if point.played is None else written_action(point.played, red),
            "chosen": written_action(decision.action, red),
            **judgement_fields(judgement),
            "noise": figure(judgement.noise),
            "held": held,
            "mode": str(decision.mode),
            "situation": situation(point.place.turn, threatened, played.hands[hand].kyoku, recording.rules).value,
            "threatened": threatened,
            "per_point": figure(decision.per_point),
            "grounds": [_rounded_figures(ground_fields(in_shown_unit(each, decision))) for each in decision.grounds],
            "candidates": list(_candidates(point, scene, decision, judgement, danger)),
            "table": table_fields(state),
            "truth": truth_fields(holdings, state),
            "danger": _danger(point, danger),
            "clauses": [],
        }
        yield Row(fields, decision, judgement, _safety(point, scene))


def _candidates(
    point: DecisionPoint, scene: Scene, decision: Decision, judged: Judgement, danger: Danger | None
) -> Iterator[document.Candidate]:
    """The policy's choice first, the others as the policy ranks them, their values in the shown unit.

    Where what was played differs, each has how it would have been judged and what a player sees of it.
    """
    worth, red = worth_of_one(decision), point.state.rules.red_fives
    others = [one for one in decision.candidates if one is not judged.chosen]
    for one in (judged.chosen, *sorted(others, key=lambda one: -one.score)):
        answer: document.Answer = {}
        if judged.verdict is Verdict.DIFFERS:
            found = judgement_fields(judge_answer(point, decision, one.action))
            answer = {"judged": found, "facts": facts_of(scene, one.action, danger)}
        yield {**written_candidate(_in_shown_unit(one, worth), red), **answer}


def _in_shown_unit(one: Candidate, worth: float) -> Candidate:
    """A candidate with its values in the shown unit, one of which is worth so much in the policy's own."""
    parts = None if one.parts is None else one.parts.scaled(1.0 / worth)
    return replace(one, value=one.value / worth, lean=(one.lean or 0.0) / worth, parts=parts)


def _rounded_figures(value: Any) -> Any:
    """The fields of a ground, with numbers as :func:`figure` writes them."""
    if isinstance(value, dict):
        return {name: _rounded_figures(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_rounded_figures(each) for each in value]
    return figure(value) if isinstance(value, float) else value


def _safety(point: DecisionPoint, scene: Scene) -> dict[int, Ground]:
    """The name of the discarded tile's safety against each of the others."""
    if not point.own_turn or point.played is None or point.played.tile < 0:
        return {}
    names = safety(scene, point.played.tile >> 2)
    return {relative(seat, point.state.seat): each for seat, each in names.items()}


def _danger(point: DecisionPoint, danger: Danger | None) -> str:
    """The danger of each tile of the hand against each opponent, as a decision of the review has it."""
    if danger is None:
        return ""
    state = point.state
    chances = [danger.p_deal_in[absolute(side, state.seat)] for side in (1, 2, 3)]
    return "".join(
        format_tile37(kind) + "".join(f"{min(round(1_000 * float(each[kind])), 999):03}" for each in chances)
        for kind, held in enumerate(state.counts)
        if held
    )
