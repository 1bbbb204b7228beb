"""Statistics of a game for each of its four players: places, points, and how their hands went."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from engine.model import events as ev
from engine.model.hands import Hand, Holdings, hands_of
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS
from engine.model.tiles import counts34
from engine.scoring import result_points
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


def total(stats: Iterable[SeatStats]) -> SeatStats:
    """The sum of several statistics."""
    whole = SeatStats()
    for one in stats:
        whole.add(one)
    return whole


def seat_stats_of(events: Sequence[ev.Event]) -> tuple[SeatStats, SeatStats, SeatStats, SeatStats]:
    """The statistics of each seat over a game; those of a session that holds several are added up."""
    found = (SeatStats(), SeatStats(), SeatStats(), SeatStats())
    played = hands_of(enumerate(events))
    starts = [event for event in events if isinstance(event, ev.StartGame)] or [ev.StartGame(HANCHAN)]
    for game, start in enumerate(starts):
        hands = [hand for hand in played.hands if hand.game == game]
        end = played.ends.get(game)
        for hand in hands:
            _add_hand(found, hand)
        standings = [hand.scores for hand in hands] + ([end.scores] if end else [])
        for seat, one in enumerate(found):
            one.games += 1
            one.net += standings[-1][seat] - standings[0][seat] if standings else 0
        if end is not None:
            _end(found, end, start.rules)
    return found


def _add_hand(found: Sequence[SeatStats], hand: Hand) -> None:
    """Add one hand."""
    draws = Counter(event.seat for event in hand.events if isinstance(event, ev.Draw))
    ready = first_tenpai(hand)
    for seat, one in enumerate(found):
        one.hands += 1
        one.riichi += seat in hand.riichi
        one.called += seat in hand.callers
        one.drawn += hand.draw is ev.RyuukyokuKind.EXHAUSTIVE
        one.tenpai += seat in hand.tenpai
        one.ready += seat in ready
        one.ready_turns += ready.get(seat, 0)
    for at, win in enumerate(hand.wins):
        way = "riichi" if win.seat in hand.riichi else "open" if win.seat in hand.callers else "silent"
        points = win.score.points if win.score else 0
        winner = found[win.seat]
        setattr(winner, f"won_{way}", getattr(winner, f"won_{way}") + 1)
        winner.won += points
        winner.win_turns += draws[win.seat]
        if win.from_seat == win.seat:
            winner.tsumo += 1
            continue
        payer = found[win.from_seat]
        payer.paid += points
        if at == 0:
            setattr(payer, f"paid_{way}", getattr(payer, f"paid_{way}") + 1)


def first_tenpai(hand: Hand) -> dict[int, int]:
    """The number of own draws before the first tenpai, by seat that was tenpai at any time, as every winner was.

    Seats whose tiles the events do not show are left out.
    """
    found: dict[int, int] = {}
    draws: Counter[int] = Counter()
    holdings = Holdings()
    holdings.take(hand.first)
    for event in hand.events:
        holdings.take(event)
        if isinstance(event, ev.Draw):
            draws[event.seat] += 1
        elif isinstance(event, ev.Discard | ev.Win) and event.seat not in found:
            held = holdings.concealed[event.seat]
            if held is not None and (
                isinstance(event, ev.Win) or shanten(counts34(held), holdings.melds[event.seat]) == 0
            ):
                found[event.seat] = draws[event.seat]
    return found


def _end(found: Sequence[SeatStats], event: ev.EndGame, rules: Rules) -> None:
    results = event.results or result_points(event.scores, rules)
    order = sorted(SEATS, key=lambda seat: (-event.scores[seat], seat))
    for place, seat in enumerate(order):
        found[seat].places[place] += 1
        found[seat].score += event.scores[seat]
        found[seat].result += results[seat]
