"""The strength of a learner: in games among three ``phoenix``, and by the answers that it would draw more often.

Games say how strong it is. The other figure needs no games of the learner, and is four times as precise for the same
time as long as it has not moved far: in hands that the first weights played, each answer that was drawn counts as often
as the learner would have drawn it. It says what single decisions gain when everybody goes on as before.
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.arena.duplicate import play_deals, seat_of
from engine.arena.match import Game
from engine.critic.estimates import Estimate, ratio
from engine.critic.luck import luck_of
from engine.critic.network import Critic
from engine.model.rules import TONPU, Rules
from engine.networks.imitation import Network
from engine.networks.imitation_layout_kernels import A_KANS, A_RIICHI
from engine.policy.batches import LearnedPlayers, PhoenixPlayers
from engine.simulator.tables import BatchDecider
from engine.train.advantages import judge
from engine.train.played import Stock
from engine.train.sampling import MOST, Arena, SampledPlayers, tempered

AT_ONCE: Final = 32
"""Deals played side by side."""
TABLES: Final = 256
ROUND: Final = 20_000
CERTAIN: Final = 0.98
HANDS_A_GAME: Final = 5.64
"""Hands of an east-only game: 1,692 in 300 games of four ``phoenix``."""


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
    one = LearnedPlayers(player) if isinstance(player, Network) else player
    three = PhoenixPlayers(network=phoenix)
    luck: dict[tuple[int, int], tuple[float, float]] = {}

    def count(seed: int, number: int, game: Game) -> None:
        points, places = luck_of(game.events, critic).sum(axis=0)[seat_of(0, number)].tolist()
        luck[seed, number] = points, places

    every = list(seeds)
    ranks, nets, luckless_ranks, luckless_nets = [], [], [], []
    for at in range(0, len(every), AT_ONCE):
        some = every[at : at + AT_ONCE]
        stats = dict(play_deals(lambda _: [one, three, three, three], rules, some, None, count))
        for seed in some:
            games = stats[seed][0]
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


def ahead_of(
    first: Network, learned: Network, critic: Critic, decisions: int, temperature: float, seed: int
) -> dict[str, Any]:
    """Final places a game that answers drawn as ``learned`` would gain, by kind of answer.

    Args:
        first: who plays in all seats.
        learned: who would have drawn otherwise.
        critic: takes the luck of the draws out of what the hands brought.
        decisions: number of them, those apart whose answer is all but certain.
        temperature: at which answers are drawn.
        seed: of walls and draws.
    """
    players = SampledPlayers(first, temperature, CERTAIN, seed)
    arena = Arena(players, [], TABLES, TONPU, seed)
    gains: list[NDArray[np.float64]] = []
    kinds: list[NDArray[np.int64]] = []
    hands = 0
    while sum(map(len, gains)) < decisions:
        judged = judge(arena.play(Stock(min(ROUND, decisions))), critic, 1.0)
        arena.left = judged.left
        hands += len(judged.brought)
        choices = judged.choices
        logs, _ = learned.log_chances(choices.planes, choices.numbers, choices.questions)
        logs = tempered(logs, temperature)[np.arange(len(logs)), choices.answers]
        ratios = np.minimum(np.exp(logs.astype(np.float64) - choices.logs), MOST)
        gains.append(judged.advantages * (ratios - 1.0))
        riichi = (choices.answers >= A_RIICHI) & (choices.answers < A_KANS)
        kinds.append(np.where(choices.own, riichi.astype(np.int64), 2))
    gain, kind = np.concatenate(gains), np.concatenate(kinds)
    each = {name: gain * (kind == number) for number, name in enumerate(("discards", "riichi", "calls"))}
    a_game = HANDS_A_GAME / (4 * hands)
    # within: half the width of the 95% interval of a sum
    return {
        "decisions": len(gain),
        **{
            name: {
                "mean": round(float(some.sum()) * a_game, 4),
                "within": round(1.96 * float(np.sqrt((some**2).sum())) * a_game, 4),
            }
            for name, some in ({"all": gain} | each).items()
        },
    }


def _fields(found: Estimate, digits: int) -> dict[str, float | None]:
    within = None if found.within is None else round(found.within, digits)
    return {"mean": round(found.mean, digits), "within": within}
