"""The table at which a person plays from the page: one game at a time, in the embedded lobby."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

import structlog
from pydantic import SecretStr

from bot.config import Config, override
from bot.deciding.person import Person
from bot.deciding.players import PlayerSpec, needs_of
from bot.machine.errors import InputError, RunError, Trouble
from bot.machine.outlet import error_screen
from bot.machine.preparation import OnStep, Step, warm_up
from bot.machine.text import brief
from bot.page.history import History
from bot.play import wiring
from bot.play.accounts import Account
from bot.play.season import Season
from bot.watch.sitting import sit_down
from bot.watch.stage import Stage
from bot.wording.troubles import trouble_words
from protocol.tenhou.session import GUEST

log = structlog.get_logger()
CLOCKS: Final = ("slow", "normal", "fast")
"""How long a person may think: a minute, as at Tenhou's tables, as at its fast ones."""
LENGTHS: Final = ("tonpu", "hanchan")
OPPONENTS: Final = ("value", "phoenix", "flow", "simple", "tsumogiri")
"""Policies that may be chosen as opponents, the strongest first."""
CHOSEN: Final = {"clock": CLOCKS, "length": LENGTHS, "against": OPPONENTS}
"""What may be chosen of a game, each with the choice of a new user first."""


class Table:
    """Where a person sits, or may sit down.

    Attributes:
        state: empty, ``preparing``, ``playing`` or ``over``: the game is, and the person may want another one.
        why: by language, why the last game has ended too early; empty if it has not.
    """

    def __init__(self, config: Config, stage: Stage, history: History, on_change: Callable[[], None]) -> None:
        """Prepare.

        Args:
            config: the configuration; games are played in the embedded lobby, whatever server it names.
            stage: shows the game.
            history: takes what is being made ready.
            on_change: called when the state has changed, and after each game.
        """
        self.state = ""
        self.why: dict[str, str] = {}
        self._config = override(config, {"server.url": "", "server.allow_host": ""})
        self._stage = stage
        self._history = history
        self._on_change = on_change
        self._task: asyncio.Task[None] | None = None

    def start(self, against: str, length: str, clock: str, name: str, *, hints: bool) -> None:
        """Begin a game, unless one is being played.

        Raises:
            InputError: something is chosen that there is not.
        """
        if any(one not in CHOSEN[key] for key, one in (("clock", clock), ("length", length), ("against", against))):
            raise InputError("there is no such clock, length or opponent", Trouble.CHOICE)
        if name and not wiring.is_name(name):
            raise InputError(f"a name has 1 to {wiring.NAME_LENGTH} printable characters", Trouble.NAME)
        before = self._task if self._task is not None and not self._task.done() else None
        if before is not None and self.state != "over":
            return
        changes = wiring.for_a_person(self._config, None, fast=clock != "slow")
        changes |= {"lobby.seats": (against,) * 3, "game.length": length, "game.fast": clock == "fast"}
        config = override(self._config, changes, "page")
        self._task = asyncio.ensure_future(self._play(config, name, before, hints=hints))

    async def leave(self) -> None:
        """End the game, if there is one."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def fields(self) -> dict[str, Any]:
        """As the page shows it."""
        return {"state": self.state, "why": self.why}

    def _failed(self, why: dict[str, str]) -> None:
        """Say why the game has ended, also where it was being played; empty: it has not."""
        self.why = why
        self._stage.history.tell(trouble={"log": None, "why": why} if why else None)

    def _tell(self, state: str) -> None:
        self.state = state
        self._on_change()

    def _on_step(self) -> OnStep:
        """Tells the page what is being made ready; it may be called in another thread."""
        loop = asyncio.get_running_loop()

        def tell(step: Step) -> None:
            loop.call_soon_threadsafe(partial(self._history.tell, ready=step._asdict()))

        return tell

    async def _over(self, again: Callable[[], Awaitable[bool]]) -> bool:
        """Whether the person wants another game; meanwhile another table can be chosen."""
        self._tell("over")
        wanted = await again()
        if wanted:
            self._tell("playing")
        return wanted

    async def _play(self, config: Config, name: str, before: asyncio.Task[None] | None, *, hints: bool) -> None:
        if before is not None:
            before.cancel()
            await asyncio.gather(before, return_exceptions=True)
        self._failed({})
        self._tell("preparing")
        person, stop = Person(), asyncio.Event()
        try:
            needs = needs_of((wiring.player(config), *map(PlayerSpec.parse, config.lobby.seats))) | {"simulator"}
            await asyncio.to_thread(warm_up, error_screen(), needs, self._on_step())
            season = Season(config, [Account(SecretStr(GUEST), "guest")], person=person, name=name)
            sit_down(season, person, self._stage, stop, hints=hints)
            if season.again is not None:
                season.again = partial(self._over, season.again)
            self._tell("playing")
            async with AsyncExitStack() as stack:
                stack.callback(stop.set)
                await season.play(stop)
        except (RunError, InputError, OSError) as error:
            why = brief(str(error), 200)
            self._failed(trouble_words(error, why))
            log.error("the game has ended", reason=why)  # noqa: TRY400
        finally:
            self._history.tell(ready=None)
            self._tell("")
