"""The figures of each player of a match, with intervals over deals, and the players' differences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from bot.lab.sparring import Deal
from bot.play.tally import Times
from engine.arena.seat_stats import SeatStats, total
from engine.critic.estimates import Estimate, Parts, difference, ratio

Count = Callable[[SeatStats], float]


@dataclass(frozen=True, slots=True)
class Figure:
    """A ratio of two counts, and the number of digits with which it is shown."""

    top: Count
    base: Count
    digits: int


FIGURES: Final[Mapping[str, Figure]] = {
    "rank": Figure(lambda one: one.rank, lambda one: one.games, 3),
    "result": Figure(lambda one: one.result, lambda one: one.games, 3),
    "score": Figure(lambda one: one.score, lambda one: one.games, 3),
    "net": Figure(lambda one: one.net, lambda one: one.hands, 1),
    "win": Figure(lambda one: one.wins, lambda one: one.hands, 4),
    "tsumo": Figure(lambda one: one.tsumo, lambda one: one.hands, 4),
    "deal_in": Figure(lambda one: one.deal_ins, lambda one: one.hands, 4),
    "riichi": Figure(lambda one: one.riichi, lambda one: one.hands, 4),
    "call": Figure(lambda one: one.called, lambda one: one.hands, 4),
    "draw": Figure(lambda one: one.drawn, lambda one: one.hands, 4),
    "tenpai": Figure(lambda one: one.ready, lambda one: one.hands, 4),
    "tenpai_turn": Figure(lambda one: one.ready_turns, lambda one: one.ready, 2),
    "win_turn": Figure(lambda one: one.win_turns, lambda one: one.wins, 2),
    "win_points": Figure(lambda one: one.won, lambda one: one.wins, 0),
    "rank_without_luck": Figure(lambda one: one.rank - one.place_luck, lambda one: one.games, 3),
    "net_without_luck": Figure(lambda one: one.net - one.point_luck, lambda one: one.hands, 1),
}
"""Riichi, calls and tenpai count hands with at least one; a turn is the number of the player's own draws."""
PER_GAME: Final = ("rank", "result", "score")
PER_HAND: Final = ("net", "win", "tsumo", "deal_in", "riichi", "call", "draw", "tenpai")
ON_THE_WAY: Final = ("tenpai_turn", "win_turn", "win_points")
"""Means over the hands that were tenpai or won."""
WITHOUT_LUCK: Final = ("rank_without_luck", "net_without_luck")
"""Figures of games whose luck was counted."""
COMPARED: Final = ("rank", "net", "win", "win_points")
"""Figures in which players are compared."""


@dataclass(slots=True)
class Side:
    """All seats of one player, deal by deal."""

    player: str  # the player as it was named
    seats: int  # number of its seats
    deals: list[SeatStats]  # its sums over each deal
    times: Times  # times of its decisions
    failed: dict[str, int]  # number of decisions of the fallback, by reason
    luck: bool = False  # whether the luck of its games was counted

    def parts(self, name: str) -> Parts:
        """The counts of a figure, deal by deal."""
        figure = FIGURES[name]
        return [(figure.top(one), figure.base(one)) for one in self.deals]

    def estimate(self, name: str) -> Estimate:
        """A figure with its 95% interval over deals."""
        return ratio(self.parts(name))

    def until(self, deals: int) -> "Side":
        """The player's figures over the first deals alone."""
        return replace(self, deals=self.deals[:deals])

    def fields(self) -> dict[str, Any]:
        """The figures as JSON shows them."""
        whole = total(self.deals)

        def estimates(names: Sequence[str]) -> dict[str, Any]:
            return {name: estimate_fields(self.estimate(name), FIGURES[name].digits) for name in names}

        return {
            "player": self.player,
            "seats": self.seats,
            "places": whole.places,
            **estimates(PER_GAME),
            "hand": estimates(PER_HAND),
            **({"without_luck": estimates(WITHOUT_LUCK)} if self.luck else {}),
            **estimates(ON_THE_WAY),
            "tenpai_at_draw": round(whole.tenpai / max(whole.drawn, 1), 4),
            "points_won": round(whole.won / max(whole.wins, 1)),
            "points_paid": round(whole.paid / max(whole.deal_ins, 1)),
            "wins": {"riichi": whole.won_riichi, "open": whole.won_open, "silent": whole.won_silent},
            "deal_ins": {"riichi": whole.paid_riichi, "open": whole.paid_open, "silent": whole.paid_silent},
            "decision_ms": self.times.ms(),
            **self.failed,
        }


def seats_by_player(players: Sequence[str]) -> dict[str, list[int]]:
    """The numbers of each different player's seats, in the order named."""
    seats: dict[str, list[int]] = {}
    for number, player in enumerate(players):
        seats.setdefault(player, []).append(number)
    return seats


def sides_of(players: Sequence[str], deals: Sequence[Deal], *, luck: bool = False) -> list[Side]:
    """One side for each different player, in the order named; ``luck``: whether that of the games was counted."""
    sides = []
    for player, seats in seats_by_player(players).items():
        times = Times()
        failed = {"illegal": 0, "failed": 0}
        for deal in deals:
            for number in seats:
                times.merge(deal.times[number])
                for why, count in deal.failed[number].items():
                    failed[why.value] += count
        each_deal = [total(game for number in seats for game in deal.stats[number]) for deal in deals]
        sides.append(Side(player, len(seats), each_deal, times, failed, luck))
    return sides


def comparisons(sides: Sequence[Side]) -> list[dict[str, Any]]:
    """How each pair of players differs, the first less the second, as JSON shows it."""
    return [comparison(first, second) for first, second in combinations(sides, 2)]


def comparison(first: Side, second: Side) -> dict[str, Any]:
    """The differences of two players' figures over equal deals, as JSON shows them."""
    names = COMPARED + WITHOUT_LUCK * (first.luck and second.luck)
    return {
        "players": [first.player, second.player],
        **{
            name: difference_fields(difference(first.parts(name), second.parts(name)), FIGURES[name].digits)
            for name in names
        },
    }


def estimate_fields(found: Estimate, digits: int) -> dict[str, float | None]:
    """An estimate as JSON shows it."""
    return {
        "mean": round(found.mean, digits),
        "within": None if found.within is None else round(found.within, digits),
    }


def difference_fields(found: Estimate, digits: int) -> dict[str, float | None]:
    """A difference as JSON shows it, with the probability of one so large between equals."""
    p_value = found.p_value
    return {**estimate_fields(found, digits), "p": None if p_value is None else float(f"{p_value:.2g}")}
