"""An audit written as its document: what ``--json`` prints, and all that the reports are made of.

The names are those of :mod:`bot.review.document`. Untrusted text is cleaned of anything that could control a terminal
or reorder text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from bot.deciding.fields import ground_fields
from bot.machine.origin import made_by
from bot.machine.text import brief
from bot.page.table import figure, written_action, written_candidate
from bot.review import document
from bot.review.arguments import clauses_of
from bot.review.deal_ins import deal_ins
from bot.review.habits import Situation, by_situation, choices, habits, situation
from bot.review.hands import hand_fields
from bot.review.measure import Scale, bounds, in_shown_unit, percentile, reference, worth_of_one
from bot.review.verdicts import Category, judgement_fields, score, score_fields
from engine.model.events import EndGame
from engine.model.seats import by_score, turn_order
from engine.policy.decision import Candidate, Decision

if TYPE_CHECKING:
    from bot.review.examine import Audit
    from bot.review.verdicts import Row

NAME_LENGTH: Final = 24


def audit_fields(audit: Audit, *, anonymous: bool = False) -> document.Review:
    """All fields of an audit. ``anonymous`` leaves out names, file and log id."""
    recording = audit.recording
    rules = recording.rules
    names = [recording.names[seat] for seat in turn_order(audit.seat)]
    situations = [situation(row, audit.played.hands[row.hand].kyoku, rules) for row in audit.rows]
    scale = Scale.of(_noise(audit), audit.unit)
    decisions = [
        _row(row, audit.rows, where, rules.red_fives, scale) for row, where in zip(audit.rows, situations, strict=True)
    ]
    return {
        "format": document.FORMAT,
        "version": document.VERSION,
        "made_by": {name: made_by()[name] for name in ("oshihiki", "engine")},
        "source": "" if anonymous else brief(PurePath(recording.name.replace("\\", "/")).name, 80),
        "log_id": "" if anonymous else brief(recording.info.log_id, 60),
        "date": "" if anonymous else played_on(recording.info.log_id, recording.name),
        "policy": _policy(audit),
        "seat": audit.seat,
        "names": ["", "", "", ""] if anonymous else [brief(name, NAME_LENGTH) for name in names],
        "rules": {
            "hanchan": rules.hanchan,
            "red_fives": rules.red_fives,
            "open_tanyao": rules.open_tanyao,
            "kiriage": rules.kiriage,
            "start_points": rules.start_points,
            "honba_points": rules.honba_points,
            "shown": "" if anonymous else brief(recording.info.rule_name, 40),
        },
        "game": fingerprint(audit),
        "complete": audit.complete,
        "notes": [brief(note, 300) for note in recording.notes],
        "faults": [{"place": fault.place, "message": brief(fault.message)} for fault in audit.faults],
        "ends": [_end(end, audit.seat) for end in audit.played.ends.values()],
        "score": score_fields(audit.score, audit.error),
        "reference": _reference(audit),
        "categories": categories(audit.rows),
        "situations": {
            each.value: score_fields(one) for each, one in by_situation(audit.rows, situations).items() if one.judged
        },
        "habits": habits(decisions, situations),
        "choices": choices(decisions, situations),
        "hands": [hand_fields(at, audit) for at in range(len(audit.played.hands))],
        "turning_points": [row.number for row in audit.turning_points],
        "deal_ins": deal_ins(audit),
        "decisions": decisions,
    }


def _policy(audit: Audit) -> document.Judge:
    """The judge: its values are shown in ``unit``; ``worth`` says what 1,000 points were worth in its own unit."""
    rates = [row.decision.per_point for row in audit.rows if row.judgement.loss is not None and row.decision.per_point]
    return {
        "name": audit.policy,
        "settings": dict(audit.settings),
        "nodes": audit.nodes,
        "unit": audit.unit,
        "values": audit.values,
        "noise": _noise(audit),
        "bounds": {grade.value: figure(bound) for grade, bound in bounds(audit.unit, _noise(audit)).items()},
        "worth": [figure(1_000 * rate) for rate in (min(rates), max(rates))] if rates else None,
    }


def played_on(log_id: str, name: str) -> str:
    """The day of a game, ``'2024-01-31'``, by its log id or the name of its file; "" if neither contains one."""
    found = _DAY.search(log_id) or _DAY.search(PurePath(name.replace("\\", "/")).name)
    try:
        return "" if found is None else date(*map(int, found.groups())).isoformat()
    except ValueError:  # no such day
        return ""


_DAY: Final = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})-?([01][0-9])-?([0-3][0-9])")


def _reference(audit: Audit) -> dict[str, document.Room]:
    """By room, the figures of its players with this judge in games of this length, and the rank of this game.

    Empty if the judge is not the one that the reference was counted with.
    """
    known = reference()
    if not known.suits(audit.policy, audit.settings, audit.nodes):
        return {}
    lost = audit.score.per_hundred
    return {
        room: {
            "games": one["games"],
            "mean": one["mean"],
            "sd": one["sd"],
            "percentile": None if lost is None else percentile(one["per_hundred"], lost),
            "categories": {name: each["per_hundred"] for name, each in one["categories"].items()},
        }
        for room, one in known.of_length(hanchan=audit.recording.rules.hanchan).items()
    }


def fingerprint(audit: Audit) -> str:
    """A value that identifies a seat of a game in whatever format; a folder may contain a game twice."""
    hands = [
        (hand.name, hand.scores, hand.deltas, [(win.seat, win.from_seat, win.tile >> 2) for win in hand.wins])
        for hand in audit.played.hands
    ]
    return blake2b(repr((audit.recording.names, audit.seat, hands)).encode(), digest_size=8).hexdigest()


def _noise(audit: Audit) -> float:
    """The median noise of all decisions, which shows how precise the values are."""
    found = sorted(row.judgement.noise for row in audit.rows if row.judgement.noise > 0.0)
    return figure(found[len(found) // 2]) if found else 0.0


def categories(rows: Iterable[Row]) -> dict[str, document.Score]:
    """The score of each category of decisions; categories that never occurred are left out."""
    found = list(rows)
    by_category = {each: score(row.judgement for row in found if row.judgement.category is each) for each in Category}
    return {each.value: score_fields(one) for each, one in by_category.items() if one.judged}


def _end(end: EndGame, seat: int) -> document.End:
    """The end of a game: scores and results from the seat on, and its place."""
    order = by_score(end.scores)
    return {
        "scores": [end.scores[one] for one in turn_order(seat)],
        "results": None if end.results is None else [end.results[one] for one in turn_order(seat)],
        "placement": order.index(seat) + 1,
    }


def _row(row: Row, rows: Sequence[Row], where: Situation, red_fives: bool, scale: Scale) -> document.Decision:
    """A decision: what was asked and played, how that compares, and what the policy makes of each answer."""
    judged = row.judgement
    held: document.Held | None = None
    if judged.held is not None:
        held = {"decision": judged.held, "turn": rows[judged.held - 1].turn}
    decision = row.decision
    found: document.Decision = {
        "number": row.number,
        "hand": row.hand,
        "turn": row.turn,
        "event": row.event,
        "own_turn": row.own_turn,
        "legal": row.legal,
        "known": row.known.value,
        "played": None if row.played is None else written_action(row.played, red_fives),
        "chosen": written_action(decision.action, red_fives),
        **judgement_fields(judged),
        "noise": figure(judged.noise),
        "held": held,
        "mode": str(decision.mode),
        "situation": where.value,
        "threatened": row.threatened,
        "per_point": figure(decision.per_point),
        "grounds": [_rounded_figures(ground_fields(in_shown_unit(each, decision))) for each in decision.grounds],
        "candidates": [
            {**written_candidate(_in_shown_unit(one, decision), red_fives), **row.answers.get(one.action, _UNASKED)}
            for one in _ranked(decision.candidates, judged.chosen)
        ],
        "table": row.table,
        "truth": row.truth,
        "danger": row.danger,
        "clauses": [],
    }
    found["clauses"] = clauses_of(found, scale)
    return found


_UNASKED: Final[document.Answer] = {}


def _in_shown_unit(one: Candidate, decision: Decision) -> Candidate:
    """A candidate with its values in the shown unit."""
    worth = worth_of_one(decision)
    parts = None if one.parts is None else one.parts.scaled(1.0 / worth)
    return replace(one, value=one.value / worth, lean=(one.lean or 0.0) / worth, parts=parts)


def _ranked(candidates: Sequence[Candidate], chosen: Candidate) -> list[Candidate]:
    """The policy's choice first, the others as the policy ranks them."""
    others = [one for one in candidates if one is not chosen]
    return [chosen, *sorted(others, key=lambda one: -one.score)]


def _rounded_figures(value: Any) -> Any:
    """The fields of a reason, with numbers as :func:`figure` writes them."""
    if isinstance(value, dict):
        return {name: _rounded_figures(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_rounded_figures(each) for each in value]
    return figure(value) if isinstance(value, float) else value
