"""The legal answers of one seat: the library's actions as physical ones, and an answer back as the library's."""

from __future__ import annotations

from collections.abc import Sequence

from jansou.core.tiles import Tile
from jansou.game import actions as lib

from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.rules import Rules
from engine.model.tiles import KINDS, TILE34, TILE37, TILES


class IllegalAnswerError(ValueError):
    """An answer that the rules do not allow; the message says what was asked and what was answered."""


class Offers:
    """The legal answers of one seat.

    Attributes:
        actions: answers that nobody can tell apart (copies of a plain tile, none just drawn) appear once, with the
            lowest copies.
        ron: whether a win on another player's tile is among them.
    """

    __slots__ = ("_drawn", "_hand", "_library", "_looks", "_offered", "actions", "ron")

    def __init__(
        self, actions: Sequence[lib.Action], hand: Sequence[int], drawn: int | None, offered: int, rules: Rules
    ) -> None:
        """Translate the library's actions.

        Args:
            actions: the library's actions for this seat.
            hand: concealed ``tile136``, without the drawn one.
            drawn: the tile just drawn.
            offered: another player's tile that may be claimed, or -1.
            rules: rules of the table.
        """
        self._looks = TILE37 if rules.red_fives else TILE34
        self._hand = sorted(hand)
        self._drawn = drawn
        self._offered = offered
        self._library = tuple(actions)
        self.actions = tuple(self._read(action) for action in actions)
        self.ron = any(action.kind is ActionKind.RON for action in self.actions)

    def choose(self, answer: Action) -> lib.Action:
        """The library's action for an answer or any physical equivalent.

        Raises:
            IllegalAnswerError: the answer is not legal.
        """
        for form in (answer, self._canonical(answer)):
            if form in self.actions:
                return self._library[self.actions.index(form)]
        raise IllegalAnswerError(f"{answer!r} is not legal; legal are: {', '.join(map(str, self.actions))}")

    def _canonical(self, answer: Action) -> Action:
        """The same answer with the lowest copies; the answer itself if it names tiles that are not held."""
        kind, tile = answer.kind, answer.tile
        if kind in (ActionKind.DISCARD, ActionKind.RIICHI) and tile in self._hand:
            return Action(kind, self._lowest(self._looks[tile])[0])
        if kind is ActionKind.ANKAN and 0 <= tile < TILES:
            return Action(kind, tile // 4 * 4)
        if kind in (ActionKind.CHI, ActionKind.PON) and len(set(answer.own) & set(self._hand)) == 2 == len(answer.own):
            return Action(kind, tile, self._lowest(*(self._looks[held] for held in answer.own)))
        return answer

    def _lowest(self, *looks: int) -> tuple[int, ...]:
        """The lowest held tiles of these looks, ascending."""
        chosen: list[int] = []
        for look in looks:
            chosen.append(next(held for held in self._hand if self._looks[held] == look and held not in chosen))
        return tuple(sorted(chosen))

    def _read(self, action: lib.Action) -> Action:
        """The library's action with its physical tiles: the lowest copies, or the tile just drawn."""
        drawn = -1 if self._drawn is None else self._drawn
        match action:
            case lib.Discard() | lib.Riichi():
                kind = ActionKind.DISCARD if isinstance(action, lib.Discard) else ActionKind.RIICHI
                return Action(kind, drawn if action.tsumogiri else self._lowest(_look(action.tile))[0])
            case lib.Chii() | lib.Pon():
                kind = ActionKind.CHI if isinstance(action, lib.Chii) else ActionKind.PON
                return Action(kind, self._offered, self._lowest(*map(_look, action.tiles)))
            case lib.AddedKan(tile):
                added = drawn >= 0 and self._looks[drawn] == _look(tile)
                return Action(ActionKind.KAKAN, drawn if added else self._lowest(_look(tile))[0])
            case lib.ClosedKan(kind34):
                return Action(ActionKind.ANKAN, 4 * int(kind34))
            case lib.OpenKan():
                return Action(ActionKind.DAIMINKAN, self._offered)
            case lib.Tsumo():
                return Action(ActionKind.TSUMO, drawn)
            case lib.Ron():
                return Action(ActionKind.RON, self._offered)
            case lib.NineTerminals():
                return NINE_TERMINALS
            case lib.Pass():
                return PASS
        raise RuntimeError(f"the library offers {action!r}, which does not exist in four-player games")


def _look(tile: Tile) -> int:
    """The ``tile37`` of a tile, as the library sees it."""
    return KINDS + int(tile.kind) // 9 if tile.red else int(tile.kind)
