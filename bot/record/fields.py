"""Decisions and events as JSON holds them: field by field under their own names, numbers in full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from math import isfinite
from typing import Any

from engine.model.actions import Action
from engine.model.events import Event
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Figure, Ground, GroundKind


def decision_fields(decision: Decision) -> dict[str, Any]:
    """A decision without the time it took: equal decisions give equal fields."""
    return {
        each.name: _field(getattr(decision, each.name)) for each in fields(Decision) if each.name not in _OF_THE_MOMENT
    }


def action_fields(action: Action) -> dict[str, Any]:
    """An action: ``tile136`` numbers, absent ones left out."""
    found: dict[str, Any] = {"kind": action.kind.name.lower()}
    if action.tile >= 0:
        found["tile"] = int(action.tile)
    if action.own:
        found["own"] = list(map(int, action.own))
    return found


def candidate_fields(candidate: Candidate) -> dict[str, Any]:
    """A candidate; figures that were not worked out are left out."""
    found = {each.name: _field(getattr(candidate, each.name)) for each in fields(Candidate)}
    return {name: value for name, value in found.items() if value is not None}


def ground_fields(ground: Ground) -> dict[str, Any]:
    """A ground: its kind, and its figures beside it."""
    return {"kind": str(ground.kind), **{name: _field(figure) for name, figure in ground.figures.items()}}


def read_ground(fields: Mapping[str, Any]) -> Ground:
    """The ground that :func:`ground_fields` wrote."""
    figures = {name: _read_figure(value) for name, value in fields.items() if name != "kind"}
    return Ground(GroundKind(fields["kind"]), figures)


def _read_figure(value: Any) -> Figure:
    if isinstance(value, Mapping):
        return read_ground(value)
    if isinstance(value, list):
        return tuple(read_ground(each) for each in value)
    figure: Figure = value
    return figure


def event_fields(event: Event) -> dict[str, Any]:
    """An event: its class as ``event``, its fields as they are; absent ones left out."""
    found = {each.name: _field(getattr(event, each.name)) for each in fields(event)}
    return {"event": type(event).__name__, **{name: value for name, value in found.items() if value is not None}}


_OF_THE_MOMENT = ("elapsed",)
"""Fields of a decision that another run of the same would not repeat."""


def _field(value: Any) -> Any:
    """Plain values, whatever the library that worked them out gave."""
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
    """A number as JSON can hold it, numpy's too; what is not finite becomes its name."""
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, bool | int):
        return int(number)
    return float(number) if isfinite(number) else str(float(number))
