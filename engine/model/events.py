"""Events at a table, with absolute seats and ``tile136``.

The wire protocol, every log format and the arena produce the same events. A tile that the viewer cannot see is None.
Scores and deltas are points by absolute seat. A riichi consists of three events: ``RiichiDeclared``, the ``Discard``,
and ``RiichiAccepted`` (absent if somebody wins on the discard).
"""

from dataclasses import dataclass, field
from enum import Flag, StrEnum, auto
from typing import Final

from engine.model.melds import Meld
from engine.model.rules import Rules

Points4 = tuple[int, int, int, int]
Tiles = tuple[int, ...]


class RyuukyokuKind(StrEnum):
    """Ways in which a hand ends without a win; values are Tenhou's ``type`` attribute, empty for an exhaustive draw."""

    EXHAUSTIVE = ""
    NINE_TERMINALS = "yao9"
    FOUR_RIICHI = "reach4"
    TRIPLE_RON = "ron3"
    FOUR_KANS = "kan4"
    FOUR_WINDS = "kaze4"
    NAGASHI_MANGAN = "nm"


class Unstated(Flag):
    """Parts of the end of a hand or a game that the source leaves out and that were filled in from the play."""

    PAYMENTS = auto()
    """Who pays how much."""
    LIABLE = auto()
    """Who is liable for a yakuman."""
    HANDS = auto()
    """The tiles of the hands shown."""
    TENPAI = auto()
    """Who was tenpai when the wall was exhausted; the payments tell it unless nobody paid."""
    KIND = auto()
    """Why nobody won."""
    SCORES = auto()
    """The points at the end of the game."""


NOTHING: Final = Unstated(0)
"""The source states everything."""


@dataclass(frozen=True, slots=True)
class StartGame:
    """A game begins. ``names`` are by absolute seat, and untrusted text."""

    rules: Rules
    names: tuple[str, str, str, str] = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class StartKyoku:
    """A hand is dealt."""

    kyoku: int  # number of the hand: 0 = E1 … 4 = S1 … 8 = W1
    honba: int  # number of honba
    riichi_sticks: int  # riichi sticks on the table when the hand begins
    dealer: int  # absolute seat of the dealer
    dora_indicator: int  # ``tile136``
    scores: Points4  # points before the hand
    # thirteen ``tile136`` by seat in dealt order, None if hidden
    hands: tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None]
    dice: tuple[int, int] | None = None  # two faces 1-6, None if unknown


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile is drawn, from the dead wall after a kan."""

    seat: int
    tile: int | None


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile is discarded; ``tsumogiri``: whether it is visibly the tile just drawn."""

    seat: int
    tile: int
    tsumogiri: bool


@dataclass(frozen=True, slots=True)
class Call:
    """A meld is made: chi, pon, any kan."""

    seat: int
    meld: Meld


@dataclass(frozen=True, slots=True)
class RiichiDeclared:
    """Riichi is announced; the discard follows."""

    seat: int


@dataclass(frozen=True, slots=True)
class RiichiAccepted:
    """Nobody won on the riichi discard; the player puts 1,000 points on the table."""

    seat: int


@dataclass(frozen=True, slots=True)
class NewDora:
    """A kan's dora indicator (``tile136``) is turned."""

    indicator: int


@dataclass(frozen=True, slots=True)
class WinScore:
    """The value of a win, without honba and riichi sticks."""

    fu: int  # fu after rounding; for a yakuman as the source states it (Tenhou often writes 0)
    points: int  # points of the win: from the discarder, or the sum of all payments of a self-draw
    limit: int  # 0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman
    # (Tenhou yaku id, han) in the order of the source; dora is 52, red five 54, ura dora 53. A hand in riichi has (53,
    # 0) if it has no ura dora. Empty for a yakuman.
    yaku: tuple[tuple[int, int], ...] = ()
    yakuman: tuple[int, ...] = ()  # Tenhou yaku ids

    @property
    def han(self) -> int:
        """Sum of the yaku's han; 0 for a yakuman."""
        return sum(han for _, han in self.yaku)


