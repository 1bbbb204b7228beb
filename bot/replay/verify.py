"""Verification of logs and captured sessions against our rules, on any number of cores.

A recorded game is followed by four views, each given only what its seat may see.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice, zip_longest
from typing import Any, Final

from bot.logs.sources import batches
from bot.machine.parallel import Backend, each
from bot.replay.checks import EXHAUSTIVE, Checks, change_words, flags_words, plus, points4
from bot.replay.counting import followed, paid
from bot.replay.sessions import followed_steps, hands_left_out
from bot.replay.verify_counts import Mismatch, Note, VerifyCounts
from engine.model import events as ev
from engine.model.actions import NINE_TERMINALS, Action, ActionKind
from engine.model.events import RyuukyokuKind
from engine.model.seats import SEATS, kyoku_name
from engine.model.tiles import TILES
from engine.rules.answers import DISCARD_OF, call_action
from engine.scoring import yaku_kernels as y
from engine.state import Follower, FourViews, GameState, StateError
from protocol.errors import LogError, UnsupportedGameError, reading
from protocol.logs.formats import FORMATS, LogFile, read_log, read_session, write_log
from protocol.logs.game_log import LOG_ID, UNPLAYED, GameLog
from protocol.logs.wire import Damaged, Furiten, Said, Seen, WireSession
from protocol.tenhou.actions import PROMPT_FLAGS, prompt_flags

_RON: Final = PROMPT_FLAGS[ActionKind.RON]


def check_session(session: WireSession, tally: VerifyCounts) -> None:
    """Check everything that a client received and sent, and add counts and mismatches to ``tally``.

    Raises:
        LogError: the capture is invalid.
    """
    _SessionCheck(session, tally).run()


def recalled(view: GameState, win: ev.Win) -> GameState:
    """The winner's view, completed by what no snapshot shows but the recorded win does, as far as it can be true.

    After a connection was lost, nobody can know whether a riichi from before the snapshot is a double one or still has
    ippatsu, or whether the last draw came from the dead wall. A view that saw the whole hand is returned as it is.
    """
    if view.history_known or win.score is None:
        return view
    seat, river = view.seat, view.rivers[view.seat]
    yaku = sum(1 << number for number, _ in win.score.yaku)
    in_riichi = bool(view.riichi[seat] and river)
    return view.recalled(
        ippatsu=in_riichi and yaku & y.IPPATSU != 0 and river[-1].riichi,
        double_riichi=in_riichi and yaku & y.DOUBLE_RIICHI != 0 and river[0].riichi,
        rinshan=yaku & y.RINSHAN != 0 and win.from_seat == seat and view.kans[seat] > 0,
    )


class _SessionCheck(Checks):
    """A pass through one session; positions are lines of the capture.

    Attributes:
        follower: follows with the client's view. It is lost too where a frame was damaged or a hand is left out, until
            the server deals or sends its state again.
        furiten: what the server announced last; None if not known.
        wins: wins on one tile so far.
        flags: flags of the current event.
        undeclared: the view before the client's own riichi declaration, until its discard has come back; otherwise
            None.
    """

    def __init__(self, session: WireSession, tally: VerifyCounts) -> None:
        super().__init__(session.source, tally, Follower(GameState(0), lost=True))
        self.session = session
        self.furiten: bool | None = None
        self.wins: list[ev.Win] = []
        self.flags = 0
        self.undeclared: GameState | None = None

    @property
    def view(self) -> GameState:
        """The client's view."""
        view: GameState = self.follower.state
        return view

    def run(self) -> None:
        """Check step after step; the hands that cannot be followed are left out, and a note names each."""
        steps = followed_steps(self.session)
        lost = hands_left_out(steps)
        self.tally.notes += [Note(self.source, str(left)) for left in lost]
        self.tally.left_out += len(lost)
        for step in steps:
            self.at = step.line
            if isinstance(step, Seen):
                self.seen(step)
            elif isinstance(step, Furiten):
                self.furiten = step.on
            elif isinstance(step, Damaged):
                self.tally.damaged += not step.hand
                self.lose(StateError(step.why))
            elif not self.follower.lost:
                self.said(step)

    def seen(self, step: Seen) -> None:
        event = step.event
        self.flags = step.flags
        if isinstance(event, ev.StartGame):
            self.follower = Follower(GameState(step.viewer, event.rules), lost=self.follower.lost)
            self.tally.games += 1
            self.after = False
        self.take(event, _SESSION_CHECKS.get(type(event), _SessionCheck.apply))

    def said(self, step: Said) -> None:
        """Check that the client was allowed to answer as it did.

        Over a websocket the riichi tile is named only after the server has repeated the declaration, so riichi is
        checked on the view before it.
        """
        declared = self.undeclared if step.action.kind is ActionKind.RIICHI else None
        self.action(declared or self.view, step.action)

    def riichi(self, event: ev.RiichiDeclared) -> None:
        if event.seat == self.view.seat:
            self.undeclared = self.view.copy()
        self.apply(event)

    def start_kyoku(self, event: ev.StartKyoku) -> None:
        self.start_of_hand(self.view, event)
        self.fresh()
        self.furiten = False
        self.apply(event)

    def resume(self, event: ev.Resume) -> None:
        self.place = kyoku_name(event.kyoku, event.honba)
        self.after = False
        self.fresh()
        self.furiten = None
        self.apply(event)
        self.tally.decisions += event.called

    def fresh(self) -> None:
        """Begin a hand, with a new view if the old one could not follow."""
        self.follower.find_again()
        self.wins = []
        self.undeclared = None

    # -- prompts ---------------------------------------------------------------------------------------------------

    def draw(self, event: ev.Draw) -> None:
        self.apply(event)
        if event.seat == self.view.seat:
            self.prompt()

    def discard(self, event: ev.Discard) -> None:
        self.undeclared = None
        self.apply(event)
        if event.seat != self.view.seat:
            self.prompt()
        self.compare_furiten()

    def call(self, event: ev.Call) -> None:
        self.apply(event)
        if event.seat != self.view.seat:
            self.prompt()
        else:
            self.tally.decisions += not event.meld.kind.is_kan  # the discard after it

    def prompt(self) -> None:
        """Check that the server prompts exactly when, and for exactly what, our rules leave a choice."""
        legal = self.view.legal_actions()
        ours = prompt_flags(legal)
        self.tally.decisions += bool(legal if self.view.turn == self.view.seat else ours & self.flags)
        if not self.view.history_known and (ours ^ self.flags) == _RON:
            return  # furiten by a tile passed before the snapshot cannot be known
        self.tally.prompts += 1
        self.tally.prompts_exact += self.same("prompts", "offered", ours, self.flags, flags_words)

    def compare_furiten(self) -> None:
        """Furiten is announced before the discard that causes or ends it, unless the player is prompted about that."""
        view = self.view
        if self.furiten is None or not view.history_known:
            return
        self.tally.furiten += 1
        missed = view.missed and not any(action.kind is ActionKind.RON for action in view.legal_actions())
        self.tally.furiten_exact += self.same("furiten", "furiten", view.furiten or missed, self.furiten)

    # -- ends of hands ---------------------------------------------------------------------------------------------

    def win(self, event: ev.Win) -> None:
        view = self.view
        before = points4(view.scores)
        score = event.score
        if event.seat == view.seat:
            self.shown_at_win(view, event)
            score = self.value(recalled(view, event), event)
        if score is not None:
            self.win_payments(view, event, score, before, first=not self.wins)
        self.wins.append(event)
        self.order_of_wins(self.wins)
        self.expect_after_wins(view, self.wins, plus(before, event.deltas))
        self.apply(event)

    def ryuukyoku(self, event: ev.Ryuukyoku) -> None:
        view = self.view
        exhaustive = event.kind in EXHAUSTIVE
        # the client is not shown its own hand
        shown = [bool(view.waits) if seat == view.seat else event.hands[seat] is not None for seat in SEATS]
        agrees = self.draw_payments(view, event, tuple(s for s in SEATS if shown[s] and exhaustive))
        self.tally.count("draws", agrees=agrees)
        self.apply(event)

    def end_game(self, event: ev.EndGame) -> None:
        self.end_of_game(self.view, event)
        if not self.follower.lost:
            self.apply(event)


