"""Which cases of a test are quick."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_slow(names: str | tuple[str, ...], cases: Iterable[Any], *, quick: int = 1, **options: Any) -> Any:
    """``pytest.mark.parametrize``, of whose cases all but the first ``quick`` run in the slow tests."""
    marked = [
        case if at < quick else pytest.param(*(case if isinstance(names, tuple) else (case,)), marks=pytest.mark.slow)
        for at, case in enumerate(cases)
    ]
    return pytest.mark.parametrize(names, marked, **options)
