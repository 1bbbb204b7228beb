"""Fills in, by our rules, what a log does not state of the ends of hands: values of wins, payments, tenpai."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.replay.checks import EXHAUSTIVE, plus, points4
from bot.replay.sessions import followed_steps
from bot.replay.steps import NO_END
from engine.model import events as ev
from engine.model.events import RyuukyokuKind, Unstated
from engine.model.rules import RIICHI_STICK
from engine.model.seats import four, kyoku_name
from engine.rules.course import final_scores
from engine.scoring import WinError, pao_seat, ryuukyoku_deltas, score_win, win_deltas
from engine.state import Follower, FourViews, GameState, StateError, nagashi_seats, visible_to
from protocol.errors import LogError, reading
from protocol.logs.formats import LogFile, read_log, read_session
from protocol.logs.game_log import GameLog, LeftOut
from protocol.logs.wire import game_of

_NOTHING_PAID: ev.Points4 = (0, 0, 0, 0)


def read_game(file: LogFile) -> GameLog:
    """A log with the hands that our rules can follow; the others are left out whole, and named in its notes.

    What it does not state of payments, and of who was tenpai, is counted.

    Raises:
        LogError: the log cannot be read, or none of its hands can be followed.
    """
    return paid(read_followed(file))


def read_followed(file: LogFile) -> GameLog:
    """A log with the hands that our rules can follow, as it states them; the others are named in its notes.

    Raises:
        LogError: the log cannot be read, or none of its hands can be followed.
    """
    session = read_session(file)
    if session is None:
        return followed(read_log(file))
    with reading(file.name):
        return followed(game_of(session, followed_steps(session)))


def followed(game: GameLog) -> GameLog:
    """The game without the hands that contradict our rules."""
    views = FourViews(game.start.rules) if game.viewer is None else GameState(game.viewer, game.start.rules)
    follower: Follower[FourViews | GameState] = Follower(views)
    restarts, events, left_out = game.restarts, list[ev.Event](), list(game.left_out)
    first, place, moved = 0, "", {}
    for at, event in enumerate(game.events):
        moved[at] = len(events)
        if isinstance(event, ev.StartKyoku):
            first, place = len(events), kyoku_name(event.kyoku, event.honba)
        if at in restarts:
            follower.lose(NO_END)
        heard = follower.hear(event if game.viewer is None else visible_to(event, game.viewer))
        if follower.fault is not None and not isinstance(event, ev.EndGame):
            events[first:] = [each for each in events[first:] if isinstance(each, _ASIDE)]
            left_out.append(LeftOut(place, f"event {at}", str(follower.fault), at))
        if heard or isinstance(event, (*_ASIDE, ev.EndGame)):
            events.append(event)
    if len(events) == len(game.events):
        return game
    news = tuple(map(str, left_out[len(game.left_out) :]))
    if not any(isinstance(event, ev.StartKyoku) for event in events):
        raise LogError(f"no hand can be followed: {news[0]}", game.source)
    moved[len(game.events)] = len(events)
    left_out = [replace(left, at=min(moved[left.at], len(events))) for left in left_out]
    return replace(game, events=tuple(events), left_out=tuple(left_out), notes=(*game.notes, *news))


_ASIDE: Final = (ev.StartGame, ev.Disconnected, ev.Reconnected)


def paid(game: GameLog) -> GameLog:
    """The game with the payments that its log does not state, which are zero there, and the scores that follow."""
    counted_here = Unstated.PAYMENTS | Unstated.TENPAI
    unpaid = any(isinstance(event, _ENDS) and event.unstated & counted_here for event in game.events)
    return replace(game, events=tuple(_Counting(game).run())) if unpaid and game.viewer is None else game


def counted(game: GameLog) -> GameLog:
    """The game with the value of every win, also where the log states it in part, wrongly or not at all.

    A value that the log states in full is kept. Payments are those of :func:`paid`, and hands are shown at a draw that
    nobody paid for if all were tenpai. What cannot be counted, because tiles are hidden or the log contradicts the
    rules, stays as it is; a win then has at least the points that were paid for it.
    """
    if game.viewer is not None or not any(isinstance(event, _ENDS) and _is_silent(event) for event in game.events):
        return game
    return replace(game, events=tuple(_Counting(game, values=True).run()))


_ENDS = ev.Win | ev.Ryuukyoku


def _is_silent(event: ev.Win | ev.Ryuukyoku) -> bool:
    silent = Unstated.PAYMENTS | Unstated.TENPAI | Unstated.KIND
    if isinstance(event, ev.Win):
        score = event.score
        unknown = score is None or _lacks_fu(score) or (score.yakuman and Unstated.LIABLE in event.unstated)
        return bool(unknown or event.unstated & silent)
    return bool(event.unstated & silent)


def _lacks_fu(score: ev.WinScore) -> bool:
    """Whether a value is that of a limit hand whose fu is not stated, as in tenhou.net/6."""
    return not (score.fu or score.yakuman)


class _Counting:
    """A pass through the events of a game."""

    def __init__(self, game: GameLog, *, values: bool = False) -> None:
        self._events = game.events
        self._restarts = game.restarts
        self._values = values
        self._follower: Follower[FourViews] = Follower(FourViews())
        self._shift = _NOTHING_PAID
        """What was paid by our count, and is missing from all scores of the log that follow."""

    def run(self) -> Iterator[ev.Event]:
        """The events, with what was counted."""
        at = 0
        while at < len(self._events):
            event = self._events[at]
            if isinstance(event, ev.Win):
                wins = []
                while at < len(self._events) and isinstance(following := self._events[at], ev.Win):
                    wins.append(following)
                    at += 1
                yield from self._won(wins)
                continue
            if at in self._restarts:
                self._follower.lose(NO_END)
            at += 1
            match event:
                case ev.StartKyoku() if any(self._shift):
                    event = self._dealt(event)
                case ev.Ryuukyoku():
                    event = self._drawn(event)
                case ev.EndGame() if Unstated.SCORES in event.unstated and not self._follower.lost:
                    views = self._follower.state
                    event = replace(event, scores=final_scores(views[0].scores, views[0].riichi_sticks))
            self._follower.hear(event)
            yield event

    def _dealt(self, deal: ev.StartKyoku) -> ev.StartKyoku:
        """The deal with the scores that our payments lead to, unless the log states just these."""
        if not self._follower.lost and points4(self._follower.state[0].scores) == deal.scores:
            self._shift = _NOTHING_PAID
        return replace(deal, scores=plus(deal.scores, self._shift))

    def _won(self, wins: list[ev.Win]) -> Iterator[ev.Win]:
        views, lost = self._follower.state, self._follower.lost
        found: list[ev.Win] = []
        for win in wins:
            worth = None if lost else _worth(views[win.seat], win)
            before = None if win.scores_before is None else plus(win.scores_before, self._shift)
            win = replace(win, scores_before=before)  # noqa: PLW2901
            if worth is not None:
                win = self._counted_win(views[win.seat], win, worth, first=not found)  # noqa: PLW2901
            elif self._values and win.score is None and (win.claim is None or win.claim.points is None):
                gain = win.deltas[win.seat] - RIICHI_STICK * win.riichi_sticks
                points = gain - self._honba_points * win.honba
                win = replace(win, claim=replace(win.claim or ev.WinClaim(), points=points))  # noqa: PLW2901
            found.append(win)
        for win in found:
            self._follower.hear(win)
            yield win

    @property
    def _honba_points(self) -> int:
        return self._follower.state[0].rules.honba_points

    def _counted_win(self, view: GameState, win: ev.Win, worth: ev.WinScore, *, first: bool) -> ev.Win:
        liable = win.pao_seat
        if liable is None and (win.score is None or Unstated.LIABLE in win.unstated):
            liable = pao_seat(win.melds, worth, win.from_seat)
        deltas = win.deltas
        if Unstated.PAYMENTS in win.unstated:
            deltas = win_deltas(
                worth,
                win.seat,
                win.from_seat,
                view.dealer,
                win.honba if first else 0,
                win.riichi_sticks,
                liable,
                view.rules.honba_points,
            )
            self._shift = plus(self._shift, points4([new - old for new, old in zip(deltas, win.deltas, strict=True)]))
        score = win.score
        if self._values and score is None:
            score = worth
        elif self._values and score is not None and _lacks_fu(score) and worth.points == score.points:
            score = replace(score, fu=worth.fu)
        return replace(win, deltas=deltas, score=score, pao_seat=liable)

    def _drawn(self, draw: ev.Ryuukyoku) -> ev.Ryuukyoku:
        if draw.scores_before is not None:
            draw = replace(draw, scores_before=plus(draw.scores_before, self._shift))
        if self._follower.lost or draw.kind not in EXHAUSTIVE:
            return draw
        views = self._follower.state
        nagashi = nagashi_seats(views[0])
        tenpai = tuple(view.seat for view in views if view.waits)
        kind = draw.kind
        if Unstated.KIND in draw.unstated:
            kind = RyuukyokuKind.NAGASHI_MANGAN if nagashi else RyuukyokuKind.EXHAUSTIVE
        gains = ryuukyoku_deltas(kind, tenpai, views[0].dealer, nagashi)
        deltas = gains if Unstated.PAYMENTS in draw.unstated else draw.deltas
        self._shift = plus(self._shift, points4([new - old for new, old in zip(deltas, draw.deltas, strict=True)]))
        hands = draw.hands
        if Unstated.TENPAI in draw.unstated and deltas == gains:
            hands = four(tuple(view.hand) if view.seat in tenpai else None for view in views)
        return replace(draw, kind=kind, deltas=deltas, hands=hands)


def _worth(view: GameState, win: ev.Win) -> ev.WinScore | None:
    """The value of a win by the winner's view; None if it cannot be counted."""
    try:
        return score_win(view.win_context(win.tile, win.from_seat, win.ura_indicators))
    except (WinError, StateError):
        return None