_SESSION_CHECKS: Final[dict[type, Callable[[_SessionCheck, Any], None]]] = {
    ev.StartKyoku: _SessionCheck.start_kyoku,
    ev.Resume: _SessionCheck.resume,
    ev.Draw: _SessionCheck.draw,
    ev.Discard: _SessionCheck.discard,
    ev.Call: _SessionCheck.call,
    ev.RiichiDeclared: _SessionCheck.riichi,
    ev.Win: _SessionCheck.win,
    ev.Ryuukyoku: _SessionCheck.ryuukyoku,
    ev.EndGame: _SessionCheck.end_game,
}
"""The check of each event; other events are only applied."""


class _ViewCheck(_SessionCheck):
    """A pass through a log of one seat's view, which states no prompts; positions are indices of events."""

    def __init__(self, game: GameLog, viewer: int, tally: VerifyCounts) -> None:
        super().__init__(WireSession((), game.source), tally)
        self.game = game
        self.follower = Follower(GameState(viewer, game.start.rules))

    def run(self) -> None:
        """Check all events."""
        self.follow(self.game, _VIEW_CHECKS)

    def prompt(self) -> None:
        """Count a question; the log states none."""
        self.tally.decisions += self.view.asked

    def compare_furiten(self) -> None:
        """Compare nothing: the log does not state it."""

    def discard(self, event: ev.Discard) -> None:
        if event.seat == self.view.seat:
            self.action(self.view, DISCARD_OF[event.tile])
        super().discard(event)

    def call(self, event: ev.Call) -> None:
        if event.seat == self.view.seat:
            self.action(self.view, call_action(event))
        super().call(event)

    def riichi(self, event: ev.RiichiDeclared) -> None:
        following = next(iter(self.game.events[self.at + 1 : self.at + 2]), None)
        if event.seat == self.view.seat and isinstance(following, ev.Discard):
            self.action(self.view, Action(ActionKind.RIICHI, following.tile))
        self.apply(event)

    def win(self, event: ev.Win) -> None:
        if event.seat == self.view.seat:
            kind = ActionKind.TSUMO if event.seat == event.from_seat else ActionKind.RON
            self.action(self.view, Action(kind, event.tile))
        super().win(event)

    def ryuukyoku(self, event: ev.Ryuukyoku) -> None:
        """Check a draw: such a log hides the other hands, so that the payments say who was tenpai."""
        view = self.view
        waits = bool(view.waits)
        paid = [delta > 0 for delta in event.deltas] if any(event.deltas) else [waits] * len(SEATS)
        paid[view.seat] = waits
        exhaustive = event.kind is RyuukyokuKind.EXHAUSTIVE
        agrees = self.draw_payments(view, event, tuple(seat for seat in SEATS if paid[seat] and exhaustive))
        if event.kind is RyuukyokuKind.NAGASHI_MANGAN:
            self.after = False  # whether the dealer was tenpai is hidden
        self.tally.count("draws", agrees=agrees)
        self.apply(event)


