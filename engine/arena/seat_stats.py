"""Statistics of a game for each of its four players: places, points, and how their hands went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from engine.arena.referee import result_points
from engine.model.events import (
    Call,
    EndGame,
    Event,
    Points4,
    RiichiAccepted,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS


@dataclass(slots=True)
class SeatStats:
    """Sums over the games of one seat, or of several seats that form one side.

    Attributes:
        games: number of games.
        places: number of first to fourth places; of equal scores the seat nearer to the first dealer ranks higher.
        score: final points.
        result: result points in thousands, including uma and oka.
        hands: number of hands dealt.
        net: points gained over all hands, including riichi sticks and noten payments.
        riichi, called: hands in which the player declared riichi; in which it called a tile.
        drawn, tenpai: hands that ended in an exhaustive draw, and those of them in which the player was tenpai.
        tsumo: wins by self-draw.
        won_riichi, won_open, won_silent: wins in riichi, with an open hand, and with a closed hand without riichi.
        won: points of the wins, without honba and riichi sticks.
        paid_riichi, paid_open, paid_silent: hands in which it dealt in to such a hand; of two at once, the first.
        paid: points of the hands it dealt in to.
    """

    games: int = 0
    places: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    score: int = 0
    result: float = 0.0
    hands: int = 0
    net: int = 0
    riichi: int = 0
    called: int = 0
    drawn: int = 0
    tenpai: int = 0
    tsumo: int = 0
    won_riichi: int = 0
    won_open: int = 0
    won_silent: int = 0
    won: int = 0
    paid_riichi: int = 0
    paid_open: int = 0
    paid_silent: int = 0
    paid: int = 0

    @property
    def wins(self) -> int:
        """Number of hands won."""
        return self.won_riichi + self.won_open + self.won_silent

    @property
    def deal_ins(self) -> int:
        """Number of hands in which the player dealt in."""
        return self.paid_riichi + self.paid_open + self.paid_silent

    @property
    def rank(self) -> int:
        """Sum of the places, 1 to 4 each."""
        return sum(place * count for place, count in enumerate(self.places, 1))

    def add(self, other: SeatStats) -> None:
        """Add the sums of another to these."""
        self.places = [mine + theirs for mine, theirs in zip(self.places, other.places, strict=True)]
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))


_SUMS = tuple(each.name for each in fields(SeatStats) if each.name != "places")
_WAYS = ("riichi", "open", "silent")


def total(stats: Iterable[SeatStats]) -> SeatStats:
    """The sum of several statistics."""
    whole = SeatStats()
    for one in stats:
        whole.add(one)
    return whole


def seat_stats_of(events: Sequence[Event]) -> tuple[SeatStats, SeatStats, SeatStats, SeatStats]:
    """The statistics of each seat over a whole game with full information."""
    found = (SeatStats(games=1), SeatStats(games=1), SeatStats(games=1), SeatStats(games=1))
    rules: Rules = HANCHAN
    before: Points4 | None = None
    hand = _Hand()
    for event in events:
        if isinstance(event, StartGame):
            rules = event.rules
        elif isinstance(event, StartKyoku):
            _settle(found, before, event.scores)
            before, hand = event.scores, _Hand()
            for one in found:
                one.hands += 1
        elif isinstance(event, RiichiAccepted):
            hand.riichi.add(event.seat)
            found[event.seat].riichi += 1
        elif isinstance(event, Call) and event.meld.called is not None and event.seat not in hand.called:
            hand.called.add(event.seat)
            found[event.seat].called += 1
        elif isinstance(event, Win):
            hand.win(found, event)
        elif isinstance(event, Ryuukyoku) and event.kind is RyuukyokuKind.EXHAUSTIVE:
            for seat in SEATS:
                found[seat].drawn += 1
                found[seat].tenpai += event.hands[seat] is not None
        elif isinstance(event, EndGame):
            _settle(found, before, event.scores)
            _end(found, event, rules)
    return found


@dataclass(slots=True)
class _Hand:
    """What each player has done in the current hand."""

    riichi: set[int] = field(default_factory=set)
    called: set[int] = field(default_factory=set)
    paid: set[int] = field(default_factory=set)

    def win(self, found: Sequence[SeatStats], event: Win) -> None:
        way = _WAYS[0 if event.seat in self.riichi else 1 if event.seat in self.called else 2]
        points = event.score.points if event.score else 0
        winner = found[event.seat]
        setattr(winner, f"won_{way}", getattr(winner, f"won_{way}") + 1)
        winner.won += points
        if event.from_seat == event.seat:
            winner.tsumo += 1
            return
        payer = found[event.from_seat]
        payer.paid += points
        if event.from_seat not in self.paid:
            self.paid.add(event.from_seat)
            setattr(payer, f"paid_{way}", getattr(payer, f"paid_{way}") + 1)


def _settle(found: Sequence[SeatStats], before: Points4 | None, after: Points4) -> None:
    if before is not None:
        for seat in SEATS:
            found[seat].net += after[seat] - before[seat]


def _end(found: Sequence[SeatStats], event: EndGame, rules: Rules) -> None:
    results = event.results or result_points(event.scores, rules)
    order = sorted(SEATS, key=lambda seat: (-event.scores[seat], seat))
    for place, seat in enumerate(order):
        found[seat].places[place] += 1
        found[seat].score += event.scores[seat]
        found[seat].result += results[seat]
