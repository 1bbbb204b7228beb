"""Tiles as vector shapes of our own: one SVG symbol a tile, drawn by strokes and circles, no font needed.

A symbol is 30 by 40 units. Its face takes the CSS variable ``--face``, so that a page can shade discards; a red five
is all red, on a tinted face with a corner cut in red, so that it is told apart without colour too.
"""

import re
from base64 import b64encode
from cmath import rect
from collections.abc import Iterable
from functools import cache
from math import radians
from typing import Final

from engine.model.tiles import HONOURS, KINDS, KINDS37, PLAIN37, format_tile37

WIDTH: Final = 30
HEIGHT: Final = 40
STANDING: Final = 24
"""Height of a tile that stands, seen from behind and above."""

BLACK: Final = "#1c1f24"
RED: Final = "#b5121b"
BLUE: Final = "#174a8b"
GREEN: Final = "#11683c"
EDGE: Final = "#8d8778"
RED_FACE: Final = "#ffe1dc"

Glyph = tuple[str, ...]

NUMERALS: Final[tuple[Glyph, ...]] = (
    ("M6 52H94",),
    ("M20 28H80", "M6 76H94"),
    ("M14 16H86", "M22 50H78", "M6 86H94"),
    ("M12 18H88V86H12Z", "M39 20C39 44 35 54 21 62", "M61 20V52Q61 59 69 59H86"),
    ("M12 14H88", "M48 14L34 86", "M22 48H76L71 86", "M4 87H96"),
    ("M50 4V24", "M4 36H96", "M37 52L14 94", "M62 50L88 94"),
    ("M5 50L95 34", "M42 8V72Q42 87 57 87H90V70"),
    ("M38 16Q37 62 8 90", "M56 10Q60 62 94 90"),
    ("M8 36H66V72Q66 88 80 88H95V68", "M40 6Q42 68 6 94"),
)
"""Kanji 1 to 9, as strokes in a box of 100 by 100."""

TEN_THOUSAND: Final[Glyph] = (
    "M4 14H96", "M32 3V25", "M68 3V25", "M22 32H78V60H22Z", "M22 46H78", "M50 32V84", "M10 98V70H90V88Q90 97 80 97",
    "M32 88L68 82", "M61 76L70 90",
)  # fmt: skip

HONOUR_GLYPHS: Final[tuple[tuple[Glyph, str], ...]] = (
    (("M8 17H92", "M50 3V98", "M22 31H78V63H22Z", "M22 47H78", "M47 63L8 92", "M53 63L92 92"), BLACK),
    (
        ("M10 17H90", "M50 3V34", "M13 98V34H87V86Q87 96 75 96", "M35 42L41 55", "M65 42L59 55", "M28 59H72",
         "M26 75H74", "M50 59V94"),
        BLACK,
    ),
    (("M6 14H94", "M14 36H86V90H14Z", "M38 14V44Q38 62 18 66", "M62 14V56Q62 63 70 63H84"), BLACK),
    (("M37 5V95", "M8 34H37", "M4 82L37 67", "M62 5V78Q62 90 74 90H95V72", "M62 46L92 28"), BLACK),
    ((), BLUE),
    (
        ("M14 10H42Q34 34 5 44", "M20 22L32 31", "M60 5Q66 32 95 44", "M84 7L68 20", "M92 22L77 32",
         "M12 52H42V66H18V80H43Q43 97 29 97", "M62 50Q62 64 52 68", "M62 50H80V61Q80 67 94 65", "M55 76H84Q76 92 52 98",
         "M62 78Q74 94 95 98"),
        GREEN,
    ),
    (("M15 26H85V66H15Z", "M50 3V98"), RED),
)  # fmt: skip
"""East to chun: strokes and ink; the white dragon is a frame, see :func:`_white`."""

_G, _R, _B = GREEN, RED, BLUE
CIRCLES: Final[tuple[tuple[tuple[float, float, str], ...], ...]] = (
    (),
    ((15, 11.5, _G), (15, 28.5, _B)),
    ((8, 8.5, _B), (15, 20, _R), (22, 31.5, _G)),
    ((8.5, 11, _B), (21.5, 11, _G), (8.5, 29, _G), (21.5, 29, _B)),
    ((8, 9, _B), (22, 9, _G), (15, 20, _R), (8, 31, _G), (22, 31, _B)),
    ((9, 8.5, _G), (21, 8.5, _G), (9, 20.5, _R), (21, 20.5, _R), (9, 31.5, _R), (21, 31.5, _R)),
    ((6.8, 6.8, _G), (15, 10.2, _G), (23.2, 13.6, _G), (9.3, 23, _R), (20.7, 23, _R), (9.3, 33, _R), (20.7, 33, _R)),
    tuple((x, y, _B) for y in (7, 15.7, 24.4, 33.1) for x in (9.5, 20.5)),
    tuple((x, y, ink) for y, ink in ((8, _B), (20, _R), (32, _G)) for x in (6.6, 15, 23.4)),
)
"""Centres and inks of the circles, 2 to 9; the first is a wheel of its own."""
RADII: Final = (0, 6.6, 5.2, 5.4, 4.9, 4.6, 4.0, 3.8, 3.8)

