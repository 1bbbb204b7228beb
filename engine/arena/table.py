"""The physical tiles of one hand: who holds which ``tile136``, in addition to a library that knows only kinds."""

from typing import Final

from engine.arena.walls import Wall
from engine.model.actions import Action, ActionKind
from engine.model.melds import Meld, MeldKind
from engine.model.seats import SEATS

_CALLS: Final = {
    ActionKind.CHI: MeldKind.CHI,
    ActionKind.PON: MeldKind.PON,
    ActionKind.DAIMINKAN: MeldKind.DAIMINKAN,
}


class TableTiles:
    """Hands, melds and positions in the wall. The methods trust their caller; the library decides what is possible.

    Attributes:
        hands: concealed tiles by seat, in the order received, without the tile just drawn.
        drawn: the tile just drawn by seat, or None.
        melds: by seat, oldest first.
        offered: the tile last discarded or added to a pon, which others may claim; -1 before the first.
        offered_by: seat that offered it.
        dora_turned: number of indicators turned.
    """

    __slots__ = ("_live", "_rinshan", "_wall", "dora_turned", "drawn", "hands", "melds", "offered", "offered_by")

    def __init__(self, wall: Wall, dealer: int) -> None:
        self._wall = wall
        self._live = iter(wall.live)
        self._rinshan = iter(wall.rinshan)
        self.hands = [list(wall.hands[(seat - dealer) % 4]) for seat in SEATS]
        self.drawn: list[int | None] = [None, None, None, None]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.offered = -1
        self.offered_by = dealer
        self.dora_turned = 1

    def draw(self, seat: int, rinshan: bool) -> int:
        """Draw from the wall or, after a kan, from the dead wall."""
        tile = self.drawn[seat] = next(self._rinshan if rinshan else self._live)
        return tile

    def turn_dora(self) -> int:
        """Turn the next indicator."""
        self.dora_turned += 1
        return self._wall.dora_indicators[self.dora_turned - 1]

    def discard(self, seat: int, tile: int) -> None:
        """Discard a tile."""
        self._remove(seat, tile)
        self.offered, self.offered_by = tile, seat

    def call(self, seat: int, answer: Action) -> Meld:
        """Make a chi, pon or daiminkan with the discard."""
        own = answer.own
        if answer.kind is ActionKind.DAIMINKAN:
            own = tuple(held for held in self.hands[seat] if held // 4 == self.offered // 4)
        for held in own:
            self._remove(seat, held)
        meld = Meld(_CALLS[answer.kind], tuple(sorted((*own, self.offered))), self.offered, self.offered_by)
        self.melds[seat].append(meld)
        return meld

    def self_kan(self, seat: int, answer: Action) -> Meld:
        """Make an ankan or kakan; the tile added may then be claimed."""
        if answer.kind is ActionKind.ANKAN:
            lowest = answer.tile // 4 * 4
            meld = Meld(MeldKind.ANKAN, tuple(range(lowest, lowest + 4)), None, seat, answer.tile)
            for tile in meld.tiles:
                self._remove(seat, tile)
            self.melds[seat].append(meld)
            return meld
        melds = self.melds[seat]
        place = next(
            place for place, pon in enumerate(melds) if pon.kind is MeldKind.PON and pon.tile34 == answer.tile // 4
        )
        pon = melds[place]
        tiles = tuple(sorted((*pon.tiles, answer.tile)))
        melds[place] = Meld(MeldKind.KAKAN, tiles, pon.called, pon.from_seat, answer.tile)
        self.discard(seat, answer.tile)
        return melds[place]

    def concealed(self, seat: int, *more: int) -> tuple[int, ...]:
        """All concealed tiles, ascending, including a drawn one and ``more``."""
        drawn = self.drawn[seat]
        return tuple(sorted((*self.hands[seat], *more) if drawn is None else (*self.hands[seat], drawn, *more)))

    def _remove(self, seat: int, tile: int) -> None:
        """Remove a tile from the hand; a drawn tile that stays joins the others."""
        hand, drawn = self.hands[seat], self.drawn[seat]
        if drawn is not None:
            hand.append(drawn)
            self.drawn[seat] = None
        hand.remove(tile)