@dataclass(frozen=True, slots=True)
class WinClaim:
    """The value of a win as far as its source states it: only a part, or in words that are not known."""

    # fu, han, points, limit: as in :class:`WinScore`; None if not stated
    fu: int | None = None
    han: int | None = None
    points: int | None = None
    limit: int | None = None
    yaku: tuple[tuple[int, int], ...] = ()  # the yaku that are known, as (Tenhou yaku id, han)
    yakuman: tuple[int, ...] = ()  # the yakuman that are known, as Tenhou yaku ids
    unknown: tuple[str, ...] = ()  # the words that are not known


@dataclass(frozen=True, slots=True)
class Win:
    """A player wins, by self-draw if ``seat == from_seat``. A double ron is two events, the nearest seat first."""

    # seat, from_seat: winner and discarder (or the winner again)
    seat: int
    from_seat: int
    tile: int  # the winning ``tile136``
    deltas: Points4  # change of each score, including honba and riichi sticks
    # scores after riichi payments and before this win; None if the source does not say
    scores_before: Points4 | None = None
    concealed: Tiles = ()  # the winner's concealed ``tile136``, ascending, including the winning tile; empty if unknown
    melds: tuple[Meld, ...] = ()  # melds of the winner, oldest first
    # dora_indicators, ura_indicators: indicators in the order turned
    dora_indicators: Tiles = ()
    ura_indicators: Tiles = ()
    pao_seat: int | None = None  # the liable player, or None
    # honba, riichi_sticks: numbers that count for this win; there are no sticks for a second ron
    honba: int = 0
    riichi_sticks: int = 0
    score: WinScore | None = None  # value and yaku; None if the source does not say, or only a part of it
    # what the source says if ``score`` is None; None if it says nothing. Ignored in comparisons.
    claim: WinClaim | None = field(default=None, compare=False)
    unstated: Unstated = field(default=NOTHING, compare=False)  # what was put in from the play. Ignored in comparisons.


@dataclass(frozen=True, slots=True)
class Ryuukyoku:
    """The hand ends without a win."""

    kind: RyuukyokuKind  # the reason
    deltas: Points4  # change of each score
    scores_before: Points4 | None = None  # scores after riichi payments; None if the source does not say
    # concealed ``tile136`` shown at the end, None for players who show nothing
    hands: tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None] = (None, None, None, None)
    # honba, riichi_sticks: numbers on the table, including this hand's riichi
    honba: int = 0
    riichi_sticks: int = 0
    unstated: Unstated = field(default=NOTHING, compare=False)  # what was put in from the play. Ignored in comparisons.


@dataclass(frozen=True, slots=True)
class EndGame:
    """The game is over."""

    scores: Points4  # final points, including left-over riichi sticks
    # result points with uma and oka, in thousands, to one decimal; None if the source does not say
    results: tuple[float, float, float, float] | None = None
    unstated: Unstated = field(default=NOTHING, compare=False)  # what was put in from the play. Ignored in comparisons.


@dataclass(frozen=True, slots=True)
class Disconnected:
    """A player is disconnected; the server discards the drawn tile for the seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Reconnected:
    """A player has reconnected."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resume:
    """A snapshot for a player who reconnects during a hand.

    It lacks the order of calls and discards, tsumogiri marks and furiten. Called tiles are in ``melds``, not in
    ``rivers``.

    Attributes:
        kyoku, honba, riichi_sticks, dealer, scores: as in :class:`StartKyoku`.
    """

    kyoku: int
    honba: int
    riichi_sticks: int
    dealer: int
    dora_indicators: Tiles  # all indicators that are turned
    scores: Points4
    seat: int  # the seat of the viewer
    # the viewer's concealed ``tile136`` before the current draw; one tile more between its chi or pon and its discard
    hand: Tiles
    melds: tuple[tuple[Meld, ...], tuple[Meld, ...], tuple[Meld, ...], tuple[Meld, ...]]  # melds by seat, oldest first
    rivers: tuple[Tiles, Tiles, Tiles, Tiles]  # ``tile136`` by seat, in order
    # by seat, index of the riichi tile in its river, or None
    riichi_at: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)

    @property
    def called(self) -> bool:
        """Whether the seat has made a chi or pon and not discarded yet."""
        return len(self.hand) % 3 == 2


Event = (
    StartGame
    | StartKyoku
    | Draw
    | Discard
    | Call
    | RiichiDeclared
    | RiichiAccepted
    | NewDora
    | Win
    | Ryuukyoku
    | EndGame
    | Disconnected
    | Reconnected
    | Resume
)
