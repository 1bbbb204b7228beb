"""Checks of arguments: wrong types are a TypeError, wrong values of a simulator an InputError."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from numbers import Integral
from os import fsencode, fspath
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from bot.api.tiles import Tiles
from bot.machine.errors import InputError
from bot.machine.outside import OutsideError
from bot.machine.text import plural
from engine.model.actions import Action, ActionKind
from engine.model.bounds import fault_of_standing
from engine.model.budget import Budget
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.model.seats import SEATS, Four, four
from engine.model.standing import Standing
from engine.model.tiles import TILES
from engine.policy.decision import Decider, Decision
from engine.settings import shown
from engine.state import GameState, Phase
from engine.state.game import FACTS
from protocol.logs.json_text import can_be_encoded

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


LARGEST: Final = (1 << 63) - 1
"""The largest whole number that a kernel takes."""


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, of Python or of numpy; True and False are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def whole(what: str, value: Any, least: int = 0, most: int = LARGEST) -> int:
    """A whole number within bounds, which are named only where they say something.

    Raises:
        InputError: it is another number, or none.
    """
    if is_whole(value) and least <= value <= most:
        return int(value)
    bounds = f"from {least}" if most == LARGEST else f"from {least} to {most}"
    raise InputError(f"{what} {shown(value)}: it is a whole number {bounds}")


def check_text(what: str, value: Any) -> None:
    """Raise InputError unless a value is text."""
    if not isinstance(value, str):
        raise InputError(f"{what} {shown(value)}: it is text")


def one_of(what: str, value: Any, values: Collection[str]) -> None:
    """Raise InputError unless a text is one of some texts."""
    if not (isinstance(value, str) and value in values):
        raise InputError(f"{what} {shown(value)}: it is one of {', '.join(values)}")


def flag(what: str, value: Any) -> bool:
    """A truth value.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{what} {shown(value)}: it is True or False")
    return bool(value)


def listed(values: Any) -> list[Any] | None:
    """Several values as a list; None if they are something else."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        return None
    try:
        return list(values)
    except Exception:  # noqa: BLE001 - whatever an object may raise that says it can be gone through
        return None


def whole_numbers(what: str, values: Any, they_are: str = "whole numbers") -> NDArray[np.int64]:
    """Whole numbers as an array of one dimension, which may be the one given.

    Raises:
        InputError: they are something else, or too large for a kernel.
    """
    try:
        found = np.asarray(values)
    except Exception:  # noqa: BLE001 - lists of different lengths, and whatever an object may raise that makes arrays
        raise InputError(f"{what} {shown(values)}: this is no array of whole numbers") from None
    if found.ndim == 1 and not found.size:
        return np.zeros(0, np.int64)
    if found.ndim == 1 and found.dtype.kind == "b":
        raise InputError(
            f"{what} of type bool: they are {they_are}; np.flatnonzero(mask) gives the places where a mask is True"
        )
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise InputError(
            f"{what} of type {found.dtype} and shape {found.shape}: they are {they_are} in one dimension, and this is "
            f"{shown(values)}"
        )
    if found.max() > LARGEST:
        raise InputError(f"{what} {shown(values)}: they go to {LARGEST}")
    return np.ascontiguousarray(found, np.int64)


def rules_of(rules: Any) -> Rules:
    """Rules by their name, or as they are given.

    Raises:
        InputError: there is no such name, or a table cannot be played by these rules.
    """
    if isinstance(rules, Rules):
        for name in ("start_points", "return_points", "honba_points"):
            if getattr(rules, name) % 100:
                raise InputError(f"rules: {name} {getattr(rules, name)}: points are in hundreds")
        return rules
    if isinstance(rules, str) and rules in _RULES:
        return _RULES[rules]
    raise InputError(f"rules {shown(rules)}: they are {', '.join(map(repr, _RULES))}, or Rules(…)")


def standing_in(standing: Any, rules: Rules) -> Standing | None:
    """A copy of the standing with which a hand begins; None for none.

    Raises:
        InputError: no hand can begin so.
    """
    if standing is None:
        return None
    if not isinstance(standing, Standing):
        raise InputError(f"standing {shown(standing)}: it is a Standing(kyoku, honba, sticks, scores), or None")
    last = rules.last_kyoku + len(SEATS)
    scores = listed(standing.scores) or []
    each = (standing.kyoku, standing.honba, standing.sticks, *scores)
    if len(scores) != len(SEATS) or not all(is_whole(number) and number >= 0 for number in each):
        raise InputError(f"{shown(standing)}: whole numbers from 0, and four scores")
    if standing.kyoku > last or any(score % 100 for score in scores):
        raise InputError(f"{shown(standing)}: hands go from 0 to {last} under these rules, scores are in hundreds")
    if fault := fault_of_standing(standing.kyoku, standing.honba, standing.sticks, scores):
        raise InputError(f"standing: {fault}")
    return Standing(int(standing.kyoku), int(standing.honba), int(standing.sticks), four(map(int, scores)))


def tables_of(which: Any, number: int, *, different: bool = True) -> NDArray[np.int64]:
    """The numbers of a simulator's tables as an array; a single number stands for one table.

    Raises:
        InputError: one does not exist, or comes twice although they have to be different.
    """
    they_are = "different whole numbers" if different else "whole numbers"
    places = whole_numbers("tables", [which] if is_whole(which) else which, they_are)
    wrong = (places < 0) | (places >= number)
    if wrong.any():
        raise InputError(f"table {places[np.argmax(wrong)]}: there are tables 0 to {number - 1}")
    if different and len(np.unique(places)) != len(places):
        raise InputError(f"tables {shown(which)}: they are {they_are}")
    return places


def viewers_of(tables: Any, seats: Any, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tables and, for each, a seat that looks at it.

    Raises:
        InputError: a table or seat does not exist, or there are not as many seats as tables.
    """
    places = tables_of(tables, number, different=False)
    viewers = whole_numbers("seats", [seats] if is_whole(seats) else seats)
    if len(viewers) != len(places):
        raise InputError(
            f"{plural(len(places), 'table')} and {plural(len(viewers), 'seat')}; there is a seat for each table"
        )
    wrong = (viewers < 0) | (viewers >= len(SEATS))
    if wrong.any():
        raise InputError(f"seat {viewers[np.argmax(wrong)]}: seats are 0 to 3")
    return places, viewers


