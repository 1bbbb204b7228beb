"""The worth of what the others may do: a deal-in, another player's win, the exhaustive draw. And that of folding."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK
from engine.model.seats import others
from engine.model.tiles import KINDS
from engine.opponents.danger import Danger
from engine.opponents.outcomes import Outcomes, fold_outcomes
from engine.state import GameState
from engine.worth.currency import Currency, others_points, spread

Floats = NDArray[np.float64]

WINS: Final = 3
"""How many of the outcomes are wins of each opponent, by self-draw and from each of the two others. Derived."""
DRAWS: Final = 8
"""How many of the outcomes, the last ones, are exhaustive draws: one for each set of tenpai opponents. Derived."""


@dataclass(frozen=True, slots=True)
class Risks:
    """Chances and worths of what may happen to the viewer.

    A first axis of size 2 is without and with an own riichi still to be paid.

    Attributes:
        deal_in: float64[34], chance that the kind, discarded now, deals in to anyone.
        loss: float64[34], mean points paid if it does.
        dealt: float64[2, 34], worth of the hand's end if it does.
        ended: float64[2], worth of another player's win that is not our deal-in.
        drawn: float64[2, 2], worth of the exhaustive draw, ``[:, own tenpai]``.
        tenpai: float64[4], chance that each seat is tenpai.
        lasts: chance that the wall runs out before another player wins, if we fold.
    """

    deal_in: Floats
    loss: Floats
    dealt: Floats
    ended: Floats
    drawn: Floats
    tenpai: Floats
    lasts: float


def assess(state: GameState, danger: Danger, currency: Currency) -> Risks:
    """The risks at a state, from a danger estimate and the worth of the endings."""
    viewer = state.seat
    opponents = list(others(viewer))
    chances = danger.p_deal_in.astype(np.float64)
    honba = state.honba * state.rules.honba_points
    losses = np.maximum(danger.loss.astype(np.float64) - honba, 0.0)
    total = chances.sum(axis=0)
    dealt = np.zeros((2, KINDS))
    for seat in opponents:
        means, shares = _spreads(seat == state.dealer)
        worths = currency.others_ron[:, seat, viewer] @ shares
        for own in range(2):
            dealt[own] += chances[seat] * np.interp(losses[seat], means, worths[own])
    sure = np.where(total > 0, total, 1.0)
    safe = currency.others_ron[:, opponents[0], viewer, 0]
    outcomes = fold_outcomes(state, danger)
    wins, draws = outcomes.chances[:-DRAWS], outcomes.chances[-DRAWS:]
    return Risks(
        deal_in=1.0 - np.prod(1.0 - chances, axis=0),
        loss=np.where(total > 0, (chances * danger.loss).sum(axis=0) / sure, 0.0),
        dealt=np.where(total > 0, dealt / sure, safe[:, None]),
        ended=_won_by_others(state, outcomes, currency) / max(float(wins.sum()), 1e-9),
        drawn=_drawn(viewer, draws / max(float(draws.sum()), 1e-9), currency),
        tenpai=danger.p_tenpai.astype(np.float64),
        lasts=float(draws.sum()),
    )


def _won_by_others(state: GameState, outcomes: Outcomes, currency: Currency) -> Floats:
    """float64[2]: sum of chance times worth of the others' wins, each spread around its mean points."""
    worth = np.zeros(2)
    extra = RIICHI_STICK * state.riichi_sticks + state.rules.honba_points * state.honba
    for at, winner in enumerate(others(state.seat)):
        wins = slice(WINS * at, WINS * (at + 1))
        spreads = spread(outcomes.deltas[wins, winner] - extra, winner == state.dealer)
        for chance, deltas, shares in zip(outcomes.chances[wins], outcomes.deltas[wins], spreads, strict=True):
            payers = np.flatnonzero(deltas < 0)
            found = currency.others_ron[:, winner, payers[0]] if len(payers) == 1 else currency.others_tsumo[:, winner]
            worth += chance * (found @ shares)
    return worth


