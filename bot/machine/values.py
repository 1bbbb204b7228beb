"""Values as JSON and back: the pieces of work that a journal keeps, and the files that people may have edited."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from bot.machine.text import brief

T = TypeVar("T")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def to_json(value: object) -> dict[str, Any]:
    """The fields of a dataclass by name, as values that JSON has."""
    fields: dict[str, Any] = _adapter(cast("Any", type(value))).dump_python(value, mode="json")
    return fields


def from_json(kind: type[T], fields: Mapping[str, Any]) -> T:
    """The value that :func:`to_json` wrote; fields that the dataclass does not have are ignored.

    Raises:
        ValueError: a field is missing, or not of its type.
    """
    value: T = _adapter(cast("Any", kind)).validate_python(fields)
    return value


def first_fault(error: ValidationError) -> str:
    """What is wrong first in a text of JSON: the place, the value there, and what it should be."""
    fault = error.errors(include_url=False)[0]
    said = fault["msg"].removeprefix("Value error, ")
    if not fault["loc"]:
        return said
    names = [f".{name}" if str(name).isidentifier() else f'["{brief(str(name), 80)}"]' for name in fault["loc"]]
    place = "".join(names).removeprefix(".")
    return f"{place} is missing" if fault["type"] == "missing" else f"{place} is {_shown(fault['input'])}: {said}"


def _shown(value: object) -> str:
    """A value as JSON shows it, cut where it is long."""
    try:
        return brief(json.dumps(value), 40)
    except (TypeError, ValueError):  # such as a whole number of more digits than are written
        return brief(type(value).__name__)
