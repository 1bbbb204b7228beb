"""The hands of a game, each as a whole: who won, dealt in, called, declared riichi, and what it cost them."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.model.events import (
    Call,
    Discard,
    Draw,
    EndGame,
    Event,
    Points4,
    Resume,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.melds import MeldKind
from engine.model.rules import RIICHI_STICK
from engine.model.seats import SEATS, kyoku_name
from engine.model.standing import Standing


@dataclass(slots=True)
class Hand:
    """One hand as it was played."""

    first: StartKyoku | Resume  # the event that begins it
    start: int  # position of that event
    game: int  # index of its game in the recording (a session may contain several)
    events: list[Event] = field(default_factory=list)  # the events that followed, up to the end of the hand
    deltas: list[int] = field(default_factory=lambda: [0, 0, 0, 0])  # change of each score, own riichi sticks included
    ends: list[Win | Ryuukyoku] = field(default_factory=list)  # its wins, or its draw; empty if the log ends before
    riichi: list[int] = field(default_factory=list)  # seats that declared riichi, also where the tile was won on
    callers: set[int] = field(default_factory=set)  # seats with an open meld
    resumed: bool = False  # whether it was joined in progress, after a reconnection

    @property
    def kyoku(self) -> int:
        """Number of the hand: 0 = E1."""
        return self.first.kyoku

    @property
    def honba(self) -> int:
        """Number of honba."""
        return self.first.honba

    @property
    def riichi_sticks(self) -> int:
        """Number of riichi sticks on the table when the hand begins, or is joined."""
        return self.first.riichi_sticks

    @property
    def dealer(self) -> int:
        """Absolute seat of the dealer."""
        return self.first.dealer

    @property
    def scores(self) -> Points4:
        """Points at the beginning."""
        return self.first.scores

    @property
    def ended(self) -> bool:
        """Whether the log shows its end."""
        return bool(self.ends)

    @property
    def wins(self) -> list[Win]:
        """The wins that ended it."""
        return [end for end in self.ends if isinstance(end, Win)]

    @property
    def winners(self) -> set[int]:
        """Seats that won."""
        return {win.seat for win in self.wins}

    @property
    def dealt_in(self) -> int | None:
        """The seat that dealt in, or None. Of two who win on one tile it has dealt in once, as Tenhou counts."""
        return next((win.from_seat for win in self.wins if win.from_seat != win.seat), None)

    @property
    def draw(self) -> RyuukyokuKind | None:
        """Why it ended without a win, or None."""
        return next((end.kind for end in self.ends if isinstance(end, Ryuukyoku)), None)

    @property
    def tenpai(self) -> set[int]:
        """Seats that showed a tenpai hand when the wall was exhausted."""
        exhausted = [end for end in self.ends if isinstance(end, Ryuukyoku) and end.kind is RyuukyokuKind.EXHAUSTIVE]
        return {seat for end in exhausted for seat in SEATS if end.hands[seat] is not None}

    @property
    def name(self) -> str:
        """``'E1'``, ``'S3-2'``."""
        return kyoku_name(self.kyoku, self.honba)

    @property
    def standing(self) -> Standing:
        """The standing before it."""
        return Standing(self.kyoku, self.honba, self.riichi_sticks, self.scores)

    def take(self, event: Event) -> None:
        """Add an event that follows."""
        self.events.append(event)
        if isinstance(event, Win | Ryuukyoku):
            self.ends.append(event)
            for seat, gain in enumerate(event.deltas):
                self.deltas[seat] += gain
        elif isinstance(event, RiichiDeclared):
            self.riichi.append(event.seat)
        elif isinstance(event, RiichiAccepted):
            self.deltas[event.seat] -= RIICHI_STICK
        elif isinstance(event, Call) and event.meld.kind is not MeldKind.ANKAN:
            self.callers.add(event.seat)


@dataclass(frozen=True, slots=True)
class Played:
    """All hands of a recording, and the ends of its games, by index of the game."""

    hands: tuple[Hand, ...]
    ends: Mapping[int, EndGame]

    def after(self, index: int) -> Standing | None:
        """The standing that followed a hand; None if the recording does not show it."""
        hand = self.hands[index]
        if index + 1 < len(self.hands) and self.hands[index + 1].game == hand.game:
            following = self.hands[index + 1]
            return None if following.resumed else following.standing
        end = self.ends.get(hand.game)
        return None if end is None else Standing(-1, 0, 0, end.scores)

    def index_at(self, position: int) -> int:
        """Index of the hand that an event belongs to."""
        return max(0, bisect_right([hand.start for hand in self.hands], position) - 1)


def hands_of(events: Iterable[tuple[int, Event]]) -> Played:
    """The hands of a recording. Events before the first hand are ignored.

    Args:
        events: the events, each with its position; of whole games ``enumerate(events)``.
    """
    hands: list[Hand] = []
    ends: dict[int, EndGame] = {}
    games = 0
    for at, event in events:
        if isinstance(event, StartGame):
            games += 1
        elif isinstance(event, StartKyoku):
            hands.append(Hand(event, at, max(0, games - 1)))
        elif isinstance(event, Resume):
            last = hands[-1] if hands else None
            if last and not last.ended and (last.kyoku, last.honba) == (event.kyoku, event.honba):
                last.resumed = True
                last.events.append(event)
                games = last.game + 1
                continue
            joined = Hand(event, at, max(0, games - 1), resumed=True)
            joined.riichi += [seat for seat in SEATS if event.riichi_at[seat] is not None]
            joined.callers |= {
                seat for seat in SEATS if any(meld.kind is not MeldKind.ANKAN for meld in event.melds[seat])
            }
            hands.append(joined)
        elif isinstance(event, EndGame):
            ends[max(0, games - 1)] = event
        elif hands:
            hands[-1].take(event)
    return Played(tuple(hands), ends)


class Holdings:
    """The tiles that each seat really holds, as far as the events show them."""

    def __init__(self) -> None:
        self.concealed: list[set[int] | None] = [None, None, None, None]  # ``tile136`` by seat, None if not known
        self.melds = [0, 0, 0, 0]  # number of melds by seat

    def take(self, event: Event) -> None:
        """Follow one event."""
        if isinstance(event, StartKyoku):
            self.concealed = [None if hand is None else set(hand) for hand in event.hands]
            self.melds = [0, 0, 0, 0]
        elif isinstance(event, Resume):
            self.concealed = [None, None, None, None]
            self.concealed[event.seat] = set(event.hand)
            self.melds = [len(melds) for melds in event.melds]
        elif isinstance(event, Draw):
            held = self.concealed[event.seat]
            if event.tile is None:
                self.concealed[event.seat] = None
            elif held is not None:
                held.add(event.tile)
        elif isinstance(event, Discard):
            self._lose(event.seat, (event.tile,))
        elif isinstance(event, Call):
            meld = event.meld
            if meld.kind is MeldKind.KAKAN:
                self._lose(event.seat, () if meld.added is None else (meld.added,))
            else:
                self._lose(event.seat, meld.own_tiles)
                self.melds[event.seat] += 1

    def _lose(self, seat: int, tiles: Iterable[int]) -> None:
        held = self.concealed[seat]
        if held is not None:
            held.difference_update(tiles)
