"""Numbers of JSON, where ``25000.0`` is a whole number too."""

from typing import Any, Final

MAX_POINTS: Final = 100_000_000
"""More points than any player has, of either sign."""


def whole(value: Any) -> int | None:
    """The whole number that a JSON number is; None if it is not one."""
    if type(value) is int:
        return value
    return int(value) if type(value) is float and value.is_integer() else None
