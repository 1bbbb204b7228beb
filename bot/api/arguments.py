"""What functions for programmers take: other types are a TypeError, other values of a simulator an InputError."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from numbers import Integral
from types import NoneType, UnionType
from typing import Any, Final, Literal, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bot.api.tiles import Tiles
from bot.machine.errors import InputError
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.policy.standing import Standing
from engine.settings import shown

P = ParamSpec("P")
T = TypeVar("T")
RuleName = Literal["tonpu", "hanchan"]
_RULES: Final = {"tonpu": TONPU, "hanchan": HANCHAN}


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


def rules_of(rules: RuleName | Rules) -> Rules:
    """Rules by their name, or as they are given.

    Raises:
        InputError: there is no such name.
    """
    found = rules if isinstance(rules, Rules) else _RULES.get(rules)
    if found is None:
        raise InputError(f"rules {rules!r}: they are {', '.join(map(repr, _RULES))}, or Rules(…)")
    return found


def check_whole(**numbers: tuple[int, int]) -> None:
    """Raise InputError unless each of some named numbers is whole and not below its least."""
    for name, (number, least) in numbers.items():
        if number != int(number) or number < least:
            raise InputError(f"{name} {number!r}: it is a whole number from {least}")


def check_standing(standing: Standing | None, rules: Rules) -> None:
    """Raise InputError unless a hand can begin so."""
    if standing is None:
        return
    whole = [standing.kyoku, standing.honba, standing.sticks, *standing.scores]
    last = rules.last_kyoku + 4
    if len(whole) != 7 or any(number != int(number) or number < 0 for number in whole):
        raise InputError(f"{standing}: whole numbers from 0, and four scores")
    if standing.kyoku > last or any(score % 100 for score in standing.scores):
        raise InputError(f"{standing}: hands go from 0 to {last} under these rules, scores are in hundreds")


def tables_of(which: ArrayLike, number: int) -> NDArray[np.int64]:
    """Tables of a simulator that has so many, as an array.

    Raises:
        InputError: one does not exist, or comes twice.
    """
    places = np.atleast_1d(np.asarray(which))
    if places.ndim != 1 or places.dtype.kind not in "iu" or len(np.unique(places)) != len(places):
        raise InputError(f"{which!r}: tables are different whole numbers")
    wrong = (places < 0) | (places >= number)
    if wrong.any():
        raise InputError(f"table {places[np.argmax(wrong)]}: there are tables 0 to {number - 1}")
    return places.astype(np.int64)
