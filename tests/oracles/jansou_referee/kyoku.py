"""One hand under the referee library, reported in our events and answered in our actions.

The library (``jansou``) decides what is legal, who wins, what it costs and how the hand ends. This module follows the
physical tiles, asks everyone who may claim a tile at the same time, reports events in Tenhou's order, and corrects the
points in which the library differs from Tenhou (each marked below with the evidence).
"""

from collections.abc import Callable, Generator, Mapping
from functools import singledispatchmethod
from typing import Final, cast

from jansou.analysis.decompose import is_complete
from jansou.core.rules import RIICHI_DEPOSIT
from jansou.core.tiles import Tile, counts_by_kind
from jansou.game import actions as lib
from jansou.game import events as library_events
from jansou.game.actions import current_waits, discard_reactions, is_furiten, robbed_kan_reactions
from jansou.game.flow import DealOutcome, DecisionKind, DecisionPoint, Position, deal_steps, new_deal
from jansou.game.state import GameState as LibraryState
from jansou.game.wall import DORA_SLOTS, URA_SLOTS
from jansou.game.wall import Wall as LibraryWall

from engine.arena.walls import DEAL_ROUNDS, Wall
from engine.model import events as ev
from engine.model.actions import PASS, Action, ActionKind
from engine.model.melds import Meld, MeldKind
from engine.model.rules import Rules
from engine.model.seats import SEATS, four
from tests.oracles.jansou_referee.bridge import (
    RYUUKYOKU_KINDS,
    Offers,
    forget_hands,
    library_rules,
    library_tiles,
    win_score,
)

_CALLS: Final = {
    ActionKind.CHI: MeldKind.CHI,
    ActionKind.PON: MeldKind.PON,
    ActionKind.DAIMINKAN: MeldKind.DAIMINKAN,
}


