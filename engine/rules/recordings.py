"""Whole games with every hand known, as a few flat arrays for the kernels that learn from recordings; and their split.

An event is one uint32; a hand (kyoku) is one row of ``kyoku`` and thirteen tiles per seat. 20,000 games take about
100 MB. :func:`encode_game` writes the arrays, and :mod:`engine.rules.moment_kernels` replays them. :func:`split_of`
says which games may be fitted on.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.bounds import INDICATORS, KANS, MELDS, Range, fault_of_changes, fault_of_standing, first_fault
from engine.model.events import Event, Resume, RyuukyokuKind, StartGame, Tiles
from engine.model.hands import Hand, hands_of
from engine.model.rules import HANCHAN, LIVE_WALL, Rules
from engine.model.seats import SEATS, kyoku_name
from engine.rules.code_kernels import ANKAN, CHI, DAIMINKAN, DISCARD, DRAW, KAKAN, NEW_DORA, PON, SEAT_AT, TYPE
from engine.rules.codes import HiddenTileError, append_code, code_of
from engine.rules.table_kernels import RIVER_MOST


class Split(IntEnum):
    """The use of a game: fitting, validation or test; see :func:`split_of`."""

    TRAIN = 0
    VALIDATION = 1
    TEST = 2


HELD_BACK_OF: Final = 10
"""One game in this many is held back and never fitted on."""


def held_back(log_id: str) -> bool:
    """Whether a game is held back for evaluation. This depends only on its id, so it never changes."""
    return int.from_bytes(blake2b(log_id.encode(), digest_size=8).digest()) % HELD_BACK_OF == 0


VALIDATION_OF: Final = 20
"""Of the games not held back, one in this many is for validation: for choosing settings and for calibration."""


def split_of(log_id: str) -> Split:
    """The use of a game, which depends only on its id."""
    if held_back(log_id):
        return Split.TEST
    again = int.from_bytes(blake2b(log_id.encode(), digest_size=8, salt=b"validate").digest())
    return Split.VALIDATION if again % VALIDATION_OF == 0 else Split.TRAIN


FORMAT: Final = 3
"""Version of the arrays; raise it whenever their meaning changes, so that stored files are rebuilt."""


NO_SPLIT: Final = -1
"""Stands for the split of a game that must not be used."""
ANY_ROOM: Final = 0
"""The room of a game of which nobody knows it, WHO_OTHER of :mod:`engine.networks.imitation_layout_kernels`."""


class GameColumn(IntEnum):
    """Columns of ``Recordings.games``, which has one row for each game."""

    SPLIT = 0
    HANCHAN = 1
    """1 for a game of east and south rounds."""
    FIRST_KYOKU = 2
    """The game's first row of ``kyoku``; its hands are the rows up to the next game's first."""
    SCORE = 3
    """Final points of seat 0, followed by the other seats; -1 if the log does not reach the end."""
    ROOM = 7
    """Who plays there, a WHO_ number of :mod:`engine.networks.imitation_layout_kernels`."""
    PROGRAMS = 8
    """Bit set of the seats that :data:`PROGRAM` plays, and four bits higher of those of :data:`OTHER_PROGRAMS`."""


PROGRAM: Final = "ⓝLuckyJ"
"""The account of the strongest program known to have played in these recordings."""
OTHER_PROGRAMS: Final = ("ⓝSuphx", "ⓝNAGA25")
"""Accounts of other programs, whose mean place was better than that of the people at their tables."""


class KyokuColumn(IntEnum):
    """Columns of ``Recordings.kyoku``, which has one row for each hand."""

    GAME = 0
    KYOKU = 1
    HONBA = 2
    STICKS = 3
    DEALER = 4
    INDICATOR = 5
    """``tile136``."""
    FIRST_EVENT = 6
    EVENTS = 7
    LAST_KYOKU = 8
    """Index of the last scheduled hand, 3 or 7."""
    END = 9
    """An :class:`End`."""
    FROM_SEAT = 10
    """Who dealt in, or -1."""
    WINNERS = 11
    """Bit set of seats."""
    SCORE = 12
    """Points of seat 0 before the hand, followed by the other seats."""
    DELTA = 16
    """Change of seat 0's points by the hand, own riichi sticks included, followed by the other seats."""


KYOKU_COLUMNS: Final = 20
GAME_COLUMNS: Final = 9


