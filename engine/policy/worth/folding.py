"""The worth of folding: discarding the safest tile each turn until somebody wins or the wall runs out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.policy.worth.risks import Risks

Floats = NDArray[np.float64]

SAFER: Final = 0.8
"""Factor on the danger of a tile for each turn that it is kept, because others discard and pass it. A guess."""
SURPRISE: Final = (0.010, 0.004)
"""Additional chance per turn that a tile thought safe deals in (new riichi, silent hands): while nobody is tenpai, and
once somebody certainly is; linear in between. A guess."""


def fold_worths(held34: Sequence[int], risks: Risks, survive: Sequence[float]) -> Floats:
    """float64[d]: the worth of folding from now on if ``d`` own draws were left.

    The k-th discard is the k-th safest tile held now: tiles drawn meanwhile are assumed to be no safer. Neither a win
    nor tenpai at the exhaustive draw is counted.

    Args:
        held34: concealed tiles by ``tile34`` after this turn's discard.
        risks: risks of the position.
        survive: ``[d]``: chance that no other player ends the hand between two own turns, with ``d`` draws left.
    """
    chances, dealt = _line(held34, risks, len(survive) - 1)
    surprise = float(np.mean(risks.dealt[0]))
    chance = float(np.interp(risks.tenpai.max(), (0.0, 1.0), SURPRISE))
    ended = float(risks.ended[0])
    worth = np.full(len(survive), risks.drawn[0, 0])
    # worth[d] covers a line of d discards; each pass prepends one more discard to the longer lines
    for left in range(1, len(survive)):
        at = np.arange(left, len(survive))
        nth = at - left
        after = (1.0 - chances[nth] - chance) * worth[at] + chances[nth] * dealt[nth] + chance * surprise
        worth[at] = survive[left] * after + (1.0 - survive[left]) * ended
    return worth


def _line(held34: Sequence[int], risks: Risks, turns: int) -> tuple[Floats, Floats]:
    """(chance to deal in, worth of the hand's end if so) of the discards, in order."""
    price = risks.deal_in * (risks.ended[0] - risks.dealt[0])
    order = np.argsort(price, kind="stable")
    kinds = np.repeat(order, np.array(held34)[order])
    kinds = kinds[np.minimum(np.arange(turns), len(kinds) - 1)]
    return risks.deal_in[kinds] * SAFER ** np.arange(1, turns + 1), risks.dealt[0, kinds]
