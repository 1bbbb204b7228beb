"""Payments: wins with honba, riichi sticks and pao; exhaustive draws; result points at the end of a game."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.model.events import Points4, RyuukyokuKind, WinScore
from engine.model.seats import four
from engine.scoring import payment_kernels as kernels
from engine.scoring.payment_kernels import ALMOST_MANGAN, MANGAN
from engine.scoring.wins import base_and_limit

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from engine.model.melds import Meld
    from engine.model.rules import Rules


def base_points(score: WinScore) -> int:
    """Base points of a win: a quarter of a non-dealer's ron, before rounding."""
    if score.yakuman:
        return 8000 * len(score.yakuman)
    base = base_and_limit(score.han, score.fu)[0]
    # a table that rounds up to mangan states its payments, but no limit
    return MANGAN if base == ALMOST_MANGAN and score.points % 4000 == 0 else base


def win_deltas(
    score: WinScore,
    seat: int,
    from_seat: int,
    dealer: int,
    honba: int = 0,
    riichi_sticks: int = 0,
    pao_seat: int | None = None,
    honba_points: int = 300,
) -> Points4:
    """The change of each player's points by one win.

    Args:
        score: value of the win.
        seat: the winner.
        from_seat: the discarder; the winner's own seat for a self-draw.
        dealer: seat of the dealer.
        honba: number of honba to be paid; 0 for the second winner of a double ron.
        riichi_sticks: riichi sticks on the table, including this hand's; 0 for the second winner.
        pao_seat: seat of the liable player, who pays a self-draw alone, shares a ron half and half with the discarder,
            and pays the honba in both cases.
        honba_points: points that each honba adds; see :class:`engine.model.rules.Rules`.
    """
    base = base_points(score)
    return deltas_of(base, seat, from_seat, dealer, honba, riichi_sticks, pao_seat, honba_points=honba_points)


def deltas_of(
    base: int,
    seat: int,
    from_seat: int,
    dealer: int,
    honba: int,
    riichi_sticks: int,
    pao_seat: int | None = None,
    *,
    honba_points: int,
) -> Points4:
    """The score changes of a win, given its base points; the other arguments are those of :func:`win_deltas`."""
    deltas = np.empty(4, np.int64)
    liable = kernels.NOBODY if pao_seat is None else pao_seat
    kernels.pay_win(base, seat, from_seat, dealer, honba, riichi_sticks, liable, honba_points, deltas)
    return four(deltas.tolist())


def pao_seat(melds: "Sequence[Meld]", score: WinScore, from_seat: int) -> int | None:
    """The seat liable for a win, having fed the last set of a daisangen or daisuushii whose sets are all melds.

    None if nobody is liable, or if it is the discarder, who pays everything anyway: Tenhou names nobody then.

    Args:
        melds: the winner's melds, oldest first.
        score: value of the win.
        from_seat: the discarder; the winner's own seat for a self-draw.
    """
    kinds, lows, giving = (
        np.array([(meld.kind, meld.tile34, meld.from_seat) for meld in melds], np.int8).reshape(-1, 3).T
    )
    yaku = sum(1 << yakuman for yakuman in score.yakuman)
    found = kernels.liable_seat(yaku, len(melds), kinds.copy(), lows.copy(), giving.copy(), from_seat)
    return None if found == kernels.NOBODY else found


def ryuukyoku_deltas(
    kind: RyuukyokuKind, tenpai: "Collection[int]" = (), dealer: int = 0, nagashi: "Collection[int]" = ()
) -> Points4:
    """The change of each player's points when a hand ends without a win.

    Args:
        kind: why it ended; abortive draws change nothing.
        tenpai: seats that show a tenpai hand at an exhaustive draw.
        dealer: seat of the dealer.
        nagashi: seats with nagashi mangan; each is paid like a mangan by self-draw, instead of the noten payments.
    """
    deltas = np.zeros(4, np.int64)
    if kind is RyuukyokuKind.NAGASHI_MANGAN:
        kernels.pay_nagashi(sum(1 << seat for seat in nagashi), dealer, deltas)
    elif kind is RyuukyokuKind.EXHAUSTIVE:
        deltas = noten_deltas()[sum(1 << seat for seat in tenpai)]
    return four(deltas.tolist())


@cache
def noten_deltas() -> NDArray[np.int64]:
    """(16, 4): the change of each player's points at an exhaustive draw, by the bit set of the tenpai seats."""
    deltas = np.empty((16, 4), np.int64)
    for tenpai, changes in enumerate(deltas):
        kernels.pay_noten(tenpai, changes)
    return deltas


def noten_payment(number: int, *, tenpai: bool) -> int:
    """Points that a player receives at an exhaustive draw where ``number`` players are tenpai.

    Args:
        number: tenpai players, including this one.
        tenpai: whether this player is tenpai.
    """
    return int(noten_deltas()[(1 << number) - 1, 0 if tenpai else 3])


def result_points(
    scores: "Sequence[int]", rules: "Rules", first_dealer: int = 0, *, whole: bool = False
) -> tuple[float, float, float, float]:
    """Result points with uma and oka, by seat, in thousands, to one decimal.

    Everyone but the first gets score - return points + uma; the first gets whatever makes the sum zero. Ties go to the
    player who sits nearer to the first dealer.

    Args:
        scores: final points, including left-over riichi sticks.
        rules: return points and uma.
        first_dealer: seat of the first dealer.
        whole: whether scores are first rounded to whole thousands, half away from zero, as Tenhou did until May 2022.
    """
    tenths = np.empty(4, np.int64)
    by_turn = np.array((*scores[first_dealer:], *scores[:first_dealer]), np.int64)
    kernels.result_tenths(by_turn, np.array(rules.uma, np.int64), rules.return_points, whole, tenths)
    results = (tenths / 10).tolist()
    return four(results[-first_dealer:] + results[:-first_dealer])
