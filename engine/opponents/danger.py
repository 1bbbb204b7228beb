"""The danger of each tile, and the interface of all estimators."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.state import GameState

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Danger:
    """The danger of each tile for one seat now. Rows are absolute seats; the viewer's own are zero.

    Attributes:
        p_tenpai: (4,) chance that the seat is tenpai.
        p_wait: (4, 34) chance that the kind completes the seat's hand, whether or not the seat could win on it.
        p_deal_in: (4, 34) chance that the seat wins on the kind if the viewer discards it now: it is a wait, the hand
            has a yaku, and the seat is not furiten. Exactly 0 where the rules exclude it (genbutsu).
        loss: (4, 34) mean points that the viewer then pays, honba included.
    """

    p_tenpai: Floats
    p_wait: Floats
    p_deal_in: Floats
    loss: Floats

    def deal_in(self, tile34: int) -> float:
        """Chance, 0-1, that anyone wins on the kind, treating the seats as independent."""
        first, second, third, fourth = self.p_deal_in[:, tile34].tolist()
        return 1.0 - float((1.0 - first) * (1.0 - second) * (1.0 - third) * (1.0 - fourth))

    def expected_loss(self, tile34: int) -> float:
        """Mean points paid if a discard of the kind deals in; 0 if it cannot."""
        chances = self.p_deal_in[:, tile34].tolist()
        total = sum(chances)
        if total <= 0.0:
            return 0.0
        losses = self.loss[:, tile34].tolist()
        return float(sum(chance * loss for chance, loss in zip(chances, losses, strict=True)) / total)


class DangerEstimator(Protocol):
    """Estimates danger from what the viewer can see; equal views and settings give equal figures.

    Attributes:
        name: in :data:`engine.opponents.registry.ESTIMATORS`.
    """

    name: str

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest of each file of tables or weights that the figures depend on, by its name."""

    def estimate(self, state: GameState) -> Danger:
        """The danger of all kinds to the seat whose view ``state`` is, if it discarded now."""
