"""What giving the hand up is worth: the safest tile each turn until somebody wins or the wall runs out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.policy.worth.risks import Risks

Floats = NDArray[np.float64]

SAFER: Final = 0.8
"""A tile held back grows safer: its danger by the next own turn, as others discard and pass it."""
SURPRISE: Final = (0.010, 0.004)
"""Chance a turn, on top, that a tile held for safe is not: new riichi, silent hands. While nobody is tenpai (all that
may come is still to come), and once somebody surely is; straight between."""


def fold_worths(held34: Sequence[int], risks: Risks, survive: Sequence[float]) -> Floats:
    """float64[d]: the worth of folding from now on were ``d`` own draws left.

    Args:
        held34: concealed tiles by ``tile34`` after this turn's discard.
        risks: of the position.
        survive: ``[d]``: chance that no other player ends the hand between two own turns, ``d`` draws left.

    The k-th tile to go is the k-th safest held now: what is drawn until then is as good as what is held. No win and
    no tenpai is hoped for.
    """
    chances, dealt = _line(held34, risks, len(survive) - 1)
    surprise = float(np.mean(risks.dealt[0]))
    chance = float(np.interp(risks.tenpai.max(), (0.0, 1.0), SURPRISE))
    ended = float(risks.ended[0])
    worth = np.full(len(survive), risks.drawn[0, 0])
    # worth[d] holds the end of a line of d steps; each pass puts one more step before the longer ones
    for left in range(1, len(survive)):
        at = np.arange(left, len(survive))
        nth = at - left
        after = (1.0 - chances[nth] - chance) * worth[at] + chances[nth] * dealt[nth] + chance * surprise
        worth[at] = survive[left] * after + (1.0 - survive[left]) * ended
    return worth


def _line(held34: Sequence[int], risks: Risks, turns: int) -> tuple[Floats, Floats]:
    """(chance to deal in, worth of the end if so) of the tiles that go, in order."""
    price = risks.deal_in * (risks.ended[0] - risks.dealt[0])
    order = np.argsort(price, kind="stable")
    kinds = np.repeat(order, np.array(held34)[order])
    kinds = kinds[np.minimum(np.arange(turns), len(kinds) - 1)]
    return risks.deal_in[kinds] * SAFER ** np.arange(1, turns + 1), risks.dealt[0, kinds]
