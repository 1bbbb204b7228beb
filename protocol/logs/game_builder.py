"""Builds events for formats that name only kinds of tiles, assigning a physical copy to each tile as it appears.

tenhou.net/6 and mjai say ``5p`` where the engine needs one of four tiles. A :class:`GameBuilder` looks into the hands,
so that the copy that was drawn is the copy that is discarded, called or won with. Copies are assigned lowest first, in
the order in which tiles are seen; the same play gives the same events from either format.

The builder also supplies what such formats leave out because it follows from the play: when a riichi was accepted, when
a kan's indicator was turned, and the scores before a win.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.model import events as ev
from engine.model.bounds import fault_of_changes
from engine.model.melds import Meld, MeldKind
from engine.model.rules import LIVE_WALL, RIICHI_STICK, Rules
from engine.model.seats import Four, by_score, dealer_of, four, next_seat
from engine.model.tiles import KINDS, KINDS37, PLAIN37, RED_FIVES, TILES, format_tile, format_tile37, tile37_of
from protocol.logs.hands import Game
from protocol.tenhou.events import cut_name

_NAMES: Final = {red: tuple(tile37_of(tile, red) for tile in range(TILES)) for red in (True, False)}
_COPIES: Final = {
    red: (
        *(tuple(tile for tile in range(TILES) if _NAMES[red][tile] == kind) for kind in range(KINDS)),
        *((tile,) for tile in RED_FIVES),
    )
    for red in (True, False)
}
"""The ``tile136`` that each ``tile37`` may stand for, lowest first, with and without red fives."""
LAID_OUT: Final = tuple(2 * PLAIN37[tile] + (tile >= KINDS) for tile in range(KINDS37))
"""The place of each ``tile37`` in a hand as it is laid out: by suit and number, a red five after the plain ones."""


def tile37_names(rules: Rules) -> tuple[int, ...]:
    """The ``tile37`` of each ``tile136``; without red fives every five is plain."""
    return _NAMES[rules.red_fives]


def sort37(tiles: Iterable[int]) -> list[int]:
    """Sort ``tile37`` as a hand is laid out."""
    return sorted(tiles, key=LAID_OUT.__getitem__)


class GameBuilder(Game):
    """A game of which only kinds of tiles are named. Feed it the play in order; ``events`` grows.

    Every method raises :class:`~protocol.errors.LogError` for impossible play: a tile that is not there, a fifth copy,
    a draw with a full hand.

    Attributes:
        rules: rules of the game.
        names: names of the players.
        tile37: the ``tile37`` of each ``tile136`` under these rules.
        kyoku: number of the current hand.
        won: whether the current hand has been won.
    """

    def __init__(self, rules: Rules, names: Four[str]) -> None:
        super().__init__()
        self.names = four(map(cut_name, names))
        self.play_by(rules)

    def play_by(self, rules: Rules) -> None:
        """The rules of the hands to come."""
        self.rules = rules
        self.tile37 = tile37_names(rules)
        self._copies = _COPIES[rules.red_fives]

    def start_kyoku(
        self,
        kyoku: int,
        honba: int,
        sticks: int,
        scores: ev.Points4,
        indicators: Sequence[int],
        hands: Sequence[Sequence[int] | None],
    ) -> None:
        """Deal a hand.

        Args:
            kyoku: number of the hand, 0 = E1.
            honba: number of honba.
            sticks: riichi sticks on the table.
            scores: points by seat.
            indicators: ``tile37`` of every dora indicator of the hand, in order.
            hands: thirteen ``tile37`` by seat; None if hidden.
        """
        self.hands.begin(kyoku, honba, sticks, scores)
        self.kyoku = kyoku
        if not 1 <= len(indicators) <= 5:
            self.fail(f"there are {len(indicators)} dora indicators; one to five are turned")
        if not self.events:
            self.events.append(ev.StartGame(self.rules.begun_with(scores, sticks), self.names))
        self._given: set[int] = set()
        self._pending_dora = 0
        self._declared: int | None = None
        self._accepting: int | None = None
        self._honba, self._sticks = honba, sticks
        self._scores = list(scores)
        self._ura: tuple[int, ...] = ()
        self.won = False
        turned = self._allocate(indicators[0])
        self._hidden_indicators = list(indicators[:0:-1])
        dealt = [None if hand is None else tuple(self._allocate(tile) for tile in sort37(hand)) for hand in hands]
        self.add(ev.StartKyoku(kyoku, honba, sticks, dealer_of(kyoku), turned, scores, four(dealt)))

    def draw(self, seat: int, tile37: int | None) -> None:
        """``seat`` draws a tile, from the dead wall after a kan; None for a hidden tile."""
        self._accept_riichi()
        self.add(ev.Draw(seat, None if tile37 is None else self._allocate(tile37)))

    def riichi(self, seat: int) -> None:
        """``seat`` declares riichi; its discard follows."""
        self._accept_riichi()
        self.add(ev.RiichiDeclared(seat))
        self._declared = seat

    def discard(self, seat: int, tile37: int, *, tsumogiri: bool | None) -> bool:
        """``seat`` discards; returns whether it is the tile just drawn.

        It is as ``tsumogiri`` says, unless it cannot be: the tile is not of that kind, or no other in the hand is, or
        riichi forbids to discard another.
        """
        hand, drawn = self.hands.concealed[seat], self._drawn(seat)
        found = None if hand is None else self._find(hand, tile37, but=drawn)
        has_drawn = self.hands.drawn is not None and self.hands.drawn[0] == seat
        may = has_drawn and (hand is None or (drawn is not None and self.tile37[drawn] == tile37))
        bound = seat in self.hands.riichi and self._declared != seat
        tsumogiri = may and (tsumogiri is True or bound or (hand is not None and found is None))
        tile = self._allocate(tile37) if hand is None else drawn if tsumogiri else found
        if tile is None:
            self.fail(f"player {seat} discards {format_tile37(tile37)}, which is not in the hand")
        self._turn_pending()
        self.add(ev.Discard(seat, tile, tsumogiri))
        if self._declared == seat:
            self._accepting, self._declared = seat, None
        return tsumogiri

    def call(self, seat: int, kind: MeldKind, called37: int, own37: Sequence[int]) -> None:
        """``seat`` calls chi, pon or kan on the last discard with ``own37`` from its hand."""
        last = self.hands.last
        if not isinstance(last, ev.Discard) or last.seat == seat:
            self.fail(f"player {seat} calls, but nobody has just discarded")
        if self.tile37[last.tile] != called37:
            self.fail(f"player {seat} calls {format_tile37(called37)}, but the discard was {format_tile(last.tile)}")
        self._accept_riichi()
        own = self._own(seat, own37)
        meld = self._checked(seat, Meld(kind, tuple(sorted((last.tile, *own))), last.tile, last.seat))
        if kind is MeldKind.CHI and seat != next_seat(last.seat):
            self.fail(f"player {seat} calls chi from player {last.seat}, who does not sit to the left")
        self.add(ev.Call(seat, meld))
        if kind is MeldKind.DAIMINKAN:
            self._pending_dora += 1

    def ankan(self, seat: int, tiles37: Sequence[int]) -> None:
        """``seat`` declares a closed kan. These formats do not say which of its copies was named."""
        self._accept_riichi()
        tiles = tuple(sorted(self._own(seat, tiles37)))
        self.add(ev.Call(seat, self._checked(seat, Meld(MeldKind.ANKAN, tiles, None, seat))))
        self._turn_pending()
        self._turn_dora()

    def kakan(self, seat: int, tile37: int) -> None:
        """``seat`` adds a fourth tile to a pon."""
        self._accept_riichi()
        (added,) = self._own(seat, [tile37])
        pon = self.hands.pon_of(seat, added >> 2)
        tiles = tuple(sorted((*pon.tiles, added)))
        self.add(ev.Call(seat, Meld(MeldKind.KAKAN, tiles, pon.called, pon.from_seat, added)))
        self._turn_pending()
        self._pending_dora += 1

    def win_tile(self, seat: int, from_seat: int, tile37: int | None = None) -> int:
        """The ``tile136`` with which ``seat`` wins: its own draw, or the last discard or kan of ``from_seat``.

        ``tile37`` is the tile according to the source; it is needed for a hidden draw.
        """
        last = self.hands.last
        tile: int | None = None
        if seat == from_seat:
            if isinstance(last, ev.Draw) and last.seat == seat:
                tile = last.tile
                if tile is None and tile37 is not None:
                    tile = self._allocate(tile37)
        elif isinstance(last, ev.Discard) and last.seat == from_seat:
            tile = last.tile
        elif isinstance(last, ev.Call) and last.seat == from_seat:
            tile = last.meld.added
        if tile is None:
            self.fail(f"player {seat} wins from player {from_seat}, who did not provide a tile")
        if tile37 is not None and self.tile37[tile] != tile37:
            self.fail(f"player {seat} wins with {format_tile37(tile37)}, but the tile was {format_tile(tile)}")
        return tile

    def provider(self, seat: int) -> int:
        """The seat whose tile ``seat`` may win with now: its own for a self-draw."""
        last = self.hands.last
        if not isinstance(last, ev.Draw | ev.Discard | ev.Call) or (isinstance(last, ev.Draw) and last.seat != seat):
            self.fail(f"player {seat} wins, but nobody has provided a tile")
        return last.seat

    def win(
        self,
        seat: int,
        from_seat: int,
        tile: int,
        deltas: ev.Points4,
        ura37: Sequence[int] = (),
        pao_seat: int | None = None,
        score: ev.WinScore | ev.WinClaim | None = None,
        unstated: ev.Unstated = ev.NOTHING,
        shown37: Sequence[int] = (),
    ) -> None:
        """``seat`` wins with ``tile``, a ``tile136`` from :meth:`win_tile`, from ``from_seat``.

        Args:
            seat: the winner.
            from_seat: the discarder, or the winner again.
            tile: the winning tile.
            deltas: the payments.
            ura37: the ura indicators. A source that lists those of the whole wall, and so more dora indicators than
                were turned, has those cut off that were not turned.
            pao_seat: the liable player, or None.
            score: the value, or what the source states of it.
            unstated: what the source does not state besides the tiles of the hand, which follow from the play.
            shown37: the concealed tiles without ``tile``, for a hand that was hidden until now.
        """
        hand = self.hands.concealed[seat]
        if not self.won and seat == from_seat:
            self._accept_riichi()
        if ura37 and not self._ura:
            seen = ura37[: len(self.hands.indicators)] if self._hidden_indicators else ura37
            self._ura = tuple(self._allocate(tile) for tile in seen)
        if hand is None and len(shown37) + 3 * len(self.hands.melds[seat]) == 13:
            hand = {self._allocate(each) for each in shown37}
        concealed = () if hand is None else tuple(sorted({*hand, tile}))
        self.add(
            ev.Win(
                seat,
                from_seat,
                tile,
                deltas,
                self.points,
                concealed,
                tuple(self.hands.melds[seat]),
                tuple(self.hands.indicators),
                self._ura if seat in self.hands.riichi else (),
                pao_seat,
                self._honba,
                0 if self.won else self._sticks,
                score if isinstance(score, ev.WinScore) else None,
                score if isinstance(score, ev.WinClaim) else None,
                unstated | ev.Unstated.HANDS,
            )
        )
        self.won = True
        self.pay(deltas)

    def ryuukyoku(
        self,
        kind: ev.RyuukyokuKind,
        deltas: ev.Points4,
        shown: Iterable[int] = (),
        unstated: ev.Unstated = ev.NOTHING,
    ) -> None:
        """The hand ends without a win; the seats in ``shown`` show their hands.

        ``unstated`` is what the source does not state besides the tiles of the hands, which follow from the play.
        """
        if kind is not ev.RyuukyokuKind.TRIPLE_RON:
            self._accept_riichi()
        hands: list[tuple[int, ...] | None] = [None] * 4
        for seat in shown:
            hand = self.hands.concealed[seat]
            if hand is None:
                unstated |= ev.Unstated.TENPAI  # a hidden hand cannot be shown
            else:
                hands[seat] = tuple(sorted(hand))
        unstated |= ev.Unstated.HANDS
        self.add(ev.Ryuukyoku(kind, deltas, self.points, four(hands), self._honba, self._sticks, unstated))
        self.pay(deltas)

    def end_game(self) -> None:
        """End a game whose source gives no final scores: the last ones, with left-over riichi sticks for the leader."""
        if not self.won:
            leader = by_score(self._scores)[0]
            self._scores[leader] += RIICHI_STICK * self._sticks
        self.events.append(ev.EndGame(self.points, unstated=ev.Unstated.SCORES))

    def turn_dora(self, tile37: int) -> None:
        """Turn an indicator that was not known when the hand was dealt."""
        self._hidden_indicators.append(tile37)
        self._turn_dora()

    def pay(self, deltas: ev.Points4) -> None:
        """Transfer points for a win or a draw whose details are not known."""
        if fault := fault_of_changes(deltas):
            self.fail(fault)
        self._scores = [score + delta for score, delta in zip(self._scores, deltas, strict=True)]

    @property
    def points(self) -> ev.Points4:
        """The current scores."""
        return four(self._scores)

    @property
    def accepting(self) -> int | None:
        """The seat whose riichi is accepted unless somebody wins on its discard; None if no riichi waits for that."""
        return self._accepting

    @property
    def hand_events(self) -> list[ev.Event]:
        """The events of this hand so far."""
        return self.events[self._first :]

    def held34(self, seat: int, won: int) -> list[int]:
        """``tile34`` of everything that ``seat`` has, including melds and the winning tile."""
        melded = [tile for meld in self.hands.melds[seat] for tile in meld.tiles]
        return [tile >> 2 for tile in (*melded, *{*(self.hands.concealed[seat] or ()), won})]

    @property
    def wall_exhausted(self) -> bool:
        """Whether no tile is left to draw."""
        return self.hands.draws >= LIVE_WALL

    def _drawn(self, seat: int) -> int | None:
        """The tile that a seat has just drawn; None if it has not, or if it is hidden."""
        drawn = self.hands.drawn
        return drawn[1] if drawn is not None and drawn[0] == seat else None

    def _allocate(self, tile37: int) -> int:
        """The lowest copy of a kind that has not been given out."""
        tile = next((tile for tile in self._copies[tile37] if tile not in self._given), None)
        if tile is None:
            self.fail(f"more copies of {format_tile37(tile37)} appear than exist")
        self._given.add(tile)
        return tile

    def _find(self, hand: set[int], tile37: int, but: int | None = None) -> int | None:
        """The lowest copy of a kind in a hand, or None."""
        names = self.tile37
        return min((tile for tile in hand if names[tile] == tile37 and tile != but), default=None)

    def _own(self, seat: int, tiles37: Iterable[int]) -> list[int]:
        """The lowest copies in a hand; of a hidden hand, copies that nobody has seen."""
        hand = self.hands.concealed[seat]
        if hand is None:
            return [self._allocate(tile37) for tile37 in tiles37]
        left, found = set(hand), []
        for tile37 in tiles37:
            tile = self._find(left, tile37)
            if tile is None:
                self.fail(f"player {seat} uses {format_tile37(tile37)}, which is not in the hand")
            left.remove(tile)
            found.append(tile)
        return found

    def _checked(self, seat: int, meld: Meld) -> Meld:
        if not meld.is_possible:
            self.fail(f"the tiles of player {seat}'s {meld.kind.name.lower()} do not form one")
        return meld

    def _accept_riichi(self) -> None:
        seat = self._accepting
        if seat is not None:
            self._accepting = None
            self._scores[seat] -= RIICHI_STICK
            self._sticks += 1
            self.add(ev.RiichiAccepted(seat))

    def _turn_dora(self) -> None:
        """Turn the next indicator. A source may know fewer indicators than kans; the last ones are then not turned."""
        if self._hidden_indicators:
            self.add(ev.NewDora(self._allocate(self._hidden_indicators.pop())))

    def _turn_pending(self) -> None:
        """Turn the indicators of open kans, which wait for what follows."""
        while self._pending_dora:
            self._turn_dora()
            self._pending_dora -= 1
