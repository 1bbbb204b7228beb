"""Explains deal-ins: how dangerous the tile was, whether it was worth it, and what the winner really waited on."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.review.recording import true_waits, wait_shape
from bot.review.verdicts import Row, Verdict
from engine.model.actions import DISCARDS, ActionKind
from engine.model.events import Win
from engine.model.hands import Hand, Played
from engine.model.seats import relative
from engine.policy.decision import Candidate
from engine.policy.grounds import Ground


class Worth(StrEnum):
    """Whether discarding the tile was right, as the policy sees it."""

    WORTH = "worth"
    """The policy discards it too, or a tile of equal worth."""
    NOT_WORTH = "not_worth"
    """The policy discards another tile, which is worth more."""
    UNCLEAR = "unclear"
    """There was no choice, or the policy does not say."""


@dataclass(frozen=True, slots=True)
class Winner:
    """A player who won on the tile."""

    win: Win  # the win in the log
    waits: tuple[int, ...]  # ``tile34`` that it really waited on; empty if the log does not show the hand
    shape: str  # shape of the wait, see :func:`bot.review.recording.wait_shape`; "" if not known
    threat: str  # ``'riichi'``, ``'open'`` or ``'closed'``, as everyone could see
    safety: Ground | None  # name of the tile's safety against this player; None if the decision is not known


@dataclass(frozen=True, slots=True)
class DealIn:
    """One deal-in."""

    hand: int  # index of the hand
    row: Row | None  # the decision to discard the tile; None if it is not in the recording
    winners: tuple[Winner, ...]  # one, or two at a double ron
    paid: int  # points lost by it, honba included
    rank: int | None  # rank of the tile by danger among those evaluated, 1 the most dangerous; None if not known
    of: int  # number of tiles evaluated
    safest: Candidate | None  # the least dangerous discard evaluated
    worth: Worth  # whether it was right


_RONNABLE: Final = DISCARDS | {ActionKind.KAKAN}
"""Actions whose tile another player may win on."""


def deal_ins(played: Played, rows: Sequence[Row], seat: int) -> tuple[DealIn, ...]:
    """Every deal-in of a seat, in order."""
    found = []
    for index, hand in enumerate(played.hands):
        if hand.dealt_in == seat:
            inside = [row for row in rows if row.hand == index]
            found.append(_deal_in(index, hand, hand.wins, inside, seat))
    return tuple(found)


def _deal_in(index: int, hand: Hand, wins: Sequence[Win], rows: Sequence[Row], seat: int) -> DealIn:
    tile = wins[0].tile
    row = next(
        (
            one
            for one in reversed(rows)
            if one.played is not None and one.played.kind in _RONNABLE and one.played.tile >> 2 == tile >> 2
        ),
        None,
    )
    dangers: list[Candidate] = []
    rank = None
    if row is not None:
        dangers = sorted(
            (one for one in row.decision.candidates if one.p_deal_in is not None), key=lambda one: -(one.p_deal_in or 0)
        )
        mine = row.judgement.played
        if mine is not None and mine.p_deal_in is not None:
            rank = 1 + sum((one.p_deal_in or 0.0) > mine.p_deal_in for one in dangers)
    return DealIn(
        hand=index,
        row=row,
        winners=tuple(_winner(win, hand, row, seat) for win in wins),
        paid=-sum(win.deltas[seat] for win in wins),
        rank=rank,
        of=len(dangers),
        safest=dangers[-1] if dangers else None,
        worth=_worth(row),
    )


def _worth(row: Row | None) -> Worth:
    if row is None:
        return Worth.UNCLEAR
    verdict = row.judgement.verdict
    chosen = row.decision.action
    discards_it = row.played is not None and chosen.kind in _RONNABLE and chosen.tile >> 2 == row.played.tile >> 2
    if verdict in {Verdict.SAME, Verdict.EQUAL} or (verdict in {Verdict.DIFFERS, Verdict.HELD} and discards_it):
        return Worth.WORTH
    return Worth.NOT_WORTH if verdict in {Verdict.DIFFERS, Verdict.HELD} else Worth.UNCLEAR


def _winner(win: Win, hand: Hand, row: Row | None, seat: int) -> Winner:
    held = [tile for tile in win.concealed if tile != win.tile]
    kinds = true_waits(held, len(win.melds)) if held else ()
    threat = "riichi" if win.seat in hand.riichi else "open" if win.seat in hand.callers else "closed"
    safety = row.safety.get(relative(win.seat, seat)) if row is not None else None
    return Winner(win, kinds, wait_shape(kinds, win.tile >> 2, held) if kinds else "", threat, safety)
