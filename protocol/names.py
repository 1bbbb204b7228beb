"""Names of players from outside."""

from typing import Final

MAX_NAME: Final = 256
"""Number of characters of a name that are kept; Tenhou allows eight."""


def cut_name(name: str) -> str:
    """A name without what is longer than any name, so that nothing that shows or compares names takes long."""
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"
