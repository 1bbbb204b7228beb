"""Tiles, and a seat's view of a table, as pictures: SVG that needs no fonts for its tiles, style sheet or network."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from bot.machine.text import plural
from bot.page.table import CALLED, RIICHI, WrittenMeld, table_fields
from bot.page.tile_art import HEIGHT, WIDTH, symbols
from bot.wording.events import SIDES
from engine.model.seats import WIND_LETTERS, relative, turn_order
from engine.model.tiles import DORA_AFTER, format_tile37, parse_tiles37
from engine.state import GameState

WIDE: Final = 760
MARGIN: Final = 20
GAP: Final = 12
LABEL: Final = 150
"""Width of the column that names a player."""
SMALL: Final = 0.72
"""Scale of tiles in rivers and melds of others."""
HAND: Final = 1.35
"""Scale of the own hand."""
PAPER, INK, FADED, LINE = "#f4f1e8", "#1f2328", "#5d6570", "#c9c2b2"


class _Canvas:
    """Collects shapes from top to bottom.

    Attributes:
        y: where the next row begins.
    """

    def __init__(self) -> None:
        self.y = float(MARGIN)
        self._parts: list[str] = []
        self._used: set[str] = set()

    def text(self, x: float, words: str, *, size: int = 15, colour: str = INK) -> None:
        """Words on a line whose top is at ``y``."""
        self._parts.append(
            f'<text x="{x:g}" y="{self.y + size:g}" font-size="{size}" fill="{colour}">{escape(words)}</text>'
        )

    def tile(self, x: float, name: str, scale: float, *, sideways: bool = False, faded: bool = False) -> float:
        """A tile; returns where the next one begins."""
        self._used.add(name)
        wide, high = WIDTH * scale, HEIGHT * scale
        at = f'transform="translate({x:g} {self.y + high:g}) rotate(-90)"' if sideways else f'x="{x:g}" y="{self.y:g}"'
        shade = ' opacity=".55"' if faded else ""
        self._parts.append(f'<use href="#t-{name}" width="{wide:g}" height="{high:g}" {at}{shade}/>')
        return x + (high if sideways else wide) + 1

    def tiles(self, x: float, names: str, scale: float) -> float:
        """Tiles in a row, written without separators."""
        for at in range(0, len(names), 2):
            x = self.tile(x, names[at : at + 2], scale)
        return x

    def river(self, x: float, river: str) -> None:
        """A river: the riichi tile lies sideways, called tiles are faded."""
        for at in range(0, len(river), 3):
            marks = int(river[at + 2])
            x = self.tile(x, river[at : at + 2], SMALL, sideways=bool(marks & RIICHI), faded=bool(marks & CALLED))

    def melds(self, x: float, melds: Sequence[WrittenMeld], scale: float) -> float:
        """Melds in a row: the called tile lies sideways."""
        for meld in melds:
            x = self.tiles(x + GAP, meld["tiles"], scale)
            for tile in (meld.get("called"), meld.get("added")):
                if tile is not None:
                    x = self.tile(x, tile, scale, sideways=True)
        return x

    def line(self) -> None:
        """A rule across the picture."""
        self._parts.append(f'<path d="M{MARGIN} {self.y:g}H{WIDE - MARGIN}" stroke="{LINE}"/>')

    def finish(self, wide: float = WIDE) -> str:
        """The whole picture."""
        high = self.y + MARGIN
        drawn = symbols(parse_tiles37("".join(self._used)) if self._used else ())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
            f'height="{high:g}" font-family="system-ui, sans-serif"><defs>{drawn}</defs>'
            f'<rect width="{wide:g}" height="{high:g}" rx="10" fill="{PAPER}"/>{"".join(self._parts)}</svg>\n'
        )


def tiles_picture(tiles37: Sequence[int]) -> str:
    """Tiles in a row."""
    canvas = _Canvas()
    end = canvas.tiles(MARGIN, "".join(map(format_tile37, tiles37)), 1.0)
    canvas.y += HEIGHT
    return canvas.finish(end + MARGIN)


def image(picture: str, words: str) -> str:
    """A picture as an element of a page of others, with the words for those who do not see it."""
    data = b64encode(picture.encode()).decode()
    return f'<img alt="{escape(words)}" src="data:image/svg+xml;base64,{data}">'


def state_picture(state: GameState, title: str) -> str:
    """A seat's view: the others' melds and rivers, the own river, and the hand."""
    fields = table_fields(state)
    canvas = _Canvas()
    _title(canvas, f"{title}, {plural(state.wall_left, 'tile')} left", (tile >> 2 for tile in state.dora_indicators))
    for side in (3, 2, 1, 0):
        seat = turn_order(state.seat)[side]
        wind = WIND_LETTERS[relative(seat, state.dealer)]
        canvas.text(MARGIN, f"{SIDES[side]} {wind}{'  riichi' * fields['riichi'][side]}")
        top = canvas.y
        canvas.y += 20
        canvas.text(MARGIN, f"{fields['scores'][side]:,}", size=13, colour=FADED)
        canvas.y = top
        canvas.river(LABEL, fields["rivers"][side])
        if side and fields["melds"][side]:
            canvas.y += HEIGHT * SMALL + 6
            canvas.melds(LABEL - GAP, fields["melds"][side], SMALL)
        canvas.y = max(canvas.y + HEIGHT * SMALL, top + 38) + GAP
    canvas.line()
    canvas.y += GAP
    _hand(canvas, fields["hand"], fields["drawn"], fields["melds"][0], (fields["offered"], SIDES[fields["turn"]]))
    return canvas.finish()


def _title(canvas: _Canvas, words: str, indicators: Iterable[int]) -> None:
    canvas.text(MARGIN, words, size=16)
    dora = "".join(format_tile37(DORA_AFTER[kind]) for kind in indicators)
    if dora:
        x = WIDE - MARGIN - (WIDTH * SMALL + 1) * len(dora) / 2
        canvas.text(x - 48, "dora", size=14, colour=FADED)
        canvas.tiles(x, dora, SMALL)
    canvas.y += HEIGHT * SMALL + GAP


def _hand(
    canvas: _Canvas, hand: str, drawn: str | None, melds: Sequence[WrittenMeld], offer: tuple[str | None, str]
) -> None:
    offered, side = offer
    if offered:
        canvas.text(MARGIN, f"{side} discards", size=14, colour=FADED)
        canvas.tile(MARGIN + 110, offered, SMALL)
        canvas.y += HEIGHT * SMALL + GAP
    room = len(hand) / 2 + bool(drawn) + 4.2 * len(melds)
    scale = min(HAND, (WIDE - 2 * MARGIN - GAP * (len(melds) + 1)) / (room * (WIDTH + 1)))
    x = canvas.tiles(MARGIN, hand, scale)
    if drawn:
        x = canvas.tile(x + GAP, drawn, scale)
    canvas.melds(x, melds, scale)
    canvas.y += HEIGHT * scale
