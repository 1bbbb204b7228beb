"""One hand, or many: shanten, ukeire, waits, and the value of a win."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.api.arguments import typed
from bot.api.rows import Rows
from bot.api.tiles import Tiles, counts_of
from bot.evaluate.hands import (
    ROUND_WINDS,
    SEAT_WINDS,
    meld_texts,
    one_of,
    read_meld,
    take_indicators,
    take_tiles,
)
from bot.machine.errors import InputError
from bot.wording.events import limit_words, yaku_name
from engine import shanten as engine
from engine.model.melds import Meld
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import round_wind34, seat_wind34
from engine.model.tiles import EAST, KINDS, PLAIN37, TileError, format_tile37
from engine.scoring import WinContext, WinError, exclusions, score_win

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Improvement:
    """The tiles that improve a hand of 13 tiles.

    Attributes:
        shanten: shanten of the hand; 0 is tenpai, and the tiles are then its waits.
        tiles: unseen copies of each tile that lowers the shanten.
        total: their sum.
    """

    shanten: int
    tiles: Mapping[str, int]
    total: int


@dataclass(frozen=True, slots=True)
class DiscardOption:
    """A discard from a hand of 14 tiles, and the hand that it leaves.

    Attributes:
        tile: the tile discarded.
        after: the hand of 13 tiles.
    """

    tile: str
    after: Improvement


@dataclass(frozen=True, slots=True)
class WonHand:
    """A hand that has won.

    Attributes:
        hand: concealed tiles including the winning one.
        win: the winning tile.
        melds: melds, such as ``'123p 555z [1111m]'``.
        tsumo: whether the win is by self-draw.
        riichi, ippatsu: as named.
        dora, ura: the dora and ura dora themselves, not their indicators.
        seat, round: winds: E, S, W, N.
        double_riichi, rinshan, chankan, haitei, houtei, tenhou, chihou: as named; a double riichi is a riichi, too.
        rules: rules of the table.
    """

    hand: str | Tiles
    win: str | Tiles
    melds: str = ""
    tsumo: bool = False
    riichi: bool = False
    ippatsu: bool = False
    dora: str = ""
    ura: str = ""
    seat: str = "S"
    round: str = "E"
    double_riichi: bool = False
    rinshan: bool = False
    chankan: bool = False
    haitei: bool = False
    houtei: bool = False
    tenhou: bool = False
    chihou: bool = False
    rules: Rules = HANCHAN


@dataclass(frozen=True, slots=True)
class YakuValue:
    """A yaku of a win: its English name, its name as Tenhou writes it, its han (13 for a yakuman)."""

    name: str
    tenhou: str
    han: int


@dataclass(frozen=True, slots=True, repr=False)
class WinValue:
    """The value of a win, without honba and riichi sticks.

    Attributes:
        yaku: the yaku, dora included.
        han, fu: as named; a yakuman has 13 han.
        limit: ``'mangan'`` to ``'yakuman'``, or empty.
        points: points that the winner gets.
    """

    yaku: tuple[YakuValue, ...]
    han: int
    fu: int
    limit: str
    points: int

    def __repr__(self) -> str:
        wide = max(len(each.name) for each in self.yaku)
        rows = [f"{each.name:{wide}}  {each.han:2} han" for each in self.yaku]
        return "\n".join([*rows, self._sum()])

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        rows = "".join(
            f"<tr><td>{each.name}</td><td>{each.tenhou}</td><td>{each.han} han</td></tr>" for each in self.yaku
        )
        return f"<table>{rows}<tr><th colspan=3>{self._sum()}</th></tr></table>"

    def _sum(self) -> str:
        limit = f", {self.limit}" if self.limit else ""
        return f"{self.han} han {self.fu} fu{limit}: {self.points:,} points"


@typed
def shanten(hand: str | Tiles, melds: str = "") -> int:
    """Shanten of a hand in its best form: 0 is tenpai, -1 complete.

    Args:
        hand: concealed tiles, 13 or 14 less three for each meld.
        melds: melds, such as ``'123p 555z [1111m]'``.
    """
    tiles, made = _hand(hand, melds)
    return _refusing(lambda: engine.shanten(tiles.counts34, len(made)))


@typed
def shanten_many(
    hands: Iterable[str | Tiles] | NDArray[np.uint8], melds: NDArray[np.uint8] | None = None
) -> NDArray[np.int8]:
    """Shanten of n hands.

    Args:
        hands: texts, or counts: uint8, shape (n, 34).
        melds: number of melds of each: uint8, shape (n,); None: none.

    Returns:
        int8, shape (n,).
    """
    counts = hands if isinstance(hands, np.ndarray) else counts_of(hands)
    return _refusing(lambda: engine.shanten_batch(counts, melds))


@typed
def waits(hand: str | Tiles, melds: str = "") -> tuple[str, ...]:
    """The tiles that complete a hand of 13 tiles; empty if it is not tenpai."""
    tiles, made = _hand(hand, melds)
    return tuple(map(format_tile37, _refusing(lambda: engine.waits(tiles.counts34, len(made)))))


@typed
def ukeire(hand: str | Tiles, melds: str = "", visible: str | Tiles = "") -> Improvement:
    """The tiles that lower the shanten of a hand of 13 tiles, with the copies left.

    Args:
        hand: concealed tiles.
        melds: own melds.
        visible: tiles seen elsewhere: rivers, others' melds, dora indicators.
    """
    tiles, made = _hand(hand, melds)
    return _improvement(tiles.counts34, made, _unseen(tiles, made, Tiles(visible)))


@typed
def discards(hand: str | Tiles, melds: str = "", visible: str | Tiles = "") -> Rows[DiscardOption]:
    """Every discard from a hand of 14 tiles: the lowest shanten first, then the most copies that lower it further."""
    tiles, made = _hand(hand, melds)
    if len(tiles) != 14 - 3 * len(made):
        raise InputError(
            f"{len(tiles)} concealed tiles with {len(made)} melds; before a discard it must be {14 - 3 * len(made)}"
        )
    unseen = _unseen(tiles, made, Tiles(visible))
    found = []
    for kind in np.flatnonzero(tiles.counts34).tolist():
        counts = tiles.counts34
        counts[kind] -= 1
        found.append(DiscardOption(format_tile37(kind), _improvement(counts, made, unseen)))
    return Rows(sorted(found, key=lambda each: (each.after.shanten, -each.after.total)))


@typed
def score(won: WonHand) -> WinValue | None:
    """The value of a win in its best reading; None if the hand is not complete or has no yaku.

    Circumstances that exclude each other are refused.
    """
    tiles, made = _hand(won.hand, won.melds)
    used = {tile for meld in made for tile in meld.tiles}
    concealed = take_tiles("the hand", tiles.tile37, used, won.rules.red_fives)
    wanted = Tiles(won.win)
    if len(wanted) != 1:
        raise InputError(f"the winning tile is one tile, not {len(wanted)}")
    plain = format_tile37(wanted.tile34[0])
    if wanted.tile37[0] not in tiles.tile37 and PLAIN37[wanted.tile37[0]] != wanted.tile37[0] and plain in tiles:
        raise InputError(f"the winning tile is {wanted}, but the hand has only {plain}: write the red five in both")
    seat = seat_wind34(one_of("seat", won.seat.upper(), SEAT_WINDS), 0)
    if fault := exclusions.contradiction(
        _circumstances(won, made, tiles.tile34.count(wanted.tile34[0]), dealer=seat == EAST)
    ):
        raise InputError(fault)
    context = WinContext(
        concealed=concealed,
        win_tile=next((tile for tile in concealed if tile >> 2 == wanted.tile34[0]), wanted.tile136[0]),
        tsumo=won.tsumo,
        seat_wind=seat,
        round_wind=round_wind34(one_of("round", won.round.upper(), ROUND_WINDS)),
        melds=made,
        riichi=2 if won.double_riichi else int(won.riichi),
        ippatsu=won.ippatsu,
        rinshan=won.rinshan,
        chankan=won.chankan,
        last_tile=won.haitei or won.houtei,
        first_turn=won.tenhou or won.chihou,
        dora_indicators=take_indicators("dora", Tiles(won.dora).tile37, used),
        ura_indicators=take_indicators("ura dora", Tiles(won.ura).tile37, used),
        rules=won.rules,
    )
    found = _refusing(lambda: score_win(context))
    if found is None:
        return None
    worth = [*((number, 13) for number in found.yakuman), *((number, han) for number, han in found.yaku if han)]
    yaku = tuple(YakuValue(yaku_name(number).english, yaku_name(number).tenhou, han) for number, han in worth)
    return WinValue(yaku, sum(han for _, han in worth), found.fu, limit_words(found.limit), found.points)


def _circumstances(won: WonHand, melds: tuple[Meld, ...], copies: int, *, dealer: bool) -> set[str]:
    """The circumstances of a win in words; ``copies``: how many of the winning tile the hand holds."""
    riichi = won.riichi or won.double_riichi
    holds = {
        exclusions.TSUMO: won.tsumo,
        exclusions.RON: not won.tsumo,
        exclusions.RIICHI: riichi,
        exclusions.NO_RIICHI: not riichi,
        exclusions.DOUBLE_RIICHI: won.double_riichi,
        exclusions.IPPATSU: won.ippatsu,
        exclusions.URA_DORA: bool(won.ura),
        exclusions.RINSHAN: won.rinshan,
        exclusions.CHANKAN: won.chankan,
        exclusions.HAITEI: won.haitei,
        exclusions.HOUTEI: won.houtei,
        exclusions.TENHOU: won.tenhou,
        exclusions.CHIHOU: won.chihou,
        exclusions.OPEN_HAND: any(meld.called is not None for meld in melds),
        exclusions.MELDS: bool(melds),
        exclusions.NO_KAN: not any(meld.kind.is_kan for meld in melds),
        exclusions.DEALER: dealer,
        exclusions.NOT_DEALER: not dealer,
        exclusions.ANOTHER_COPY: copies > 1,
    }
    return {words for words, held in holds.items() if held}


def _hand(hand: str | Tiles, melds: str) -> tuple[Tiles, tuple[Meld, ...]]:
    tiles = Tiles(hand)
    used = set(tiles.tile136)
    try:
        return tiles, tuple(read_meld(text, used) for text in meld_texts(melds))
    except TileError as error:
        raise InputError(str(error)) from None


def _unseen(tiles: Tiles, melds: tuple[Meld, ...], visible: Tiles) -> list[int]:
    unseen = [4] * KINDS
    for kind in (*tiles.tile34, *visible.tile34, *(tile >> 2 for meld in melds for tile in meld.tiles)):
        unseen[kind] -= 1
        if unseen[kind] < 0:
            raise InputError(f"five {format_tile37(kind)} are held or visible; there are four")
    return unseen


def _improvement(counts: NDArray[np.uint8], melds: tuple[Meld, ...], unseen: list[int]) -> Improvement:
    found = _refusing(lambda: engine.ukeire(counts, len(melds), unseen))
    tiles = {format_tile37(kind): copies for kind, copies in found.tiles}
    return Improvement(found.shanten, tiles, found.total)


def _refusing(work: Callable[[], T]) -> T:
    """The result of the work; what the engine refuses is bad input."""
    try:
        return work()
    except (engine.HandError, WinError) as error:
        raise InputError(str(error)) from None