class End(IntEnum):
    """How a hand ended."""

    UNFINISHED = 0
    TSUMO = 1
    RON = 2
    EXHAUSTIVE = 3
    ABORTIVE = 4


@dataclass(frozen=True)
class Recordings:
    """Games as arrays."""

    ids: NDArray[np.str_]  # (games,) text, Tenhou's log ids, or the file's name where there is none
    games: NDArray[np.int32]  # (games, 9) int32, see :class:`GameColumn`
    kyoku: NDArray[np.int32]  # (hands, 20) int32, see :class:`KyokuColumn`
    hands: NDArray[np.uint8]  # (hands, 4, 13) uint8, ``tile136`` as dealt
    events: NDArray[np.uint32]  # (events,) uint32, see :mod:`engine.rules.code_kernels`

    def hands_of(self, split: Split) -> NDArray[np.int64]:
        """Rows of ``kyoku`` for the games of one split."""
        parts = self.games[self.kyoku[:, KyokuColumn.GAME], GameColumn.SPLIT]
        return np.flatnonzero(parts == split)

    def without_doubles(self) -> "Recordings":
        """A copy in which only the first game of each id belongs to a split; the others' hands stay in the arrays."""
        _, first = np.unique(self.ids, return_index=True)
        if len(first) == len(self.ids):
            return self
        games = self.games.copy()
        again = np.ones(len(games), bool)
        again[first] = False
        games[again, GameColumn.SPLIT] = NO_SPLIT
        return Recordings(self.ids, games, self.kyoku, self.hands, self.events)

    @classmethod
    def concatenate(cls, parts: "Sequence[Recordings]") -> "Recordings":
        """Several recordings as one, in order."""
        games, kyoku = [], []
        at_game = at_kyoku = at_event = 0
        for part in parts:
            shifted_games, shifted_kyoku = part.games.copy(), part.kyoku.copy()
            shifted_games[:, GameColumn.FIRST_KYOKU] += at_kyoku
            shifted_kyoku[:, KyokuColumn.GAME] += at_game
            shifted_kyoku[:, KyokuColumn.FIRST_EVENT] += at_event
            games.append(shifted_games)
            kyoku.append(shifted_kyoku)
            at_game += len(part.games)
            at_kyoku += len(part.kyoku)
            at_event += len(part.events)
        return cls(
            np.concatenate([np.zeros(0, "U1"), *(part.ids for part in parts)]),
            np.concatenate([np.zeros((0, GAME_COLUMNS), np.int32), *games]),
            np.concatenate([np.zeros((0, KYOKU_COLUMNS), np.int32), *kyoku]),
            np.concatenate([np.zeros((0, 4, 13), np.uint8), *(part.hands for part in parts)]),
            np.concatenate([np.zeros(0, np.uint32), *(part.events for part in parts)]),
        )


class UnusableGameError(ValueError):
    """A game with a hand that no table can have seen, or by rules that change which tiles deal in or what they cost."""


def encode_game(log_id: str, events: Iterable[Event], room: int = ANY_ROOM) -> Recordings:
    """One game as arrays. Hands that do not end are left out.

    Args:
        log_id: Tenhou's log id.
        events: of the game, all hands open.
        room: who plays there, a WHO_ number.

    Raises:
        HiddenTileError: a dealt hand or a drawn tile is not known.
        UnusableGameError: a hand cannot have been played, or the table has no red fives, no open tanyao, or other
            payments.
    """
    rules, game, hands = _encoded(events)
    if not (rules.red_fives and rules.open_tanyao) or rules.kiriage or rules.honba_points != 300:
        raise UnusableGameError("the table has house rules (red fives, open tanyao or payments)")
    game[GameColumn.SPLIT], game[GameColumn.ROOM] = split_of(log_id), room
    return _arrays(log_id, game, [hand for hand in hands if hand.row[KyokuColumn.END] != End.UNFINISHED])


def open_game(events: Iterable[Event]) -> tuple[Recordings, Rules]:
    """One game of any rules as arrays, with hands that do not end, and its rules; it is in no split.

    Raises:
        HiddenTileError: a dealt hand or a drawn tile is not known.
        UnusableGameError: a hand cannot have been played.
    """
    rules, game, hands = _encoded(events)
    return _arrays("", game, hands), rules


