"""Who sits at a table: a seat is told what happens and asked for answers, whoever sits on it."""

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
    """One of four.

    Attributes:
        index: absolute seat.
        name: as the others see it.
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
        """The table is set."""

    @abstractmethod
    def tell(self, event: Event, flags: int = 0, end: EndGame | None = None) -> None:
        """Something has happened.

        Args:
            event: with full information; the seat shows its player what that one may see.
            flags: what its player may declare now.
            end: the end of the game, which is said with its last hand.
        """

    @abstractmethod
    def say(self, message: Message) -> None:
        """Something that only a client is told, such as FURITEN."""

    @abstractmethod
    async def ready(self) -> None:
        """Wait until the player wants to go on."""

    @abstractmethod
    async def answer(self, prompt: Prompt) -> Reply:
        """The player's choice; always a legal one, and within its time."""

    @abstractmethod
    def close(self) -> None:
        """The game is over, or was broken off."""


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
        """It finds out by itself."""

    async def ready(self) -> None:
        """Always."""

    def tell(self, event: Event, flags: int = 0, end: EndGame | None = None) -> None:  # noqa: ARG002
        """See :meth:`Seat.tell`."""
        seen = visible_to(event, self.index)
        self._state.apply(seen)
        self._thinker.hear(seen, self.index)
        if isinstance(event, StartKyoku):
            self._clock.refill()
            self._thinker.start_kyoku()

    async def answer(self, prompt: Prompt) -> Reply:
        """Think in a worker thread; where that comes to nothing in time, the answer that was ready before."""
        allowed = self._clock.start() - asyncio.get_running_loop().time()
        thought = await self._thinker.think(self._state, self._state.legal_actions(), allowed)
        self._clock.stop()
        action = thought.decision.action
        fault = "" if thought.outcome in (Outcome.DECIDED, Outcome.LATE) else f"{self.name}: {thought.error!r}"
        if not prompt.accepts(action):
            fault = fault or f"{self.name}: {action}; legal are {', '.join(map(str, prompt.actions))}"
            action = prompt.default()
        return Reply(action, late=thought.outcome is Outcome.LATE, illegal=fault)

    def close(self) -> None:
        """The game is over."""
        self._thinker.close()
