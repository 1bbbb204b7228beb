"""How numbers are written for people."""

from __future__ import annotations

from math import floor, log10
from typing import Final

MINUS: Final = "−"  # noqa: RUF001 - a real minus sign stands well beside digits


def number(value: float, decimals: int = 0, *, sign: bool = False) -> str:
    """``'1,234'``, ``'+0.25'``, with a real minus sign."""
    text = f"{abs(value):,.{decimals}f}"
    zero = not any(digit in text for digit in "123456789")
    return ("" if zero else MINUS if value < 0 else "+" if sign else "") + text


def decimals_of(noise: float) -> int:
    """Decimals with which values of that noise are shown: none from 1 up."""
    return max(0, -floor(log10(noise))) if noise > 0.0 else 0


def percent(share: float | None, digits: int = 0) -> str:
    """``'25%'``; empty for None."""
    return "" if share is None else f"{100 * share:.{digits}f}%"
