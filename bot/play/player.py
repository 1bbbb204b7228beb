"""Plays one seat without a socket: takes events and gives answers, which our own rules check."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import structlog

from bot.deciding.ask import Outcome, Question, Thought
from bot.deciding.thinker import DecisionSource
from bot.play.clock import ClockTracker
from bot.play.patience import Heard
from bot.play.tally import Tally
from bot.wording.events import SIDES, NoteKind, note_at_table
from bot.wording.grounds import value_unit, words
from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import Call, Discard, Draw, EndGame, Event, Resume, StartGame, StartKyoku
from engine.model.seats import relative
from engine.model.tiles import format_tile
from engine.policy.decision import Decision, Seated
from engine.policy.forced import settled
from engine.policy.grounds import GroundKind, ground
from engine.state import GameState, StateError
from protocol.tenhou.actions import PROMPT_FLAGS, Asked, offered, prompt_flags
from protocol.tenhou.session import Prompt

log = structlog.get_logger()

MOST_RESYNCS: Final = 2
"""Resynchronisations in a row without success; more would not help."""
HELPED: Final = 8
"""Number of events after a resynchronisation that make it a success, so that another one is allowed."""
MOST_IN_A_HAND: Final = 10
"""Resynchronisations per hand; beyond this it is better to play the hand out safely."""
_RON: Final = PROMPT_FLAGS[ActionKind.RON]


class Watcher(Protocol):
    """An observer of a game. It is called on the event loop between frames and must be quick."""

    def happened(self, state: GameState, event: Event) -> None:
        """An event was applied."""

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """A decision was made; the state is still the one it was made in."""

    def noted(self, said: Mapping[str, str]) -> None:
        """A message for people by language, already cleaned."""


class Player:
    """Keeps the seat's state and asks the policy.

    The server's prompts are only compared with our own legal actions; a difference is logged and counted. An impossible
    event suspends the state until the next hand; until then the answers are harmless: discard the drawn tile, or pass.

    Attributes:
        names: names of the players by absolute seat, as the server sent them.
        clock: the table's clock; the caller reports how long answers took.
        tally: counts.
        end: the end of the game; None while it is running.
        damaged: number of unreadable frames in this hand since the server last sent its state.
        watchers: observers.
    """

    def __init__(self, thinker: DecisionSource, clock: ClockTracker, tally: Tally) -> None:
        self.names: tuple[str, str, str, str] = ("", "", "", "")
        self.tally = tally
        self.end: EndGame | None = None
        self._thinker = thinker
        self.clock = clock
        self.watchers: tuple[Watcher, ...] = ()
        self.damaged = 0
        self._seat: Seated[DecisionSource] | None = None
        self._resyncs = self._in_vain = self._followed = 0

    @property
    def state(self) -> GameState | None:
        """The seat's view; None before the game begins."""
        return None if self._seat is None else self._seat.state

    @property
    def suspended(self) -> bool:
        """Whether our state could not follow the hand."""
        return self._seat is not None and self._seat.lost

    def may_resync(self) -> bool:
        """Whether to ask the server again for the state of the hand; counts the request."""
        self._in_vain = 1 if self._followed >= HELPED else self._in_vain + 1
        self._resyncs += 1
        return self._in_vain <= MOST_RESYNCS and self._resyncs <= MOST_IN_A_HAND

    def place(self) -> str:
        """Which hand it is; empty before the first."""
        return self.state.place() if self.state is not None else ""

    def heard(self, heard: Heard) -> None:
        """Follow the events of a frame, and compare the server's prompt with our rules."""
        events = heard.received.events
        for event in events:
            self.apply(event, heard.session.seat or 0)
        if events:
            self.check_flags(events[-1], heard.received.prompt)

    def apply(self, event: Event, seat: int) -> None:
        """Apply an event; ``seat`` is our seat."""
        if isinstance(event, StartGame):
            lost = self._seat is None or self._seat.lost  # until a hand begins
            self._seat = Seated(seat, event.rules, self._thinker, lost=lost)
            self.names = event.names
        elif isinstance(event, EndGame):
            self.end = event
        if self._seat is None:
            return
        if isinstance(event, StartKyoku | Resume):
            self._begin_hand(event)
        if not self._seat.hear(event):
            if self._seat.fault is not None:
                self._suspend(self._seat.fault)
            return
        state = self._seat.state
        self._followed += 1
        self._watch(lambda watcher: watcher.happened(state, event))

    def note(self, kind: NoteKind, detail: str = "") -> None:
        """Show the watchers a note; ``detail`` is added to it as it is, already cleaned."""
        self._watch(lambda watcher: watcher.noted(note_at_table(kind, detail)))

    def check_flags(self, event: Event, prompt: Prompt | None) -> None:
        """Compare the server's prompt after ``event`` with our rules."""
        state = self.state
        if state is None or self.suspended or not isinstance(event, Draw | Discard | Call):
            return
        if isinstance(event, Draw | Discard) and (event.seat == state.seat) is not isinstance(event, Draw):
            return  # others' draws and our own discards ask us nothing
        said = prompt.flags if prompt is not None else 0
        ours = prompt_flags(state.legal_actions())
        if said != ours and (state.history_known or ours ^ said != _RON):  # furiten may not be known
            self.tally.mismatches += 1
            log.warning("prompt differs from our rules", hand=state.place(), event_=str(event), server=said, ours=ours)

    def question(self, prompt: Prompt, waited: float = 0.0) -> Question | None:
        """The question of a prompt that arrived ``waited`` seconds ago: of the legal answers those that it offers.

        None if we do not know of any: our state cannot follow the hand.
        """
        state = self.state
        if state is None or self.suspended:
            return None
        legal = offered(state.legal_actions(), prompt.flags)
        return Question.of(state, legal, self.clock.allowance(waited), prompt.number) if legal else None

    async def answer(self, prompt: Prompt, question: Question | None) -> tuple[Action | None, Thought]:
        """Decide within the clock's time; raises nothing. An action of None means that there is no answer."""
        if question is None:
            return self.answer_blindly(prompt.asked)
        thought = await self._thinker.think(question)
        decision = thought.decision
        self.tally.decided(thought.outcome, decision.elapsed)
        self._log(question.state, prompt, thought)
        self._watch(lambda watcher: watcher.decided(question.state, decision, thought.outcome))
        return decision.action, thought

    def answer_safely(self, prompt: Prompt, question: Question | None) -> tuple[Action | None, Thought]:
        """The fallback's answer; the blind one only where we know of nothing that is legal."""
        if question is None:
            return self.answer_blindly(prompt.asked)
        thought = Thought.failed(question)
        self.tally.decided(thought.outcome, 0.0)
        return thought.decision.action, thought

    def answer_blindly(self, asked: Asked) -> tuple[Action | None, Thought]:
        """The answer without a view: the drawn tile, or pass; None if neither is possible."""
        if not asked.own_turn:
            action = PASS
        elif asked.tile is not None:
            action = Action(ActionKind.DISCARD, asked.tile)
        else:
            return None, Thought(Decision(PASS))
        decision = settled(action, ground(GroundKind.NOT_FOLLOWED), "fallback")
        self.tally.decided(Outcome.DECIDED, 0.0)
        return action, Thought(decision)

    def _begin_hand(self, event: StartKyoku | Resume) -> None:
        self.damaged = self._followed = 0
        if isinstance(event, StartKyoku):
            self.tally.hands += 1
            self._resyncs = self._in_vain = 0
            self.clock.start_kyoku()
        else:
            self.clock.resume()

    def _suspend(self, error: StateError) -> None:
        self.tally.lost += 1
        what = "lost track of the hand; playing safe until the server sends its state"
        if self.damaged:
            log.warning(what, cause="an unreadable frame", damaged=self.damaged, error=str(error))
        else:
            log.error(what, error=str(error))
        self.note(NoteKind.LOST_TRACK, str(error))

    def _watch(self, look: Callable[[Watcher], None]) -> None:
        """Call every watcher; one that fails is removed, and the game continues."""
        for watcher in self.watchers:
            try:
                look(watcher)
            except Exception:
                log.exception("a watcher failed")
                self.watchers = tuple(other for other in self.watchers if other is not watcher)

    def _log(self, state: GameState, prompt: Prompt, thought: Thought) -> None:
        """Write the log line of a decision."""
        decision = thought.decision
        best = next((one for one in decision.candidates if one.action == decision.action), None)
        worth = round(best.score, 2) if best else None
        points = decision.points(best.score) if best else None
        fields: dict[str, Any] = {
            "hand": state.place(),
            "turn": len(state.rivers[state.seat]) + 1,
            "asked": _asked(state, prompt.asked),
            "action": str(decision.action),
            "mode": str(decision.mode),
            "shanten": best.shanten if best else None,
            "ukeire": best.ukeire if best else None,
            "value": worth if points is None else round(points),
            "unit": value_unit(decision),
            "ms": round(1000 * decision.elapsed, 2),
            "outcome": str(thought.outcome),
            "why": "; ".join(words(decision)),
        }
        if thought.error is not None:  # the first fault of its kind has been reported
            fields["error"] = str(thought.error)
        log.info("decision", **fields)


def _asked(state: GameState, asked: Asked) -> str:
    if asked.own_turn:
        return "own turn" if asked.tile is None else f"drew {format_tile(asked.tile, state.rules.red_fives)}"
    tile = "?" if asked.tile is None else format_tile(asked.tile, state.rules.red_fives)
    return f"{tile} from {SIDES[relative(state.turn, state.seat)]}"
