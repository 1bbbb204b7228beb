"""How numbers are written for people."""

from __future__ import annotations

from math import floor, log10
from typing import Final

MINUS: Final = "−"  # noqa: RUF001 - a real minus sign stands well beside digits

_NOT_ZERO: Final = frozenset("123456789")


def number(value: float, decimals: int = 0, *, sign: bool = False) -> str:
    """``'1,234'``, ``'+0.25'``, with a real minus sign."""
    text = f"{abs(value):,.{decimals}f}"
    zero = _NOT_ZERO.isdisjoint(text)
    return ("" if zero else MINUS if value < 0 else "+" if sign else "") + text


def decimals_of(noise: float) -> int:
    """Decimals with which values of that noise are shown: none from 1 up."""
    return max(0, -floor(log10(noise))) if noise > 0.0 else 0


def percent(share: float | None, digits: int = 0) -> str:
    """``'25%'``; empty for None."""
    return "" if share is None else f"{100 * share:.{digits}f}%"
