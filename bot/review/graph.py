"""The graph of a game: the chances of the four places from hand to hand, with the decisions that cost most on it."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from markupsafe import Markup
from rich.cells import cell_len

from bot.review.charts import BOTTOM, svg
from bot.review.document import Hand, Review

LETTER: Final = 6.5
"""Width of a letter of the names below the graph of places; a Chinese character takes two."""
PIN: Final = 12
"""Radius of the numbered circles above the graph of places."""
PINS: Final = 3 * PIN
"""Height of the strip above the graph of places, for its circles."""
ENDED: Final = 40
"""Width of what stands for the end of the game."""
LEAST: Final = 9
"""Decisions by which every hand is wider, so that a short one has room, too."""
SLOPE: Final = 9.0
"""Width of the slope at the end of a hand."""
SURE: Final = 0.99
"""Chance of a place from which the game is over."""


class Mark(NamedTuple):
    """A decision on the graph of the places."""

    number: int  # of the decision
    name: str  # what stands in its circle; "" for a dot
    title: str


def places_graph(fields: Review, names: Mapping[str, str], marks: Sequence[Mark], wide: int, high: int) -> Markup:
    """The chances of the four places through a game, the first at the top, with decisions marked on it.

    The chances are known before each hand and after the last: within a hand they are level, and move at its end. A hand
    is as wide as it has decisions. Hands and marks lead to their decisions.

    Args:
        fields: fields of the audit; some hands state the chances before them.
        names: ``label`` describes the graph for screen readers; ``place_1`` to ``place_4``.
        marks: the decisions, in any order.
        wide: width in units; text is drawn at 11 units, so choose about the number of pixels it is shown at.
        high: height in units.
    """
    known = [hand for hand in fields["hands"] if hand["before"]]
    firsts = [hand["first"] for hand in known]
    counts = [hand["score"]["decisions"] for hand in known]
    over = known[-1]["after"]
    right = float(wide - (ENDED if over else 0))
    starts = [right * each for each in _shares([LEAST + count for count in counts])]
    top, bottom = float(PINS), float(high - BOTTOM)
    before = [placing["places"] for hand in known if (placing := hand["before"])]
    chances = [*before, over["places"] if over else before[-1]]
    parts = [_band(place, starts, chances, (wide if over else right), top, bottom) for place in range(4)]
    parts += _hands_of(known, starts, firsts, top, bottom)
    if over and max(over["places"]) > SURE:
        place = over["places"].index(max(over["places"])) + 1
        parts.append(
            Markup('<text class="ended on-{}" x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>').format(
                place, (right + wide) / 2, (top + bottom) / 2 + 4, names[f"place_{place}"]
            )
        )
    where = {}
    for first, count, start, end in zip(firsts, counts, starts, starts[1:], strict=False):
        for at_hand in range(count):
            where[(first or 0) + at_hand] = start + (end - start) * (at_hand + 0.5) / count
    inside = sorted((each for each in marks if each.number in where), key=lambda each: where[each.number])
    at = iter(_apart([where[each.number] for each in inside if each.name], PIN + 1.0, wide - PIN - 1.0))
    for each in inside:
        x = where[each.number]
        parts.append(_pin(each, next(at), x, top, bottom) if each.name else _dot(each, x, bottom))
    return svg(wide, high, names["label"], parts, "group")


def _shares(counts: Sequence[int]) -> list[float]:
    """Where each of several stretches begins, and the last one ends, as shares of their sum."""
    sums = [0, *accumulate(counts)]
    return [each / sums[-1] for each in sums]


def _band(
    place: int, starts: Sequence[float], chances: Sequence[Sequence[float]], wide: float, top: float, bottom: float
) -> Markup:
    """The chance of a place as an area between the better places and the worse ones."""
    edges = []
    for better in (place, place + 1):
        levels = [top + (bottom - top) * min(sum(each[:better]), 1.0) for each in chances]
        edge = [(starts[0], levels[0])]
        for start, end, level, next_level in zip(starts, starts[1:], levels, levels[1:], strict=False):
            edge += [(end - min(SLOPE, (end - start) * 0.35), level), (end, next_level)]
        edges.append([*edge, (wide, edge[-1][1])])
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*edges[0], *reversed(edges[1])))
    return Markup('<polygon class="place-{}" points="{}"/>').format(place + 1, points)


def _hands_of(
    known: Sequence[Hand], starts: Sequence[float], firsts: Sequence[int | None], top: float, bottom: float
) -> list[Markup]:
    """A line where each hand begins, its name if there is room, and its area, which leads to its first decision."""
    parts, free = [], 0.0
    for hand, first, start, end in zip(known, firsts, starts, starts[1:], strict=False):
        parts.append(
            Markup('<line class="hand" x1="{0:.1f}" x2="{0:.1f}" y1="{1:.0f}" y2="{2:.0f}"/>').format(
                start, top, bottom
            )
        )
        wide = LETTER * cell_len(hand["name"])
        if start >= free and start + wide <= starts[-1] + ENDED:
            parts.append(Markup('<text x="{:.1f}" y="{:.0f}">{}</text>').format(start + 1, bottom + 15, hand["name"]))
            free = start + wide + LETTER
        if first is not None:
            parts.append(
                Markup(
                    '<a href="#d{}" tabindex="-1"><title>{}</title>'
                    '<rect class="area" x="{:.1f}" y="{:.0f}" width="{:.1f}" height="{:.0f}"/></a>'
                ).format(first, hand["name"], start, top, end - start, bottom - top)
            )
    return parts


def _apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Places near the wanted ones, which ascend, but not nearer to each other than a pin is wide."""
    found = list(wanted)
    for at in range(len(found)):
        found[at] = max(found[at], found[at - 1] + 2 * PIN + 2 if at else low)
    for at in reversed(range(len(found))):
        found[at] = min(found[at], found[at + 1] - 2 * PIN - 2 if at + 1 < len(found) else high)
    return found


def _pin(mark: Mark, at: float, x: float, top: float, bottom: float) -> Markup:
    """A numbered circle above the graph, with a line to its decision; its name begins with the number on it."""
    return Markup(
        '<a class="pin" href="#d{}"><title>{}: {}</title><path d="M{:.1f} {:.0f}L{:.1f} {:.0f}V{:.0f}"/>'
        '<circle cx="{:.1f}" cy="{:.0f}" r="{:.0f}"/><text x="{:.1f}" y="{:.0f}" text-anchor="middle">{}</text></a>'
    ).format(
        mark.number, mark.name, mark.title, at, 2 * PIN + 1, x, top, bottom, at, PIN + 1, PIN, at, PIN + 5, mark.name
    )


def _dot(mark: Mark, x: float, bottom: float) -> Markup:
    """A dot at the foot of the graph."""
    return Markup(
        '<a class="slip" href="#d{}" tabindex="-1"><title>{}</title><circle cx="{:.1f}" cy="{:.1f}" r="4"/></a>'
    ).format(mark.number, mark.title, x, bottom - 6)
