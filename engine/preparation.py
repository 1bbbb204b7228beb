"""What has to be compiled and loaded before a part of the engine is used; its folder says so in ``warm.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Preparation:
    """What one part of the engine needs.

    Attributes:
        name: description for people.
        kernels: all that are called from Python, with the rough number of seconds that each takes to compile. The
            seconds decide nothing but the order of work and the pace of a progress bar.
        load: loads tables and weights and calls what is slow the first time; quick once the kernels are compiled.
    """

    name: str
    kernels: Mapping[Callable[..., Any], float]
    load: Callable[[], object]
