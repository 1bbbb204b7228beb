"""A constant beside the same figure counted on recorded games."""

from __future__ import annotations

from typing import NamedTuple


class Counted(NamedTuple):
    """One figure beside the constant in use.

    Attributes:
        name: module and name of the constant, with its index if it has several figures.
        constant: the value in use.
        counted: the value on the recordings.
        n: number of observations, or the sum that the figure is relative to.
    """

    name: str
    constant: float
    counted: float
    n: int
