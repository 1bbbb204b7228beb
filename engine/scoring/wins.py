"""The value of a win: of one from Python values, or of many from packed arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.model.events import WinScore
from engine.model.melds import Meld, MeldKind
from engine.model.plural import plural
from engine.model.rules import HANCHAN, Rules
from engine.model.tiles import DORA_AFTER, EAST, HAKU, KINDS, RED_FIVES, format_tile, format_tile37, format_tiles
from engine.model.yaku import DORA, RED_FIVE, URA_DORA
from engine.scoring import payment_kernels as payments
from engine.scoring import win_kernels as kernels
from engine.scoring import yaku_kernels as table
from engine.scoring.payment_kernels import ALMOST_MANGAN, MANGAN
from engine.shanten.tables import hand_tables

if TYPE_CHECKING:
    from collections.abc import Sequence


_PLACE: Final = tuple(row.place for row in table.YAKU)
_CLOSED: Final = tuple(row.closed for row in table.YAKU)
_OPEN: Final = tuple(row.open for row in table.YAKU)
_YAKUHAI_PLACE: Final = _PLACE[table.HAKU.bit_length() - 1]
_MELD_CODE: Final = {
    MeldKind.CHI: kernels.MELD_CHI,
    MeldKind.PON: kernels.MELD_PON,
    MeldKind.DAIMINKAN: kernels.MELD_OPEN_KAN,
    MeldKind.KAKAN: kernels.MELD_OPEN_KAN,
    MeldKind.ANKAN: kernels.MELD_CLOSED_KAN,
}


class WinError(ValueError):
    """A win that is impossible at any table; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class WinContext:
    """Everything that determines the value of a win, except honba, riichi sticks and pao."""

    concealed: tuple[int, ...]  # ``tile136`` including the winning tile: 14 minus three for each meld
    win_tile: int  # ``tile136``
    tsumo: bool  # whether the win is by self-draw
    # seat_wind, round_wind: ``tile34``; the dealer sits east
    seat_wind: int
    round_wind: int
    melds: tuple[Meld, ...] = ()  # melds, oldest first
    riichi: int = 0  # 0 no, 1 riichi, 2 double riichi
    # ippatsu, rinshan, chankan: as named
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False  # whether it is haitei or houtei
    first_turn: bool = False  # whether it is a self-draw before anybody has called: tenhou or chihou
    # dora_indicators, ura_indicators: ``tile136``; ura count only with riichi
    dora_indicators: tuple[int, ...] = ()
    ura_indicators: tuple[int, ...] = ()
    # rules of the table: red fives, open tanyao, ura dora, ippatsu and rounding up to mangan matter
    rules: Rules = field(default=HANCHAN)

    @classmethod
    def of(
        cls,
        flags: int,
        concealed: tuple[int, ...],
        melds: tuple[Meld, ...],
        win_tile: int,
        dora_indicators: tuple[int, ...],
        ura_indicators: tuple[int, ...],
        rules: Rules,
    ) -> WinContext:
        """The context of a win whose circumstances the kernels state; ``flags``: as :func:`win_flags` gives them."""
        return cls(
            concealed=concealed,
            win_tile=win_tile,
            tsumo=flags & table.WIN_TSUMO != 0,
            seat_wind=EAST + (flags >> table.SEAT_AT & 3),
            round_wind=EAST + (flags >> table.ROUND_AT & 3),
            melds=melds,
            riichi=2 if flags & table.WIN_DOUBLE_RIICHI else int(flags & table.WIN_RIICHI != 0),
            ippatsu=flags & table.WIN_IPPATSU != 0,
            rinshan=flags & table.WIN_RINSHAN != 0,
            chankan=flags & table.WIN_CHANKAN != 0,
            last_tile=flags & table.WIN_LAST_TILE != 0,
            first_turn=flags & table.WIN_FIRST_TURN != 0,
            dora_indicators=dora_indicators,
            ura_indicators=ura_indicators,
            rules=rules,
        )


