"""Many games: each account plays one after another, and all accounts play side by side."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import structlog

from bot.config import Config
from bot.deciding.person import HUMAN, Person
from bot.deciding.thinker import Thinker
from bot.lobby import LobbyServer
from bot.machine.errors import InputError, RunError
from bot.machine.gate import Route
from bot.machine.outside import FAULTS
from bot.machine.text import plural
from bot.play import results, wiring
from bot.play.accounts import Account, Guests
from bot.play.client import GameLostError, GameResult
from bot.play.player import Watcher
from bot.play.record import GameRecord
from bot.play.tally import Tally
from bot.store import played

log = structlog.get_logger()

LOST_RUNNING: Final = 3
"""Number of games lost in a row after which an account stops."""
STATUS_SECONDS: Final = 600.0
"""Seconds between status lines in the log."""
_LOG_WAIT: Final = 60.0
"""Seconds to wait for the embedded lobby's own log of a game."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game that is about to be played, for those who watch it."""

    account: str  # label of the account
    record: Path | None  # file of its record; None if there is none
    stack: AsyncExitStack  # closes what is entered into it when the game is over, after its result has been stored


Watch = Callable[[Sitting], Sequence[Watcher]]


@dataclass(slots=True)
class Season:
    """The games of a run."""

    config: Config  # configuration of the run
    accounts: Sequence[Account]  # the accounts that play
    games: int = 1  # number of games for each account; 0: until stopped
    pace: float = 0.0  # seconds before each answer
    watch: list[Watch] = field(default_factory=list)  # each creates some of those who watch a game
    person: Person | None = None  # the person who plays in the place of the policy; None if the policy plays
    name: str = ""  # name of guests in the embedded lobby; empty: Tenhou's
    # asked once an account has played its games: whether it plays another; None: it does not
    again: Callable[[], Awaitable[bool]] | None = None
    results: list[GameResult] = field(default_factory=list)  # results of the games, in the order of their ends
    records: list[Path] = field(default_factory=list)  # files of their records
    dealt: list[Path] = field(default_factory=list)  # those of them in which a hand was dealt
    record_bytes: list[int] = field(default_factory=list)  # size of each record
    not_kept: list[str] = field(default_factory=list)  # what could not be written, and why
    logs: list[Path] = field(default_factory=list)  # the embedded lobby's own logs of them
    tally: Tally = field(default_factory=Tally)  # counts over all games
    lost: int = 0  # number of games that could not be finished
    _playing: int = 0
    _started: float = field(default_factory=time.monotonic)

    async def play(self, stop: asyncio.Event | None = None) -> None:
        """Play until every account has played its games or, once ``stop`` is set, until the running games are over.

        Raises:
            GameLostError: an account could not go on; the others have played to their end.
        """
        stop = stop or asyncio.Event()
        asyncio.get_running_loop().set_exception_handler(_unhandled)
        async with AsyncExitStack() as stack:
            lobby = None
            if not self.config.server.url:
                folder = wiring.record_folder(self.config)
                lobby = await stack.enter_async_context(
                    LobbyServer(wiring.embedded_lobby(self.config, folder, self.name)).serve()
                )
            way = wiring.route(self.config, lobby.url if lobby is not None else "")
            reporting = asyncio.create_task(self._report())
            try:
                ends = await asyncio.gather(
                    *(self._account(index, way, lobby, stop) for index in range(len(self.accounts))),
                    return_exceptions=True,
                )
            finally:
                reporting.cancel()
        faults = [end for end in ends if isinstance(end, BaseException)]
        for fault in faults:
            if not isinstance(fault, RunError):
                raise fault
        if faults:
            raise faults[0]

    def status(self) -> str:
        """One line: how many play, and the results so far."""
        places = Counter(result.placement for result in self.results if result.placement is not None)
        known = sum(places.values())
        mean = f", mean {sum(place * number for place, number in places.items()) / known:.2f}" if known else ""
        hours, minutes = divmod(int(time.monotonic() - self._started) // 60, 60)
        drops = f" · {plural(self.tally.drops, 'reconnect')}" if self.tally.drops else ""
        lost = f" · {self.lost} lost" if self.lost else ""
        standing = "/".join(str(places[place]) for place in (1, 2, 3, 4))
        games = f"{plural(known, 'game')} {standing}{mean}"
        unknown = len(self.results) - known
        apart = f" · {unknown} more, place unknown" if unknown else ""
        return f"{self._playing} playing · {games}{apart}{drops}{lost} · {f'{hours} h ' if hours else ''}{minutes} min"

    def fields(self) -> dict[str, Any]:
        """The figures as JSON shows them."""
        return {
            "games": len(self.results),
            "lost_games": self.lost,
            **self.tally.fields(),
            "placements": [result.placement for result in self.results],
            "scores": [result.scores and result.scores[result.seat] for result in self.results],
            "records": [str(path) for path in self.records],
            "record_bytes": self.record_bytes,
            "not_kept": self.not_kept,
            "faults": FAULTS.fields(),
            "logs": [str(path) for path in self.logs],
        }

    async def _account(self, index: int, way: Route, lobby: LobbyServer | None, stop: asyncio.Event) -> None:
        running = 0
        for number in count():
            if stop.is_set() or (self.games and number >= self.games and not await self._another()):
                return
            self._playing += 1
            try:
                result = await self._game(self.accounts[index], number * len(self.accounts) + index, way, stop)
            except GameLostError as error:
                self.lost += 1
                running += 1
                log.error("game lost", account=self.accounts[index].label, reason=str(error))  # noqa: TRY400
                if not error.again or running >= LOST_RUNNING or (self.again is None and number + 1 == self.games):
                    raise
                continue
            finally:
                self._playing -= 1
            if result is None:
                return
            running = 0
            if lobby is not None:
                self.logs += await _logs_of(lobby, len(self.results))

    async def _another(self) -> bool:
        """Whether another game is wanted, after those that were asked for."""
        return self.again is not None and await self.again()

    async def _game(self, account: Account, number: int, way: Route, stop: asyncio.Event) -> GameResult | None:
        thinking = self.person or wiring.thinker(self.config, number)
        tally = Tally()
        guests = Guests(wiring.record_folder(self.config), self.config.server.url)
        keeps = account.guest and bool(self.config.server.url)  # our own lobby ends when we do
        gpid = guests.running(account.label) if keeps else None
        async with AsyncExitStack() as stack:
            stack.callback(self.tally.add, tally)
            stack.callback(thinking.close)
            keeping = self._record(number, thinking, account, returning=gpid is not None)
            if keeping is not None:
                stack.enter_context(keeping)
                stack.callback(self._see_record, keeping)
            player = wiring.live_player(self.config, thinking, tally)
            path = None if keeping is None else keeping.path
            sitting = Sitting(account.label, path, stack)
            player.watchers = tuple(each for watch in self.watch for each in watch(sitting))
            manner = wiring.manner(
                self.config,
                self.pace,
                stop,
                reached=bool(self.results),
                keep_gpid=partial(guests.keep, account.label) if keeps else lambda _: None,
                rest=None if self.person is None else self.person.rest,
            )
            client = wiring.client(self.config, way, account.key, player, keeping, manner, gpid)
            try:
                result = await client.play()
            except GameLostError as error:
                if keeping is not None:
                    keeping.ended(lost=str(error))
                raise
            if result is None:
                if keeping is not None:
                    keeping.ended(lost="stopped before a game began")
                return None
            if keeping is not None:
                keeping.ended(scores=result.scores, seat=result.seat, placement=result.placement, log=result.log_id)
            self.results.append(result)
            self._keep(result, account, tally.drops)
            return result

    def _record(self, number: int, thinking: Thinker, account: Account, *, returning: bool) -> GameRecord | None:
        """A record for the next game. Where the first has none nothing is played; a later game goes on without.

        Raises:
            InputError: the place for the first record cannot be written to.
        """
        try:
            name = "" if self.person is None else HUMAN
            return wiring.record(self.config, number, thinking, account.key, returning=returning, name=name)
        except InputError as error:
            if not self.records:
                raise
            log.error("the game is played without a record", reason=str(error))  # noqa: TRY400
            self.not_kept.append(str(error))
            return None

    def _see_record(self, keeping: GameRecord) -> None:
        """Note a record that is complete, or why it is not."""
        self.records.append(keeping.path)
        if keeping.dealt:
            self.dealt.append(keeping.path)
        self.record_bytes.append(keeping.size)
        if keeping.lost:
            self.not_kept.append(
                f"{keeping.path}: the record ends after {plural(keeping.size, 'byte')}: {keeping.lost}"
            )

    def _keep(self, result: GameResult, account: Account, drops: int) -> None:
        """Add the game to the statistics on disk; if that fails, play goes on."""
        config = self.config
        one = results.entry(
            result,
            at=datetime.now().astimezone(),
            account=account.label,
            policy=config.policy.name if self.person is None else HUMAN,
            server=config.server.host if config.server.url else "embedded",
            lobby=config.game.lobby,
            drops=drops,
        )
        log.info("game over", account=one.account, placement=one.placement, score=one.score, status=self.status())
        try:
            played.append(wiring.record_folder(config), one)
        except InputError as error:
            log.error("the result was not kept", **one._asdict(), reason=str(error))  # noqa: TRY400
            self.not_kept.append(str(error))

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(STATUS_SECONDS)
            log.info("status", status=self.status())


def _unhandled(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Send an asyncio error that nobody awaited to our log, which removes secrets."""
    log.error("unhandled", message=context.get("message"), exc_info=context.get("exception"))


async def _logs_of(lobby: LobbyServer, game: int) -> Sequence[Path]:
    """The log files of the lobby's ``game``-th game; none if it continues without us."""
    try:
        async with asyncio.timeout(_LOG_WAIT):
            return (await lobby.ended(game)).files
    except (TimeoutError, IndexError):
        return ()
