"""Which cases of a test are quick."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_slow(names: str | tuple[str, ...], cases: Iterable[Any], *, quick: int = 1, **options: Any) -> Any:
    """``pytest.mark.parametrize``, of whose cases all but the first ``quick`` run in the slow tests."""
    several = not isinstance(names, str)
    params = [case if hasattr(case, "marks") else pytest.param(*(case if several else (case,))) for case in cases]
    slow = [pytest.param(*case.values, marks=[*case.marks, pytest.mark.slow], id=case.id) for case in params[quick:]]
    return pytest.mark.parametrize(names, [*params[:quick], *slow], **options)
