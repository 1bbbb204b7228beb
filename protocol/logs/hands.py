"""The hands of a game as it is read: where each tile is, and which hands cannot be followed.

The checks cover only tiles. Whether the play was legal and the wins were scored right is for a game state to decide. A
hand that cannot be followed is left out whole, and named once; all others are read.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

from engine.model import events as ev
from engine.model.bounds import KYOKU, fault_of_changes, fault_of_final_scores, fault_of_standing
from engine.model.melds import Meld, MeldKind
from engine.model.plural import plural
from engine.model.rules import Rules
from engine.model.seats import SEATS, kyoku_name
from engine.model.tiles import TILES, format_tile
from protocol.errors import LogError, LogTrouble
from protocol.logs.game_log import GameLog, LeftOut, LogInfo, Notes
from protocol.logs.shown_rules import shown_rules

ADVICE: Final = "the log is damaged or was edited: fetch it again"
NOBODY_PAYS: Final = (0, 0, 0, 0)
"""The payments of a hand that moves no points."""


class Hands:
    """The tiles of one hand after another; :meth:`apply` raises if a tile cannot be where an event says it is.

    Attributes:
        place: name of the current hand, for messages: ``'E3-1'``; empty before the first.
        concealed: the concealed ``tile136`` by seat; None for a hand that is hidden.
        melds: the melds by seat, oldest first.
        indicators: the dora indicators that are turned.
        drawn: the seat that has drawn and not yet discarded, and its tile; None after any other event of play.
        riichi: the seats that have declared riichi.
        draws: number of tiles drawn.
        events: number of events of the hand, with its deal.
        last: the last draw, discard or call.
        over: whether the hand has ended.
    """

    def __init__(self) -> None:
        self.place = ""
        self.over = True
        self.events = 0
        self._handlers: dict[type, Callable[[Any], None]] = {
            ev.StartKyoku: self._start,
            ev.Draw: self._draw,
            ev.Discard: self._discard,
            ev.Call: self._call,
            ev.NewDora: self._new_dora,
            ev.Win: self._win,
            ev.Ryuukyoku: self._ryuukyoku,
            ev.RiichiDeclared: self._riichi_declared,
            ev.RiichiAccepted: self._riichi_accepted,
            ev.EndGame: self._end_game,
        }

    def apply(self, event: ev.Event) -> None:
        """Follow one event.

        Raises:
            LogError: a tile is not where it must be, or the hand is over. The message names the hand, not the file.
        """
        handler = self._handlers.get(type(event))
        if handler is None:
            return
        if not (self.place or isinstance(event, ev.StartKyoku | ev.EndGame)):
            raise self.fail("play before a hand is dealt")
        handler(event)
        self.events += 1

    @property
    def in_hand(self) -> bool:
        """Whether a hand has begun and not ended."""
        return bool(self.place) and not self.over

    @property
    def kans(self) -> int:
        """Number of kans of the hand."""
        return sum(meld.kind.is_kan for melds in self.melds for meld in melds)

    def tenpai_by(self, deltas: ev.Points4) -> list[int]:
        """The seats that are certainly tenpai at the end of the wall, by the payments.

        Nobody pays when all or none are; a seat in riichi is tenpai, so that with one all are.
        """
        if any(deltas):
            return [seat for seat in SEATS if deltas[seat] > 0]
        return list(SEATS) if self.riichi else []

    def fail(self, message: str) -> LogError:
        """The error of an event that cannot happen."""
        return LogError(f"{message}; {ADVICE}", position=self.place)

    def pon_of(self, seat: int, tile34: int) -> Meld:
        """The pon of a seat to which a fourth tile is added.

        Raises:
            LogError: there is none.
        """
        for meld in self.melds[seat]:
            if meld.kind is MeldKind.PON and meld.tile34 == tile34:
                return meld
        raise self.fail(f"seat {seat} adds to a pon it does not have")

    def _refuse(self, fault: str) -> None:
        if fault:
            raise self.fail(fault)

    def begin(self, kyoku: int, honba: int, sticks: int, scores: Sequence[int]) -> None:
        """A hand begins at this standing.

        Raises:
            LogError: no hand can.
        """
        self.place, self.over, self.events = "", False, 0
        self._refuse(KYOKU.fault("kyoku", kyoku))
        self.place = kyoku_name(kyoku, honba)
        self._refuse(fault_of_standing(kyoku, honba, sticks, scores))

    def _start(self, event: ev.StartKyoku) -> None:
        self.begin(event.kyoku, event.honba, event.riichi_sticks, event.scores)
        self._seen = bytearray(TILES)
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.indicators: list[int] = []
        self.drawn: tuple[int, int | None] | None = None
        self.riichi: set[int] = set()
        self.draws = 0
        self.last: ev.Event | None = None
        self._claimable: tuple[int, int | None] | None = None
        self._count = [13] * 4
        self.concealed: list[set[int] | None] = []
        for seat, hand in enumerate(event.hands):
            if hand is not None and len(hand) != 13:
                raise self.fail(f"seat {seat} is dealt {len(hand)} tiles, not 13")
            self.concealed.append(None if hand is None else set(hand))
            for tile in hand or ():
                self._see(tile)
        if not any(self.concealed):
            raise self.fail("the deal shows no hand")
        self._turn(event.dora_indicator)

    def _see(self, tile: int) -> None:
        if self._seen[tile]:
            raise self.fail(f"{format_tile(tile)} ({tile}) comes from the wall twice")
        self._seen[tile] = True

    def _turn(self, indicator: int) -> None:
        self._see(indicator)
        self.indicators.append(indicator)

    def _expect(self, seat: int, tiles: int, what: str) -> None:
        if self.over:
            raise self.fail(f"{what} after the hand has ended")
        held = self._count[seat] + 3 * len(self.melds[seat])
        if held != tiles:
            raise self.fail(f"{what}: seat {seat} holds {plural(held, 'tile')} (a kan as three), not {tiles}")

    def _draw(self, event: ev.Draw) -> None:
        self._expect(event.seat, 13, "a draw")
        hand = self.concealed[event.seat]
        if event.tile is None and hand is not None:
            raise self.fail("a draw is hidden, but not the hand")
        if event.tile is not None:
            self._see(event.tile)
            if hand is not None:
                hand.add(event.tile)
        self._count[event.seat] += 1
        self.drawn = event.seat, event.tile
        self.draws += 1
        self._claimable = None
        self.last = event

    def _discard(self, event: ev.Discard) -> None:
        self._expect(event.seat, 14, "a discard")
        self._give(event.seat, event.tile)
        self._claimable = event.seat, event.tile
        self.drawn = None
        self.last = event

    def _give(self, seat: int, tile: int) -> None:
        hand = self.concealed[seat]
        if hand is None:
            if self.drawn != (seat, tile):
                self._see(tile)
        elif tile in hand:
            hand.remove(tile)
        else:
            raise self.fail(f"seat {seat} has no {format_tile(tile)} ({tile})")
        self._count[seat] -= 1

    def _call(self, event: ev.Call) -> None:
        seat, meld = event.seat, event.meld
        if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN):
            self._expect(seat, 14, "a kan")
            if self.drawn is None:
                raise self.fail(f"seat {seat} declares a kan without having drawn")
        else:
            self._expect(seat, 13, "a call")
            if self._claimable != (meld.from_seat, meld.called):
                why = f"seat {seat} calls {meld.called} of seat {meld.from_seat}, which was not just discarded"
                raise self.fail(why)
        self._claimable = None
        if meld.kind is MeldKind.KAKAN:
            pon, added = self.pon_of(seat, meld.tile34), meld.tiles[0] if meld.added is None else meld.added
            self._give(seat, added)
            self.melds[seat][self.melds[seat].index(pon)] = meld
            self._claimable = seat, added
        else:
            for tile in meld.own_tiles:
                self._give(seat, tile)
            self.melds[seat].append(meld)
        self.drawn = None
        self.last = event

    def _new_dora(self, event: ev.NewDora) -> None:
        self._turn(event.indicator)

    def _riichi_declared(self, event: ev.RiichiDeclared) -> None:
        self._expect(event.seat, 14, "riichi")
        self.riichi.add(event.seat)

    def _riichi_accepted(self, event: ev.RiichiAccepted) -> None:
        self._expect(event.seat, 13, "riichi")

    def _win(self, event: ev.Win) -> None:
        hand = self.concealed[event.seat]
        if event.concealed and hand is not None:
            held = sorted({*hand, event.tile})
            if held != list(event.concealed) or len(held) + 3 * len(self.melds[event.seat]) != 14:
                raise self.fail(f"seat {event.seat} wins with tiles it does not have")
        self._refuse(fault_of_changes(event.deltas))
        self.over = True

    def _ryuukyoku(self, event: ev.Ryuukyoku) -> None:
        if self.over:
            raise self.fail("a draw after the hand has ended")
        for seat, shown in enumerate(event.hands):
            hand = self.concealed[seat]
            if shown is not None and hand is not None and not hand.issuperset(shown):
                raise self.fail(f"seat {seat} shows tiles it does not have")
        self._refuse(fault_of_changes(event.deltas))
        self.over = True

    def _end_game(self, event: ev.EndGame) -> None:
        self._refuse(fault_of_final_scores(event.scores))


class Game:
    """The events of a game as they are read, hand by hand.

    Attributes:
        events: the events of all hands that can be followed.
        hands: the tiles of the current hand.
        notes: what was read otherwise than it is written.
        left_out: the hands that cannot be followed.
        lost: whether the current hand is one of them, so that its events are passed over.
        begun: number of hands that have begun.
    """

    def __init__(self) -> None:
        self.events: list[ev.Event] = []
        self.hands: Final = Hands()
        self.notes: Final = Notes()
        self.left_out: list[LeftOut] = []
        self.lost = False
        self._first = 0
        self._lacking = 0  # kans of the current hand that turn no indicator, as far as they are noted
        self.begun = 0

    def begin(self, place: str) -> None:
        """The next hand begins at a place in the file; one that has not ended is left out."""
        if self.hands.in_hand:
            self.lose(LogError(f"the next hand is dealt before this one has ended; {ADVICE}"), place)
        self.lost = False
        self.begun += 1
        self._lacking = 0
        self._first = len(self.events)
        self.hands.place, self.hands.events = "", 0

    @property
    def position(self) -> str:
        """The current position, for messages: ``'E3-1, event 41'``."""
        label = self.hands.place or f"hand {self.begun}"
        return f"{label}, event {self.hands.events}" if self.hands.events else label

    def fail(self, message: str) -> NoReturn:
        """Raise a :class:`LogError` with the current position."""
        raise LogError(f"{message}; {ADVICE}", position=self.position)

    @property
    def is_first(self) -> bool:
        """Whether no hand before the current one could be followed."""
        return not any(isinstance(event, ev.StartKyoku) for event in self.events[: self._first])

    def add(self, event: ev.Event) -> None:
        """Add an event.

        Raises:
            LogError: a tile is not where it must be, or the hand is over.
        """
        follows_discard = isinstance(event, ev.Draw) and self.events and isinstance(self.hands.last, ev.Discard)
        try:
            self.hands.apply(event)
        except LogError as error:
            error.position = self.position
            raise
        self.events.append(event)
        if follows_discard:
            self._note_indicators()

    def _note_indicators(self) -> None:
        """Note the kans of the hand whose indicator must have been turned by now and was not."""
        lacking = 1 + self.hands.kans - len(self.hands.indicators)
        if lacking > self._lacking:
            self.notes.add("a kan turns no dora indicator, so that one dora is not known", self.position)
        self._lacking = max(lacking, self._lacking)

    def lose(self, error: LogError, place: str = "") -> None:
        """Leave out the current hand, or what follows one that has ended, for an error at a place in the file."""
        hand = self.hands.place or f"hand {max(self.begun, 1)}"
        if self.hands.place and self.hands.over and not self.lost:
            hand = f"what follows {hand}"
        else:
            kept = [event for event in self.events[self._first :] if isinstance(event, _ASIDE)]
            self.events[self._first :] = kept
        if not self.lost:
            self.left_out.append(LeftOut(hand, place or error.position, error.message, len(self.events)))
        self.lost = self.hands.over = True

    def log(self, info: LogInfo, source: str, viewer: int | None = None) -> GameLog:
        """The log of the hands that can be followed.

        Raises:
            LogError: there is none.
        """
        if not any(isinstance(event, ev.StartKyoku) for event in self.events):
            if not self.left_out:
                raise LogError(f"contains no hand; {ADVICE}", source, trouble=LogTrouble.NO_GAME)
            first = self.left_out[0]
            raise LogError(first.why, source, first.place or first.hand)
        self._believe_hands()
        notes = (*self.notes.texts(), *map(str, self.left_out))
        return GameLog(tuple(self.events), info, source, notes, tuple(self.left_out), viewer)

    @property
    def start(self) -> ev.StartGame:
        """The first event, with the rules."""
        first = self.events[0]
        if not isinstance(first, ev.StartGame):
            raise TypeError(f"a game begins with StartGame, not with {first}")
        return first

    def play_whole_by(self, rules: Rules) -> None:
        """The rules of the whole game, also of the hands that are read already."""
        self.events[0] = replace(self.start, rules=rules)

    def _believe_hands(self) -> None:
        """Play by the rules that the hands show; what they contradict is noted."""
        stated, rules = self.start.rules, shown_rules(self.start.rules, self.events)
        for name in _NOTED:
            if getattr(rules, name) != getattr(stated, name):
                self.note_shown(name, has=getattr(rules, name))
        self.play_whole_by(rules)

    def note_shown(self, rule: str, *, has: bool, by: str = "wins") -> None:
        """Note that the wins, or the tiles, of a log show a rule otherwise than the log states it."""
        self.notes.add(f"{_NOTED[rule]}: its {by} have {'them' if has else 'none'}, and that decides", by)

    def note_red_fives(self, stated: bool | None, played: bool, *, won: bool, seen: bool) -> None:
        """Note it where what a log states of red fives is not how it is played, or not what its tiles show.

        Args:
            stated: what it states; None if it states nothing.
            played: whether it is played with them.
            won: whether its wins list them.
            seen: whether some are among its tiles.
        """
        if stated is not None and stated is not played:
            self.note_shown("red_fives", has=played, by="wins" if won else "tiles")
        elif seen and not played:
            self.notes.add("red fives: it states none, and those among its tiles are read as plain ones", "tiles")


_NOTED: Final = {"red_fives": "red fives", "open_tanyao": "open hands with tanyao"}
"""Rules that logs state, in words."""
_ASIDE: Final = (ev.StartGame, ev.Disconnected, ev.Reconnected)
"""Events that belong to no hand."""