class TableTiles:
    """The physical tiles of a hand, of which the library knows only the kinds: who holds which ``tile136``.

    The methods trust their caller; the library decides what is possible.

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


_NOTEN: Final = 3000
_SETTLED: Final = (library_events.RyuukyokuKind.EXHAUSTIVE, library_events.RyuukyokuKind.NAGASHI)


class Ending:
    """Collects what the library reports at the end of a hand; it pays a double ron in one sum, Tenhou win by win.

    Attributes:
        tenpai: seats that are tenpai at an exhaustive draw; None if the hand ended otherwise.
    """

    def __init__(self, state: LibraryState, table: TableTiles, wall: Wall, emit: Callable[[ev.Event], None]) -> None:
        self._state = state
        self._table = table
        self._wall = wall
        self._emit = emit
        self._wins: list[library_events.Win] = []
        self._draw: library_events.Ryuukyoku | None = None
        self.tenpai: frozenset[int] | None = None

    def note(self, event: library_events.Win | library_events.Ryuukyoku | library_events.ScoreChange) -> None:
        """Record an event of the library."""
        if isinstance(event, library_events.Win):
            self._wins.append(event)
        elif isinstance(event, library_events.Ryuukyoku):
            self._draw = event
        else:
            before = four(score - delta for score, delta in zip(event.scores, event.deltas, strict=True))
            if self._draw is not None:
                self._end_at_the_wall(self._draw, before, four(event.deltas))
            else:
                self._end_in_wins(before, event.deltas)

    def finish(self, answers: Mapping[int, Action]) -> None:
        """Finish the hand. An abortive draw moves no points, so the library reports no payment.

        Args:
            answers: the last answers; at a triple ron they show who reveals a hand.
        """
        draw = self._draw
        if draw is None or draw.kind in _SETTLED:
            return
        shown: Mapping[library_events.RyuukyokuKind, list[int]] = {
            library_events.RyuukyokuKind.FOUR_RIICHI: list(SEATS),
            library_events.RyuukyokuKind.TRIPLE_RON: [
                s for s, answer in answers.items() if answer.kind is ActionKind.RON
            ],
            library_events.RyuukyokuKind.NINE_TERMINALS: [self._state.current_player],
        }
        self._end_in_draw(draw, four(self._state.scores), (0, 0, 0, 0), shown.get(draw.kind, []))

    def _end_at_the_wall(self, draw: library_events.Ryuukyoku, before: ev.Points4, deltas: ev.Points4) -> None:
        """An exhaustive draw or a nagashi mangan.

        For the library a hand is not tenpai if all four copies of each wait are in its own melds and hand. On Tenhou it
        is, unless all four are concealed (according to recorded games); in that case the payment is computed again.
        """
        self.tenpai = frozenset(seat for seat in SEATS if self._is_tenpai(seat))
        if self.tenpai != draw.counted_ready and draw.kind is library_events.RyuukyokuKind.EXHAUSTIVE:
            deltas = _noten_payments(self.tenpai)
            self._state.scores[:] = (score + delta for score, delta in zip(before, deltas, strict=True))
        self._end_in_draw(draw, before, deltas, sorted(self.tenpai))

    def _is_tenpai(self, seat: int) -> bool:
        player = self._state.players[seat]
        counts = counts_by_kind(player.concealed)
        for kind in range(len(counts)):
            if counts[kind] < 4:
                counts[kind] += 1
                if is_complete(counts, len(player.melds)):
                    return True
                counts[kind] -= 1
        return False

    def _end_in_draw(
        self, draw: library_events.Ryuukyoku, before: ev.Points4, deltas: ev.Points4, shown: list[int]
    ) -> None:
        hands: list[ev.Tiles | None] = [None, None, None, None]
        for seat in shown:
            hands[seat] = self._table.concealed(seat)
        self._emit(
            ev.Ryuukyoku(
                kind=RYUUKYOKU_KINDS[draw.kind],
                deltas=deltas,
                scores_before=before,
                hands=(hands[0], hands[1], hands[2], hands[3]),
                honba=self._state.honba,
                riichi_sticks=self._state.deposit_pool // RIICHI_DEPOSIT,
            )
        )

    def _end_in_wins(self, before: ev.Points4, deltas: tuple[int, ...]) -> None:
        later = [_later_ron_deltas(win) for win in self._wins[1:]]
        first = four(delta - sum(other) for delta, *other in zip(deltas, *later, strict=True))
        sticks = sum(first) // RIICHI_DEPOSIT  # the only points that come from the table
        for win, own in zip(self._wins, (first, *later), strict=True):
            self._emit(self._win(win, before, own, sticks))
            before = four(score + delta for score, delta in zip(before, own, strict=True))
            sticks = 0

    def _win(self, win: library_events.Win, before: ev.Points4, deltas: ev.Points4, sticks: int) -> ev.Win:
        state, table, seat = self._state, self._table, win.seat
        tsumo = win.from_seat is None
        turns_ura = state.players[seat].is_riichi and state.rules.ura_dora
        tile = cast("int", table.drawn[seat]) if tsumo else table.offered
        winds = (int(state.seat_wind(seat)), int(state.round_wind))
        return ev.Win(
            seat=seat,
            from_seat=seat if win.from_seat is None else win.from_seat,
            tile=tile,
            deltas=deltas,
            scores_before=before,
            concealed=table.concealed(seat) if tsumo else table.concealed(seat, tile),
            melds=tuple(table.melds[seat]),
            dora_indicators=self._wall.dora_indicators[: table.dora_turned],
            ura_indicators=self._wall.ura_indicators[: table.dora_turned] if turns_ura else (),
            pao_seat=None if win.liable_seat == win.from_seat else win.liable_seat,
            honba=state.honba,
            riichi_sticks=sticks,
            score=win_score(win.result, win.hand, win.winning_tile, winds, ura=turns_ura, tsumo=tsumo),
        )


def _noten_payments(tenpai: frozenset[int]) -> ev.Points4:
    """The payments of noten players to tenpai players, 3,000 points in total."""
    if len(tenpai) in (0, 4):
        return 0, 0, 0, 0
    gain, loss = _NOTEN // len(tenpai), -(_NOTEN // (4 - len(tenpai)))
    return four(gain if seat in tenpai else loss for seat in SEATS)


def _later_ron_deltas(win: library_events.Win) -> ev.Points4:
    """The payment to the second winner of a double ron: without honba and riichi sticks."""
    deltas = [0, 0, 0, 0]
    points = win.result.payment.ron
    from_seat = cast("int", win.from_seat)
    liable = from_seat if win.liable_seat is None else win.liable_seat
    deltas[win.seat] += points
    deltas[liable] -= points // 2
    deltas[from_seat] -= points - points // 2
    return four(deltas)


Prompts = Mapping[int, tuple[Action, ...]]
Answers = Mapping[int, Action]
Flags4 = tuple[bool, bool, bool, bool]

_KANS_IN_ALL: Final = 4
_SELF_KANS: Final = (ActionKind.ANKAN, ActionKind.KAKAN)


class Kyoku:
    """One hand in progress.

    Attributes:
        table: the physical tiles.
        state: the library's state.
    """

    def __init__(
        self,
        rules: Rules,
        wall: Wall,
        position: Position,
        scores: list[int],
        pool: int,
        emit: Callable[[ev.Event], None],
    ) -> None:
        """Deal the hand.

        Args:
            rules: rules of the table.
            wall: the tiles.
            position: the library's position: dealer, round, honba.
            scores: points by seat before the hand.
            pool: points of riichi sticks on the table.
            emit: called with each event when it happens.
        """
        forget_hands()
        self._emit = emit
        self._wall = wall
        self._tiles = library_tiles(rules)
        self._rules = rules
        self.state = new_deal(library_rules(rules), self._library_wall(position.dealer), position, scores, pool)
        self.table = TableTiles(wall, position.dealer)
        self._waits = [current_waits(self.state, seat) for seat in SEATS]
        self._furiten = [False, False, False, False]
        self._answers: Answers = {}
        self._ending = Ending(self.state, self.table, wall, emit)

    @property
    def furiten(self) -> Flags4:
        """The seats that are furiten as Tenhou reports it; it changes at discards and when a win is passed."""
        first, second, third, fourth = self._furiten
        return first, second, third, fourth

    def _library_wall(self, dealer: int) -> LibraryWall:
        """The wall in the library's order: dead wall first, then hands dealt from seat 0 on, then the draws."""
        wall = self._wall
        dead = [*wall.rinshan, *(0,) * 10]
        for place, (dora, ura) in enumerate(zip(wall.dora_indicators, wall.ura_indicators, strict=True)):
            dead[DORA_SLOTS[place]], dead[URA_SLOTS[place]] = dora, ura
        dealt: list[int] = []
        start = 0
        for count in DEAL_ROUNDS:
            for seat in SEATS:
                dealt.extend(wall.hands[(seat - dealer) % 4][start : start + count])
            start += count
        return LibraryWall(tuple(self._tiles[tile] for tile in (*dead, *dealt, *wall.live)))

    # -- the course of the hand ------------------------------------------------------------------------------------

    def play(self) -> Generator[Prompts, Answers, DealOutcome]:
        """Play the hand: yields the prompts, takes one legal answer for each, returns how the hand ended."""
        steps = deal_steps(self.state, self._report)
        try:
            point = next(steps)
            while True:
                asked = self._asked(point)
                prompts = {seat: offers.actions for seat, offers in asked.items() if offers.actions != (PASS,)}
                self._answers = (yield prompts) if prompts else {}
                choices = {seat: offers.choose(self._answers.get(seat, PASS)) for seat, offers in asked.items()}
                self._note_answers(asked)
                for _ in choices:  # the library asks one seat after the other
                    point = steps.send(choices[point.seat])
        except StopIteration as stop:
            self._ending.finish(self._answers)
            outcome = cast("DealOutcome", stop.value)
            if self._ending.tenpai is not None:
                outcome.dealer_repeats = self.state.dealer in self._ending.tenpai
            return outcome

    def _asked(self, point: DecisionPoint) -> dict[int, Offers]:
        """All seats that may answer now. The library names only the first; the others follow from its state."""
        asked = {point.seat: point.actions}
        if point.kind is not DecisionKind.SELF:
            turn = self.state.current_player
            for seat in ((turn + step) % 4 for step in (1, 2, 3)):
                if (seat - turn) % 4 > (point.seat - turn) % 4:
                    actions = self._reactions(seat, robbing=point.kind is DecisionKind.ROBBED_KAN)
                    if actions:
                        asked[seat] = tuple(actions)
            if self._four_kans():
                asked = {
                    seat: tuple(action for action in actions if isinstance(action, (lib.Ron, lib.Pass)))
                    for seat, actions in asked.items()
                }
        table = self.table
        offered = -1 if point.kind is DecisionKind.SELF else table.offered
        return {
            seat: Offers(actions, table.hands[seat], table.drawn[seat], offered, self._rules)
            for seat, actions in asked.items()
        }

    def _reactions(self, seat: int, robbing: bool) -> list[lib.Action]:
        if robbing:
            return robbed_kan_reactions(self.state, seat, self._tiles[self.table.offered], added_kan=True)
        return discard_reactions(self.state, seat, final=self.state.wall.live_draws_remaining == 0)

    def _four_kans(self) -> bool:
        """Whether four kans were made by more than one player; the hand ends with this discard, so nobody may call it.

        The library would let a call delay the end. No recorded four-kan draw has a call after the fourth kan.
        """
        made = [sum(meld.kind.is_kan for meld in melds) for melds in self.table.melds]
        return sum(made) == _KANS_IN_ALL > max(made)

    def _note_answers(self, asked: Mapping[int, Offers]) -> None:
        """Emit what follows from the answers before the library applies them.

        The library reports an own kan only once nobody has robbed it, and after it has turned the dora owed for an
        earlier kan. Tenhou's order is: kan, win on it, dora owed, own dora if closed, draw (26 recorded hands with kan
        after kan); so the kan is reported here.
        """
        for seat, answer in self._answers.items():
            if asked[seat].ron and answer.kind is not ActionKind.RON:
                self._furiten[seat] = True
            if answer.kind in _SELF_KANS:
                self._emit(ev.Call(seat, self.table.self_kan(seat, answer)))

    # -- what the library reports ----------------------------------------------------------------------------------

    @singledispatchmethod
    def _report(self, event: library_events.Event) -> None:
        raise RuntimeError(f"the library reports {event!r}, which does not exist in four-player games")

    @_report.register
    def _(self, event: library_events.DealStart) -> None:
        state, hands = self.state, self.table.hands
        self._emit(
            ev.StartKyoku(
                kyoku=4 * int(state.round_wind) + state.round_number - 1,
                honba=state.honba,
                riichi_sticks=state.deposit_pool // RIICHI_DEPOSIT,
                dealer=state.dealer,
                dora_indicator=self._wall.dora_indicators[0],
                scores=four(event.scores),
                hands=(tuple(hands[0]), tuple(hands[1]), tuple(hands[2]), tuple(hands[3])),
                dice=self._wall.dice,
            )
        )

    @_report.register
    def _(self, event: library_events.Draw) -> None:
        tile = self.table.draw(event.seat, rinshan=event.replacement)
        if self._tiles[tile] != event.tile:
            raise RuntimeError(f"the library drew {event.tile}, the wall holds tile {tile}")
        self._emit(ev.Draw(event.seat, tile))

    @_report.register
    def _(self, event: library_events.Discard) -> None:
        seat = event.seat
        tile = self._answers[seat].tile
        self.table.discard(seat, tile)
        if event.riichi:
            self._emit(ev.RiichiDeclared(seat))
        self._waits[seat] = current_waits(self.state, seat)
        self._furiten[seat] = is_furiten(self.state, seat)
        self._miss_yakuless(seat, self._tiles[tile])
        self._emit(ev.Discard(seat, tile, event.tsumogiri))

    def _miss_yakuless(self, discarder: int, tile: Tile) -> None:
        """A tile that completes a hand without a yaku makes it furiten for the turn, too.

        The library only counts wins that were passed. Tenhou sends FURITEN before such a discard, as recorded sessions
        show.
        """
        final = self.state.wall.live_draws_remaining == 0
        for seat in SEATS:
            if seat == discarder or tile.kind not in self._waits[seat]:
                continue
            if lib.Ron() not in discard_reactions(self.state, seat, final=final):
                self.state.players[seat].temporary_furiten = True
                self._furiten[seat] = True

    @_report.register
    def _(self, event: library_events.Call) -> None:
        if event.source != event.caller:  # an own kan was reported when it was declared
            self._emit(ev.Call(event.caller, self.table.call(event.caller, self._answers[event.caller])))

    @_report.register
    def _(self, event: library_events.IndicatorReveal) -> None:  # noqa: ARG002  the wall knows which
        self._emit(ev.NewDora(self.table.turn_dora()))

    @_report.register
    def _(self, event: library_events.RiichiAccepted) -> None:
        self._emit(ev.RiichiAccepted(event.seat))

    @_report.register(library_events.Win)
    @_report.register(library_events.Ryuukyoku)
    @_report.register(library_events.ScoreChange)
    def _(self, event: library_events.Win | library_events.Ryuukyoku | library_events.ScoreChange) -> None:
        self._ending.note(event)
