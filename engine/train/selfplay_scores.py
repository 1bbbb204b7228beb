"""The yardstick of self-play: one learner among three ``phoenix``, the same walls for every seat, luck taken out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from engine.arena.duplicate import Estimate, play_deals, ratio, seat_of
from engine.arena.match import Game
from engine.critic.network import Critic
from engine.imitation.network import Network
from engine.model.rules import TONPU, Rules
from engine.policy.batches import PhoenixPlayers
from engine.simulator.tables import BatchDecider
from engine.train.luck import luck_of

AT_ONCE: Final = 32
"""Deals played side by side."""


def yardstick(
    player: BatchDecider | Network,
    seeds: Iterable[int],
    critic: Critic,
    rules: Rules = TONPU,
    phoenix: Network | None = None,
) -> dict[str, Any]:
    """Places and points of a player, or of the likeliest answers of a network, among three ``phoenix``.

    Args:
        player: who is measured.
        seeds: of the walls; four games are played over each.
        critic: says what was luck.
        rules: of the tables.
        phoenix: answers for the three; None: the network that is shipped, in numpy.
    """
    one = PhoenixPlayers(network=player) if isinstance(player, Network) else player
    three = PhoenixPlayers(network=phoenix)
    luck: dict[tuple[int, int], tuple[float, float]] = {}

    def count(seed: int, number: int, game: Game) -> None:
        points, places = luck_of(game.events, critic).sum(axis=0)[seat_of(0, number)].tolist()
        luck[seed, number] = points, places

    every = list(seeds)
    ranks, nets, luckless_ranks, luckless_nets = [], [], [], []
    for at in range(0, len(every), AT_ONCE):
        some = every[at : at + AT_ONCE]
        for seed, stats in zip(
            some, play_deals(lambda _: [one, three, three, three], rules, some, None, count), strict=True
        ):
            games = stats[0]
            points = sum(luck[seed, number][0] for number in range(4))
            places = sum(luck[seed, number][1] for number in range(4))
            hands = sum(game.hands for game in games)
            ranks.append((sum(game.rank for game in games), 4))
            nets.append((sum(game.net for game in games), hands))
            luckless_ranks.append((ranks[-1][0] - places, 4))
            luckless_nets.append((nets[-1][0] - points, hands))
    return {
        "games": 4 * len(every),
        "rank": _fields(ratio(ranks), 3),
        "net": _fields(ratio(nets), 1),
        "rank_without_luck": _fields(ratio(luckless_ranks), 3),
        "net_without_luck": _fields(ratio(luckless_nets), 1),
    }


def _fields(found: Estimate, digits: int) -> dict[str, float | None]:
    within = None if found.within is None else round(found.within, digits)
    return {"mean": round(found.mean, digits), "within": within}
