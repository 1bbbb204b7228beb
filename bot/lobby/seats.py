"""The seats of a table: each is notified of events and asked for answers, whoever plays it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from bot.deciding.ask import Outcome
from bot.deciding.thinker import Thinker
from bot.lobby.clock import TurnClock
from bot.lobby.prompts import Prompt, Reply
from engine.model.events import EndGame, Event, StartKyoku
from engine.model.rules import Rules
from engine.policy.decision import Decider
from engine.state import GameState, visible_to
from protocol.tenhou.announce import TableFacts
from protocol.tenhou.messages import Message


class Seat(ABC):
    """One of the four seats of a table.

    Attributes:
        index: absolute seat.
        name: the name that the others see.
        sex: ``M``, ``F`` or ``C``.
        dan, rate: rank index and rating.
    """

    index: int
    name: str
    sex: str = "C"
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
        self._thinker = Thinker(decider)
        self._state = GameState(index, rules)
        self._clock = clock

    def open(self, facts: TableFacts) -> None:
        """Nothing to prepare."""

    def say(self, message: Message) -> None:
        """Do nothing: the player derives this itself."""

    async def ready(self) -> None:
        """Return at once."""

    def tell(self, event: Event, flags: int = 0, end: EndGame | None = None) -> None:  # noqa: ARG002
        """See :meth:`Seat.tell`."""
        seen = visible_to(event, self.index)
        self._state.apply(seen)
        self._thinker.hear(seen, self.index)
        if isinstance(event, StartKyoku):
            self._clock.refill()
            self._thinker.start_kyoku()

    async def answer(self, prompt: Prompt) -> Reply:
        """The answer of the policy, from its thread, or the fallback if that is not ready in time."""
        allowed = self._clock.start() - asyncio.get_running_loop().time()
        thought = await self._thinker.think(self._state, self._state.legal_actions(), allowed)
        self._clock.stop()
        action = thought.decision.action
        fault = "" if thought.outcome in (Outcome.DECIDED, Outcome.LATE) else f"{self.name}: {thought.error}"
        if not prompt.accepts(action):
            fault = fault or f"{self.name}: {action}; legal are {', '.join(map(str, prompt.actions))}"
            action = prompt.default()
        return Reply(action, late=thought.outcome is Outcome.LATE, illegal=fault)

    def close(self) -> None:
        """The game is over."""
        self._thinker.close()
