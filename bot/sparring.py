"""Players of any kind at one table without sockets, timed: what the arena's processes do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from bot.deciding.ask import Outcome, ask
from bot.errors import InputError
from bot.live.tally import Times
from bot.mjai.names import PREFIXES
from bot.mjai.player import make_player
from engine.arena.account import Account
from engine.arena.duplicate import play_deal
from engine.arena.match import Game
from engine.model.actions import Action
from engine.model.budget import Budget
from engine.model.events import Event
from engine.model.rules import Rules
from engine.policy.decision import JSON, Decider, Decision, Listener
from engine.policy.registry import options_of
from engine.state import GameState
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a table: ``value``, ``value:fold_within=0,nodes=8000`` or ``mjai:COMMAND``.

    Attributes:
        text: as it was written.
        name: of the policy, or the whole of ``mjai:COMMAND``.
        options: settings other than the policy's defaults.
    """

    text: str
    name: str
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Player:
        """Read it.

        Raises:
            InputError: it cannot be read, or the policy has no such setting.
        """
        if text.startswith(PREFIXES):
            return cls(text, text)
        name, _, rest = text.partition(":")
        options = {}
        for part in filter(None, rest.split(",")):
            key, given, value = part.partition("=")
            if not given:
                raise InputError(f"{text}: {part!r} is no setting; write NAME:KEY=VALUE,KEY=VALUE")
            options[key] = value
        try:
            known = options_of(name)
        except ValueError as error:
            raise InputError(str(error)) from None
        for key in options:
            if key not in known:
                there = ", ".join(sorted(known)) or "none"
                raise InputError(f"{text}: {name} has no setting {key!r}; there are: {there}")
        return cls(text, name, options)

    def make(self, seed: int) -> Decider:
        """A fresh one.

        Raises:
            InputError: a setting cannot be, or a program cannot be started.
        """
        try:
            return make_player(self.name, seed, self.options)
        except InputError as error:
            raise InputError(f"{self.text}: {error}") from None


class Watched:
    """A player whose decisions are timed; where it fails or breaks the rules, the fallback answers and it is counted.

    Attributes:
        times: of every decision.
        failed: decisions that the fallback made, by why.
    """

    def __init__(self, inner: Decider, times: Times, failed: Counter[Outcome]) -> None:
        self._inner = inner
        self.name = inner.name
        self.times = times
        self.failed = failed

    def settings(self) -> Mapping[str, JSON]:
        """The player's."""
        return self._inner.settings()

    def start_kyoku(self) -> None:
        """Passed on."""
        self._inner.start_kyoku()

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """The player's answer, or the fallback's."""
        began = perf_counter()
        thought = ask(self._inner, state, legal, budget)
        self.times.add(perf_counter() - began)
        if thought.outcome is not Outcome.DECIDED:
            self.failed[thought.outcome] += 1
        return thought.decision

    def hear(self, event: Event, seat: int) -> None:
        """Passed on to a player that listens."""
        if isinstance(self._inner, Listener):
            self._inner.hear(event, seat)

    def close(self) -> None:
        """The same."""
        if isinstance(self._inner, Listener):
            self._inner.close()


@dataclass(frozen=True, slots=True)
class Sparring:
    """What a deal needs to be played, in whatever process.

    Attributes:
        players: four; in the n-th game of a deal each sits n seats further.
        rules: of the table.
        nodes: bound of each decision's search; None: the policy's own.
        logs: folder for the games' logs, or None.
    """

    players: tuple[Player, Player, Player, Player]
    rules: Rules
    nodes: int | None = None
    logs: Path | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal played: see :func:`~engine.arena.duplicate.play_deal`.

    Attributes:
        seed: of the walls.
        accounts: ``[player][game]``.
        times: of each player's decisions.
        failed: how often the fallback answered for each.
    """

    seed: int
    accounts: tuple[tuple[Account, ...], ...]
    times: tuple[Times, ...]
    failed: tuple[Counter[Outcome], ...]


def spar(seed: int, order: Sparring) -> Deal:
    """Play one deal."""
    times = tuple(Times() for _ in order.players)
    failed: tuple[Counter[Outcome], ...] = tuple(Counter() for _ in order.players)
    with ExitStack() as stack:

        def seats(game: int) -> list[Watched]:
            del game
            sitting = []
            for number, player in enumerate(order.players):
                one = Watched(player.make(seed), times[number], failed[number])
                stack.callback(one.close)
                sitting.append(one)
            return sitting

        def keep(number: int, game: Game) -> None:
            if order.logs is not None:
                path = order.logs / f"{seed}-{number}.xml"
                path.write_text(write_log(GameLog(game.events), "mjlog"), encoding="utf-8")

        accounts = play_deal(seats, order.rules, seed, Budget(nodes=order.nodes), keep)
    return Deal(seed, accounts, times, failed)
