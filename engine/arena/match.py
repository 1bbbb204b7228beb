"""Whole games without sockets, at the simulator's tables, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.arena.walls import Shuffle, WallOrders
from engine.model.budget import Budget
from engine.model.events import Event, StartGame, StartKyoku
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.model.seats import SEATS, four
from engine.policy.batches import ask
from engine.policy.decision import Decider, Decision, Seated
from engine.rules.answers import number_of
from engine.rules.table_kernels import DRAWN
from engine.simulator.game_kernels import GameTable
from engine.simulator.history import HandHistory
from engine.simulator.tables import BatchDecider, Ints, Tables

Player = BatchDecider | Decider
"""A player in batches may sit in any number of seats at any number of tables, any other in a single seat."""


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game.

    Attributes:
        events: all events, with full information.
        decisions: the decisions of each seat, in order.
        shuffle: the seed of the walls, as a log states it.
    """

    events: tuple[Event, ...]
    decisions: tuple[tuple[Decision, ...], ...]
    shuffle: str


def play_game(deciders: Sequence[Decider], rules: Rules = HANCHAN, seed: int = 0, budget: Budget | None = None) -> Game:
    """Play one game; see :func:`play_games`. Each decider sees only what its seat may see."""
    ((_, game),) = play_games([deciders], [seed], rules, budget)
    return game


def play_games(
    seating: Sequence[Sequence[Player]], seeds: Sequence[int], rules: Rules = TONPU, budget: Budget | None = None
) -> Iterator[tuple[int, Game]]:
    """Play one game for each four players, side by side; (number, game) as they end.

    A game depends on its players and its seed alone. The decisions of players in batches are not kept.

    Args:
        seating: for each game its players by seat; seat 0 is the first dealer.
        seeds: for each game the seed of its walls.
        rules: rules of all tables.
        budget: budget of every decision.

    Raises:
        AnswerError: a player chose an answer that is not legal.
    """
    games = [
        _Running(players, rules, Shuffle.from_seed(seed), budget or Budget())
        for players, seed in zip(seating, seeds, strict=True)
    ]
    tables = Tables(len(games), rules, walls=[game.walls for game in games])
    batched, sitting = _in_batches(seating)
    while True:
        asked, answers = ask(tables, batched, sitting)
        if not len(asked.tables):
            return
        for place in np.flatnonzero(sitting[asked.tables, asked.seats] < 0).tolist():
            at = int(asked.tables[place])
            answers[place] = games[at].decide(tables.games[at], int(asked.seats[place]))
        for at in tables.answer(answers).tolist():
            if games[at].hear(tables.games[at]):
                yield at, games[at].played()


def _in_batches(seating: Sequence[Sequence[Player]]) -> tuple[list[BatchDecider], Ints]:
    """The players that answer in batches, and (games, 4) which of them sits where, -1 for another player."""
    found: list[BatchDecider] = []
    sitting = np.full((len(seating), len(SEATS)), -1, np.int64)
    for at, players in enumerate(seating):
        for seat, player in enumerate(players):
            if isinstance(player, BatchDecider):
                number = next((place for place, one in enumerate(found) if one is player), len(found))
                if number == len(found):
                    found.append(player)
                sitting[at, seat] = number
    return found, sitting


class _Running:
    """A game at a table of the simulator: its events and, of players that are asked one by one, seats and decisions.

    Attributes:
        walls: the walls of its hands.
    """

    def __init__(self, players: Sequence[Player], rules: Rules, shuffle: Shuffle, budget: Budget) -> None:
        self.walls = WallOrders(shuffle)
        self._shuffle = shuffle.text
        self._seats = {
            number: Seated(number, rules, player)
            for number, player in enumerate(players)
            if not isinstance(player, BatchDecider)
        }
        self._budget = budget
        self._history = HandHistory(rules)
        self._decisions: list[list[Decision]] = [[], [], [], []]
        self._events: list[Event] = []
        self._take_in(StartGame(rules, four(player.name for player in players)))

    def decide(self, table: GameTable, seat: int) -> int:
        """The answer of a player that decides from its state."""
        self._follow(table)
        state = self._seats[seat].state
        decision = self._seats[seat].player.decide(state, state.legal_actions(), self._budget)
        self._decisions[seat].append(decision)
        drawn = int(table.drawn) if table.phase == DRAWN else None
        return number_of(decision.action, drawn, state.rules.red_fives)

    def hear(self, table: GameTable) -> bool:
        """Take in the rest of a hand that has ended; whether the game has."""
        self._follow(table)
        return bool(table.over)

    def played(self) -> Game:
        """The game as far as it was played."""
        return Game(tuple(self._events), tuple(map(tuple, self._decisions)), self._shuffle)

    def _follow(self, table: GameTable) -> None:
        for event in self._history.news(table):
            self._take_in(replace(event, dice=self.walls.dice) if isinstance(event, StartKyoku) else event)

    def _take_in(self, event: Event) -> None:
        self._events.append(event)
        for seat in self._seats.values():
            seat.apply(event)