STICKS: Final[tuple[tuple[tuple[float, float, float, str], ...], ...]] = (
    (),
    ((15, 11.5, 0, _G), (15, 28.5, 0, _G)),
    ((15, 11.5, 0, _G), (8.5, 28.5, 0, _G), (21.5, 28.5, 0, _G)),
    ((8.5, 11.5, 0, _G), (21.5, 11.5, 0, _G), (8.5, 28.5, 0, _G), (21.5, 28.5, 0, _G)),
    ((7, 11.5, 0, _G), (23, 11.5, 0, _G), (15, 20, 0, _R), (7, 28.5, 0, _G), (23, 28.5, 0, _G)),
    tuple((x, y, 0, _G) for y in (11.5, 28.5) for x in (7, 15, 23)),
    ((15, 8, 0, _R), *((x, y, 0, _G) for y in (20.2, 32.2) for x in (7, 15, 23))),
    (
        (5.8, 11.5, 0, _G), (24.2, 11.5, 0, _G), (11.6, 11, -28, _G), (18.4, 11, 28, _G),
        (5.8, 28.5, 0, _G), (24.2, 28.5, 0, _G), (11.6, 29, 28, _G), (18.4, 29, -28, _G),
    ),
    tuple((x, y, 0, ink) for y in (8, 20, 32) for x, ink in ((6.6, _G), (15, _R), (23.4, _G))),
)  # fmt: skip
"""Centre, tilt and ink of the bamboo sticks, 2 to 9; the first is a bird."""
LENGTHS: Final = (0, 14, 14, 14, 13, 14, 10.4, 13.6, 10.4)


@cache
def sprite() -> str:
    """A hidden SVG with the symbols ``t-1m`` … ``t-7z``, ``t-0m`` ``t-0p`` ``t-0s``, ``t-back`` and ``t-standing``."""
    symbols = [_symbol(format_tile37(tile), _face(tile), _ink(tile)) for tile in range(KINDS37)]
    back = (
        f'<rect x=".8" y=".8" width="28.4" height="38.4" rx="3.4" fill="var(--back,#d29a45)" stroke="{EDGE}"/>'
        '<rect x="4.5" y="4.5" width="21" height="31" rx="1.6" fill="none" stroke="#fff" stroke-opacity=".35"/>'
    )
    symbols.append(_symbol("back", "", back))
    symbols.append(f'<symbol id="t-standing" viewBox="0 0 {WIDTH} {STANDING}">{_standing()}</symbol>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" focusable="false">'
        f"{''.join(symbols)}</svg>"
    )


@cache
def icon() -> str:
    """The red dragon as an address of its own data: the icon of every page."""
    dragon = KINDS - 1
    drawn = _VARIABLE.sub(r"\1", _face(dragon) + _ink(dragon))
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 0 40 40">{drawn}</svg>'
    return f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"


def symbols(tiles37: Iterable[int]) -> str:
    """The symbols of these tiles for a picture without a style sheet: every colour is written out."""
    found = "".join(_symbol(format_tile37(tile), _face(tile), _ink(tile)) for tile in sorted(set(tiles37)))
    return _VARIABLE.sub(r"\1", found)


_VARIABLE: Final = re.compile(r"var\(--[a-z-]+,([^)]+)\)")


def _standing() -> str:
    """The back of a standing tile, and behind it the white of its upper side."""
    return (
        '<rect x=".6" y=".6" width="28.8" height="22.8" rx="2.6" fill="var(--side,#d8cdb0)"/>'
        '<path d="M.6 12.4V3.2Q.6 .6 3.2 .6H26.8Q29.4 .6 29.4 3.2V12.4Z" fill="var(--back,#d29a45)"/>'
        '<path d="M.6 12.4H29.4" stroke="#000" stroke-opacity=".18"/>'
    )


def _symbol(name: str, face: str, ink: str) -> str:
    return f'<symbol id="t-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{face}{ink}</symbol>'


def _face(tile37: int) -> str:
    fill = f"var(--red-face,{RED_FACE})" if tile37 >= KINDS else "var(--face,#fffdf6)"
    face = f'<rect x=".8" y=".8" width="28.4" height="38.4" rx="3.4" fill="{fill}" stroke="{EDGE}"/>'
    return face + f'<path d="M29.2 12V4.2Q29.2 .8 25.8 .8H18Z" fill="{RED}"/>' if tile37 >= KINDS else face


def _ink(tile37: int) -> str:
    kind = PLAIN37[tile37]
    red = tile37 >= KINDS
    suit, number = divmod(kind, 9)
    if kind >= HONOURS:
        glyph, ink = HONOUR_GLYPHS[kind - HONOURS]
        return _strokes(glyph, ink, 3.6, 6.5, 0.228, 0.27, 10.5) if glyph else _white()
    if suit == 0:
        top = _strokes(NUMERALS[number], RED if red else BLACK, 5.6, 3.4, 0.188, 0.164, 13.5)
        return top + _strokes(TEN_THOUSAND, RED, 6.2, 22.2, 0.176, 0.15, 8.8)
    if suit == 1:
        return _circles(number, red) if number else _wheel()
    return _sticks(number, red) if number else _bird()


