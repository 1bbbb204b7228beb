"""What a simulator takes: everything else is an :class:`InputError` that says what is wrong with it."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bot.machine.errors import InputError
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.policy.standing import Standing

RuleName = Literal["tonpu", "hanchan"]
_RULES: Final = {"tonpu": TONPU, "hanchan": HANCHAN}


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
