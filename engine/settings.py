"""Settings of policies and evaluators: frozen dataclasses whose fields say which values are allowed.

A field is an int, a float, a bool or a str, or one of these or None, and has a default. ``Annotated`` adds rules::

    @dataclass(frozen=True, slots=True)
    class Settings:
        margin: Annotated[float, Bounds(0.0)] = 50.0
        room: Annotated[str, Among(("upper", "phoenix"))] = "phoenix"

The configuration, ``NAME:KEY=VALUE`` on the command line and records of games are all read by such a schema, so that a
setting is declared only once.
"""

import difflib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache
from math import isfinite
from types import UnionType
from typing import Annotated, Any, Final, NamedTuple, Protocol, TypeAlias, get_args, get_origin, get_type_hints

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""What JSON can hold."""

NONE: Final = "none"
"""The text for None."""
_SHOWN: Final = 100
_FLAGS: Final = {"true": True, "false": False}
_KINDS: Final = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


class SettingError(ValueError):
    """A setting that does not exist, or a value that is not allowed.

    Attributes:
        key: name of the setting.
        reason: what is wrong, and what is allowed.
    """

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


class Rule(Protocol):
    """A condition on the values of a field besides their type."""

    def fault(self, value: Any) -> str | None:
        """The fault of the value; None if it has none."""

    def needs(self, value: Any) -> tuple[str, ...]:
        """Names of the preparations (:mod:`engine.warmup`) that the value requires."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number from ``low`` to ``high``, both included; None: no bound."""

    low: float | None = None
    high: float | None = None

    def fault(self, value: float) -> str | None:
        """See :class:`Rule`."""
        if (self.low is None or value >= self.low) and (self.high is None or value <= self.high):
            return None
        if self.low is not None and self.high is not None:
            return _refusal(value, f"from {self.low} to {self.high}")
        return _refusal(value, f"at most {self.high}" if self.low is None else f"at least {self.low}")

    def needs(self, value: float) -> tuple[str, ...]:  # noqa: ARG002
        """Nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Among:
    """One of some names."""

    names: Collection[str]

    def fault(self, value: str) -> str | None:
        """See :class:`Rule`."""
        return None if value in self.names else _refusal(value, f"one of {', '.join(self.names)}")

    def needs(self, value: str) -> tuple[str, ...]:  # noqa: ARG002
        """Nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class NoSettings:
    """The schema of anything without settings."""


class Field(NamedTuple):
    """One setting of a schema."""

    kind: type  # int, float, bool or str
    optional: bool  # whether None is allowed too
    rules: tuple[Rule, ...]  # conditions on its values
    default: Any  # its default value

    def read(self, value: Any) -> Any:
        """Convert a value to the field's type; a whole number is accepted for a float.

        Raises:
            ValueError: the value has another type, or breaks a rule.
        """
        if value is None and self.optional:
            return None
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            with suppress(OverflowError):
                value = float(value)
        if type(value) is not self.kind or (isinstance(value, float) and not isfinite(value)):
            raise ValueError(_refusal(value, _KINDS[self.kind]))
        for rule in self.rules:
            fault = rule.fault(value)
            if fault is not None:
                raise ValueError(fault)
        return value

    def parse(self, text: str) -> Any:
        """The value that a text means.

        Raises:
            ValueError: the text means no value of this field.
        """
        if self.optional and text == NONE:
            return None
        try:
            value = _FLAGS[text] if self.kind is bool else self.kind(text)
        except (ValueError, KeyError):
            raise ValueError(_refusal(text, _KINDS[self.kind])) from None
        return self.read(value)


@cache
def fields_of(schema: type) -> Mapping[str, Field]:
    """The settings of a schema by name, in order.

    Raises:
        TypeError: it is not a dataclass with fields as described in the module.
    """
    hints = get_type_hints(schema, include_extras=True)
    found = {}
    for each in fields(schema):
        hint, *rules = get_args(hints[each.name]) if get_origin(hints[each.name]) is Annotated else (hints[each.name],)
        kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        kind = next((one for one in kinds if one in _KINDS), None)
        if kind is None or not set(kinds) <= {kind, type(None)}:
            raise TypeError(f"{schema.__name__}.{each.name}: a setting is an int, a float, a bool or a str")
        found[each.name] = Field(kind, len(kinds) > 1, tuple(rules), each.default)
    return found


def read(schema: type, values: Mapping[str, Any]) -> Any:
    """An instance of the schema; missing values have their defaults.

    Raises:
        SettingError: a setting does not exist, or a value has the wrong type or is out of bounds.
    """
    return schema(**{key: _apply(schema, key, Field.read, value) for key, value in values.items()})


def parse(schema: type, texts: Mapping[str, str]) -> dict[str, Any]:
    """The values that were written as text, such as ``{"nodes": "8000"}``.

    Raises:
        SettingError: a setting does not exist, or its text means no allowed value.
    """
    return {key: _apply(schema, key, Field.parse, text) for key, text in texts.items()}


def known(schema: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are settings of the schema."""
    return {key: value for key, value in values.items() if key in fields_of(schema)}


def needs_of(settings: Any) -> tuple[str, ...]:
    """Names of the preparations that the values of these settings require."""
    schema: type = type(settings)
    found = fields_of(schema)
    return tuple(
        step for key, field in found.items() for rule in field.rules for step in rule.needs(getattr(settings, key))
    )


def unknown(key: str, there: Collection[str]) -> str:
    """The message for an unknown key."""
    return f"there is no such setting; {nearest(key, there)}there are: {', '.join(there) or 'none'}"


def nearest(name: str, there: Collection[str]) -> str:
    """A question for somebody who has mistyped a name, with a space behind it; empty if nothing is like it."""
    near = difflib.get_close_matches(name, there, n=1)
    return f"did you mean {near[0]!r}? " if near else ""


def _apply(schema: type, key: str, reading: Any, value: Any) -> Any:
    found = fields_of(schema)
    if key not in found:
        raise SettingError(key, unknown(key, found))
    try:
        return reading(found[key], value)
    except ValueError as error:
        raise SettingError(key, str(error)) from None


def _refusal(value: Any, expected: str) -> str:
    return f"{shown(value)} is not allowed; it must be {expected}"


def shown(value: Any) -> str:
    """A value as a message shows it: as Python writes it, but not at any length."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - too many digits, lists in lists without end, whatever an object's own raises
        return f"this {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
