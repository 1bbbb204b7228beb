"""Dataclasses as JSON and back, such as the pieces of work that a journal keeps."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

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
