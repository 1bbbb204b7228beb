"""Builds events for formats that name only kinds of tiles, assigning a physical copy to each tile as it appears.

tenhou.net/6 and mjai say ``5p`` where the engine needs one of four tiles. A :class:`GameBuilder` follows the hands, so
that the copy that was drawn is the copy that is discarded, called or won with. Copies are assigned lowest first, in
the order in which tiles are seen; the same play gives the same events from either format.

The builder also supplies what such formats leave out because it follows from the play: when a riichi was accepted, when
a kan's indicator was turned, the scores before a win, and who shows a hand.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NoReturn

from engine.model import events as ev
from engine.model.bounds import fault_of_standing
from engine.model.melds import Meld, MeldKind
from engine.model.plural import plural
from engine.model.rules import LIVE_WALL, RIICHI_STICK, Rules
from engine.model.seats import SEATS, Four, by_score, dealer_of, four, kyoku_name, next_seat
from engine.model.tiles import KINDS, KINDS37, PLAIN37, RED_FIVES, TILES, format_tile, format_tile37, tile37_of
from protocol.errors import LogError
from protocol.names import cut_name

_NAMES: Final = {red: tuple(tile37_of(tile, red) for tile in range(TILES)) for red in (True, False)}
_COPIES: Final = {
    red: (
        *(tuple(tile for tile in range(TILES) if _NAMES[red][tile] == kind) for kind in range(KINDS)),
        *((tile,) for tile in RED_FIVES),
    )
    for red in (True, False)
}
_LAID_OUT: Final = tuple(2 * PLAIN37[tile] + (tile >= KINDS) for tile in range(KINDS37))


def tile37_names(rules: Rules) -> tuple[int, ...]:
    """The ``tile37`` of each ``tile136``; without red fives every five is plain."""
    return _NAMES[rules.red_fives]


def copies(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """The ``tile136`` that each ``tile37`` may stand for, lowest first."""
    return _COPIES[rules.red_fives]


def sort37(tiles: Iterable[int]) -> list[int]:
    """Sort ``tile37`` as a hand is laid out: by suit and number, a red five after the plain ones."""
    return sorted(tiles, key=_LAID_OUT.__getitem__)


class GameBuilder:
    """One game being rebuilt. Feed it the play in order; ``events`` grows.

    Every method raises :class:`~protocol.errors.LogError` for impossible play: a tile that is not there, a fifth copy,
    a draw with a full hand.

    Attributes:
        events: the events so far.
        rules: rules of the game.
        names: names of the players.
        tile37: the ``tile37`` of each ``tile136`` under these rules.
    """

    def __init__(self, rules: Rules, names: Four[str]) -> None:
        self.rules = rules
        self.names = four(map(cut_name, names))
        self.events: list[ev.Event] = []
        self.tile37: Final = tile37_names(rules)
        self._copies: Final = copies(rules)
        self._label = ""
        self._first = 0
        self._hands_begun = 0

    def begin_hand(self) -> None:
        """Note that the next hand begins; messages say so until :meth:`start_kyoku` tells which hand it is."""
        self._hands_begun += 1
        self._label = f"hand {self._hands_begun}"
        self._first = len(self.events)

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
        if fault := fault_of_standing(kyoku, honba, sticks, scores):
            self.fail(fault)
        self._settle_tenpai(kyoku)
        self.kyoku = kyoku
        self._label = kyoku_name(kyoku, honba)
        if not self.events:
            self.events.append(ev.StartGame(self.rules.begun_with(scores, sticks), self.names))
        self._first = len(self.events)
        self._used: set[int] = set()
        self._pending_dora = 0
        self._drawn: list[int | None] = [None] * 4
        self._holds_draw: int | None = None
        self._riichi = [False] * 4
        self._declared: int | None = None
        self._accepting: int | None = None
        self._draws = 0
        self._honba, self._sticks = honba, sticks
        self._scores = list(scores)
        self._last: ev.Event | None = None
        self._ura: tuple[int, ...] = ()
        self._won = False
        self.melds: list[list[Meld]] = [[], [], [], []]
        if not indicators:
            self.fail("there is no dora indicator")
        if len(indicators) > 5:
            self.fail(f"there are {len(indicators)} dora indicators; at most five are turned")
        turned = self._allocate(indicators[0])
        self._indicators = [turned]
        self._hidden_indicators = list(indicators[:0:-1])
        self.hands: list[list[int] | None] = []
        for seat in SEATS:
            hand = hands[seat]
            if hand is not None and len(hand) != 13:
                self.fail(f"player {seat} is dealt {plural(len(hand), 'tile')}; a hand has 13")
            self.hands.append(None if hand is None else [self._allocate(tile) for tile in sort37(hand)])
        dealt = tuple(None if hand is None else tuple(hand) for hand in self.hands)
        self.events.append(ev.StartKyoku(kyoku, honba, sticks, dealer_of(kyoku), turned, scores, four(dealt)))

    def draw(self, seat: int, tile37: int | None) -> None:
        """``seat`` draws a tile, from the dead wall after a kan; None for a hidden tile."""
        self._accept_riichi()
        hand = self.hands[seat]
        if hand is not None and len(hand) % 3 != 1:
            self.fail(f"player {seat} draws while holding {plural(len(hand), 'tile')}")
        tile = None
        if hand is not None:
            if tile37 is None:
                self.fail(f"player {seat}'s hand is known but the drawn tile is not")
            tile = self._allocate(tile37)
            hand.append(tile)
        elif tile37 is not None:
            self.fail(f"player {seat}'s hand is hidden but the drawn tile is not")
        self._drawn[seat] = tile
        self._holds_draw = seat
        self._draws += 1
        self._add(ev.Draw(seat, tile))

    def riichi(self, seat: int) -> None:
        """``seat`` declares riichi; its discard follows."""
        self._accept_riichi()
        self._declared = seat
        self._add(ev.RiichiDeclared(seat))

    def discard(self, seat: int, tile37: int, *, tsumogiri: bool) -> None:
        """``seat`` discards the tile just drawn, or another."""
        hand, drawn = self.hands[seat], self._drawn[seat]
        if hand is None:
            tile = self._allocate(tile37)
        else:
            if len(hand) % 3 != 2:
                self.fail(f"player {seat} discards while holding {plural(len(hand), 'tile')}")
            if tsumogiri and (drawn is None or self.tile37[drawn] != tile37):
                self.fail(f"player {seat} discards {format_tile37(tile37)} as drawn, but did not draw it")
            if not tsumogiri:
                tsumogiri = drawn is not None and self._find(hand, tile37, but=drawn) is None
            tile = drawn if tsumogiri and drawn is not None else self._take(seat, tile37, but=drawn)
            if tsumogiri:
                if self.tile37[tile] != tile37:
                    self.fail(f"player {seat} discards {format_tile37(tile37)}, which is not in the hand")
                hand.remove(tile)
        self._turn_pending()
        self._drawn[seat] = self._holds_draw = None
        if self._declared == seat:
            self._accepting, self._declared = seat, None
        self._add(ev.Discard(seat, tile, tsumogiri))

    def may_be_the_draw(self, seat: int, tile37: int) -> bool:
        """Whether ``seat`` may discard a tile of this kind as the one it has just drawn."""
        if self._holds_draw != seat:
            return False
        drawn = self._drawn[seat]
        return self.hands[seat] is None or (drawn is not None and self.tile37[drawn] == tile37)

    def must_be_the_draw(self, seat: int, tile37: int) -> bool:
        """Whether ``seat`` can discard a tile of this kind only as the one it has just drawn."""
        hand = self.hands[seat]
        alone = hand is not None and self._find(hand, tile37, but=self._drawn[seat]) is None
        return self.may_be_the_draw(seat, tile37) and (self._riichi[seat] or alone)

    def call(self, seat: int, kind: MeldKind, called37: int, own37: Sequence[int]) -> None:
        """``seat`` calls chi, pon or kan on the last discard with ``own37`` from its hand."""
        if not isinstance(self._last, ev.Discard) or self._last.seat == seat:
            self.fail(f"player {seat} calls, but nobody has just discarded")
        called, from_seat = self._last.tile, self._last.seat
        if self.tile37[called] != called37:
            self.fail(f"player {seat} calls {format_tile37(called37)}, but the discard was {format_tile(called)}")
        self._accept_riichi()
        own = [self._take(seat, tile) for tile in own37]
        tiles = tuple(sorted((called, *own)))
        self._check_meld(seat, kind, tiles)
        if kind is MeldKind.CHI and seat != next_seat(from_seat):
            self.fail(f"player {seat} calls chi from player {from_seat}, who does not sit to the left")
        self._meld(seat, Meld(kind, tiles, called, from_seat))
        if kind is MeldKind.DAIMINKAN:
            self._pending_dora += 1

    def ankan(self, seat: int, tiles37: Sequence[int]) -> None:
        """``seat`` declares a closed kan. These formats do not say which of its copies was named."""
        self._accept_riichi()
        self._must_hold_draw(seat, "declares a kan")
        tiles = tuple(sorted(self._take(seat, tile) for tile in tiles37))
        self._check_meld(seat, MeldKind.ANKAN, tiles)
        self._flush_dora_after(ev.Call(seat, self._meld_of(seat, Meld(MeldKind.ANKAN, tiles, None, seat))))
        self._turn_dora()

    def kakan(self, seat: int, tile37: int) -> None:
        """``seat`` adds a fourth tile to a pon."""
        self._accept_riichi()
        self._must_hold_draw(seat, "adds to a pon")
        added = self._take(seat, tile37)
        pon = next((m for m in self.melds[seat] if m.kind is MeldKind.PON and m.tile34 == added >> 2), None)
        if pon is None:
            self.fail(f"player {seat} adds {format_tile(added)} to a pon that does not exist")
        tiles = tuple(sorted((*pon.tiles, added)))
        meld = Meld(MeldKind.KAKAN, tiles, pon.called, pon.from_seat, added)
        self.melds[seat][self.melds[seat].index(pon)] = meld
        self._drawn[seat] = self._holds_draw = None
        self._flush_dora_after(ev.Call(seat, meld))
        self._pending_dora += 1

    def win_tile(self, seat: int, from_seat: int, tile37: int | None = None) -> int:
        """The ``tile136`` with which ``seat`` wins: its own draw, or the last discard or kan of ``from_seat``.

        ``tile37`` is the tile according to the source; it is needed for a hidden draw.
        """
        last = self._last
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
        last = self._last
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
        """
        hand = self.hands[seat]
        if not self._won and seat == from_seat:
            self._accept_riichi()
        if ura37 and not self._ura:
            seen = ura37[: len(self._indicators)] if self._hidden_indicators else ura37
            self._ura = tuple(self._allocate(tile) for tile in seen)
        concealed = () if hand is None else tuple(sorted({*hand, tile}))
        self.events.append(
            ev.Win(
                seat,
                from_seat,
                tile,
                deltas,
                self.points,
                concealed,
                tuple(self.melds[seat]),
                tuple(self._indicators),
                self._ura if self._riichi[seat] else (),
                pao_seat,
                self._honba,
                self.sticks_to_win,
                score if isinstance(score, ev.WinScore) else None,
                score if isinstance(score, ev.WinClaim) else None,
                unstated | ev.Unstated.HANDS,
            )
        )
        self._won = True
        self.pay(deltas)

    def ryuukyoku(
        self,
        kind: ev.RyuukyokuKind,
        deltas: ev.Points4,
        shown: Iterable[int] = (),
        unstated: ev.Unstated = ev.NOTHING,
    ) -> None:
        """The hand ends without a win; the seats in ``shown`` show their hands.

        ``unstated`` is what the source does not state besides the tiles of the hands, which follow from the play. Who
        was tenpai, if that is not stated, shows in the next hand: the dealer's stays.
        """
        if kind is not ev.RyuukyokuKind.TRIPLE_RON:
            self._accept_riichi()
        hands: list[tuple[int, ...] | None] = [None] * 4
        for seat in shown:
            hand = self.hands[seat]
            hands[seat] = None if hand is None else tuple(sorted(hand))
        unstated |= ev.Unstated.HANDS
        self.events.append(ev.Ryuukyoku(kind, deltas, self.points, four(hands), self._honba, self._sticks, unstated))
        self.pay(deltas)

    def _settle_tenpai(self, kyoku: int) -> None:
        """Show all hands at a draw before this deal that nobody paid for, if its dealer stays: all were tenpai."""
        draw = self.events[-1] if self.events else None
        if isinstance(draw, ev.Ryuukyoku) and ev.Unstated.TENPAI in draw.unstated and kyoku == self.kyoku:
            shown = four(None if hand is None else tuple(sorted(hand)) for hand in self.hands)
            self.events[-1] = replace(draw, hands=shown)

    def shows(self, kind: ev.RyuukyokuKind) -> Sequence[int]:
        """The seats that show their hands at a draw of this kind; of an exhausted wall only the payments say it."""
        if kind is ev.RyuukyokuKind.NINE_TERMINALS and isinstance(self._last, ev.Draw):
            return (self._last.seat,)
        return SEATS if kind is ev.RyuukyokuKind.FOUR_RIICHI else ()

    def end_game(self) -> None:
        """End a game whose source gives no final scores: the last ones, with left-over riichi sticks for the leader."""
        if not self._won:
            leader = by_score(self._scores)[0]
            self._scores[leader] += RIICHI_STICK * self._sticks
        self.events.append(ev.EndGame(self.points, unstated=ev.Unstated.SCORES))

    def turn_dora(self, tile37: int) -> None:
        """Turn an indicator that was not known when the hand was dealt."""
        self._hidden_indicators.append(tile37)
        self._turn_dora()

    def pay(self, deltas: ev.Points4) -> None:
        """Transfer points for a win or a draw whose details are not known."""
        self._scores = [score + delta for score, delta in zip(self._scores, deltas, strict=True)]

    @property
    def last(self) -> ev.Event | None:
        """The last event of play in this hand."""
        return self._last

    @property
    def hand_events(self) -> list[ev.Event]:
        """The events of this hand so far."""
        return self.events[self._first :]

    @property
    def points(self) -> ev.Points4:
        """The current scores."""
        return four(self._scores)

    def held34(self, seat: int, won: int) -> list[int]:
        """``tile34`` of everything that ``seat`` has, including melds and the winning tile."""
        melded = [tile for meld in self.melds[seat] for tile in meld.tiles]
        return [tile >> 2 for tile in (*melded, *{*(self.hands[seat] or ()), won})]

    @property
    def sticks_to_win(self) -> int:
        """The riichi sticks that the next win takes; 0 for a second win on a tile."""
        return 0 if self._won else self._sticks

    @property
    def wall_exhausted(self) -> bool:
        """Whether no tile is left to draw."""
        return self._draws >= LIVE_WALL

    @property
    def in_riichi(self) -> tuple[int, ...]:
        """Seats whose riichi was accepted, or will be if nobody wins on its discard."""
        return tuple(seat for seat in SEATS if self._riichi[seat] or seat == self._accepting)

    @property
    def position(self) -> str:
        """The current position, for messages: ``'E3-1, event 41'``."""
        event = len(self.events) - self._first
        return f"{self._label}, event {event}" if event else self._label

    def fail(self, message: str) -> NoReturn:
        """Raise a :class:`LogError` with the current position."""
        raise LogError(f"{message}; the log is damaged", position=self.position)

    def _add(self, event: ev.Event) -> None:
        self.events.append(event)
        self._last = event

    def _allocate(self, tile37: int) -> int:
        tile = next((tile for tile in self._copies[tile37] if tile not in self._used), None)
        if tile is None:
            self.fail(f"more copies of {format_tile37(tile37)} appear than exist")
        self._used.add(tile)
        return tile

    def _find(self, hand: list[int], tile37: int, but: int | None = None) -> int | None:
        """The lowest copy of a kind in a hand, or None."""
        names = self.tile37
        return min((tile for tile in hand if names[tile] == tile37 and tile != but), default=None)

    def _take(self, seat: int, tile37: int, but: int | None = None) -> int:
        """Remove the lowest copy from a hand; from a hidden hand, a copy not yet seen."""
        hand = self.hands[seat]
        if hand is None:
            return self._allocate(tile37)
        tile = self._find(hand, tile37, but)
        if tile is None:
            self.fail(f"player {seat} uses {format_tile37(tile37)}, which is not in the hand")
        hand.remove(tile)
        return tile

    def _must_hold_draw(self, seat: int, doing: str) -> None:
        hand = self.hands[seat]
        drew = isinstance(self._last, ev.Draw) and self._last.seat == seat
        if not drew or (hand is not None and len(hand) % 3 != 2):
            self.fail(f"player {seat} {doing} without having drawn")

    def _check_meld(self, seat: int, kind: MeldKind, tiles: tuple[int, ...]) -> None:
        kinds = [tile >> 2 for tile in tiles]
        if kind is MeldKind.CHI:
            low = kinds[0]
            right = low < 27 and low % 9 < 7 and kinds == [low, low + 1, low + 2]
        else:
            right = len(tiles) == (4 if kind.is_kan else 3) and len(set(kinds)) == 1
        if not right:
            self.fail(f"the tiles of player {seat}'s {kind.name.lower()} do not form one")

    def _meld_of(self, seat: int, meld: Meld) -> Meld:
        self.melds[seat].append(meld)
        self._drawn[seat] = self._holds_draw = None
        return meld

    def _meld(self, seat: int, meld: Meld) -> None:
        self._add(ev.Call(seat, self._meld_of(seat, meld)))

    def _accept_riichi(self) -> None:
        seat = self._accepting
        if seat is not None:
            self._accepting = None
            self._riichi[seat] = True
            self._scores[seat] -= RIICHI_STICK
            self._sticks += 1
            self._add(ev.RiichiAccepted(seat))

    def _turn_dora(self) -> None:
        """Turn the next indicator. A source may know fewer indicators than kans; the last ones are then not turned."""
        if self._hidden_indicators:
            indicator = self._allocate(self._hidden_indicators.pop())
            self._indicators.append(indicator)
            self.events.append(ev.NewDora(indicator))

    def _flush_dora_after(self, call: ev.Call) -> None:
        """Before a second kan in a turn, turn the indicator of the open kan declared before it."""
        self._add(call)
        self._turn_pending()

    def _turn_pending(self) -> None:
        """Turn the indicators of open kans, which wait for what follows."""
        while self._pending_dora:
            self._turn_dora()
            self._pending_dora -= 1
