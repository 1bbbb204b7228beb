"""Who sits at a table: a seat is told what happens and asked for answers, whoever sits on it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable

import structlog

from bot.lobby.clock import TurnClock
from bot.lobby.prompts import Prompt, Reply
from engine.model.budget import Budget
from engine.model.events import EndGame, Event, StartKyoku
from engine.model.rules import Rules
from engine.policy.decision import Decider
from engine.state import GameState, visible_to
from protocol.tenhou.announce import Table as TableFacts
from protocol.tenhou.messages import Message

log = structlog.get_logger(__name__)


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


class HouseSeat(Seat):
    """A built-in player, in this process."""

    def __init__(self, index: int, name: str, decider: Decider, rules: Rules, clock: TurnClock) -> None:
        self.index = index
        self.name = name
        self._decider = decider
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
        self._state.apply(visible_to(event, self.index))
        if isinstance(event, StartKyoku):
            self._clock.refill()
            self._decider.start_kyoku()

    async def answer(self, prompt: Prompt) -> Reply:
        """Think in a worker thread; a player that fails or answers wrongly is played for."""
        deadline = self._clock.start()
        budget = Budget(expired=_after(deadline))
        try:
            decision = await asyncio.to_thread(self._decider.decide, self._state, self._state.legal_actions(), budget)
        except Exception as error:
            log.exception("house player failed", player=self.name, seat=self.index)
            return Reply(prompt.default(), illegal=f"{self.name} failed: {error!r}")
        finally:
            self._clock.stop()
        if prompt.accepts(decision.action):
            return Reply(decision.action)
        return Reply(prompt.default(), illegal=f"{self.name}: {decision.action}; legal are {_list(prompt)}")


def _after(deadline: float) -> Callable[[], bool]:
    now = asyncio.get_running_loop().time
    return lambda: now() > deadline


def _list(prompt: Prompt) -> str:
    return ", ".join(map(str, prompt.actions))
