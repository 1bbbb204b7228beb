"""Tiles on a terminal: in their suits' colours, and in the notation that was chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from engine.model.actions import Action, ActionKind
from engine.model.notation import KANJI, LETTERS, Notation, read_tiles37, write_tile37, write_tiles37
from engine.model.tiles import TILE34, TILE37, format_tile37
from engine.shanten import Ukeire

COPIES: Final = "₀₁₂₃₄"
SUIT_STYLES: Final = {"m": "red", "p": "cyan", "s": "green", "z": "magenta"}


@dataclass(frozen=True, slots=True)
class TileWriter:
    """Writes tiles in one notation.

    Attributes:
        notation: the notation.
    """

    notation: Notation = Notation.MPSZ

    def tile(self, tile37: int) -> Text:
        """A tile in its suit's colour."""
        return Text(write_tile37(tile37, self.notation), style=SUIT_STYLES[format_tile37(tile37)[1]])

    def row(self, tiles37: Iterable[int]) -> Text:
        """Tiles in the order given, each as a word."""
        return Text(" ").join(map(self.tile, tiles37))

    def hand(self, tiles136: Iterable[int], red_fives: bool = True) -> str:
        """Compact text of physical tiles, sorted."""
        looks = TILE37 if red_fives else TILE34
        return write_tiles37((looks[tile] for tile in tiles136), self.notation)

    def text(self, mpsz: str) -> str:
        """Tiles that are given as mpsz text."""
        return write_tiles37(read_tiles37(mpsz), self.notation)

    def copies(self, found: Ukeire) -> Text:
        """Tiles, each with the number of copies left: ``2₄5₃m1₂z``."""
        text = Text()
        suit = ""
        for kind, copies in found.tiles:
            name = write_tile37(kind, self.notation)
            style = SUIT_STYLES[format_tile37(kind)[1]]
            rank, its_suit = (name, "") if name in LETTERS or name in KANJI else (name[0], name[1])
            if suit and its_suit != suit:
                text.append(f"{suit} ", style=SUIT_STYLES[suit])
            suit = its_suit
            text.append(rank, style=style).append(COPIES[copies], style="dim")
        return text.append(suit, style=SUIT_STYLES[suit]) if suit else text

    def action(self, action: Action, *, red_fives: bool = True) -> Text:
        """An action in a few words; a discard is its tile."""
        looks = TILE37 if red_fives else TILE34
        if action.kind is ActionKind.DISCARD:
            return self.tile(looks[action.tile])
        text = Text(action.kind.name.lower().replace("_", " "), style="bold")
        if action.tile >= 0:
            text = text + Text(" ") + self.tile(looks[action.tile])
        if action.own:
            text = text + Text(" with ", style="dim") + self.row(looks[tile] for tile in action.own)
        return text