def names_of(names: Any) -> Four[str]:
    """The names of four players.

    Raises:
        InputError: they are not four texts that can be written to a file.
    """
    if not isinstance(names, str) and isinstance(names, Sequence) and len(names) == len(SEATS):
        first, second, third, fourth = (
            name if isinstance(name, str) and can_be_encoded(name) else None for name in names
        )
        if first is not None and second is not None and third is not None and fourth is not None:
            return first, second, third, fourth
    raise InputError(f"names {shown(names)}: there are four, each a text that can be written as UTF-8")


def path_of(path: Any) -> Path:
    """The path of a file.

    Raises:
        InputError: it is no path.
    """
    try:
        found: Any = fspath(path)
        there = isinstance(found, str) and found != "" and b"\0" not in fsencode(found)
    except Exception:  # noqa: BLE001 - no path, half of a pair of surrogates, or whatever an object may raise
        there = False
    if not there:
        raise InputError(f"path {shown(path)}: it is a text or a Path")
    return Path(found)


def check_action(action: Any) -> None:
    """Raise InputError unless something is an action that some seat could take at some table."""
    if not isinstance(action, Action):
        raise InputError(f"action {shown(action)}: it is an Action, as legal_actions gives them")
    kind: Any = action.kind
    own: Any = action.own
    tiles = (action.tile, *(own if isinstance(own, tuple) else ("none",)))
    if not isinstance(kind, ActionKind) or not all(is_whole(tile) and tile < TILES for tile in tiles):
        raise InputError(f"action {shown(action)}: it has an ActionKind and tiles from 0 to {TILES - 1}")
    needed = 2 if kind in {ActionKind.CHI, ActionKind.PON} else 0
    has_tile = kind not in {ActionKind.PASS, ActionKind.NINE_TERMINALS}
    if len(own) != needed or (has_tile and min(tiles) < 0):
        raise InputError(f"action {shown(action)}: a {kind.name} names its tile, a CHI or PON two of the hand besides")


def view_in_order(state: GameState) -> GameState:
    """A copy of a seat's view of a hand, whose facts are as events made them.

    Raises:
        InputError: no hand is in progress, or something was written into the view.
    """
    try:
        copy = state.copy()
        changed = [name for name in FACTS if getattr(state, name) != getattr(copy, name)]
        if state.renewed().record["viewer"] != copy.record["viewer"]:
            changed.append("seat")
    except Exception as error:  # noqa: BLE001 - anything may stand where a fact should
        raise InputError(f"something other than an event has changed this view: {error}") from None
    if changed:
        raise InputError(f"something other than an event has changed this view: its {', '.join(changed)}")
    if copy.phase is Phase.IDLE:
        raise InputError(f"seat {state.seat}: no hand is in progress in this view")
    return copy


@contextmanager
def of_outside() -> Iterator[None]:
    """In this block a policy or an estimator works, which is refused as an InputError if it fails."""
    try:
        yield
    except OutsideError as error:
        raise InputError(str(error)) from None


def decision_of(decider: Decider, state: GameState) -> Decision:
    """A policy's decision in a view.

    Raises:
        InputError: the policy fails.
    """
    with of_outside():
        return decider.decide(state, state.legal_actions(), Budget())
