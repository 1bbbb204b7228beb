"""Tracks every tile of a recorded hand: the checks that are cheap enough to apply to every log that is read.

The checks cover only tiles. Whether the play was legal and the wins were scored right is for a game state to decide.
"""

from collections.abc import Callable
from typing import Any, Final

from engine.model import events as ev
from engine.model.bounds import fault_of_changes, fault_of_final_scores, fault_of_standing
from engine.model.melds import MeldKind
from engine.model.plural import plural
from engine.model.seats import SEATS, kyoku_name
from engine.model.tiles import TILES, format_tile
from protocol.errors import LogError, LogTrouble

ADVICE: Final = "the log is damaged or was edited: fetch it again"
_WALL: Final = 4
_TABLE: Final = 5


class TileLedger:
    """Follows the events of one game; :meth:`apply` raises if a tile cannot be where an event says it is.

    Attributes:
        place: name of the current hand, for messages: ``'E3-1'``; empty before the first.
    """

    __slots__ = ("_concealed", "_discard", "_handlers", "_melds", "_over", "_pons", "_where", "place")

    def __init__(self) -> None:
        self.place = ""
        self._where = bytearray(TILES)
        """By tile: the seat whose hand holds it, or the wall, or the table."""
        self._concealed = [0] * 4
        self._melds = [0] * 4
        self._pons: list[set[int]] = [set() for _ in SEATS]
        self._discard: tuple[int, int] | None = None
        """Seat and tile of the discard that can still be called."""
        self._over = True
        self._handlers: dict[type, Callable[[Any], None]] = {
            ev.StartKyoku: self._start,
            ev.Draw: self._draw,
            ev.Discard: self._discarded,
            ev.Call: self._call,
            ev.NewDora: self._new_dora,
            ev.Win: self._win,
            ev.Ryuukyoku: self._ryuukyoku,
            ev.RiichiDeclared: self._riichi,
            ev.RiichiAccepted: self._riichi,
            ev.EndGame: self._end_game,
        }

    def apply(self, event: ev.Event) -> None:
        """Follow one event.

        Raises:
            LogError: a tile is not where it must be, or the hand is over. The message names the hand, not the file.
        """
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)

    @property
    def in_hand(self) -> bool:
        """Whether a hand has begun and not ended."""
        return bool(self.place) and not self._over

    def concealed(self, seat: int) -> tuple[int, ...]:
        """The ``tile136`` that a seat holds concealed, ascending."""
        return tuple(tile for tile, place in enumerate(self._where) if place == seat)

    def close(self) -> None:
        """Check that the events may end here.

        Raises:
            LogError: they end in the middle of a hand, or there was no hand.
        """
        if not self.place:
            raise self._error("the log contains no hand", LogTrouble.NO_GAME)
        if not self._over:
            raise self._error("the log ends in the middle of a hand")

    def _error(self, message: str, trouble: LogTrouble = LogTrouble.DAMAGED) -> LogError:
        return LogError(f"{message}; {ADVICE}", position=self.place, trouble=trouble)

    def _refuse(self, fault: str) -> None:
        if fault:
            raise self._error(fault)

    def _start(self, event: ev.StartKyoku) -> None:
        if not self._over:
            raise self._error("the next hand is dealt before this one has ended")
        self.place = kyoku_name(event.kyoku, event.honba)
        self._refuse(fault_of_standing(event.kyoku, event.honba, event.riichi_sticks, event.scores))
        self._where[:] = bytes((_WALL,)) * TILES
        self._concealed[:] = (13, 13, 13, 13)
        self._melds[:] = (0, 0, 0, 0)
        for pons in self._pons:
            pons.clear()
        self._discard = None
        self._over = False
        for seat, hand in enumerate(event.hands):
            if hand is None or len(hand) != 13:
                raise self._error(f"seat {seat} is dealt {'no' if hand is None else len(hand)} tiles, not 13")
            for tile in hand:
                self._take(tile, seat)
        self._take(event.dora_indicator, _TABLE)

    def _take(self, tile: int | None, place: int) -> None:
        if tile is None:
            raise self._error("a draw is hidden; a log must show all draws")
        if self._where[tile] != _WALL:
            raise self._error(f"{format_tile(tile)} ({tile}) comes from the wall twice")
        self._where[tile] = place

    def _expect(self, seat: int, tiles: int, what: str) -> None:
        if self._over:
            raise self._error(f"{what} after the hand has ended")
        held = self._concealed[seat] + 3 * self._melds[seat]
        if held != tiles:
            raise self._error(f"{what}: seat {seat} holds {plural(held, 'tile')} (a kan as three), not {tiles}")

    def _draw(self, event: ev.Draw) -> None:
        self._expect(event.seat, 13, "a draw")
        self._take(event.tile, event.seat)
        self._concealed[event.seat] += 1
        self._discard = None

    def _discarded(self, event: ev.Discard) -> None:
        self._expect(event.seat, 14, "a discard")
        self._give(event.seat, event.tile)
        self._discard = event.seat, event.tile

    def _give(self, seat: int, tile: int) -> None:
        if self._where[tile] != seat:
            raise self._error(f"seat {seat} has no {format_tile(tile)} ({tile})")
        self._where[tile] = _TABLE
        self._concealed[seat] -= 1

    def withdraw(self, event: ev.Discard) -> None:
        """Undo the last discard that was applied."""
        self._where[event.tile] = event.seat
        self._concealed[event.seat] += 1

    def _call(self, event: ev.Call) -> None:
        seat, meld = event.seat, event.meld
        if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN):
            self._expect(seat, 14, "a kan")
        else:
            self._expect(seat, 13, "a call")
            if self._discard != (meld.from_seat, meld.called):
                raise self._error(
                    f"seat {seat} calls {meld.called} of seat {meld.from_seat}, which was not just discarded"
                )
        self._discard = None
        if meld.kind is MeldKind.KAKAN:
            if meld.tile34 not in self._pons[seat] or meld.added is None:
                raise self._error(f"seat {seat} adds to a pon it does not have")
            self._pons[seat].remove(meld.tile34)
            self._give(seat, meld.added)
            self._discard = seat, meld.added
            return
        for tile in meld.own_tiles:
            self._give(seat, tile)
        self._melds[seat] += 1
        if meld.kind is MeldKind.PON:
            self._pons[seat].add(meld.tile34)

    def _new_dora(self, event: ev.NewDora) -> None:
        self._take(event.indicator, _TABLE)

    def _riichi(self, event: ev.RiichiDeclared | ev.RiichiAccepted) -> None:
        self._expect(event.seat, 14 if isinstance(event, ev.RiichiDeclared) else 13, "riichi")

    def _win(self, event: ev.Win) -> None:
        seat = event.seat
        won = [tile for tile in event.concealed if self._where[tile] != seat]
        if (
            won != ([] if seat == event.from_seat else [event.tile])
            or len(event.concealed) + 3 * self._melds[seat] != 14
        ):
            raise self._error(f"seat {seat} wins with tiles it does not have")
        self._refuse(fault_of_changes(event.deltas))
        self._over = True

    def _ryuukyoku(self, event: ev.Ryuukyoku) -> None:
        if self._over:
            raise self._error("a draw after the hand has ended")
        for seat, hand in enumerate(event.hands):
            if hand is not None and any(self._where[tile] != seat for tile in hand):
                raise self._error(f"seat {seat} shows tiles it does not have")
        self._refuse(fault_of_changes(event.deltas))
        self._over = True

    def _end_game(self, event: ev.EndGame) -> None:
        self._refuse(fault_of_final_scores(event.scores))
