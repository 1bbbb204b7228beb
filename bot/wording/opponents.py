"""What built-in opponents are called: by the names of people, and by how strong they are, not by those of programs."""

from collections.abc import Sequence
from typing import Final

from engine.model.seats import SEATS

STRENGTHS: Final = frozenset(("value", "phoenix", "flow", "simple", "tsumogiri"))
"""Names of built-in opponents for which the pages have words of how strong they are."""
PEOPLE: Final = ("Haru", "Ren", "Yui", "Sora")
"""What people call the built-in opponents at a table."""
_AT_LEAST: Final = 3
"""Number of built-in opponents at a table of our own; fewer may be people elsewhere who are called like one."""


def as_people(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names by absolute seat with built-in opponents under the names of people, and which built-in one each is.

    Whoever is no built-in opponent keeps the name, and is ``""`` in the second list.
    """
    free = iter(PEOPLE)
    called = [next(free) if name in STRENGTHS else name for name in names]
    return called, [name if name in STRENGTHS else "" for name in names]


def as_people_from(names: Sequence[str], first: int) -> tuple[list[str], list[str]]:
    """What :func:`as_people` returns of a table of our own, and at any other the names as they are.

    Args:
        names: the names in turn order.
        first: the absolute seat of the first one.
    """
    if len(names) != len(SEATS) or sum(name in STRENGTHS for name in names) < _AT_LEAST:
        return list(names), [""] * len(names)
    absolute = [names[seat - first] for seat in SEATS]
    called, strengths = as_people(absolute)
    return [*called[first:], *called[:first]], [*strengths[first:], *strengths[:first]]
