"""One recorded game checked against our rules: four views, each given only what its seat may see."""

import re
from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from bot.replay.checks import EXHAUSTIVE, Checks, plus, points4
from bot.replay.verify_counts import VerifyCounts
from engine.model import events as ev
from engine.model.actions import NINE_TERMINALS, Action, ActionKind
from engine.model.tiles import TILES
from engine.state import Follower, FourViews, StateError
from engine.state.legal import call_action
from engine.state.seat_view import DISCARD_OF
from protocol.logs.game_log import LOG_ID, GameLog

_is_tenhou: Final = re.compile(LOG_ID).fullmatch


def check_game(game: GameLog, tally: VerifyCounts) -> None:
    """Check every event of a game, and add counts and mismatches to ``tally``."""
    _GameCheck(game, tally).run()


class _GameCheck(Checks):
    """A pass through one game's events.

    Attributes:
        won_until: index of the first event after the wins already checked together.
    """

    def __init__(self, game: GameLog, tally: VerifyCounts) -> None:
        elsewhere = bool(game.info.log_id) and _is_tenhou(game.info.log_id) is None
        super().__init__(game.source, tally, Follower(FourViews()), elsewhere=elsewhere)
        self.events = game.events
        self.won_until = 0

    @property
    def views(self) -> FourViews:
        """The view of each seat."""
        views: FourViews = self.follower.state
        return views

    def run(self) -> None:
        """Check event after event; after an impossible one continue with the next hand."""
        self.tally.games += 1
        for at, event in enumerate(self.events):
            self.at = at
            self.take(event, _HANDLERS.get(type(event), _GameCheck.apply))

    def draw(self, event: ev.Draw) -> None:
        self.apply(event)
        self.tally.decisions += 1

    def start_kyoku(self, event: ev.StartKyoku) -> None:
        self.start_of_hand(self.views[0], event)
        self.apply(event)

    def discard(self, event: ev.Discard) -> None:
        tile = event.tile
        action = DISCARD_OF[tile] if 0 <= tile < TILES else Action(ActionKind.DISCARD, tile)
        self.action(self.views[event.seat], action)
        self.apply(event)
        self.claims(event.seat)

    def claims(self, seat: int) -> None:
        """Count the players who may claim a tile of ``seat``."""
        self.tally.decisions += sum(bool(view.legal_actions()) for view in self.views if view.seat != seat)

    def riichi(self, event: ev.RiichiDeclared) -> None:
        later = islice(self.events, self.at + 1, None)
        following = next((each for each in later if not isinstance(each, ev.Disconnected | ev.Reconnected)), None)
        if isinstance(following, ev.Discard):
            self.action(self.views[event.seat], Action(ActionKind.RIICHI, following.tile))
        elif following is not None:  # a log may end here
            self.report("action", f"seat {event.seat} declares riichi without a discard")
        self.apply(event)

    def call(self, event: ev.Call) -> None:
        self.action(self.views[event.seat], call_action(event))
        self.apply(event)
        if event.meld.kind.is_kan:
            self.claims(event.seat)
        else:
            self.tally.decisions += 1  # the discard after it

    def win(self, event: ev.Win) -> None:
        """Check all wins on one tile together, by what each winner knew before the first."""
        if self.at >= self.won_until:
            first_at = self.at
            wins = [event]
            while first_at + len(wins) < len(self.events) and isinstance(
                following := self.events[first_at + len(wins)], ev.Win
            ):
                wins.append(following)
            self.won_until = first_at + len(wins)
            self.order_of_wins(wins)
            before = points4(self.views[0].scores)
            for number, each in enumerate(wins):
                self.at = first_at + number
                view = self.views[each.seat]
                kind = ActionKind.TSUMO if each.seat == each.from_seat else ActionKind.RON
                self.action(view, Action(kind, each.tile))
                self.shown_at_win(view, each)
                score = self.value(view, each)
                if score is not None:
                    self.win_payments(view, each, score, before, first=number == 0)
                before = plus(before, each.deltas)
            self.at = first_at
            self.expect_after_wins(self.views[0], wins, before)
        self.apply(event)

    def ryuukyoku(self, event: ev.Ryuukyoku) -> None:
        view = self.views[0]
        kind_stated = ev.Unstated.KIND not in event.unstated
        if event.kind is ev.RyuukyokuKind.NINE_TERMINALS and kind_stated:
            self.action(self.views[view.turn], NINE_TERMINALS)
        if event.kind is ev.RyuukyokuKind.TRIPLE_RON and kind_stated:
            for each in self.views:
                if each.seat != view.turn:
                    self.action(each, Action(ActionKind.RON, view.offered))
        tenpai = tuple(each.seat for each in self.views if each.waits) if event.kind in EXHAUSTIVE else ()
        exact = self.draw_payments(view, event, tenpai)
        for each in self.views:
            exact &= self.shown_at_draw(each, event)
        tenpai_stated = ev.Unstated.TENPAI not in event.unstated and (
            event.kind is not ev.RyuukyokuKind.NAGASHI_MANGAN or any(event.hands) or not tenpai
        )
        self.tally.count("draws", agrees=exact, stated=kind_stated and tenpai_stated)
        try:
            self.apply(event)
        except StateError as error:
            if kind_stated:
                raise
            self.lose(error)  # the kind is a guess, and not the log's

    def end_game(self, event: ev.EndGame) -> None:
        self.end_of_game(self.views[0], event)
        if not self.follower.lost:
            self.apply(event)


_HANDLERS: Final[dict[type, Callable[[_GameCheck, Any], None]]] = {
    ev.StartKyoku: _GameCheck.start_kyoku,
    ev.Draw: _GameCheck.draw,
    ev.Discard: _GameCheck.discard,
    ev.RiichiDeclared: _GameCheck.riichi,
    ev.Call: _GameCheck.call,
    ev.Win: _GameCheck.win,
    ev.Ryuukyoku: _GameCheck.ryuukyoku,
    ev.EndGame: _GameCheck.end_game,
}
"""The check of each event; other events are only applied."""