class _EncodedHand(NamedTuple):
    """A hand as numbers."""

    row: list[int]  # its row of ``kyoku``, but for the places of its events
    tiles: list[Tiles]  # as dealt
    codes: list[int]  # its events


def _encoded(events: Iterable[Event]) -> tuple[Rules, list[int], list[_EncodedHand]]:
    """The rules of a game, its row of ``games``, and its hands."""
    events = list(events)
    start = next((event for event in events if isinstance(event, StartGame)), StartGame(HANCHAN))
    played = hands_of(enumerate(events))
    hands = [_encoded_hand(hand, start.rules.last_kyoku) for hand in played.hands]
    final = played.ends[0].scores if played.ends else (-1, -1, -1, -1)
    programs = sum(
        ((name == PROGRAM) + ((name in OTHER_PROGRAMS) << 4)) << seat for seat, name in enumerate(start.names)
    )
    return start.rules, [NO_SPLIT, start.rules.hanchan, 0, *final, ANY_ROOM, programs], hands


def _encoded_hand(hand: Hand, last_kyoku: int) -> _EncodedHand:
    dealt = [] if isinstance(hand.first, Resume) else [tiles for tiles in hand.first.hands if tiles is not None]
    if isinstance(hand.first, Resume) or len(dealt) < len(SEATS):
        raise HiddenTileError("hands are hidden; captured sessions cannot be learned from, logs can")
    codes: list[int] = []
    for event in hand.events:
        code = code_of(event)
        if code is not None:
            append_code(codes, code)
    if fault := _fault(hand, codes):
        raise UnusableGameError(f"{kyoku_name(hand.kyoku, hand.honba)}: {fault}")
    row = [0, hand.kyoku, hand.honba, hand.riichi_sticks, hand.dealer, hand.first.dora_indicator, 0, len(codes)]
    row += [last_kyoku, _end_of(hand), -1 if hand.dealt_in is None else hand.dealt_in]
    return _EncodedHand([*row, sum(1 << seat for seat in hand.winners), *hand.scores, *hand.deltas], dealt, codes)


def _fault(hand: Hand, codes: Sequence[int]) -> str:
    """The first number of a hand that no table has room for; empty if there is none.

    Readers of logs see to it that each tile is where an event takes it from, but not to whose turn it is.
    """
    happened = Counter((code & TYPE, code >> SEAT_AT & 3) for code in codes)

    def number(*types: int, seats: Sequence[int] = SEATS) -> int:
        return sum(happened[what, seat] for what in types for seat in seats)

    return first_fault(
        fault_of_standing(hand.kyoku, hand.honba, hand.riichi_sticks, hand.scores),
        fault_of_changes(hand.deltas),
        Range(0, LIVE_WALL).fault("tiles drawn", number(DRAW)),
        Range(0, INDICATORS.high - 1).fault("dora indicators after the first", number(NEW_DORA)),
        KANS.fault("kans", number(DAIMINKAN, ANKAN, KAKAN)),
        *(MELDS.fault(f"melds of seat {seat}", number(CHI, PON, DAIMINKAN, ANKAN, seats=(seat,))) for seat in SEATS),
        *(Range(0, RIVER_MOST).fault(f"discards of seat {seat}", number(DISCARD, seats=(seat,))) for seat in SEATS),
    )


def _end_of(hand: Hand) -> End:
    if hand.wins:
        return End.TSUMO if hand.dealt_in is None else End.RON
    if hand.draw is None:
        return End.UNFINISHED
    played_out = hand.draw in {RyuukyokuKind.EXHAUSTIVE, RyuukyokuKind.NAGASHI_MANGAN}
    return End.EXHAUSTIVE if played_out else End.ABORTIVE


def _arrays(log_id: str, game: list[int], hands: list[_EncodedHand]) -> Recordings:
    at = 0
    for hand in hands:
        hand.row[KyokuColumn.FIRST_EVENT] = at
        at += len(hand.codes)
    return Recordings(
        np.array([log_id], np.str_),
        np.array([game], np.int32),
        np.array([hand.row for hand in hands], np.int32).reshape(-1, KYOKU_COLUMNS),
        np.array([hand.tiles for hand in hands], np.uint8).reshape(-1, 4, 13),
        np.array([code for hand in hands for code in hand.codes], np.uint32),
    )