def score_win(context: WinContext) -> WinScore | None:
    """The value of a win in its best reading; None if the hand is not complete or has no yaku.

    The best reading is the one with the most points, then the most han, then the most fu.

    Raises:
        WinError: the number of tiles is wrong, there are five of a kind, or the winning tile is not in the hand.
    """
    counts = _count(context)
    bonus = _bonus(context, _held(context, counts))
    answer = kernels.score_win(
        np.frombuffer(counts, np.uint8), pack_melds(context.melds), context.win_tile >> 2, win_flags(context),
        sum(bonus), hand_tables(),
    )  # fmt: skip
    if answer == 0:
        return None
    mask = answer & kernels.YAKU_BITS
    fu = 5 * (answer >> kernels.FU_AT)
    dealer = context.seat_wind == EAST
    if mask & table.ALL_YAKUMAN:
        yakuman = _yakuman(mask)
        return WinScore(fu, total_points(8000 * len(yakuman), dealer, context.tsumo), 5, (), yakuman)
    yaku, han = _listed(mask, any(meld.kind != MeldKind.ANKAN for meld in context.melds))
    if mask & _YAKUHAI and len(yaku) > 1:
        yaku = _in_order_of_sets(yaku, counts, context.melds, context)
    if bonus.dora:
        yaku += ((DORA, bonus.dora),)
    if bonus.reds:
        yaku += ((RED_FIVE, bonus.reds),)
    if context.riichi and context.rules.ura_dora:
        yaku += ((URA_DORA, bonus.ura),)
    points, limit = _points(han + sum(bonus), fu, dealer, context.tsumo, context.rules.kiriage)
    return WinScore(fu, points, limit, yaku)


def win_flags(context: WinContext) -> int:
    """The circumstances of a win as one number for the kernels; the tiles do not matter."""
    flags = hand_flags(context.seat_wind, context.round_wind, context.rules)
    if context.tsumo:
        flags |= table.WIN_TSUMO
    if context.riichi:
        flags |= table.WIN_DOUBLE_RIICHI if context.riichi == 2 else table.WIN_RIICHI
    if context.ippatsu and context.rules.ippatsu:
        flags |= table.WIN_IPPATSU
    if context.rinshan:
        flags |= table.WIN_RINSHAN
    if context.chankan:
        flags |= table.WIN_CHANKAN
    if context.last_tile:
        flags |= table.WIN_LAST_TILE
    if context.first_turn:
        flags |= table.WIN_FIRST_TURN
    return flags


def hand_flags(seat_wind: int, round_wind: int, rules: Rules) -> int:
    """Those of every win of a seat in a hand; winds as ``tile34``."""
    return (seat_wind - EAST) << table.SEAT_AT | (round_wind - EAST) << table.ROUND_AT | rule_flags(rules)


def rule_flags(rules: Rules) -> int:
    """Those of every win under these rules."""
    flags = 0
    for name, bit in table.RULE_FLAGS.items():
        if getattr(rules, name):
            flags |= bit
    return flags


def pack_melds(melds: Sequence[Meld]) -> int:
    """Melds as one number for the kernels, one byte each."""
    packed = 0
    for meld in reversed(melds):
        packed = packed << 8 | _MELD_CODE[meld.kind] << 6 | ((meld.tiles[0] >> 2) + 1)
    return packed


def base_and_limit(han: int, fu: int) -> tuple[int, int]:
    """Base points and Tenhou's limit (0 none ... 5 yakuman) of a hand without yakuman; 13 han count as one."""
    base = payments.base_points(han, fu, 0)
    return base, _LIMITS.get(base, 0)


def total_points(base: int, dealer: bool, tsumo: bool) -> int:
    """Points that the winner gets for ``base`` points, without honba and riichi sticks."""
    return payments.total_points(base, dealer, tsumo)


_LIMITS: Final = {MANGAN: 1, 3000: 2, 4000: 3, 6000: 4, 8000: 5}
_YAKUHAI: Final = sum(1 << row.id for row in table.YAKU if row.place == _YAKUHAI_PLACE)


