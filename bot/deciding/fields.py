"""Decisions and events as JSON: field by field under their own names, with all digits."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from enum import Enum
from math import isfinite
from typing import Any

from engine.model.actions import Action, ActionKind
from engine.model.events import Event
from engine.policy.decision import Candidate, Decision, Parts
from engine.policy.grounds import Figure, Ground, GroundKind, Note


def decision_fields(decision: Decision) -> dict[str, Any]:
    """The fields of a decision without its time, so that equal decisions give equal fields."""
    return {
        each.name: _field(getattr(decision, each.name)) for each in fields(Decision) if each.name not in _OF_THE_MOMENT
    }


def action_fields(action: Action) -> dict[str, Any]:
    """The fields of an action, as ``tile136`` numbers; absent ones are left out."""
    found: dict[str, Any] = {"kind": action.kind.name.lower()}
    if action.tile >= 0:
        found["tile"] = int(action.tile)
    if action.own:
        found["own"] = list(map(int, action.own))
    return found


def candidate_fields(candidate: Candidate) -> dict[str, Any]:
    """The fields of a candidate; figures that were not computed are left out."""
    found = {each.name: _field(getattr(candidate, each.name)) for each in fields(Candidate)}
    return {name: value for name, value in found.items() if value is not None}


def ground_fields(ground: Ground) -> dict[str, Any]:
    """The fields of a ground: its kind and its figures."""
    return {"kind": str(ground.kind), **{name: _field(figure) for name, figure in ground.figures.items()}}


def read_ground(fields: Mapping[str, Any]) -> Ground:
    """The ground that :func:`ground_fields` wrote."""
    figures = {name: _read_figure(value) for name, value in fields.items() if name != "kind"}
    return Ground(GroundKind(fields["kind"]), figures)


def read_grounds(fields: Iterable[Mapping[str, Any]]) -> tuple[Ground, ...]:
    """The grounds that :func:`ground_fields` wrote; those whose kind only an earlier version knew are left out."""
    return tuple(read_ground(each) for each in fields if each["kind"] in _GROUND_KINDS)


def read_decision(fields: Mapping[str, Any], elapsed: float = 0.0) -> Decision:
    """The decision that :func:`decision_fields` wrote, with its time.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: these are not the fields of a decision.
    """
    return Decision(
        action=_read_action(fields["action"]),
        candidates=tuple(_read_candidate(each) for each in fields["candidates"]),
        mode=str(fields["mode"]),
        grounds=read_grounds(fields["grounds"]),
        unit=str(fields["unit"]),
        elapsed=elapsed,
        nodes=int(fields["nodes"]),
        noise=_read_number(fields["noise"]),
        per_point=_read_number(fields["per_point"]),
    )


def _read_number(value: Any) -> float:
    return value if isinstance(value, int) else float(value)  # a whole number of a policy stays one


def _read_action(fields: Mapping[str, Any]) -> Action:
    return Action(ActionKind[fields["kind"].upper()], fields.get("tile", -1), tuple(fields.get("own", ())))


def _read_candidate(fields: Mapping[str, Any]) -> Candidate:
    known = {name: value for name, value in fields.items() if name not in {"action", "note", "parts", *_NO_LONGER}}
    note = Note(fields["note"]) if fields.get("note") else None
    parts = Parts(**parts_of_today(fields["parts"])) if fields.get("parts") else None
    return Candidate(_read_action(fields["action"]), note=note, parts=parts, **known)


def parts_of_today(parts: Mapping[str, float]) -> dict[str, float]:
    """The parts of a value by the names of today; earlier versions wrote ``experience`` for ``stay_folded``."""
    return {"stay_folded" if name == "experience" else name: part for name, part in parts.items()}


def _read_figure(value: Any) -> Figure:
    if isinstance(value, Mapping):
        return read_ground(value)
    if isinstance(value, list):
        return tuple(read_ground(each) for each in value)
    figure: Figure = value
    return figure


def event_fields(event: Event) -> dict[str, Any]:
    """The fields of an event: its class as ``event``, and its fields; absent ones are left out."""
    found = {each.name: _field(getattr(event, each.name)) for each in fields(event)}
    return {"event": type(event).__name__, **{name: value for name, value in found.items() if value is not None}}


_GROUND_KINDS = frozenset(GroundKind)
_NO_LONGER = ("added",)
"""Figures of a candidate that earlier versions wrote."""
_OF_THE_MOMENT = ("elapsed",)
"""Fields of a decision that a repetition would not reproduce."""


def _field(value: Any) -> Any:
    """A value as JSON, whichever library it comes from."""
    if value is None or isinstance(value, bool | str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Action):
        return action_fields(value)
    if isinstance(value, Candidate):
        return candidate_fields(value)
    if isinstance(value, Ground):
        return ground_fields(value)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple | list):
        return [_field(each) for each in value]
    if isinstance(value, Mapping):
        return {str(name): _field(each) for name, each in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return {each.name: _field(getattr(value, each.name)) for each in fields(value)}
    return plain_number(value)


def plain_number(value: Any) -> int | float | str:
    """A number as JSON, also one of numpy's; one that is not finite becomes its name."""
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, bool | int):
        return int(number)
    return float(number) if isfinite(number) else str(float(number))
