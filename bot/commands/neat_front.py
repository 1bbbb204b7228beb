"""The plot of ``bench neat``: hands won against points a hand, as SVG."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from bot.commands.reliability import COLOURS, INK

WIDTH, HEIGHT, MARGIN = 640, 420, 56
GROUPS: Final = {"networks": "evolved here", "searched": "search", "published": "published"}


def draw_front(figures: dict[str, Any]) -> str:
    """An SVG with a dot for each row of the figures of ``bench neat``."""
    rows = [(group, name, row) for group in GROUPS for name, row in figures[group].items() if "best of" not in name]
    across = 100 * max(row["win_rate"] for *_, row in rows) * 1.1
    upwards = max(row["points"] for *_, row in rows) * 1.1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="{INK}">',
        "<style>text { font: 11px sans-serif } .tick { font-size: 9px }</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        *_axes(across, upwards),
    ]
    for group, name, row in rows:
        colour = COLOURS[list(GROUPS).index(group)]
        x, y = _x(100 * row["win_rate"], across), _y(row["points"], upwards)
        half = row.get("half_width")
        if half:
            top, bottom = _y(row["points"] + half["points"], upwards), _y(row["points"] - half["points"], upwards)
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{bottom:.1f}" stroke="{colour}"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        parts.append(f'<text x="{x + 6:.1f}" y="{y - 4:.1f}" class="tick">{escape(name)}</text>')
    for number, title in enumerate(GROUPS.values()):
        at = MARGIN + 110 * number
        parts.append(f'<circle cx="{at}" cy="16" r="4" fill="{COLOURS[number]}"/>')
        parts.append(f'<text x="{at + 9}" y="20">{title}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _x(percent: float, most: float) -> float:
    return MARGIN + (WIDTH - 2 * MARGIN) * percent / most


def _y(points: float, most: float) -> float:
    return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * points / most


def _axes(across: float, upwards: float) -> list[str]:
    bottom, right = HEIGHT - MARGIN, WIDTH - MARGIN
    parts = [
        f'<path d="M{MARGIN} {MARGIN} V{bottom} H{right}" fill="none" stroke="#999"/>',
        f'<text x="{(MARGIN + right) / 2:.0f}" y="{bottom + 32}" text-anchor="middle">hands won, %</text>',
        f'<text x="{MARGIN}" y="{MARGIN - 10}" text-anchor="middle">points a hand</text>',
    ]
    for percent in range(0, int(across) + 1, 5):
        x = _x(percent, across)
        parts.append(f'<text x="{x:.0f}" y="{bottom + 14}" text-anchor="middle" class="tick">{percent}</text>')
    for points in range(0, int(upwards) + 1, 200):
        y = _y(points, upwards)
        parts.append(f'<text x="{MARGIN - 6}" y="{y + 3:.0f}" text-anchor="end" class="tick">{points}</text>')
    return parts
