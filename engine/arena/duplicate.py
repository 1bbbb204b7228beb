"""Duplicate play: the same walls are played four times, with every player once in each seat.

Four such games make a *deal*. Good tiles then come equally to all: if all four players were alike, each deal would
leave every one of them with a mean place of exactly 2.5 and no points gained. What a deal leaves beyond that is skill,
and the luck of the games after they diverged. Figures are therefore taken per deal, and intervals over deals.
"""

from collections.abc import Callable, Iterator, Sequence

from engine.arena.match import Game, Player, play_games
from engine.arena.seat_stats import SeatStats, seat_stats_of
from engine.model.budget import Budget
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS

Seats = Callable[[int], Sequence[Player]]
"""Returns the four *players* (not yet seats) for a game, given the seed of its deal; deciders are fresh ones."""


def seat_of(player: int, game: int) -> int:
    """The seat of a player in the ``game``-th game of a deal."""
    return (player + game) % len(SEATS)


def play_deals(
    players: Seats,
    rules: Rules = HANCHAN,
    seeds: Sequence[int] = (0,),
    budget: Budget | None = None,
    watch: Callable[[int, int, Game], None] | None = None,
) -> Iterator[tuple[int, tuple[tuple[SeatStats, ...], ...]]]:
    """Play each seed's walls four times, all games side by side; yield a deal as its last game ends.

    Args:
        players: creates the players of each game; those that answer in batches may be the same in all.
        rules: rules of the table.
        seeds: seeds of the walls.
        budget: budget of every decision.
        watch: called with each game as it ends: the seed, its number within the deal, and the game.

    Yields:
        The seed, and ``[player][game]`` the statistics of each game.
    """
    numbered = [(seed, number) for seed in seeds for number in SEATS]
    seating = []
    for seed, number in numbered:
        sitting = players(seed)
        seating.append([sitting[(seat - number) % len(SEATS)] for seat in SEATS])
    found: dict[int, dict[int, tuple[SeatStats, ...]]] = {seed: {} for seed in seeds}
    for at, game in play_games(seating, [seed for seed, _ in numbered], rules, budget):
        seed, number = numbered[at]
        if watch is not None:
            watch(seed, number, game)
        stats = seat_stats_of(game.events)
        games = found[seed]
        games[number] = tuple(stats[seat_of(player, number)] for player in SEATS)
        if len(games) == len(SEATS):
            yield seed, tuple(tuple(games[number][player] for number in SEATS) for player in SEATS)
