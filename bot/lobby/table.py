"""One table: four seats, one referee, from GO to the result and what it adds to the players' records."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from bot.lobby.connection import Connection
from bot.lobby.remote import RemoteSeat
from bot.lobby.seats import Prompt, Reply, Seat
from engine.arena import Referee
from engine.arena.referee import Flags4, Step
from engine.model import events as ev
from engine.model.actions import Action
from engine.model.hands import hands_of
from engine.model.seats import by_score, kyoku_name
from protocol.logs.game_log import GameLog, LogInfo
from protocol.tenhou import server
from protocol.tenhou.actions import prompt_flags
from protocol.tenhou.events import TableFacts


def prof_add(events: Sequence[ev.Event], end: ev.EndGame, seat: int) -> tuple[int | float, ...]:
    """The field ``add``: result, 1 at the placement of four, busted, then hands: played, won, dealt in, called, riichi.

    Tenhou counts a tile that two win on as one hand dealt in, and a riichi that is declared, also if its tile deals in.

    Args:
        events: events of the whole game.
        end: end of the game.
        seat: the seat.
    """
    hands = hands_of(enumerate(events)).hands
    result = end.results[seat] if end.results else 0.0
    placed = (int(other == seat) for other in by_score(end.scores))
    won = sum(seat in hand.winners for hand in hands)
    dealt_in = sum(hand.dealt_in == seat for hand in hands)
    called = sum(seat in hand.callers for hand in hands)
    riichi = sum(seat in hand.riichi for hand in hands)
    return result, *placed, int(end.scores[seat] < 0), len(hands), won, dealt_in, called, riichi


@dataclass(slots=True)
class SeatTally:
    """How one seat answered."""

    answers: int = 0  # number of prompts
    late: int = 0  # number of prompts whose time ran out
    illegal: list[str] = field(default_factory=list)  # reasons why answers were illegal, each with its hand


@dataclass(frozen=True, slots=True)
class TableResult:
    """A finished game."""

    log: GameLog  # the game
    end: ev.EndGame  # scores and result points
    tallies: tuple[SeatTally, SeatTally, SeatTally, SeatTally]  # tallies by seat
    clients: tuple[int, ...]  # seats of clients
    files: tuple[Path, ...] = ()  # files of the record

    @property
    def hands(self) -> int:
        """Number of hands played."""
        return sum(isinstance(event, ev.StartKyoku) for event in self.log.events)

    @property
    def illegal(self) -> int:
        """Number of illegal answers of all seats."""
        return sum(len(tally.illegal) for tally in self.tallies)

    @property
    def late(self) -> int:
        """Number of late answers of all seats."""
        return sum(tally.late for tally in self.tallies)


class Table:
    """Runs one game. Seats are notified of each event; those who are asked must answer before play continues.

    Attributes:
        seats: the seats, by absolute number.
        facts: the contents of GO, UN and TAIKYOKU.
        events: the events so far, including disconnections and returns.
    """

    def __init__(
        self,
        facts: TableFacts,
        seats: Sequence[Seat],
        referee: Referee,
        ready_time: float,
        record: Callable[[GameLog], tuple[Path, ...]],
        ranked: bool,
    ) -> None:
        """Create a table.

        Args:
            facts: the contents of GO, UN and TAIKYOKU.
            seats: four seats, by absolute number.
            referee: referee of a game that has not begun.
            ready_time: seconds between hands.
            record: stores the finished game and returns its files.
            ranked: whether players are sent what the game adds to their record.
        """
        self.facts = facts
        self.seats = seats
        self.events: list[ev.Event] = []
        self._referee = referee
        self._ready_time = ready_time
        self._record = record
        self._ranked = ranked
        self._tallies = (SeatTally(), SeatTally(), SeatTally(), SeatTally())
        self._shown: list[bool] = [False] * 4
        self._declared: int | None = None
        self._log = structlog.get_logger(__name__).bind(table=facts.log)

    async def run(self) -> TableResult:
        """Play the game to its end."""
        self._log.info("table opens", names=list(self.facts.names), type=self.facts.type)
        clients = tuple(seat.index for seat in self._remote_seats())
        for seat in self.seats:
            seat.open(self.facts)
        step = self._referee.start()
        await self._ready()
        end = await self._tell(step)
        while end is None:
            step = self._referee.answer(await self._ask(step))
            end = await self._tell(step)
        log = GameLog(tuple(self.events), self._info())
        result = TableResult(log, end, self._tallies, clients, self._record(log))
        self._log.info(
            "table ends", scores=list(end.scores), hands=result.hands, illegal=result.illegal, late=result.late
        )
        return result

    # -- telling ---------------------------------------------------------------------------------------------------

    async def _tell(self, step: Step) -> ev.EndGame | None:
        """Announce a step to everyone; returns the end of the game if it is in the step."""
        last = step.events[-1]
        end = last if isinstance(last, ev.EndGame) else None
        closing = max(
            (at for at, event in enumerate(step.events) if isinstance(event, ev.Win | ev.Ryuukyoku)), default=-1
        )
        asked_about = len(step.events) - 1
        for at, (event, furiten) in enumerate(zip(step.events, step.furiten, strict=True)):
            if isinstance(event, ev.StartKyoku):
                await self._begin_hand()
            if isinstance(event, ev.RiichiDeclared) and self._declared == event.seat:
                self._declared = None  # announced when the player sent it
                continue
            self._tell_furiten(furiten)
            if end is not None and at == closing:
                self._tell_record(end)
            self.events.append(event)
            for seat in self.seats:
                actions = step.prompts.get(seat.index, ()) if at == asked_about else ()
                seat.tell(event, prompt_flags(actions), end if at == closing else None)
        return end

    async def _begin_hand(self) -> None:
        if self._begun:
            await self._ready()
        self._shown = [False] * 4

    def _tell_furiten(self, furiten: Flags4) -> None:
        for seat in self.seats:
            if furiten[seat.index] != self._shown[seat.index]:
                self._shown[seat.index] = furiten[seat.index]
                seat.say(server.Furiten(int(furiten[seat.index])))

    def _tell_record(self, end: ev.EndGame) -> None:
        if not self._ranked:
            return
        for seat in self._remote_seats():
            add = prof_add((*self.events, *self._referee.step.events), end, seat.index)
            seat.member.add(add)
            seat.say(server.Prof(self.facts.lobby, self.facts.type, add))

    async def _ready(self) -> None:
        """Wait until everyone is ready, up to the time limit."""
        try:
            async with asyncio.timeout(self._ready_time):
                for seat in self.seats:
                    await seat.ready()
        except TimeoutError:
            self._log.info("not everyone is ready", waited=self._ready_time)

    # -- asking ----------------------------------------------------------------------------------------------------

    async def _ask(self, step: Step) -> Mapping[int, Action]:
        """Ask all players of a step at once, and wait for every answer."""
        asked = [self.seats[seat] for seat in step.prompts]
        replies = await asyncio.gather(*(seat.answer(self._prompt(seat.index, step)) for seat in asked))
        for seat, reply in zip(asked, replies, strict=True):
            self._count(seat, reply)
        return {seat.index: reply.action for seat, reply in zip(asked, replies, strict=True)}

    def _prompt(self, seat: int, step: Step) -> Prompt:
        referee = self._referee
        return Prompt(
            actions=step.prompts[seat],
            tile=referee.tile_in_question(seat),
            accepts=lambda action: referee.legal(seat, action),
            declare=lambda: self._declare(seat),
        )

    def _declare(self, seat: int) -> None:
        """A player sent REACH: announce it before the discard."""
        self._declared = seat
        self._happens(ev.RiichiDeclared(seat))

    def _count(self, seat: Seat, reply: Reply) -> None:
        tally = self._tallies[seat.index]
        tally.answers += 1
        tally.late += reply.late
        if reply.illegal:
            tally.illegal.append(f"{self._place()}, seat {seat.index}: {reply.illegal}")
        if reply.late or reply.illegal:
            tell = self._log.warning if isinstance(seat, RemoteSeat) else self._log.info  # a policy's are counted
            where = self._place()
            tell("answered for the player", seat=seat.index, place=where, late=reply.late, illegal=reply.illegal)

    def _place(self) -> str:
        start = next((event for event in reversed(self.events) if isinstance(event, ev.StartKyoku)), None)
        return kyoku_name(start.kyoku, start.honba) if start else "before the first hand"

    # -- leaving and coming back -----------------------------------------------------------------------------------

    def lost(self, seat: RemoteSeat, connection: Connection) -> None:
        """A client has disconnected, unless it has already returned on another connection."""
        if seat.sits(connection) and seat.detach() and self._begun:
            self._happens(ev.Disconnected(seat.index))

    async def resume(self, seat: RemoteSeat, connection: Connection) -> None:
        """A client returns: it is shown the hand, and plays from the next prompt on."""
        if await seat.attach(connection, self.events) and self._begun and not isinstance(self.events[-1], ev.EndGame):
            self._happens(ev.Reconnected(seat.index))

    @property
    def _begun(self) -> bool:
        return any(isinstance(event, ev.StartKyoku) for event in self.events)

    def _happens(self, event: ev.Event) -> None:
        """Announce an event that does not come from the referee."""
        self.events.append(event)
        for seat in self.seats:
            seat.tell(event)

    def _remote_seats(self) -> list[RemoteSeat]:
        return [seat for seat in self.seats if isinstance(seat, RemoteSeat)]

    def _info(self) -> LogInfo:
        facts = self.facts
        return LogInfo(
            log_id=facts.log or "",
            game_type=facts.type,
            lobby=facts.lobby,
            dan=facts.dan,
            rates=facts.rates,
            sexes=facts.sexes,
            shuffle=self._referee.shuffle,
        )
