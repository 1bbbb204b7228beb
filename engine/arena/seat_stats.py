"""Statistics of a game for each of its four players: places, points, and how their hands went."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from engine.arena.referee import result_points
from engine.model import events as ev
from engine.model.melds import MeldKind
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS
from engine.model.tiles import counts34
from engine.shanten import shanten


@dataclass(slots=True)
class SeatStats:
    """Sums over the games of one seat, or of several seats that form one side."""

    games: int = 0  # number of games
    # number of first to fourth places; of equal scores the seat nearer to the first dealer ranks higher
    places: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    score: int = 0  # final points
    result: float = 0.0  # result points in thousands, including uma and oka
    hands: int = 0  # number of hands dealt
    net: int = 0  # points gained over all hands, including riichi sticks and noten payments
    # riichi, called: hands in which the player declared riichi; in which it called a tile
    riichi: int = 0
    called: int = 0
    # drawn, tenpai: hands that ended in an exhaustive draw, and those of them in which the player was tenpai
    drawn: int = 0
    tenpai: int = 0
    # ready, ready_turns: hands in which the player was tenpai at any time, which every winner is; the number of its own
    # draws up to the first time. Only hands whose tiles the events show are counted.
    ready: int = 0
    ready_turns: int = 0
    win_turns: int = 0  # the number of its own draws up to a win, its own or another player's tile, over all wins
    tsumo: int = 0  # wins by self-draw
    # won_riichi, won_open, won_silent: wins in riichi, with an open hand, and with a closed hand without riichi
    won_riichi: int = 0
    won_open: int = 0
    won_silent: int = 0
    won: int = 0  # points of the wins, without honba and riichi sticks
    # paid_riichi, paid_open, paid_silent: hands in which it dealt in to such a hand; of two at once, the first
    paid_riichi: int = 0
    paid_open: int = 0
    paid_silent: int = 0
    paid: int = 0  # points of the hands it dealt in to
    # point_luck, place_luck: what the tiles that came were worth to it, where that was counted (see
    # :mod:`engine.critic.luck`): part of ``net``, and of the sum of the places
    point_luck: float = 0.0
    place_luck: float = 0.0

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

    def add(self, other: "SeatStats") -> None:
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


def seat_stats_of(events: Sequence[ev.Event]) -> tuple[SeatStats, SeatStats, SeatStats, SeatStats]:
    """The statistics of each seat over a whole game with full information."""
    found = (SeatStats(games=1), SeatStats(games=1), SeatStats(games=1), SeatStats(games=1))
    rules: Rules = HANCHAN
    before: ev.Points4 | None = None
    hand = _Hand()
    for event in events:
        if isinstance(event, ev.StartGame):
            rules = event.rules
        elif isinstance(event, ev.StartKyoku):
            _settle(found, before, event.scores)
            before, hand = event.scores, _Hand.dealt(event.hands)
            for one in found:
                one.hands += 1
        elif isinstance(event, ev.RiichiAccepted):
            hand.riichi.add(event.seat)
            found[event.seat].riichi += 1
        elif isinstance(event, ev.Draw):
            hand.draw(event)
        elif isinstance(event, ev.Discard):
            hand.discard(found, event)
        elif isinstance(event, ev.Call):
            hand.call(found, event)
        elif isinstance(event, ev.Win):
            hand.win(found, event)
        elif isinstance(event, ev.Ryuukyoku) and event.kind is ev.RyuukyokuKind.EXHAUSTIVE:
            for seat in SEATS:
                found[seat].drawn += 1
                found[seat].tenpai += event.hands[seat] is not None
        elif isinstance(event, ev.EndGame):
            _settle(found, before, event.scores)
            _end(found, event, rules)
    return found


@dataclass(slots=True)
class _Hand:
    """What each player has done in the current hand."""

    # riichi, called, paid, ready: seats that declared riichi, called a tile, dealt in, have been tenpai
    riichi: set[int] = field(default_factory=set)
    called: set[int] = field(default_factory=set)
    paid: set[int] = field(default_factory=set)
    ready: set[int] = field(default_factory=set)
    draws: list[int] = field(default_factory=lambda: [0, 0, 0, 0])  # number of tiles that each seat has drawn
    # concealed tiles of each seat; None where they are not known
    held: list[set[int] | None] = field(default_factory=lambda: [None, None, None, None])
    melds: list[int] = field(default_factory=lambda: [0, 0, 0, 0])  # number of melds of each seat

    @classmethod
    def dealt(cls, hands: Sequence[ev.Tiles | None]) -> "_Hand":
        return cls(held=[None if tiles is None else set(tiles) for tiles in hands])

    def draw(self, event: ev.Draw) -> None:
        self.draws[event.seat] += 1
        held = self.held[event.seat]
        if held is not None and event.tile is not None:
            held.add(event.tile)

    def discard(self, found: Sequence[SeatStats], event: ev.Discard) -> None:
        seat = event.seat
        held = self.held[seat]
        if held is None or seat in self.ready:
            return
        held.discard(event.tile)
        if shanten(counts34(held), self.melds[seat]) == 0:
            self.reach(found, seat)

    def call(self, found: Sequence[SeatStats], event: ev.Call) -> None:
        seat, meld = event.seat, event.meld
        held = self.held[seat]
        if held is not None:
            held.difference_update(meld.tiles)
        self.melds[seat] += meld.kind is not MeldKind.KAKAN
        if meld.called is not None and seat not in self.called:
            self.called.add(seat)
            found[seat].called += 1

    def reach(self, found: Sequence[SeatStats], seat: int) -> None:
        """Count the first time that a seat is tenpai."""
        self.ready.add(seat)
        found[seat].ready += 1
        found[seat].ready_turns += self.draws[seat]

    def win(self, found: Sequence[SeatStats], event: ev.Win) -> None:
        way = _WAYS[0 if event.seat in self.riichi else 1 if event.seat in self.called else 2]
        points = event.score.points if event.score else 0
        winner = found[event.seat]
        setattr(winner, f"won_{way}", getattr(winner, f"won_{way}") + 1)
        winner.won += points
        winner.win_turns += self.draws[event.seat]
        if event.seat not in self.ready and self.held[event.seat] is not None:
            self.reach(found, event.seat)
        if event.from_seat == event.seat:
            winner.tsumo += 1
            return
        payer = found[event.from_seat]
        payer.paid += points
        if event.from_seat not in self.paid:
            self.paid.add(event.from_seat)
            setattr(payer, f"paid_{way}", getattr(payer, f"paid_{way}") + 1)


def _settle(found: Sequence[SeatStats], before: ev.Points4 | None, after: ev.Points4) -> None:
    if before is not None:
        for seat in SEATS:
            found[seat].net += after[seat] - before[seat]


def _end(found: Sequence[SeatStats], event: ev.EndGame, rules: Rules) -> None:
    results = event.results or result_points(event.scores, rules)
    order = sorted(SEATS, key=lambda seat: (-event.scores[seat], seat))
    for place, seat in enumerate(order):
        found[seat].places[place] += 1
        found[seat].score += event.scores[seat]
        found[seat].result += results[seat]
