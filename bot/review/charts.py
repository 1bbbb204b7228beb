"""Charts as SVG, drawn here: no library, no request, colours from the page's style sheet by class."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10, sqrt
from statistics import fmean, stdev
from typing import Final

from markupsafe import Markup

from bot.wording.languages import decimals_of, number

LEFT: Final = 52
RIGHT: Final = 12
TOP: Final = 20
BOTTOM: Final = 22
"""Margins of a chart: left for the numbers of the axis, below for labels."""
DAY: Final = 100
"""Minimum distance between two labels of games, which are days."""
WINDOW: Final = 10
"""Number of games in the running mean."""


def series_chart(
    points: Sequence[tuple[str, float | None, float | None]],
    label: str,
    level: tuple[str, float] | None,
    wide: int,
    high: int,
) -> Markup:
    """A dot for what each game lost with its standard error, and the mean of the last games with its 95% interval.

    The axis covers what is shown.

    Args:
        points: name, what was lost and its standard error of each game; None is a gap.
        label: description for screen readers.
        level: name and value of a line across, such as the mean of other players; None: there is none.
        wide: width in units.
        high: height in units.
    """
    right, bottom = wide - RIGHT, high - BOTTOM
    known = [(at, lost, error or 0.0) for at, (_, lost, error) in enumerate(points) if lost is not None]
    means = _running([lost for _, lost, _ in known])
    ends = [value for _, lost, error in known for value in (max(0.0, lost - error), lost + error)]
    ends += [level[1]] if level else []
    low, high_value, step = _span(ends or [0.0, 100.0])

    def x(index: float) -> float:
        return LEFT + (right - LEFT) * (index + 0.5) / max(1, len(points))

    def y(value: float) -> float:
        return bottom - (bottom - TOP) * (min(max(value, low), high_value) - low) / (high_value - low)

    parts = []
    parts += _grid([low + count * step for count in range(round((high_value - low) / step) + 1)], step, y, right)
    parts += _names([name for name, _, _ in points], x, wide, bottom)
    if level is not None:
        parts.append(
            Markup('<line class="level" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>').format(LEFT, right, y(level[1]))
            + Markup('<text class="tick" x="{}" y="{:.1f}">{}</text>').format(LEFT + 2, y(level[1]) + 13, level[0])
        )
    band = [
        (x(at), y(mean - spread), y(mean + spread)) for (at, _, _), (mean, spread) in zip(known, means, strict=True)
    ]
    upper = "".join(f"{'L' if at else 'M'}{one:.1f} {top:.1f}" for at, (one, _, top) in enumerate(band))
    lower = "".join(f"L{one:.1f} {under:.1f}" for one, under, _ in reversed(band))
    if len(band) > 1:
        parts.append(Markup('<path class="band" d="{}Z"/>').format(upper + lower))
    for at, lost, error in known:
        parts.append(
            Markup('<line class="error" x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}"/>').format(
                x(at), y(lost - error), y(lost + error)
            )
            + Markup('<circle class="point" cx="{:.1f}" cy="{:.1f}" r="3"><title>{}</title></circle>').format(
                x(at), y(lost), points[at][0]
            )
        )
    path = "".join(
        f"{'L' if at else 'M'}{x(one[0]):.1f} {y(mean):.1f}"
        for at, (one, (mean, _)) in enumerate(zip(known, means, strict=True))
    )
    parts.append(Markup('<path class="line" d="{}"/>').format(path or f"M{LEFT} {bottom}"))
    return svg(wide, high, label, parts)


def _grid(values: Sequence[float], step: float, y: Callable[[float], float], right: int) -> list[Markup]:
    """A line across at each value, with the value before it."""
    return [
        Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(LEFT, right, y(tick), y(tick))
        + Markup('<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(
            LEFT - 6, y(tick) + 4, number(tick, decimals_of(step))
        )
        for tick in values
    ]


def _running(values: Sequence[float]) -> list[tuple[float, float]]:
    """For each value the mean of the last :data:`WINDOW` up to it, and the half-width of its 95% interval."""
    found = []
    for at in range(len(values)):
        last = values[max(0, at + 1 - WINDOW) : at + 1]
        found.append((fmean(last), 1.96 * stdev(last) / sqrt(len(last)) if len(last) > 2 else 0.0))
    return found


def _span(values: Sequence[float]) -> tuple[float, float, float]:
    """(lowest, highest, step) of an axis that covers the values, at most up to 100."""
    steps, step = ticks(max(max(values) - min(values), 1.0))
    low = step * floor(min(values) / step)
    while low + steps * step < min(max(values), 100.0):
        steps += 1
    return low, low + steps * step, step


def names_of_games(days: Sequence[str]) -> list[str]:
    """Names of a list's games: their days, with the game's number where several share one; otherwise numbers."""
    counts = Counter(days)
    return [day if day and counts[day] == 1 else f"{day} #{number}".strip() for number, day in enumerate(days, 1)]


def _names(names: Sequence[str], x: Callable[[float], float], wide: int, bottom: int) -> list[Markup]:
    """The games below the axis, as many as there is room for; a day is not said twice in a row."""
    parts, last, said = [], -float(DAY), ""
    for at, name in enumerate(names):
        if x(at) - last >= DAY and x(at) - DAY / 2 + 8 >= LEFT and x(at) + DAY / 2 <= wide:
            last = x(at)
            day, _, number = name.rpartition("#")
            parts.append(
                Markup('<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(
                    last, bottom + 15, f"#{number}" if day and day == said else name
                )
            )
            said = day
    return parts


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
    return svg(wide, high, label, parts)


def ticks(most: float) -> tuple[int, float]:
    """The number and size of steps to reach ``most``: four to six of 1, 2 or 5 times a power of ten."""
    size = 10.0 ** floor(log10(most / 4)) if most > 0 else 1.0
    step = next(size * factor for factor in (1.0, 2.0, 5.0, 10.0) if most / (size * factor) <= 5)
    return max(1, ceil(most / step)), step


def svg(wide: int, high: int, label: str, parts: Sequence[Markup], role: str = "img") -> Markup:
    """A chart of its parts; ``role``: for screen readers, an image, or a group where its parts lead somewhere."""
    head = Markup('<svg class="chart" viewBox="0 0 {} {}" role="{}" aria-label="{}">').format(wide, high, role, label)
    return head + Markup("").join(parts) + Markup("</svg>")
