"""The networks asked through torch, which has bfloat16 and GPUs: faster where thousands of questions come at once.

They answer as the same weights do in numpy, to two or three digits of a logarithm.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from engine.critic.network import Critic, CriticInputs, CriticWeights
from engine.imitation.network import Network, Weights
from engine.network.trunk import Floats, NetworkWeights
from engine.train.nets import CriticNet, PhoenixNet, TrunkNet, device_here, has_bfloat16, load_weights

_ON_CPU: Final = 64
_ON_GPU: Final = 8_192
"""Questions asked together: what fits into a core's cache, and what fills a GPU."""


class TorchNetwork(Network):
    """The imitating network."""

    def __init__(self, weights: Weights) -> None:
        """Take fitted weights."""
        super().__init__(weights.shape, weights.arrays())
        self._device = device_here()
        self._net = _loaded(PhoenixNet(weights.shape), weights, self._device)
        self.at_once = _at_once(self._device)

    def _logits(
        self,
        planes: NDArray[np.uint8],
        numbers: NDArray[np.uint8],
        offered: NDArray[np.int64],
        answers: Floats,
        reds: Floats,
    ) -> None:
        # an offered kind of -1 means that none is offered; the answers to it are not legal then
        given = _sent(self._device, planes, numbers, np.maximum(offered, 0))
        with torch.inference_mode(), torch.autocast(self._device.type, torch.bfloat16, has_bfloat16(self._device)):
            found, found_reds = self._net(*given)
        answers[:] = found.cpu().numpy()
        reds[:] = found_reds.cpu().numpy()


class TorchCritic(Critic):
    """The critic."""

    def __init__(self, weights: CriticWeights) -> None:
        """Take fitted weights."""
        super().__init__(weights.shape, weights.arrays())
        self._device = device_here()
        self._net = _loaded(CriticNet(weights.shape), weights, self._device)
        self.at_once = _at_once(self._device)

    def _logits(self, inputs: CriticInputs) -> Floats:
        given = _sent(self._device, inputs.planes, inputs.numbers)
        with torch.inference_mode(), torch.autocast(self._device.type, torch.bfloat16, has_bfloat16(self._device)):
            found: Floats = self._net(*given).cpu().numpy()
        return found


def _loaded(net: TrunkNet, weights: NetworkWeights[Any], device: torch.device) -> TrunkNet:
    load_weights(net, weights)
    net.to(device).eval()
    return net


def _at_once(device: torch.device) -> int:
    return _ON_CPU if device.type == "cpu" else _ON_GPU


def _sent(device: torch.device, *arrays: NDArray[Any]) -> list[torch.Tensor]:
    return [torch.from_numpy(np.ascontiguousarray(each)).to(device) for each in arrays]