_VIEW_CHECKS: Final[dict[type, Callable[[_ViewCheck, Any], None]]] = {
    ev.StartKyoku: _ViewCheck.start_kyoku,
    ev.Draw: _ViewCheck.draw,
    ev.Discard: _ViewCheck.discard,
    ev.Call: _ViewCheck.call,
    ev.RiichiDeclared: _ViewCheck.riichi,
    ev.Win: _ViewCheck.win,
    ev.Ryuukyoku: _ViewCheck.ryuukyoku,
    ev.EndGame: _ViewCheck.end_game,
}
"""The check of each event; other events are only applied."""


SANMA: Final = "sanma"

OnProgress = Callable[[VerifyCounts], None]


def verify_logs(
    files: Iterable[LogFile],
    jobs: int = 1,
    backend: Backend = Backend.LOKY,
    *,
    round_trip: bool = False,
    on_progress: OnProgress | None = None,
) -> VerifyCounts:
    """Verify logs, such as those of :func:`bot.logs.sources.open_logs`.

    Args:
        files: logs, read one after the other in the calling process, only a little ahead of the work.
        jobs: number of processes; 1: only the calling process.
        backend: what runs them.
        round_trip: whether to write each log in its own format, read that, and compare.
        on_progress: called with the figures of each finished batch of files, in the calling process.

    Returns:
        The figures of all; errors are in the order of the files' names.
    """
    total = VerifyCounts()
    for tally in each(partial(verify_files, round_trip=round_trip), batches(files), jobs, backend):
        total.add(tally)
        if on_progress is not None:
            on_progress(tally)
    for found in (total.tolerated, total.in_excerpts, total.errors):
        found.sort(key=lambda each: (each.file, each.event))
    total.unreadable.sort(key=lambda each: each.file)
    total.notes.sort(key=lambda each: each.file)
    return total


