"""The seats of a table: what each is asked, the time that it has, and the seat that our own policies play."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from bot.deciding.ask import Outcome, Question
from bot.deciding.thinker import Thinker
from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import EndGame, Event, StartKyoku
from engine.model.rules import Rules
from engine.policy.decision import Decider, Seated
from protocol.tenhou.events import TableFacts
from protocol.tenhou.game_type import Clock
from protocol.tenhou.schema import Message


class TurnClock:
    """Counts one player's time. ``now`` gives seconds on a clock that never goes back."""

    __slots__ = ("_allowance", "_bank", "_now", "_started")

    def __init__(self, allowance: Clock, now: Callable[[], float]) -> None:
        self._allowance = allowance
        self._now = now
        self._bank = allowance.bank
        self._started = 0.0

    @property
    def bank(self) -> float:
        """Seconds left in the bank."""
        return self._bank

    def refill(self) -> None:
        """Refill the bank at the beginning of a hand."""
        self._bank = self._allowance.bank

    def start(self) -> float:
        """Start the clock; returns the time at which it runs out."""
        self._started = self._now()
        return self._started + self._allowance.action + self._bank

    def stop(self) -> None:
        """Stop the clock; what exceeds the time of an answer is taken from the bank."""
        beyond = self._now() - self._started - self._allowance.action
        self._bank = max(0.0, self._bank - max(0.0, beyond))


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt to one player."""

    actions: tuple[Action, ...]  # the legal answers
    tile: int | None  # ``tile136`` drawn, discarded or added to a pon; None after one's own call
    accepts: Callable[[Action], bool]  # whether an action, with any physical copies, is legal
    declare: Callable[[], None]  # called when the player has sent REACH and its discard is still to come

    @property
    def own_turn(self) -> bool:
        """Whether the player has drawn or called; otherwise it is asked about another player's tile."""
        return PASS not in self.actions

    @property
    def may_riichi(self) -> bool:
        """Whether riichi is one of the answers."""
        return any(action.kind is ActionKind.RIICHI for action in self.actions)

    def default(self, declared: bool = False) -> Action:
        """The action for a player who does not answer: pass, or tsumogiri, or the right-most possible discard.

        Args:
            declared: whether it has sent REACH, so that the discard must leave the hand tenpai.
        """
        if not self.own_turn:
            return PASS
        kind = ActionKind.RIICHI if declared else ActionKind.DISCARD
        discards = [action for action in self.actions if action.kind is kind]
        drawn = next((action for action in discards if action.tile == self.tile), None)
        return drawn or max(discards, key=lambda action: action.tile)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and what was wrong with the one that was given."""

    action: Action  # a legal action; the default if the player gave none
    late: bool = False  # whether its time ran out
    illegal: str = ""  # why its answer was not legal; empty if it was


class Seat(ABC):
    """One of the four seats of a table."""

    index: int  # absolute seat
    name: str  # the name that the others see
    sex: str = "C"  # ``M``, ``F`` or ``C``
    # dan, rate: rank index and rating
    dan: int = 0
    rate: float = 1500.0

    @abstractmethod
    def open(self, facts: TableFacts) -> None:
        """The game is about to begin."""

    @abstractmethod
    def tell(self, event: Event, flags: int = 0, end: EndGame | None = None) -> None:
        """An event has happened.

        Args:
            event: the event with full information; the seat hides what its player may not see.
            flags: what its player may declare now.
            end: the end of the game, which is announced with the last hand.
        """

    @abstractmethod
    def say(self, message: Message) -> None:
        """Send a message that only clients get, such as FURITEN."""

    @abstractmethod
    async def ready(self) -> None:
        """Wait until the player is ready for the next hand."""

    @abstractmethod
    async def answer(self, prompt: Prompt) -> Reply:
        """The player's answer, always legal and within its time."""

    @abstractmethod
    def close(self) -> None:
        """The game has ended or was aborted."""


class HouseSeat(Seat):
    """A built-in player, in this process."""

    def __init__(self, index: int, name: str, decider: Decider, rules: Rules, clock: TurnClock) -> None:
        self.index = index
        self.name = name
        self._seat = Seated(index, rules, Thinker(decider))
        self._clock = clock

    def open(self, facts: TableFacts) -> None:
        """Nothing to prepare."""

    def say(self, message: Message) -> None:
        """Do nothing: the player derives this itself."""

    async def ready(self) -> None:
        """Return at once."""

    def tell(self, event: Event, flags: int = 0, end: EndGame | None = None) -> None:  # noqa: ARG002
        """See :meth:`Seat.tell`."""
        self._seat.apply(event)
        if isinstance(event, StartKyoku):
            self._clock.refill()

    async def answer(self, prompt: Prompt) -> Reply:
        """The answer of the policy, from its thread, or the fallback if that is not ready in time."""
        allowed = self._clock.start() - asyncio.get_running_loop().time()
        state = self._seat.state
        thought = await self._seat.player.think(Question.of(state, state.legal_actions(), allowed))
        self._clock.stop()
        action = thought.decision.action
        fault = "" if thought.outcome in (Outcome.DECIDED, Outcome.LATE) else f"{self.name}: {thought.error}"
        if not prompt.accepts(action):
            fault = fault or f"{self.name}: {action}; legal are {', '.join(map(str, prompt.actions))}"
            action = prompt.default()
        return Reply(action, late=thought.outcome is Outcome.LATE, illegal=fault)

    def close(self) -> None:
        """The game is over."""
        self._seat.player.close()
