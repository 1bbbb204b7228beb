"""What the others may do to us, in the currency of the hand: dealing in, being overtaken, the exhaustive draw."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.seats import SEATS
from engine.model.tiles import KINDS
from engine.opponents.danger import Danger
from engine.policy.utility import Currency, others_points, spread
from engine.state import GameState

Floats = NDArray[np.float64]

SELF_DRAWN: Final = 0.5
"""Share of self-draws among the wins of others that we did not pay for by a discard."""
SLOWER: Final = 0.25
"""How fast a player not tenpai yet ends the hand, over one who is."""
RIICHI_FEEDS: Final = 2.0
"""How much more often a player in riichi deals in than one who may choose."""
TENPAI_BY_THE_END: Final = 0.35
"""Chance that a player not tenpai yet is so when the wall runs out."""
USUAL_LOSS: Final = 5_200.0
"""Points of a win where the estimator says nothing of a seat."""


@dataclass(frozen=True, slots=True)
class Risks:
    """What may happen to the viewer. First axis where there are two: without, with an own riichi to be paid.

    Attributes:
        deal_in: float64[34], chance that the kind, discarded now, deals in to anyone.
        loss: float64[34], mean points paid if it does.
        dealt: float64[2, 34], worth of the hand's end if it does.
        ended: float64[2], worth of the hand's end by another, we not paying for a discard.
        drawn: float64[2, 2], worth of the exhaustive draw, ``[:, own tenpai]``.
        tenpai: float64[4], chance that each seat is tenpai.
    """

    deal_in: Floats
    loss: Floats
    dealt: Floats
    ended: Floats
    drawn: Floats
    tenpai: Floats


def assess(state: GameState, danger: Danger, currency: Currency) -> Risks:
    """Put a price on what an estimator says."""
    viewer = state.seat
    others = [seat for seat in SEATS if seat != viewer]
    chances = danger.p_deal_in.astype(np.float64)
    honba = state.honba * state.rules.honba_points
    losses = np.maximum(danger.loss.astype(np.float64) - honba, 0.0)
    total = chances.sum(axis=0)
    dealt = np.zeros((2, KINDS))
    ended = np.zeros(2)
    hurry = 0.0
    for seat in others:
        dealer = seat == state.dealer
        means, worths = _deal_in_worths(currency, seat, dealer)
        for own in range(2):
            dealt[own] += chances[seat] * np.interp(losses[seat], means, worths[own])
        tenpai = float(danger.p_tenpai[seat])
        speed = tenpai + SLOWER * (1.0 - tenpai)
        waits = danger.p_wait[seat].astype(np.float64)
        mean = float(waits @ losses[seat] / waits.sum()) if waits.sum() > 0 else USUAL_LOSS * (1.5 if dealer else 1.0)
        shares = spread(mean, dealer)
        feeders = [other for other in others if other != seat]
        parts = np.array([RIICHI_FEEDS if state.riichi[other] else 1.0 for other in feeders])
        parts *= (1.0 - SELF_DRAWN) / parts.sum()
        worth = SELF_DRAWN * currency.others_tsumo[:, seat] @ shares
        for other, part in zip(feeders, parts.tolist(), strict=True):
            worth += part * currency.others_ron[:, seat, other] @ shares
        ended += speed * worth
        hurry += speed
    sure = np.where(total > 0, total, 1.0)
    safe = currency.others_ron[:, others[0], viewer, 0]
    return Risks(
        deal_in=1.0 - np.prod(1.0 - chances, axis=0),
        loss=np.where(total > 0, (chances * danger.loss).sum(axis=0) / sure, 0.0),
        dealt=np.where(total > 0, dealt / sure, safe[:, None]),
        ended=ended / hurry,
        drawn=_drawn(state, danger, currency),
        tenpai=danger.p_tenpai.astype(np.float64),
    )


def _deal_in_worths(currency: Currency, seat: int, dealer: bool) -> tuple[Floats, Floats]:
    """(mean points, worth[2, mean]) of dealing in to a seat."""
    points = others_points(dealer)
    means = np.linspace(points[0] * 1.05, points[-1] * 0.75, 24)
    shares = np.stack([spread(mean, dealer) for mean in means.tolist()], axis=1)
    return means, np.asarray(currency.others_ron[:, seat, currency.table.viewer] @ shares)


def _drawn(state: GameState, danger: Danger, currency: Currency) -> Floats:
    viewer = state.seat
    others = [seat for seat in SEATS if seat != viewer]
    chances = [
        1.0 if state.riichi[seat] else float(1.0 - (1.0 - danger.p_tenpai[seat]) * (1.0 - TENPAI_BY_THE_END))
        for seat in others
    ]
    worth = np.zeros((2, 2))
    for tenpai in product((0, 1), repeat=3):
        chance = float(np.prod([p if is_tenpai else 1.0 - p for p, is_tenpai in zip(chances, tenpai, strict=True)]))
        mask = sum(is_tenpai << seat for seat, is_tenpai in zip(others, tenpai, strict=True))
        worth[:, 0] += chance * currency.exhausted[:, mask]
        worth[:, 1] += chance * currency.exhausted[:, mask | 1 << viewer]
    return worth
