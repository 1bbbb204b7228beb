"""What an audit reads: a whole log, or one client's session (a capture or a record), and the hands of it."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.page.table import kinds_text, sorted_text
from bot.replay.counting import paid
from bot.replay.decisions import DecisionPoint, Fault, Hear, decision_points, session_points
from engine.model import events as ev
from engine.model.melds import MeldKind
from engine.model.rules import RIICHI_STICK, Rules
from engine.model.seats import kyoku_name, turn_order
from engine.model.tiles import HONOURS, counts34
from engine.policy.standing import Standing
from engine.shanten import waits
from engine.state import GameState
from protocol.errors import LogError
from protocol.logs.formats import LogFile, read_log, read_session
from protocol.logs.game_log import GameLog, LogInfo
from protocol.logs.wire import Seen, WireSession, play

Names = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Recording:
    """One log to be audited.

    Attributes:
        source: the log or the session.
        events: the events, each with its position as in :attr:`~bot.replay.decisions.Place.event`.
        rules: rules of the (first) table.
        names: names of the players by absolute seat; untrusted text.
        info: what the log says besides the play.
        viewer: the seat of a captured session, the only one that can be audited; None for a log.
    """

    source: GameLog | WireSession
    events: tuple[tuple[int, ev.Event], ...]
    rules: Rules
    names: Names
    info: LogInfo
    viewer: int | None = None

    @property
    def name(self) -> str:
        """Where it was read from."""
        return self.source.source

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read otherwise than the log is written."""
        return () if isinstance(self.source, WireSession) else self.source.notes

    def points(self, seat: int, faults: list[Fault], hear: Hear | None = None) -> Iterator[DecisionPoint]:
        """Yield every decision of a seat, in order; hands that cannot be followed are added to ``faults``.

        ``hear`` is called with every event as the seat sees it.
        """
        if isinstance(self.source, WireSession):
            return session_points(self.source, faults, hear)
        return decision_points(self.source, seat, faults, hear)


def read_recording(file: LogFile) -> Recording:
    """Read a log in any format that contains play.

    Raises:
        LogError: it cannot be read, or contains no game.
    """
    session = read_session(file)
    if session is not None:
        return _of_session(session)
    log = paid(read_log(file, partly=True))
    return Recording(log, tuple(enumerate(log.events)), log.start.rules, log.start.names, log.info)


def _of_session(session: WireSession) -> Recording:
    steps = [step for step in play(session) if isinstance(step, Seen)]
    starts = [(step.viewer, step.event) for step in steps if isinstance(step.event, ev.StartGame)]
    if not starts:
        raise LogError("this session contains no game: it ends before one begins", session.source)
    viewer, start = starts[0]
    events = tuple((step.line, step.event) for step in steps)
    return Recording(session, events, start.rules, start.names, LogInfo(), viewer)


@dataclass(slots=True)
class Hand:
    """One hand as it was played.

    Attributes:
        start: position of the event that begins it.
        game: index of its game in the recording (a session may contain several).
        kyoku, honba, riichi_sticks, dealer: as in :class:`~engine.model.events.StartKyoku`.
        scores: points at the beginning.
        deltas: change of each seat's points, riichi sticks paid included.
        wins: the wins that ended it.
        draw: why it ended without a win, or None.
        riichi: seats that declared riichi, in order.
        callers: seats with an open meld.
        resumed: whether it was joined in progress, after a reconnection.
        ended: whether the log shows its end.
    """

    start: int
    game: int
    kyoku: int
    honba: int
    riichi_sticks: int
    dealer: int
    scores: ev.Points4
    deltas: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    wins: list[ev.Win] = field(default_factory=list)
    draw: ev.RyuukyokuKind | None = None
    riichi: list[int] = field(default_factory=list)
    callers: set[int] = field(default_factory=set)
    resumed: bool = False
    ended: bool = False

    @property
    def name(self) -> str:
        """``'E1'``, ``'S3-2'``."""
        return kyoku_name(self.kyoku, self.honba)

    @property
    def standing(self) -> Standing:
        """The standing before it."""
        return Standing(self.kyoku, self.honba, self.riichi_sticks, self.scores)


@dataclass(frozen=True, slots=True)
class Played:
    """All hands of a recording, and the ends of its games, by index of the game."""

    hands: tuple[Hand, ...]
    ends: Mapping[int, ev.EndGame]

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