def _strokes(glyph: Glyph, ink: str, x: float, y: float, wide: float, high: float, thick: float) -> str:
    """Strokes of a 100 by 100 box set at (x, y), scaled; ``thick`` in units of the box."""
    return (
        f'<g transform="translate({x} {y})scale({wide} {high})" fill="none" stroke="{ink}" stroke-width="{thick}" '
        f'stroke-linecap="square" stroke-linejoin="miter"><path d="{"".join(glyph)}"/></g>'
    )


def _white() -> str:
    return (
        f'<rect x="6" y="7" width="18" height="26" rx="1.5" fill="none" stroke="{BLUE}" stroke-width="2"/>'
        f'<rect x="8.8" y="9.8" width="12.4" height="20.4" fill="none" stroke="{BLUE}" stroke-width=".9"/>'
    )


def _circles(number: int, red: bool) -> str:
    radius = RADII[number]
    parts = []
    for x, y, ink in CIRCLES[number]:
        colour = RED if red else ink
        parts.append(f'<circle cx="{x}" cy="{y}" r="{radius - 0.7:g}" stroke="{colour}"/>')
        parts.append(f'<circle cx="{x}" cy="{y}" r="{radius * 0.38:.2g}" fill="{colour}"/>')
    return f'<g fill="#fff" stroke-width="1.5">{"".join(parts)}</g>'


def _wheel() -> str:
    petals = "".join(
        f'<ellipse cx="15" cy="14.4" rx="2" ry="3.1" fill="{GREEN}" transform="rotate({turn} 15 20)"/>'
        for turn in range(0, 360, 45)
    )
    return (
        f'<circle cx="15" cy="20" r="11" fill="#fff" stroke="{BLUE}" stroke-width="2.2"/>{petals}'
        f'<circle cx="15" cy="20" r="3.4" fill="{RED}"/><circle cx="15" cy="20" r="1.1" fill="#fff"/>'
    )


def _sticks(number: int, red: bool) -> str:
    """Each stick a thick line with a knot across its middle and a shine on both halves."""
    half = LENGTHS[number] / 2
    lines: dict[tuple[str, float], str] = {}
    shine = ""
    for x, y, tilt, ink in STICKS[number]:
        colour = RED if red else ink
        for thick, at, to in ((3.8, -1j * (half - 1.9), 1j * (half - 1.9)), (1.8, -1.6, 1.6)):
            lines[colour, thick] = lines.get((colour, thick), "") + _line(x, y, tilt, at, to)
        shine += _line(x, y, tilt, 1j * (1.6 - half), -1.8j) + _line(x, y, tilt, 1.8j, 1j * (half - 1.6))
    drawn = "".join(f'<path d="{d}" stroke="{ink}" stroke-width="{thick}"/>' for (ink, thick), d in lines.items())
    shining = f'<path d="{shine}" stroke="#fff" stroke-opacity=".55" stroke-width=".8" stroke-linecap="butt"/>'
    return f'<g fill="none" stroke-linecap="round">{drawn}{shining}</g>'


def _line(x: float, y: float, tilt: float, start: complex, end: complex) -> str:
    """A line between two points around (x, y), turned by degrees."""
    turn = rect(1.0, radians(tilt))
    start, way = complex(x, y) + start * turn, (end - start) * turn
    return f"M{start.real:.4g} {start.imag:.4g}l{way.real:.4g} {way.imag:.4g}"


def _bird() -> str:
    """A wagtail on a twig: red head, green body and tail."""
    return (
        f'<g fill="none" stroke="{GREEN}" stroke-width="1.9" stroke-linecap="round">'
        '<path d="M14 24Q8 29 5.6 35"/><path d="M15.4 25.6Q12.4 31 12 35.6"/><path d="M17 26Q17.6 31 18.4 35.6"/></g>'
        f'<path d="M7.4 17.6Q10 27.6 17.6 27.4 24.4 26.4 24 18.4 23.6 13.6 19.4 11.6L13.4 15.6Q11 18.2 7.4 17.6Z" '
        f'fill="{GREEN}"/>'
        f'<path d="M10.6 20.2Q15 19 18.8 22.6" fill="none" stroke="#fff" stroke-width="1.2" stroke-linecap="round"/>'
        f'<circle cx="19.8" cy="9" r="4.6" fill="{RED}"/><path d="M23.8 7.2L28 9.2 23.6 10.8Z" fill="{BLUE}"/>'
        '<circle cx="20.8" cy="8.2" r="1.1" fill="#fff"/>'
        f'<path d="M17 4.4Q15.6 2.4 13.2 2.6" fill="none" stroke="{RED}" stroke-width="1.4" stroke-linecap="round"/>'
    )
