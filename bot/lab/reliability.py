"""Reliability diagrams: stated chances beside how often the event came."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

from engine.train.scores import Bin

PANEL: Final = 220
MARGIN: Final = 48
INK: Final = "#444"
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
"""Colours that colour-blind readers can distinguish."""

Lines = Mapping[str, Sequence[Bin]]
"""By name, the groups of similar chances that are the dots of a line."""


def draw_reliability(panels: Mapping[str, Lines]) -> str:
    """An SVG with one panel for each title and one line for each name; dots are groups of about equal size."""
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    width = MARGIN + len(panels) * (PANEL + MARGIN)
    height = PANEL + 2 * MARGIN + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" fill="{INK}">',
        "<style>text { font: 11px sans-serif } .title { font-size: 13px } .tick { font-size: 9px }</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, (title, lines) in enumerate(panels.items()):
        parts += _panel(MARGIN + number * (PANEL + MARGIN), title, {name: lines.get(name, ()) for name in names})
    for number, name in enumerate(names):
        at = MARGIN + 110 * number
        parts.append(f'<circle cx="{at}" cy="{height - 14}" r="4" fill="{_colour(number)}"/>')
        parts.append(f'<text x="{at + 9}" y="{height - 10}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _panel(left: int, title: str, lines: Lines) -> list[str]:
    most = max((value for bins in lines.values() for each in bins for value in (each.said, each.happened)), default=1.0)
    most = max(most, 1e-3)

    def place(each: Bin) -> tuple[float, float]:
        # the square root spreads the small chances, which are the most frequent
        return left + PANEL * sqrt(each.said / most), MARGIN + PANEL * (1 - sqrt(each.happened / most))

    bottom, right = MARGIN + PANEL, left + PANEL
    parts = [
        f'<text x="{left}" y="{MARGIN - 12}" class="title">{title}</text>',
        f'<rect x="{left}" y="{MARGIN}" width="{PANEL}" height="{PANEL}" fill="none" stroke="#ccc"/>',
        f'<line x1="{left}" y1="{bottom}" x2="{right}" y2="{MARGIN}" stroke="#ccc" stroke-dasharray="4 3"/>',
    ]
    for share in (0.01, 0.1, 0.25, 0.5, 1.0):
        along = PANEL * sqrt(share)
        text = f"{100 * most * share:.2g}%"
        parts.append(f'<text x="{left + along:.0f}" y="{bottom + 14}" text-anchor="middle" class="tick">{text}</text>')
        parts.append(f'<text x="{left - 4}" y="{bottom - along + 3:.0f}" text-anchor="end" class="tick">{text}</text>')
    parts.append(f'<text x="{left + PANEL / 2:.0f}" y="{bottom + 28}" text-anchor="middle">predicted</text>')
    for number, bins in enumerate(lines.values()):
        colour = _colour(number)
        dots = [place(each) for each in bins]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>' for x, y in dots]
    return parts
