"""The network of :mod:`engine.prior.network` in torch, for fitting only."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from engine.prior.inputs import NUMBER_SCALES, NUMBER_ZEROS, PLANE_SCALES
from engine.prior.network import Shape


class PhoenixNet(nn.Module):  # type: ignore[misc]
    """The network; its parameters have the names and shapes of :meth:`engine.prior.network.Shape.parameters`."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(_first(name, dims)) for name, dims in shape.parameters().items()}
        )
        self.register_buffer("plane_scales", torch.from_numpy(PLANE_SCALES), persistent=False)
        self.register_buffer("number_scales", torch.from_numpy(NUMBER_SCALES), persistent=False)
        self.register_buffer("number_zeros", torch.from_numpy(NUMBER_ZEROS), persistent=False)

    def forward(self, planes: Tensor, numbers: Tensor, offered: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all answers, (n, ANSWERS), and of the red five of each kind, (n, 34).

        Args:
            planes: (n, 34, PLANES) uint8.
            numbers: (n, GLOBALS) uint8.
            offered: (n,) the offered kind; any kind if there is none.
        """
        w = self.weights
        n = len(planes)
        whole = functional.linear((numbers.float() - self.number_zeros) * self.number_scales, w["numbers"], w["bias"])
        at_kinds = functional.linear(planes.float() * self.plane_scales, w["planes"])
        rows = torch.cat(
            [
                part
                for suit in range(3)
                for part in (at_kinds[:, 9 * suit : 9 * suit + 9], at_kinds.new_zeros(n, 1, self.shape.channels))
            ]
            + [at_kinds[:, 27:]],
            1,
        )
        rows = rows + w["places"] + whole[:, None]
        for block in range(self.shape.blocks):
            inner = functional.relu(rows)
            pooled = functional.linear(
                torch.cat([inner.mean(1), inner.amax(1)], 1), w[f"pool{block}"], w[f"bias{block}"]
            )
            padded = functional.pad(inner, (0, 0, 1, 1))
            near = torch.cat([padded[:, :-2], inner, padded[:, 2:]], 2)
            mixed = functional.relu(functional.linear(near, w[f"near{block}"]) + pooled[:, None])
            rows = rows + functional.linear(mixed, w[f"back{block}"], w[f"back_bias{block}"])
        inner = functional.relu(rows)
        summary = functional.relu(functional.linear(_pooled(inner), w["summary"], w["summary_bias"]))
        tail = functional.linear(summary, w["tail"], w["tail_bias"])
        kinds = functional.linear(inner, w["answer"], w["answer_bias"])
        kinds = torch.cat([kinds[:, :9], kinds[:, 10:19], kinds[:, 20:29], kinds[:, 30:]], 1)
        calls = kinds[torch.arange(n), offered, 4:] + tail[:, 2:]
        logits = torch.cat([kinds[:, :, 0], kinds[:, :, 1], kinds[:, :, 2], calls, tail[:, :2]], 1)
        return logits.float(), kinds[:, :, 3].float()


def _pooled(rows: Tensor) -> Tensor:
    """Mean and maximum over the places, side by side."""
    return torch.cat([rows.mean(1), rows.amax(1)], 1)


def _first(name: str, dims: tuple[int, ...]) -> Tensor:
    """Initial weights: residual branches and outputs are small, so that the network starts near the identity."""
    if len(dims) == 1:
        return torch.zeros(dims)
    if name == "places":
        return torch.randn(dims) * 0.02
    spread = (2.0 / dims[1]) ** 0.5
    if name.startswith(("back", "answer", "tail")):
        spread *= 0.3
    return torch.randn(dims) * spread


def arrays_of(state: dict[str, Any]) -> dict[str, NDArray[np.float32]]:
    """Parameters by name as numpy arrays."""
    return {name.removeprefix("weights."): value.detach().float().cpu().numpy() for name, value in state.items()}
