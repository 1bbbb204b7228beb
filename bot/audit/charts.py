"""Charts as SVG, drawn here: no library, no request, colours from the page's style sheet by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import Any, Final

from markupsafe import Markup

from bot.wording.numbers import decimals_of, number

LEFT: Final = 52
RIGHT: Final = 12
TOP: Final = 20
BOTTOM: Final = 22
LABEL: Final = 34
"""Minimum distance between two labels of hands."""


def lost_chart(fields: Mapping[str, Any], label: str, wide: int, high: int) -> Markup:
    """A chart of cumulative value lost, downwards; hands are separated, and the costliest decisions numbered.

    Args:
        fields: fields of the audit.
        label: description for screen readers.
        wide: width in units; text is drawn at 11 units, so choose about the number of pixels it is shown at.
        high: height in units.
    """
    rows = fields["decisions"]
    right, bottom = wide - RIGHT, high - BOTTOM
    steps, step = ticks(fields["score"]["lost"] or 1.0)
    top_value = steps * step

    def x(count: float) -> float:
        return LEFT + (right - LEFT) * count / max(1, len(rows))

    def y(value: float) -> float:
        return TOP + (bottom - TOP) * value / top_value

    parts = [
        Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(LEFT, right, y(at), y(at))
        + Markup('<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(
            LEFT - 6, y(at) + 4, number(-at, decimals_of(step))
        )
        for at in (step * index for index in range(steps + 1))
    ]
    parts += _hand_marks(fields, x, bottom)
    line, lost = [f"M{x(0):.1f} {y(0):.1f}"], 0.0
    at: dict[int, tuple[float, float]] = {}
    for count, row in enumerate(rows, 1):
        if row["loss"]:
            line.append(f"H{x(count):.1f}")
            lost += row["loss"]
            line.append(f"V{y(lost):.1f}")
        at[row["number"]] = x(count), y(lost)
    line.append(f"H{x(len(rows)):.1f}")
    path = "".join(line)
    parts.append(Markup('<path class="area" d="{}V{:.1f}H{:.1f}Z"/>').format(path, y(0), x(0)))
    parts.append(Markup('<path class="line" d="{}"/>').format(path))
    for one in fields["deal_ins"]:
        if one["decision"] in at:
            parts.append(_mark(at[one["decision"]][0], TOP, one["decision"], "deal-in"))
    for place, found in enumerate(fields["turning_points"], 1):
        parts.append(_dot(*at[found], found, place))
    return _svg(wide, high, label, parts)


def _hand_marks(fields: Mapping[str, Any], x: Any, bottom: int) -> list[Markup]:
    parts, last = [], -LABEL
    for hand in fields["hands"]:
        if hand["first"] is None:
            continue
        at = x(hand["first"] - 1)
        parts.append(Markup('<line class="hand" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>').format(at, TOP, bottom))
        if at - last >= LABEL:
            parts.append(Markup('<text class="tick" x="{:.1f}" y="{}">{}</text>').format(at, bottom + 15, hand["name"]))
            last = at
    return parts


def _dot(x: float, y: float, target: int, place: int) -> Markup:
    return Markup(
        '<a href="#d{0}"><circle class="dot" cx="{1:.1f}" cy="{2:.1f}" r="8.5"/>'
        '<text class="dot-label" x="{1:.1f}" y="{3:.1f}" text-anchor="middle">{4}</text></a>'
    ).format(target, x, y, y + 3.8, place)


def _mark(x: float, y: float, target: int, name: str) -> Markup:
    return Markup('<a href="#d{}"><path class="mark {}" d="M{:.1f} {:.1f}l5 -9h-10z"/></a>').format(target, name, x, y)


def series_chart(values: Sequence[float | None], label: str, wide: int, high: int) -> Markup:
    """A dot for each value in order (None: a gap), and the running mean as a line; from 0 or below to 100."""
    right, bottom = wide - RIGHT, high - BOTTOM
    known = [value for value in values if value is not None]
    low = min([60.0, *known]) // 20 * 20
    parts = []

    def x(index: float) -> float:
        return LEFT + (right - LEFT) * (index + 0.5) / max(1, len(values))

    def y(value: float) -> float:
        return bottom - (bottom - TOP) * (value - low) / (100.0 - low)

    tick = low
    while tick <= 100:
        parts.append(
            Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(LEFT, right, y(tick), y(tick))
            + Markup('<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(
                LEFT - 6, y(tick) + 4, number(tick)
            )
        )
        tick += 20 if 100 - low <= 100 else max(20, (100 - low) // 5 // 20 * 20)
    line, total, count = "", 0.0, 0
    for index, value in enumerate(values):
        if value is None:
            continue
        total, count = total + value, count + 1
        line += f"{'L' if line else 'M'}{x(index):.1f} {y(total / count):.1f}"
        parts.append(Markup('<circle class="point" cx="{:.1f}" cy="{:.1f}" r="3"/>').format(x(index), y(value)))
    parts.append(Markup('<path class="line" d="{}"/>').format(line or f"M{LEFT} {bottom}"))
    return _svg(wide, high, label, parts)


def places_chart(names: Sequence[str], chances: Sequence[Sequence[float]], label: str, wide: int, high: int) -> Markup:
    """A column for each moment, divided by the chances of the final places, the first place at the top.

    Args:
        names: label of each column.
        chances: chances of the first to the fourth place at each moment.
        label: description for screen readers.
        wide: width in units.
        high: height in units.
    """
    right, bottom = wide - RIGHT, high - BOTTOM
    each = (right - LEFT) / max(1, len(chances))
    parts = [
        Markup('<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}%</text>').format(
            LEFT - 6, bottom - (bottom - TOP) * share / 100 + 4, share
        )
        for share in (0, 50, 100)
    ]
    last = -float(LABEL)
    for index, (name, places) in enumerate(zip(names, chances, strict=True)):
        x, y = LEFT + each * (index + 0.06), float(TOP)
        for place, chance in enumerate(places, 1):
            tall = (bottom - TOP) * chance
            parts.append(
                Markup('<rect class="place-{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
                    place, x, y, each * 0.88, tall
                )
            )
            y += tall
        middle = x + each * 0.44
        if middle - last >= LABEL:
            parts.append(
                Markup('<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(
                    middle, bottom + 15, name
                )
            )
            last = middle
    return _svg(wide, high, label, parts)


def columns_chart(values: Mapping[str, float], label: str, wide: int, high: int, decimals: int = 0) -> Markup:
    """A column for each value, with its label below and its number above."""
    right, bottom = wide - RIGHT, high - BOTTOM
    most = max([*values.values(), 1e-9])
    each = (right - RIGHT) / max(1, len(values))
    parts = []
    for index, (name, value) in enumerate(values.items()):
        middle = RIGHT + each * (index + 0.5)
        tall = (bottom - TOP) * value / most
        parts.append(
            Markup('<rect class="column" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2"/>').format(
                middle - each * 0.32, bottom - tall, each * 0.64, tall
            )
        )
        parts.append(
            Markup('<text class="tick" x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>').format(
                middle, bottom - tall - 5, number(value, decimals)
            )
        )
        parts.append(
            Markup('<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(
                middle, bottom + 15, name
            )
        )
    return _svg(wide, high, label, parts)


def ticks(most: float) -> tuple[int, float]:
    """The number and size of steps to reach ``most``: four to six of 1, 2 or 5 times a power of ten."""
    size = 10.0 ** floor(log10(most / 4)) if most > 0 else 1.0
    step = next(size * factor for factor in (1.0, 2.0, 5.0, 10.0) if most / (size * factor) <= 5)
    return max(1, ceil(most / step)), step


def _svg(wide: int, high: int, label: str, parts: Sequence[Markup]) -> Markup:
    head = Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(wide, high, label)
    return head + Markup("").join(parts) + Markup("</svg>")
