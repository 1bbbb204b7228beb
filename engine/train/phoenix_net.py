"""The network of :mod:`engine.prior.network` in torch, for fitting only."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from engine.prior.network import SCALES, Shape
from engine.train.trunk_net import TrunkNet, of_kinds


class PhoenixNet(TrunkNet):
    """The network; its parameters have the names and shapes of :meth:`engine.prior.network.Shape.parameters`."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape, shape.blocks, SCALES)
        self.shape = shape

    def forward(self, planes: Tensor, numbers: Tensor, offered: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all answers, (n, ANSWERS), and of the red five of each kind, (n, 34).

        Args:
            planes: (n, 34, PLANES) uint8.
            numbers: (n, GLOBALS) uint8.
            offered: (n,) the offered kind; any kind if there is none.
        """
        w = self.weights
        rows = self.rows(planes, numbers)
        tail = functional.linear(self.summary(rows), w["tail"], w["tail_bias"])
        kinds = of_kinds(functional.linear(rows, w["answer"], w["answer_bias"]))
        calls = kinds[torch.arange(len(planes)), offered, 4:] + tail[:, 2:]
        logits = torch.cat([kinds[:, :, 0], kinds[:, :, 1], kinds[:, :, 2], calls, tail[:, :2]], 1)
        return logits.float(), kinds[:, :, 3].float()