def _reds(tiles: tuple[int, ...]) -> int:
    first, second, third = RED_FIVES
    return (first in tiles) + (second in tiles) + (third in tiles)


def _count(context: WinContext) -> bytearray:
    concealed = context.concealed
    if len(concealed) + 3 * len(context.melds) != 14:
        raise WinError(
            f"{plural(len(concealed), 'concealed tile')} with {plural(len(context.melds), 'meld')} "
            "are not a complete hand"
        )
    if context.win_tile not in concealed:
        raise WinError(f"the winning tile {format_tile(context.win_tile)} is not among {format_tiles(concealed)}")
    counts = bytearray(KINDS)
    for tile in concealed:
        counts[tile >> 2] += 1
    return counts


def _held(context: WinContext, counts: bytearray) -> bytearray:
    """Copies of each ``tile34`` in the hand and its melds."""
    held = counts[:]
    for meld in context.melds:
        for tile in meld.tiles:
            held[tile >> 2] += 1
    if max(held) > 4:
        raise WinError(f"the hand and its melds hold five of {format_tile37(held.index(max(held)))}")
    return held


class _Bonus(NamedTuple):
    """Han of a win that do not come from yaku."""

    dora: int
    ura: int
    reds: int


def _bonus(context: WinContext, held: bytearray) -> _Bonus:
    ura = context.ura_indicators if context.riichi and context.rules.ura_dora else ()
    reds = 0
    if context.rules.red_fives:
        reds = _reds(context.concealed)
        for meld in context.melds:
            reds += _reds(meld.tiles)
    return _Bonus(_dora(context.dora_indicators, held), _dora(ura, held), reds)


def _dora(indicators: Sequence[int], held: bytearray) -> int:
    dora = 0
    for indicator in indicators:
        dora += held[DORA_AFTER[indicator >> 2]]
    return dora


@lru_cache(maxsize=2048)
def _points(han: int, fu: int, dealer: bool, tsumo: bool, kiriage: bool) -> tuple[int, int]:
    base, limit = base_and_limit(han, fu)
    if kiriage and base == ALMOST_MANGAN:
        base = MANGAN
    return total_points(base, dealer, tsumo), limit


@lru_cache(maxsize=4096)
def _listed(mask: int, is_open: bool) -> tuple[tuple[tuple[int, int], ...], int]:
    """(id, han) in Tenhou's order, and their sum."""
    han = _OPEN if is_open else _CLOSED
    ids = sorted((i for i in range(len(table.YAKU)) if mask >> i & 1), key=_PLACE.__getitem__)
    return tuple((i, han[i]) for i in ids), sum(han[i] for i in ids)


@lru_cache(maxsize=64)
def _yakuman(mask: int) -> tuple[int, ...]:
    ids = [i for i in range(len(table.YAKU)) if mask & table.ALL_YAKUMAN & 1 << i]
    return tuple(sorted(ids, key=_PLACE.__getitem__))


def _in_order_of_sets(
    yaku: tuple[tuple[int, int], ...], counts: bytearray, melds: tuple[Meld, ...], context: WinContext
) -> tuple[tuple[int, int], ...]:
    """The yaku in Tenhou's order: yakuhai by set, concealed ones by kind, then melds oldest first; round wind first."""
    places = [i for i, (number, _) in enumerate(yaku) if _PLACE[number] == _YAKUHAI_PLACE]
    if len(places) < 2:
        return yaku
    kinds = [kind for kind in range(EAST, KINDS) if counts[kind] >= 3] + [meld.tile34 for meld in melds]
    ordered: list[int] = []
    for kind in kinds:
        if kind >= HAKU:
            ordered.append(18 + kind - HAKU)
        else:
            if kind == context.round_wind:
                ordered.append(14 + kind - EAST)
            if kind == context.seat_wind:
                ordered.append(10 + kind - EAST)
    return (*yaku[: places[0]], *((number, 1) for number in ordered), *yaku[places[-1] + 1 :])
