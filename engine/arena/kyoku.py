"""One hand under the referee library, reported in our events and answered in our actions.

The library (``jansou``) decides what is legal, who wins, what it costs and how the hand ends. This module follows the
physical tiles, asks everyone who may claim a tile at the same time, reports events in Tenhou's order, and corrects the
points in which the library differs from Tenhou (each marked below with the evidence).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import singledispatchmethod
from typing import Final, cast

from jansou.core.rules import RIICHI_DEPOSIT
from jansou.core.tiles import Tile
from jansou.game import actions as lib
from jansou.game import events as library_events
from jansou.game.actions import current_waits, discard_reactions, is_furiten, robbed_kan_reactions
from jansou.game.flow import DealOutcome, DecisionKind, DecisionPoint, Position, deal_steps, new_deal
from jansou.game.wall import DORA_SLOTS, URA_SLOTS
from jansou.game.wall import Wall as LibraryWall

from engine.arena.bridge import forget_hands, library_rules, library_tiles, points4
from engine.arena.endings import Ending
from engine.arena.offers import IllegalAnswerError, Offers
from engine.arena.table import TableTiles
from engine.arena.walls import DEAL_ROUNDS, Wall
from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Draw,
    Event,
    NewDora,
    RiichiAccepted,
    RiichiDeclared,
    StartKyoku,
)
from engine.model.rules import Rules
from engine.model.seats import SEATS

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
        emit: Callable[[Event], None],
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
        self._asked_now: dict[int, Offers] = {}
        self._answers: Answers = {}
        self._ending = Ending(self.state, self.table, wall, emit)

    @property
    def furiten(self) -> Flags4:
        """The seats that are furiten as Tenhou reports it; it changes at discards and when a win is passed."""
        first, second, third, fourth = self._furiten
        return first, second, third, fourth

    def accepts(self, seat: int, action: Action) -> bool:
        """Whether an action of a seat that must answer is legal, in this or an equivalent physical form."""
        try:
            self._asked_now[seat].choose(action)
        except IllegalAnswerError:
            return False
        return True

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
                asked = self._asked_now = self._asked(point)
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
        """All seats that may answer now. The library names the first; the others follow from the same state."""
        asked = {point.seat: point.actions}
        if point.kind is not DecisionKind.SELF:
            turn = self.state.current_player
            for seat in ((turn + step) % 4 for step in (1, 2, 3)):
                if (seat - turn) % 4 > (point.seat - turn) % 4:
                    actions = self._reactions(seat, robbing=point.kind is DecisionKind.ROBBED_KAN)
                    if actions:
                        asked[seat] = tuple(actions)
            if self._four_kans():
                asked = {seat: _wins_only(actions) for seat, actions in asked.items()}
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
                self._emit(Call(seat, self.table.self_kan(seat, answer)))

    # -- what the library reports ----------------------------------------------------------------------------------

    @singledispatchmethod
    def _report(self, event: library_events.Event) -> None:
        raise RuntimeError(f"the library reports {event!r}, which does not exist in four-player games")

    @_report.register
    def _(self, event: library_events.DealStart) -> None:
        state, hands = self.state, self.table.hands
        self._emit(
            StartKyoku(
                kyoku=4 * int(state.round_wind) + state.round_number - 1,
                honba=state.honba,
                riichi_sticks=state.deposit_pool // RIICHI_DEPOSIT,
                dealer=state.dealer,
                dora_indicator=self._wall.dora_indicators[0],
                scores=points4(event.scores),
                hands=(tuple(hands[0]), tuple(hands[1]), tuple(hands[2]), tuple(hands[3])),
                dice=self._wall.dice,
            )
        )

    @_report.register
    def _(self, event: library_events.Draw) -> None:
        tile = self.table.draw(event.seat, rinshan=event.replacement)
        if self._tiles[tile] != event.tile:
            raise RuntimeError(f"the library drew {event.tile}, the wall holds tile {tile}")
        self._emit(Draw(event.seat, tile))

    @_report.register
    def _(self, event: library_events.Discard) -> None:
        seat = event.seat
        tile = self._answers[seat].tile
        self.table.discard(seat, tile)
        if event.riichi:
            self._emit(RiichiDeclared(seat))
        self._waits[seat] = current_waits(self.state, seat)
        self._furiten[seat] = is_furiten(self.state, seat)
        self._miss_yakuless(seat, self._tiles[tile])
        self._emit(Discard(seat, tile, event.tsumogiri))

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
            self._emit(Call(event.caller, self.table.call(event.caller, self._answers[event.caller])))

    @_report.register
    def _(self, event: library_events.IndicatorReveal) -> None:  # noqa: ARG002  the wall knows which
        self._emit(NewDora(self.table.turn_dora()))

    @_report.register
    def _(self, event: library_events.RiichiAccepted) -> None:
        self._emit(RiichiAccepted(event.seat))

    @_report.register(library_events.Win)
    @_report.register(library_events.Ryuukyoku)
    @_report.register(library_events.ScoreChange)
    def _(self, event: library_events.Win | library_events.Ryuukyoku | library_events.ScoreChange) -> None:
        self._ending.note(event)


def _wins_only(actions: tuple[lib.Action, ...]) -> tuple[lib.Action, ...]:
    return tuple(action for action in actions if isinstance(action, (lib.Ron, lib.Pass)))
