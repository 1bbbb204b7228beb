"""What the functions for programmers take: a value of another type is a TypeError that says what is expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from numbers import Integral
from types import NoneType, UnionType
from typing import Any, Final, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from bot.api.tiles import Tiles
from engine.settings import shown

P = ParamSpec("P")
T = TypeVar("T")


def typed(function: Callable[P, T]) -> Callable[P, T]:
    """The function, with every argument checked against its annotation before it is called.

    The fields of arguments that are dataclasses are checked, too. Tiles are not: what reads them says how to write
    them.
    """
    takes = signature(function)
    hints = get_type_hints(function)

    @wraps(function)
    def checked(*args: P.args, **options: P.kwargs) -> T:
        for name, value in takes.bind(*args, **options).arguments.items():
            several = takes.parameters[name].kind is Parameter.VAR_POSITIONAL
            for each in value if several else (value,):
                _check(function.__name__, name, hints[name], each)
        return function(*args, **options)

    return checked


def _check(function: str, name: str, hint: Any, value: Any) -> None:
    kinds = tuple(_kinds(hint))
    if Tiles in kinds:
        return
    if not isinstance(value, kinds):
        names = " or ".join("None" if kind is NoneType else _NAMES.get(kind, kind.__name__) for kind in kinds)
        raise TypeError(f"{function}: {name} is {shown(value)}, of type {type(value).__name__}; it must be {names}")
    if is_dataclass(value):
        inner: Mapping[str, Any] = get_type_hints(type(value))
        for field in fields(value):
            _check(function, f"{name}.{field.name}", inner[field.name], getattr(value, field.name))


def _kinds(hint: Any) -> Iterator[type]:
    """The types that a hint allows; of a container only its own."""
    if isinstance(hint, UnionType):
        for each in get_args(hint):
            yield from _kinds(each)
    else:
        kind = get_origin(hint) or hint
        yield Integral if kind is int else kind


_NAMES: Final[Mapping[type, str]] = {Integral: "int"}