def verify_files(files: Iterable[LogFile], *, round_trip: bool = False) -> VerifyCounts:
    """Verify some logs in this process; see :func:`verify_logs`."""
    tally = VerifyCounts()
    for file in files:
        tally.files += 1
        try:
            with reading(file.name):
                verify_file(file, tally, round_trip=round_trip)
        except UnsupportedGameError:
            tally.skip(SANMA)
        except LogError as error:
            tally.unreadable.append(Note(file.name, error.detail))
    return tally


def verify_file(file: LogFile, tally: VerifyCounts, *, round_trip: bool = False) -> None:
    """Verify one log, and add counts and mismatches to ``tally``.

    Raises:
        LogError: the file cannot be read.
    """
    session = read_session(file)
    if session is not None:
        check_session(session, tally)
        return
    game = paid(read_log(file))
    if game.viewer is not None:
        game = followed(game)
    tally.notes += [Note(file.name, note) for note in game.notes]
    tally.left_out += len(game.left_out)
    if game.viewer is not None:
        _ViewCheck(game, game.viewer, tally).run()
    elif game.excerpt and not file.named:
        tally.excerpts += 1
        apart = VerifyCounts()
        check_game(game, apart)
        tally.in_excerpts += apart.errors
    else:
        check_game(game, tally)
    if round_trip and FORMATS[file.format].writes:
        tally.round_trips += 1
        text = write_log(game, file.format)
        again = read_log(LogFile(file.name, file.format, text.encode()))
        if again == game:
            tally.round_trips_exact += 1
        else:
            tally.errors.append(_first_difference(game, again))


def _first_difference(game: GameLog, again: GameLog) -> Mismatch:
    """The first difference between a log and its copy, written and read again."""
    pairs = enumerate(zip_longest(game.events, again.events))
    for at, (first, second) in pairs:
        if first != second:
            return Mismatch(game.source, "", at, "round trip", change_words(first, second))
    return Mismatch(game.source, "", 0, "round trip", f"{game.info} became {again.info}")


_is_tenhou: Final = re.compile(LOG_ID).fullmatch


def check_game(game: GameLog, tally: VerifyCounts) -> None:
    """Check every event of a game, and add counts and mismatches to ``tally``."""
    _GameCheck(game, tally).follow(game, _GAME_CHECKS)


class _GameCheck(Checks):
    """A pass through one game's events.

    Attributes:
        won_until: index of the first event after the wins already checked together.
    """

    def __init__(self, game: GameLog, tally: VerifyCounts) -> None:
        info = game.info
        elsewhere = _is_tenhou(info.log_id) is None if info.log_id else not info.version
        house = bool(info.house_rules) or any(note.startswith(UNPLAYED) for note in game.notes)
        super().__init__(game.source, tally, Follower(FourViews()), elsewhere=elsewhere, house_rules=house)
        self.events = game.events
        self.won_until = 0

    @property
    def views(self) -> FourViews:
        """The view of each seat."""
        views: FourViews = self.follower.state
        return views

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
        self.tally.decisions += sum(view.asked for view in self.views if view.seat != seat)

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


_GAME_CHECKS: Final[dict[type, Callable[[_GameCheck, Any], None]]] = {
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
