"""The networks asked through torch, which has bfloat16 and GPUs: faster where thousands of questions come at once.

They answer as the same weights do in numpy, to two or three digits of a logarithm.
"""

from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from engine.critic.network import Critic, CriticInputs, CriticWeights
from engine.networks.imitation import ImitationWeights, Network
from engine.networks.trunk import Floats
from engine.networks.weights import NetworkWeights
from engine.train.nets import CriticNet, PhoenixNet, TrunkNet, device_here, in_bfloat16, load_weights

_ON_CPU: Final = 64
_ON_GPU: Final = 8_192
"""Questions asked together: what fits into a core's cache, and what fills a GPU."""


class _TorchNetwork:
    """A network of torch with fitted weights, to be asked.

    Attributes:
        at_once: questions asked together.
    """

    def __init__(self, net: TrunkNet, weights: NetworkWeights[Any]) -> None:
        load_weights(net, weights)
        self._device = device_here()
        self._net = net.to(self._device).eval()
        self.at_once = _ON_CPU if self._device.type == "cpu" else _ON_GPU

    def __call__(self, *arrays: NDArray[Any]) -> Any:
        sent = [torch.from_numpy(np.ascontiguousarray(each)).to(self._device) for each in arrays]
        with torch.inference_mode(), in_bfloat16(self._device):
            return self._net(*sent)


class TorchNetwork(Network):
    """The imitating network."""

    def __init__(self, weights: ImitationWeights) -> None:
        """Take fitted weights."""
        super().__init__(weights.shape, weights.arrays())
        self._asked = _TorchNetwork(PhoenixNet(weights.shape), weights)
        self.at_once = self._asked.at_once

    def _logits(
        self,
        planes: NDArray[np.uint8],
        numbers: NDArray[np.uint8],
        offered: NDArray[np.int64],
        answers: Floats,
        reds: Floats,
    ) -> None:
        # an offered kind of -1 means that none is offered; the answers to it are not legal then
        found, found_reds = self._asked(planes, numbers, np.maximum(offered, 0))
        answers[:] = found.cpu().numpy()
        reds[:] = found_reds.cpu().numpy()


class TorchCritic(Critic):
    """The critic."""

    def __init__(self, weights: CriticWeights) -> None:
        """Take fitted weights."""
        super().__init__(weights.shape, weights.arrays())
        self._asked = _TorchNetwork(CriticNet(weights.shape), weights)
        self.at_once = self._asked.at_once

    def _logits(self, inputs: CriticInputs) -> Floats:
        found: Floats = self._asked(inputs.planes, inputs.numbers).cpu().numpy()
        return found
