"""One client's captured session checked against our rules: its own hand, its prompts and its answers."""

from collections.abc import Callable
from typing import Any, Final

from bot.replay.checks import EXHAUSTIVE, Checks, flags_words, plus, points4
from bot.replay.verify_counts import VerifyCounts
from engine.model import events as ev
from engine.model.actions import ActionKind
from engine.model.seats import SEATS, kyoku_name
from engine.scoring import yaku_kernels as y
from engine.state import Follower, GameState, StateError
from protocol.logs.wire import Damaged, Furiten, Said, Seen, WireSession, play
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
    found = view.copy()
    if view.riichi[seat] and river:
        found.ippatsu[seat] = view.ippatsu[seat] or (yaku & y.IPPATSU != 0 and river[-1].riichi)
        if yaku & y.DOUBLE_RIICHI and river[0].riichi:
            found.riichi[seat] = 2
    found.rinshan = view.rinshan or (yaku & y.RINSHAN != 0 and win.from_seat == seat and view.kans[seat] > 0)
    return found


class _SessionCheck(Checks):
    """A pass through one session; positions are lines of the capture.

    Attributes:
        follower: follows with the client's view. It is lost too if a frame was damaged, so that an event may be
            missing, unless the server sends its state again.
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
        """Check step after step; after an impossible or damaged one continue where the state is known again."""
        for step in play(self.session):
            self.at = step.line
            if isinstance(step, Seen):
                self.seen(step)
            elif isinstance(step, Furiten):
                self.furiten = step.on
            elif isinstance(step, Damaged):
                self.tally.damaged += 1
                self.lose(StateError("a frame arrived damaged"))
            elif not self.follower.lost:
                self.said(step)

    def seen(self, step: Seen) -> None:
        event = step.event
        self.flags = step.flags
        if isinstance(event, ev.StartGame):
            self.follower = Follower(GameState(step.viewer, event.rules), lost=self.follower.lost)
            self.tally.games += 1
            self.after = False
        self.take(event, _HANDLERS.get(type(event), _SessionCheck.apply))

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


_HANDLERS: Final[dict[type, Callable[[_SessionCheck, Any], None]]] = {
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
