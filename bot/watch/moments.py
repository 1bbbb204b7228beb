"""What the live page shows, as plain values: moments of a game, decisions, questions to a person.

Seats are relative to the viewer and tiles are written as in :mod:`bot.page.table`. What is worded comes in every
language, so that the page can change its language without asking. All text from outside is cleaned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.deciding.ask import Outcome
from bot.deciding.person import Question
from bot.machine.text import brief
from bot.page.figures import candidate_fields, rounded
from bot.page.table import action_fields, table_fields, tiles_text
from bot.watch.ends import result_fields
from bot.wording.events import event_words, hand_words, naming
from bot.wording.grounds import note_word, word
from bot.wording.languages import Lang
from bot.wording.numbers import decimals_of
from bot.wording.tiles import marked
from engine.model.actions import DISCARDS
from engine.model.events import EndGame, Event, Ryuukyoku, StartGame, StartKyoku, Win
from engine.model.seats import by_score, relative, turn_order
from engine.model.tiles import format_tile37
from engine.opponents.danger import Danger, DangerEstimator
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Note
from engine.state import GameState

Fields = dict[str, Any]

NAME_LENGTH: Final = 24


def shown_names(names: Sequence[str], viewer: int) -> list[str]:
    """The names of the players in turn order from the viewer; empty where there is none."""
    return [brief(names[seat], NAME_LENGTH) for seat in turn_order(viewer)]


def moment_fields(
    state: GameState, event: Event, names: Sequence[str], *, own: bool = False, truth: Fields | None = None
) -> Fields:
    """The table after an event.

    Args:
        state: after the event.
        event: as the viewer sees it.
        names: the players by absolute seat; untrusted.
        own: whether the viewer plays, and is spoken to.
        truth: what the other players hold; None if that is not known.
    """
    found: Fields = {
        "names": shown_names(names, state.seat),
        "text": {
            lang.value: event_words(
                event,
                naming(names, state.seat, NAME_LENGTH, lang),
                lang,
                red_fives=state.rules.red_fives,
                own=state.seat if own else None,
            )
            for lang in Lang
        },
    }
    if isinstance(event, StartGame):
        return found
    found |= {
        "hand": {
            "kyoku": state.kyoku,
            "honba": state.honba,
            "dealer": relative(state.dealer, state.seat),
            "name": {lang.value: hand_words(state.place(), lang) for lang in Lang},
        },
        "hanchan": state.rules.hanchan,
        "turn": len(state.rivers[state.seat]) + 1,
        "table": table_fields(state),
    }
    if truth is not None:
        found["truth"] = truth
    if isinstance(event, StartKyoku) and (dealt := event.hands[state.seat]) is not None:
        found["dealt"] = tiles_text(dealt, state.rules.red_fives)
    if isinstance(event, Win | Ryuukyoku):
        found["result"] = result_fields(event, state)
    if isinstance(event, EndGame):
        found["end"] = end_fields(event, state.seat)
    return found


def end_fields(event: EndGame, viewer: int) -> Fields:
    """The end of a game: points and places in turn order from the viewer."""
    places = {seat: place for place, seat in enumerate(by_score(event.scores), 1)}
    seats = turn_order(viewer)
    return {
        "scores": [event.scores[seat] for seat in seats],
        "places": [places[seat] for seat in seats],
        "results": None if event.results is None else [event.results[seat] for seat in seats],
    }


def decision_moment(decision: Decision, outcome: Outcome, *, red_fives: bool) -> Fields:
    """A decision: what was chosen, what else was considered, and why."""
    candidates = sorted(decision.candidates, key=lambda one: (one.action != decision.action, -one.score))
    return {
        "action": action_fields(decision.action, red_fives),
        "mode": str(decision.mode),
        "outcome": str(outcome),
        "ms": round(1000 * decision.elapsed, 1),
        "nodes": decision.nodes,
        "unit": "points" if decision.points(0.0) is not None else decision.unit,
        "decimals": 0 if decision.points(0.0) is not None else decimals_of(decision.noise),
        "noise": _shared(decision, decision.noise),
        "candidates": [_candidate(one, decision, red_fives) for one in candidates],
        "grounds": {lang.value: [word(each, lang, marked) for each in decision.grounds] for lang in Lang},
    }


def danger_fields(danger: Danger, state: GameState) -> list[Fields]:
    """What each kind in the hand risks against each opponent, right, across, left; the most dangerous first."""
    seats = turn_order(state.seat)[1:]
    rows = [
        {
            "tile": format_tile37(kind),
            "by": [rounded(float(danger.p_deal_in[seat, kind]), 4) for seat in seats],
            "any": rounded(danger.deal_in(kind), 4),
            "loss": rounded(danger.expected_loss(kind), 0),
        }
        for kind in range(34)
        if state.counts[kind]
    ]
    return sorted(rows, key=lambda row: -row["any"])


def tenpai_fields(danger: Danger, state: GameState) -> list[float | None]:
    """The chance of each opponent to be tenpai, right, across, left."""
    return [rounded(float(danger.p_tenpai[seat]), 3) for seat in turn_order(state.seat)[1:]]


def risks_of(estimator: Callable[[], DangerEstimator], state: GameState) -> Fields:
    """Everything that the page shows of the danger to a seat."""
    danger = estimator().estimate(state)
    return {"tenpai": tenpai_fields(danger, state), "danger": danger_fields(danger, state)}


def question_fields(question: Question, until: float) -> Fields:
    """A question to a person; ``until``: when it is answered without them, in seconds since the epoch.

    A discard of the tile just drawn is marked, because a copy from the hand looks the same.
    """
    state = question.state
    return {
        "number": question.number,
        "until": round(1000 * until),
        "legal": [
            action_fields(action, state.rules.red_fives)
            | ({"drawn": True} if action.kind in DISCARDS and action.tile == state.drawn else {})
            for action in question.legal
        ],
    }


def _shared(decision: Decision, value: float) -> float:
    """A value in points if the rate is known, otherwise as it is."""
    points = decision.points(value)
    return value if points is None else round(points, 1)


def _candidate(one: Candidate, decision: Decision, red_fives: bool) -> Fields:
    fields = candidate_fields(one, red_fives)
    fields["value"] = _shared(decision, one.value)
    if one.lean is not None:
        fields["lean"] = _shared(decision, one.lean)
    if one.note is not None:
        fields["note"] = {lang.value: note_word(Note(one.note), lang) for lang in Lang}
    return fields