@cache
def _spreads(dealer: bool) -> tuple[Floats, Floats]:
    """(mean points, shares[v, mean]) of wins, on a grid of means."""
    points = others_points(dealer)
    means = np.linspace(points[0] * 1.05, points[-1] * 0.75, 24)
    return means, np.stack([spread(mean, dealer) for mean in means.tolist()], axis=1)


def _drawn(viewer: int, chances: Floats, currency: Currency) -> Floats:
    """float64[2, 2]: worth of the exhaustive draw; ``chances`` is indexed by the bit set of the tenpai opponents."""
    first, second, third = others(viewer)
    worth = np.zeros((2, 2))
    for some, chance in enumerate(chances.tolist()):
        mask = (some & 1) << first | (some >> 1 & 1) << second | (some >> 2) << third
        worth[:, 0] += chance * currency.exhausted[:, mask]
        worth[:, 1] += chance * currency.exhausted[:, mask | 1 << viewer]
    return worth


SAFER: Final = 0.8
"""Factor on the danger of a tile for each turn that it is kept, because others discard and pass it. A guess."""
SURPRISE: Final = (0.010, 0.004)
"""Additional chance per turn that a tile thought safe deals in (new riichi, silent hands): while nobody is tenpai, and
once somebody certainly is; linear in between. A guess."""


class FoldEnds(NamedTuple):
    """Ends of n hands that fold from now on, by the own draws left.

    Attributes:
        worths: float64[3, n, d], the worth of its ends times their chances, relative to an aborted hand: deal-ins, the
            others' wins, the exhaustive draw.
        deal_in: float64[n, d], chance to deal in, 0-1.
    """

    worths: Floats
    deal_in: Floats


def fold_ends(hands: NDArray[np.int64], risks: Risks, survive: Sequence[float], now: float) -> FoldEnds:
    """How hands end that fold from now on.

    The k-th discard is the k-th safest tile held now: tiles drawn meanwhile are assumed to be no safer. Neither a win
    nor tenpai at the exhaustive draw is counted.

    Args:
        hands: (n, 34), concealed tiles by ``tile34`` after this turn's discard.
        risks: risks of the position.
        survive: ``[d]``: chance that no other player ends the hand between two own turns, with ``d`` draws left.
        now: worth of an aborted hand.
    """
    chances, dealt = _lines(hands, risks, len(survive) - 1)
    surprise = float(np.mean(risks.dealt[0])) - now
    chance = float(np.interp(risks.tenpai.max(), (0.0, 1.0), SURPRISE))
    ended = float(risks.ended[0]) - now
    ends = np.zeros((4, len(hands), len(survive)))
    ends[2] = risks.drawn[0, 0] - now
    # ends[:, :, d] cover a line of d discards; each pass prepends one more discard to the longer lines
    for left in range(1, len(survive)):
        at = np.arange(left, len(survive))
        nth = at - left
        deals_in = chances[:, nth]
        after = (1.0 - deals_in - chance) * ends[:, :, at]
        after[0] += deals_in * (dealt[:, nth] - now) + chance * surprise
        after[3] += deals_in + chance
        ends[:, :, at] = survive[left] * after
        ends[1][:, at] += (1.0 - survive[left]) * ended
    return FoldEnds(ends[:3], ends[3])


def _lines(hands: NDArray[np.int64], risks: Risks, turns: int) -> tuple[Floats, Floats]:
    """float64[n, turns]: (chance to deal in, worth of the hand's end if so) of the discards of each hand, in order."""
    price = risks.deal_in * (risks.ended[0] - risks.dealt[0])
    order = np.argsort(price, kind="stable")
    held = hands[:, order].cumsum(axis=1)
    nth = np.minimum(np.arange(turns), held[:, -1:] - 1)
    kinds = order[(held[:, None, :] <= nth[:, :, None]).sum(axis=2)]
    return risks.deal_in[kinds] * SAFER ** np.arange(1, turns + 1), risks.dealt[0, kinds]
