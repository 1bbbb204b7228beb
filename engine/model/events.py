"""What happens at a table, in absolute seats and ``tile136``.

The same events come from the wire, from every log format and from the arena. A tile that the viewer cannot see
is None. Scores and deltas are points by absolute seat. A riichi is three events: ``RiichiDeclared``, the
``Discard``, ``RiichiAccepted`` (absent when the discard was won on).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.model.melds import Meld
from engine.model.rules import Rules

Points4 = tuple[int, int, int, int]
Tiles = tuple[int, ...]


class RyuukyokuKind(StrEnum):
    """Why a hand ended without a win. Values are Tenhou's ``type`` attribute; exhaustive has none there."""

    EXHAUSTIVE = ""
    NINE_TERMINALS = "yao9"
    FOUR_RIICHI = "reach4"
    TRIPLE_RON = "ron3"
    FOUR_KANS = "kan4"
    FOUR_WINDS = "kaze4"
    NAGASHI_MANGAN = "nm"


@dataclass(frozen=True, slots=True)
class StartGame:
    """A game begins. ``names`` by absolute seat: untrusted text."""

    rules: Rules
    names: tuple[str, str, str, str] = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class StartKyoku:
    """A hand is dealt.

    Attributes:
        kyoku: 0 = E1 … 4 = S1 … 8 = W1.
        honba: number of honba.
        riichi_sticks: sticks on the table, before this hand's.
        dealer: absolute seat.
        dora_indicator: ``tile136``.
        scores: points before the hand.
        hands: thirteen ``tile136`` by seat in dealt order, None where hidden.
        dice: two faces 1-6, None where unknown.
    """

    kyoku: int
    honba: int
    riichi_sticks: int
    dealer: int
    dora_indicator: int
    scores: Points4
    hands: tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None]
    dice: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile is drawn, from the dead wall after a kan."""

    seat: int
    tile: int | None


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile is discarded; ``tsumogiri``: the tile just drawn, as the others saw it."""

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
    """Nobody won on the riichi discard: 1000 points go to the table."""

    seat: int


@dataclass(frozen=True, slots=True)
class NewDora:
    """A kan's dora indicator (``tile136``) is turned."""

    indicator: int


@dataclass(frozen=True, slots=True)
class WinScore:
    """What a win is worth, without honba and sticks.

    Attributes:
        fu: fu after rounding; of a yakuman as the source states it (Tenhou often writes 0).
        points: the win's points: from the discarder, or the sum of all payments of a self-draw.
        limit: 0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman.
        yaku: (Tenhou yaku id, han) in the order of the source; dora 52, red 54, ura 53.
            A riichi hand carries (53, 0) when no ura hit. Empty for a yakuman.
        yakuman: Tenhou yaku ids.
    """

    fu: int
    points: int
    limit: int
    yaku: tuple[tuple[int, int], ...] = ()
    yakuman: tuple[int, ...] = ()

    @property
    def han(self) -> int:
        """Sum of the yaku's han; 0 for a yakuman."""
        return sum(han for _, han in self.yaku)


@dataclass(frozen=True, slots=True)
class Win:
    """A player wins; a self-draw when ``seat == from_seat``. Double ron is two events, nearest seat first.

    Attributes:
        seat, from_seat: winner and payer (or winner again).
        tile: the winning ``tile136``.
        deltas: change of each score, honba and sticks included.
        scores_before: after riichi payments, before this win; None where the source does not say.
        concealed: the winner's concealed ``tile136`` ascending, the winning tile among them; empty where unknown.
        melds: oldest first.
        dora_indicators, ura_indicators: as turned.
        pao_seat: who is liable, or None.
        honba, riichi_sticks: as counted for this win; sticks are 0 for a second ron.
        score: value and yaku; None where the source does not say.
    """

    seat: int
    from_seat: int
    tile: int
    deltas: Points4
    scores_before: Points4 | None = None
    concealed: Tiles = ()
    melds: tuple[Meld, ...] = ()
    dora_indicators: Tiles = ()
    ura_indicators: Tiles = ()
    pao_seat: int | None = None
    honba: int = 0
    riichi_sticks: int = 0
    score: WinScore | None = None


@dataclass(frozen=True, slots=True)
class Ryuukyoku:
    """The hand ends without a win.

    Attributes:
        kind: why.
        deltas: change of each score.
        scores_before: after riichi payments; None where the source does not say.
        hands: concealed ``tile136`` shown at the end, None for players who show nothing.
        honba, riichi_sticks: on the table, this hand's riichi included.
    """

    kind: RyuukyokuKind
    deltas: Points4
    scores_before: Points4 | None = None
    hands: tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None] = (None, None, None, None)
    honba: int = 0
    riichi_sticks: int = 0


@dataclass(frozen=True, slots=True)
class EndGame:
    """The game is over.

    Attributes:
        scores: final points, left-over sticks included.
        results: result points with uma and oka, in thousands, to one decimal; None where the source does not say.
    """

    scores: Points4
    results: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Disconnected:
    """A player dropped; the server plays tsumogiri for the seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Reconnected:
    """A player came back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resume:
    """A snapshot for a player who reconnects in the middle of a hand.

    The order of calls against discards, tsumogiri marks and furiten are lost. Called-away tiles are in ``melds``,
    not in ``rivers``.

    Attributes:
        kyoku, honba, riichi_sticks, dealer, scores: as in :class:`StartKyoku`.
        dora_indicators: all turned.
        seat: whose view it is.
        hand: the seat's concealed ``tile136``, before the current draw; one tile more between its chi or pon and
            its discard.
        melds: by seat, oldest first.
        rivers: by seat, ``tile136`` in order.
        riichi_at: by seat, index into its river of the riichi tile, or None.
    """

    kyoku: int
    honba: int
    riichi_sticks: int
    dealer: int
    dora_indicators: Tiles
    scores: Points4
    seat: int
    hand: Tiles
    melds: tuple[tuple[Meld, ...], tuple[Meld, ...], tuple[Meld, ...], tuple[Meld, ...]]
    rivers: tuple[Tiles, Tiles, Tiles, Tiles]
    riichi_at: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)

    @property
    def called(self) -> bool:
        """The seat has made a chi or pon, and its discard is still to come."""
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
