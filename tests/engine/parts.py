"""Parts of kernels, called from a test."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from engine._jit import allocating_kernel


@cache
def callable_part(part: Callable[..., Any]) -> Callable[..., Any]:
    """The part as a kernel of its own."""
    return allocating_kernel()(getattr(part, "py_func", part))