def hands_of(events: Iterable[tuple[int, ev.Event]]) -> Played:
    """The hands of a recording. Events before the first hand are ignored."""
    hands: list[Hand] = []
    ends: dict[int, ev.EndGame] = {}
    games = 0
    for at, event in events:
        if isinstance(event, ev.StartGame):
            games += 1
        elif isinstance(event, ev.StartKyoku | ev.Resume):
            resumed = isinstance(event, ev.Resume)
            last = hands[-1] if hands else None
            if resumed and last and not last.ended and (last.kyoku, last.honba) == (event.kyoku, event.honba):
                last.resumed = True
                games = last.game + 1
                continue
            hands.append(
                Hand(
                    at, max(0, games - 1), event.kyoku, event.honba, event.riichi_sticks, event.dealer, event.scores,
                    resumed=resumed,
                )
            )  # fmt: skip
            if isinstance(event, ev.Resume):
                hands[-1].riichi += [seat for seat, tile in enumerate(event.riichi_at) if tile is not None]
                hands[-1].callers |= {seat for seat, melds in enumerate(event.melds) if _open(melds)}
        elif isinstance(event, ev.EndGame):
            ends[max(0, games - 1)] = event
        elif hands:
            _take(hands[-1], event)
    return Played(tuple(hands), ends)


def _open(melds: Sequence[object]) -> bool:
    return any(getattr(meld, "kind", None) is not MeldKind.ANKAN for meld in melds)


def _take(hand: Hand, event: ev.Event) -> None:
    if isinstance(event, ev.Win | ev.Ryuukyoku):
        hand.ended = True
        for seat, gain in enumerate(event.deltas):
            hand.deltas[seat] += gain
        if isinstance(event, ev.Win):
            hand.wins.append(event)
        else:
            hand.draw = event.kind
    elif isinstance(event, ev.RiichiDeclared):
        hand.riichi.append(event.seat)
    elif isinstance(event, ev.RiichiAccepted):
        hand.deltas[event.seat] -= RIICHI_STICK
    elif isinstance(event, ev.Call) and event.meld.kind is not MeldKind.ANKAN:
        hand.callers.add(event.seat)


class Holdings:
    """What each seat really holds, as far as the log shows it. Known to the report, never to the policy.

    Attributes:
        concealed: by seat the concealed ``tile136``; None if not known.
        melds: number of melds by seat.
    """

    def __init__(self) -> None:
        self.concealed: list[set[int] | None] = [None, None, None, None]
        self.melds = [0, 0, 0, 0]

    def take(self, event: ev.Event) -> None:
        """Follow one event."""
        if isinstance(event, ev.StartKyoku):
            self.concealed = [None if hand is None else set(hand) for hand in event.hands]
            self.melds = [0, 0, 0, 0]
        elif isinstance(event, ev.Resume):
            self.concealed = [None, None, None, None]
            self.concealed[event.seat] = set(event.hand)
            self.melds = [len(melds) for melds in event.melds]
        elif isinstance(event, ev.Draw):
            held = self.concealed[event.seat]
            if event.tile is None:
                self.concealed[event.seat] = None
            elif held is not None:
                held.add(event.tile)
        elif isinstance(event, ev.Discard):
            self._lose(event.seat, (event.tile,))
        elif isinstance(event, ev.Call):
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


def truth_fields(holdings: Holdings, state: GameState) -> dict[str, Any]:
    """What the other three hold and wait on, right, across, left; nulls if the log does not say."""
    red = state.rules.red_fives
    seats = turn_order(state.seat)[1:]
    hands: list[str | None] = []
    waiting: list[str | None] = []
    for seat in seats:
        held = holdings.concealed[seat]
        hands.append(None if held is None else sorted_text(held, red))
        waiting.append(None if held is None else kinds_text(true_waits(held, holdings.melds[seat])))
    return {"hands": hands, "waits": waiting}


def true_waits(held: Iterable[int], melds: int) -> tuple[int, ...]:
    """The kinds that complete a hand; none if it has a tile to discard."""
    counts = counts34(held)
    return waits(counts, melds) if sum(counts) == 13 - 3 * melds else ()


def wait_shape(kinds: Iterable[int], tile34: int, held: Iterable[int]) -> str:
    """The shape of the wait on a single tile, in one word, for sentences about a deal-in.

    ``'ryanmen'`` (two or more tiles of one run), ``'kanchan'``, ``'penchan'``, ``'tanki'``, ``'shanpon'``, otherwise
    ``'many'``.
    """
    found = tuple(kinds)
    counts = counts34(held)
    if len(found) == 1:
        if tile34 < HONOURS and not counts[tile34]:
            edge = tile34 % 9 in {2, 6}
            above = tile34 % 9 < 8 and counts[tile34 + 1] > 0
            below = tile34 % 9 > 0 and counts[tile34 - 1] > 0
            return "penchan" if edge and not (above and below) else "kanchan"
        return "tanki"
    if len(found) == 2:
        low, high = found
        if high - low == 3 and high < HONOURS and low // 9 == high // 9:
            return "ryanmen"
        if counts[low] >= 2 and counts[high] >= 2:
            return "shanpon"
    return "many"
