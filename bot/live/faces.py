"""Tiles as rich text: two columns per tile, one colour per suit, red fives in red, honours by name."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final

from rich.text import Text

from bot.wording.tiles import MARK
from engine.model.melds import Meld, MeldKind
from engine.model.seats import relative
from engine.model.tiles import HONOURS, TILE34, TILE37, allocate136, format_tile37, parse_tile37
from engine.state import RiverTile

SUIT_STYLES: Final = ("yellow", "cyan", "green", "white")
RED_STYLE: Final = "bold red"
HONOUR_NAMES: Final = ("東", "南", "西", "北", "白", "發", "中")
HONOUR_LETTERS: Final = ("Ea", "So", "We", "No", "Wh", "Gr", "Rd")
"""The honours on terminals that cannot show the characters."""


class Faces:
    """Renders tiles.

    Args:
        red_fives: whether the rules have red fives.
        letters: whether honours are written in ASCII.
    """

    def __init__(self, red_fives: bool = True, letters: bool = False) -> None:
        self._looks = TILE37 if red_fives else TILE34
        self._honours = HONOUR_LETTERS if letters else HONOUR_NAMES

    def tile(self, tile136: int, style: str = "") -> Text:
        """One tile; ``style`` is added to its colour."""
        look = self._looks[tile136]
        kind = tile136 >> 2
        name = self._honours[kind - HONOURS] if kind >= HONOURS else format_tile37(look)
        face = Text(name, RED_STYLE if look >= 34 else SUIT_STYLES[kind // 9])
        if style:
            face.stylize(style)
        return face

    def row(self, tiles136: Iterable[int], dora: Container[int] = (), style: str = "") -> Text:
        """Tiles side by side, each of a kind in ``dora`` followed by a star."""
        shown = Text()
        for tile in tiles136:
            shown.append_text(self.tile(tile, style)).append("*" if tile >> 2 in dora else " ")
        return shown

    def kind(self, tile34: int) -> Text:
        """A kind of tile, not red."""
        return self.tile(4 * tile34 + 1)

    def sentence(self, text: str) -> Text:
        """A sentence with its marked tiles rendered; see :mod:`bot.wording.tiles`."""
        parts = MARK.split(text)  # text and tiles alternate
        faces = [self.tile(tile136) for tile in parts[1::2] for tile136 in allocate136([parse_tile37(tile)])]
        shown = Text(parts[0])
        for face, after in zip(faces, parts[2::2], strict=True):
            shown.append_text(face).append(after or " ")
        return shown

    def river(self, river: list[RiverTile], across: int = 6, dora: Container[int] = ()) -> list[Text]:
        """Discards in rows: tsumogiri dim, the riichi tile reversed, called tiles struck out; dora have a star."""
        rows = []
        for start in range(0, len(river), across):
            row = Text()
            for tile in river[start : start + across]:
                marks = ["dim"] if tile.tsumogiri else []
                marks += ["reverse"] if tile.riichi else []
                marks += ["strike"] if tile.called_by is not None else []
                row.append_text(self.row((tile.tile,), dora, " ".join(marks)))
            rows.append(row)
        return rows

    def meld(self, meld: Meld, owner: int) -> Text:
        """A meld in brackets with the called tile underlined, followed by its source: ``<``, ``^``, ``>``."""
        arrow = {1: ">", 2: "^", 3: "<"}.get(relative(meld.from_seat, owner), "")
        faces = [self.tile(tile, "underline" if tile == meld.called else "") for tile in meld.tiles]
        if meld.kind is MeldKind.ANKAN:
            faces[0] = faces[-1] = Text("▒▒", "dim")
        return Text.assemble("[", Text(" ").join(faces), f"]{arrow}")
