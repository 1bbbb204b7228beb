"""Players of any kind at one table without sockets, with timing: the work of the arena's processes."""

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
    """A player at a table: ``value``, ``value:fold_within=0,nodes=8000`` or ``mjai:COMMAND``.

    Attributes:
        text: the text as given.
        name: name of the policy, or the whole of ``mjai:COMMAND``.
        options: settings other than the policy's defaults.
    """

    text: str
    name: str
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Player:
        """Parse a player.

        Raises:
            InputError: the text is invalid, or the policy has no such setting.
        """
        if text.startswith(PREFIXES):
            return cls(text, text)
        name, _, rest = text.partition(":")
        options = {}
        for part in filter(None, rest.split(",")):
            key, given, value = part.partition("=")
            if not given:
                raise InputError(f"{text}: {part!r} is not a setting; write NAME:KEY=VALUE,KEY=VALUE")
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
        """A new decider for this player.

        Raises:
            InputError: a setting is not allowed, or a program cannot be started.
        """
        try:
            return make_player(self.name, seed, self.options)
        except InputError as error:
            raise InputError(f"{self.text}: {error}") from None


class Watched:
    """A player whose decisions are timed. Where it fails or breaks the rules, the fallback answers and this is counted.

    Attributes:
        times: time of every decision.
        failed: number of decisions made by the fallback, by reason.
    """

    def __init__(self, inner: Decider, times: Times, failed: Counter[Outcome]) -> None:
        self._inner = inner
        self.name = inner.name
        self.times = times
        self.failed = failed

    def settings(self) -> Mapping[str, JSON]:
        """The player's settings."""
        return self._inner.settings()

    def start_kyoku(self) -> None:
        """Pass the start of a hand on."""
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
        """Pass an event on to a player that listens."""
        if isinstance(self._inner, Listener):
            self._inner.hear(event, seat)

    def close(self) -> None:
        """Close a player that listens."""
        if isinstance(self._inner, Listener):
            self._inner.close()


@dataclass(frozen=True, slots=True)
class Sparring:
    """What is needed to play a deal, in any process.

    Attributes:
        players: four players; in the n-th game of a deal each sits n seats further.
        rules: rules of the table.
        nodes: bound of each decision's search; None: the policy's own.
        logs: folder for the games' logs, or None.
    """

    players: tuple[Player, Player, Player, Player]
    rules: Rules
    nodes: int | None = None
    logs: Path | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal that was played; see :func:`~engine.arena.duplicate.play_deal`.

    Attributes:
        seed: seed of the walls.
        accounts: ``[player][game]``.
        times: times of each player's decisions.
        failed: how often the fallback answered for each player.
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
