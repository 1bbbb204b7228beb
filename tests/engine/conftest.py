"""A table on which a test lays out one seat's view of a hand, tile by tile."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.events import (
    Call,
    Discard,
    Draw,
    NewDora,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    StartKyoku,
    Win,
)
from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN
from engine.model.tiles import PLAIN37, TILE37, allocate136, parse_tiles37
from engine.state import GameState
from tests.oracles.naive_view import validate
from tests.samples import parse_tile37


class Table:
    """Feeds one view. Tiles are text; others' tiles are physical copies nobody has yet. Validates after each event."""

    def __init__(
        self, hand, *, seat=0, kyoku=0, honba=0, sticks=0, indicator="9s", scores=(25_000,) * 4, rules=HANCHAN
    ):
        self.used = set()
        self.state = GameState(seat, rules)
        self.rules = rules
        tiles = self.take(hand)
        hands = [None] * 4
        hands[seat] = tiles
        self.apply(StartKyoku(kyoku, honba, sticks, kyoku % 4, self.take(indicator)[0], tuple(scores), tuple(hands)))

    def take(self, text):
        tiles = allocate136(parse_tiles37(text), self.used, self.rules.red_fives)
        self.used.update(tiles)
        return tiles

    def apply(self, event):
        self.state.apply(event)
        validate(self.state)
        return self

    def held(self, text):
        """The viewer's tile that text names: the one just drawn if it fits."""
        tile37 = parse_tile37(text)
        looks = TILE37 if self.rules.red_fives else PLAIN37
        fitting = [tile for tile in self.state.hand if (looks[tile] if self.rules.red_fives else tile >> 2) == tile37]
        return self.state.drawn if self.state.drawn in fitting else fitting[0]

    def draw(self, seat, text=None):
        return self.apply(Draw(seat, self.take(text)[0] if seat == self.state.seat else None))

    def discard(self, seat, text, tsumogiri=None):
        if seat == self.state.seat:
            tile = self.held(text)
            return self.apply(Discard(seat, tile, tile == self.state.drawn))
        return self.apply(
            Discard(seat, self.take(text)[0], self.state.phase.name == "DRAWN" if tsumogiri is None else tsumogiri)
        )

    def turn(self, seat, drawn, discarded=None):
        """Draw and discard; of another seat only the discard is given, as ``drawn``."""
        self.draw(seat, drawn)
        return self.discard(seat, discarded or drawn)

    def others(self, *texts):
        """The three after the viewer discard what they draw."""
        for away, text in enumerate(texts, 1):
            self.turn((self.state.seat + away) % 4, text)
        return self

    def riichi(self, seat, text, accept=True):
        self.apply(RiichiDeclared(seat))
        self.discard(seat, text)
        return self.apply(RiichiAccepted(seat)) if accept else self

    def meld(self, kind, seat, own):
        """A call of the tile on offer; ``own``: text of the caller's tiles."""
        if seat == self.state.seat:
            tiles = [self.held(f"{number}{own[-1]}") for number in own[:-1]]
            if len(set(tiles)) < len(tiles):
                tiles = [tile for tile in self.state.hand if tile >> 2 == tiles[0] >> 2][: len(tiles)]
        else:
            tiles = self.take(own)
        called = self.state.offered
        return Meld(kind, tuple(sorted((*tiles, called))), called, self.state.turn)

    def chi(self, seat, own):
        return self.apply(Call(seat, self.meld(MeldKind.CHI, seat, own)))

    def pon(self, seat, own):
        return self.apply(Call(seat, self.meld(MeldKind.PON, seat, own)))

    def daiminkan(self, seat, own):
        return self.apply(Call(seat, self.meld(MeldKind.DAIMINKAN, seat, own)))

    def ankan(self, seat, text):
        """``text``: the four tiles."""
        kind = PLAIN37[parse_tiles37(text)[0]]
        tiles = tuple(range(4 * kind, 4 * kind + 4))
        if seat != self.state.seat:
            self.used.update(tiles)
        return self.apply(Call(seat, Meld(MeldKind.ANKAN, tiles, None, seat, tiles[0])))

    def kakan(self, seat, text):
        kind = PLAIN37[parse_tile37(text)]
        pon = next(meld for meld in self.state.melds[seat] if meld.kind is MeldKind.PON and meld.tile34 == kind)
        added = self.held(text) if seat == self.state.seat else self.take(text)[0]
        tiles = tuple(sorted((*pon.tiles, added)))
        return self.apply(Call(seat, Meld(MeldKind.KAKAN, tiles, pon.called, pon.from_seat, added)))

    def dora(self, text):
        return self.apply(NewDora(self.take(text)[0]))

    def win(self, seat, from_seat=None, deltas=(0, 0, 0, 0)):
        giver = seat if from_seat is None else from_seat
        tile = self.state.offered if giver != seat else self.state.drawn
        return self.apply(Win(seat, giver, tile, deltas))

    def ryuukyoku(self, kind, deltas=(0, 0, 0, 0)):
        return self.apply(Ryuukyoku(kind, deltas))

    def run_down(self, left):
        """Everyone discards what comes, all over safe ground, until ``left`` tiles are in the wall."""
        spare = [tile for tile in range(135, -1, -1) if tile not in self.used]
        while self.state.wall_left > left:
            seat = (self.state.turn + 1) % 4 if self.state.phase.name == "DISCARDED" else self.state.turn
            tile = spare.pop()
            self.used.add(tile)
            self.apply(Draw(seat, tile if seat == self.state.seat else None))
            self.apply(Discard(seat, tile, True))
        return self

    def kinds(self, kind):
        """The viewer's legal actions of a kind."""
        return [action for action in self.state.legal_actions() if action.kind is kind]

    def can(self, kind):
        return bool(self.kinds(kind))

    def discards(self):
        """What the viewer may discard, as text."""
        return {str(action).removeprefix("discard ") for action in self.kinds(ActionKind.DISCARD)}


@pytest.fixture
def table():
    return Table


@pytest.fixture
def riichi_table(table):
    """Seat 0 holds 14 tiles, seat 1 has just called riichi with 5s after a 7m; settings are those of ``table``."""

    def deal_riichi(**settings):
        deal = table("1599m1478p258s36z", indicator="2z", **settings)
        deal.turn(0, "9s")
        deal.turn(1, "7m", "7m")
        deal.turn(2, "1s")
        deal.turn(3, "2p")
        deal.turn(0, "9s")
        deal.draw(1)
        deal.riichi(1, "5s")
        deal.turn(2, "1m")
        deal.turn(3, "8p")
        return deal.draw(0, "4m")

    return deal_riichi
