"""How dangerous each tile is, and who says so: the one interface of all estimators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.state import GameState

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Danger:
    """What one seat risks with each tile, now. Rows are absolute seats; the viewer's own are zero.

    Attributes:
        p_tenpai: (4,) chance that the seat is tenpai.
        p_wait: (4, 34) chance that the kind completes the seat's hand, whether or not it could win on it.
        p_deal_in: (4, 34) chance that the kind, discarded now by the viewer, is won on by the seat: it is a wait, the
            hand has a yaku, and the seat is not furiten. Exactly 0 where the rules exclude it (genbutsu).
        loss: (4, 34) mean points the viewer pays if it is, honba included.
    """

    p_tenpai: Floats
    p_wait: Floats
    p_deal_in: Floats
    loss: Floats

    def deal_in(self, tile34: int) -> float:
        """Chance, 0-1, that the kind is won on by anyone, the seats taken as independent."""
        first, second, third, fourth = self.p_deal_in[:, tile34].tolist()
        return 1.0 - float((1.0 - first) * (1.0 - second) * (1.0 - third) * (1.0 - fourth))

    def expected_loss(self, tile34: int) -> float:
        """Mean points paid by a discard of the kind that deals in; 0 where none can."""
        chances = self.p_deal_in[:, tile34].tolist()
        total = sum(chances)
        if total <= 0.0:
            return 0.0
        losses = self.loss[:, tile34].tolist()
        return float(sum(chance * loss for chance, loss in zip(chances, losses, strict=True)) / total)


class DangerEstimator(Protocol):
    """Estimates from what the viewer sees alone; equal views and settings give equal figures."""

    name: str

    def estimate(self, state: GameState) -> Danger:
        """The danger of all kinds to the seat whose view ``state`` is, were it to discard now."""
