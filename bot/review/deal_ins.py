"""Explains deal-ins: how dangerous the tile was, whether it was worth it, and what the winner really waited on."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from bot.deciding.fields import ground_fields
from bot.page.table import figure, kinds_text, rounded, sorted_text, tiles_text, written_action
from bot.review import document
from bot.review.hands import win_fields
from bot.review.recording import true_waits, wait_shape
from bot.review.verdicts import Row, Verdict
from engine.model.actions import DISCARDS, Action, ActionKind
from engine.model.events import Win
from engine.model.hands import Hand
from engine.model.seats import relative
from engine.policy.decision import Candidate

if TYPE_CHECKING:
    from bot.review.examine import Audit


class Worth(StrEnum):
    """Whether discarding the tile was right, as the policy sees it."""

    WORTH = "worth"
    """The policy discards it too, or a tile of equal worth."""
    NOT_WORTH = "not_worth"
    """The policy discards another tile, which is worth more."""
    UNCLEAR = "unclear"
    """There was no choice, or the policy does not say."""


_RONNABLE: Final = DISCARDS | {ActionKind.KAKAN}
"""Actions whose tile another player may win on."""


def deal_ins(audit: Audit) -> list[document.DealIn]:
    """Every deal-in of the seat, in order."""
    return [_deal_in(at, audit) for at, hand in enumerate(audit.played.hands) if hand.dealt_in == audit.seat]


def _deal_in(at: int, audit: Audit) -> document.DealIn:
    """The deal-in of a hand.

    ``decision``: number of the decision to discard the tile, None if it is not in the recording; ``paid``: points lost
    by it, honba included; ``rank``: of the tile by danger among the ``of`` that were evaluated, 1 the most dangerous;
    ``safest``: the least dangerous of them; ``winners``: one, or two at a double ron.
    """
    hand, seat, red = audit.played.hands[at], audit.seat, audit.recording.rules.red_fives
    tile = hand.wins[0].tile
    row = next((one for one in reversed(audit.rows) if one.hand == at and _is_discard(one.played, tile)), None)
    dangers: list[Candidate] = []
    rank = mine = loss = None
    if row is not None:
        dangers = sorted(
            (one for one in row.decision.candidates if one.p_deal_in is not None), key=lambda one: -(one.p_deal_in or 0)
        )
        mine, loss = row.judgement.played, row.judgement.loss
        if mine is not None and mine.p_deal_in is not None:
            rank = 1 + sum((one.p_deal_in or 0.0) > mine.p_deal_in for one in dangers)
    safest = dangers[-1] if dangers else None
    return {
        "hand": at,
        "decision": None if row is None else row.number,
        "tile": tiles_text((tile,), red),
        "paid": -sum(win.deltas[seat] for win in hand.wins),
        "p_deal_in": rounded(mine.p_deal_in if mine else None, 4),
        "expected_loss": rounded(mine.expected_loss if mine else None, 0),
        "rank": rank,
        "of": len(dangers),
        "safest": None
        if safest is None
        else {"action": written_action(safest.action, red), "p_deal_in": rounded(safest.p_deal_in, 4)},
        "worth": _worth(row).value,
        "loss": None if loss is None else figure(loss),
        "winners": [_winner(win, hand, row, audit) for win in hand.wins],
    }


def _is_discard(action: Action | None, tile: int) -> bool:
    """Whether another player may win on a tile of that kind by this action."""
    return action is not None and action.kind in _RONNABLE and action.tile >> 2 == tile >> 2


def _worth(row: Row | None) -> Worth:
    if row is None:
        return Worth.UNCLEAR
    verdict = row.judgement.verdict
    discards_it = row.played is not None and _is_discard(row.decision.action, row.played.tile)
    if verdict in {Verdict.SAME, Verdict.EQUAL} or (verdict in {Verdict.DIFFERS, Verdict.HELD} and discards_it):
        return Worth.WORTH
    return Worth.NOT_WORTH if verdict in {Verdict.DIFFERS, Verdict.HELD} else Worth.UNCLEAR


def _winner(win: Win, hand: Hand, row: Row | None, audit: Audit) -> document.Winner:
    """A winner on the tile: the win, and the hand without that tile if the log shows it.

    ``waits``: what it really waited on, and ``shape`` the shape of that; ``threat``: ``riichi``, ``open`` or
    ``closed``, as everyone could see; ``safety``: what the tile is called against this player.
    """
    red = audit.recording.rules.red_fives
    held = [tile for tile in win.concealed if tile != win.tile]
    kinds = true_waits(held, len(win.melds)) if held else ()
    safety = None if row is None else row.safety.get(relative(win.seat, audit.seat))
    return {
        **win_fields(win, audit.seat),
        "hand": sorted_text(held, red) if held else None,
        "melds": [sorted_text(meld.tiles, red) for meld in win.melds],
        "waits": kinds_text(kinds),
        "shape": wait_shape(kinds, win.tile >> 2, held) if kinds else "",
        "threat": "riichi" if win.seat in hand.riichi else "open" if win.seat in hand.callers else "closed",
        "safety": None if safety is None else ground_fields(safety),
    }
