"""The network of :mod:`engine.critic.network` in torch, for fitting only."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

from engine.critic.inputs import SCALES
from engine.critic.network import CriticShape
from engine.train.trunk_net import TrunkNet, of_kinds


class CriticNet(TrunkNet):
    """The network; its parameters have the names and shapes of :meth:`CriticShape.parameters`."""

    def __init__(self, shape: CriticShape) -> None:
        super().__init__(shape, shape.blocks, SCALES)
        self.shape = shape

    def forward(self, planes: Tensor, numbers: Tensor) -> Tensor:
        """(n, 34, OUTPUTS): logits of the ends and what each seat would win, after each kind was drawn.

        Args:
            planes: (n, 34, PLANES) uint8.
            numbers: (n, GLOBALS) uint8.
        """
        w = self.weights
        rows = self.rows(planes, numbers)
        whole = functional.linear(self.summary(rows), w["whole"], w["whole_bias"])
        kinds: Tensor = of_kinds(functional.linear(rows, w["kind"])) + whole[:, None]
        return kinds.float()
