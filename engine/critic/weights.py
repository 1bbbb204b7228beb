"""The critic's weights, and those that are shipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.critic.inputs import inputs_hash
from engine.critic.network import Critic, CriticShape
from engine.network.weights import NetworkWeights, flattened, read_file
from engine.tables import readable, table_bytes

FILE: Final = "engine/critic/tables/critic.npz"
REBUILD: Final = f"oshihiki train critic LOG... --out {FILE}"
"""The command that fits the weights again."""


@dataclass(frozen=True)
class CriticWeights(NetworkWeights[CriticShape]):
    """A fitted critic."""

    @classmethod
    def of(cls, shape: CriticShape, arrays: Mapping[str, NDArray[np.float32]]) -> CriticWeights:
        """The weights in arrays by name."""
        return cls(shape, flattened(shape, arrays), inputs_hash())

    def critic(self) -> Critic:
        """The critic with these weights."""
        return Critic(self.shape, self.arrays())


def read_critic(data: bytes, name: str) -> CriticWeights:
    """Read weights from the contents of a file.

    Raises:
        WeightsError: it is not such a file, or its weights were fitted on other inputs; the message quotes ``name``.
    """
    return CriticWeights(*read_file(data, name, REBUILD, CriticShape, inputs_hash()), inputs_hash())


@cache
def shipped_critic_weights() -> CriticWeights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_critic`; also when the file is missing.
    """
    with readable(FILE, REBUILD):
        data = table_bytes("engine.critic", "critic.npz")
    return read_critic(data, FILE)


@cache
def shipped_critic() -> Critic:
    """The critic with :func:`shipped_critic_weights`."""
    return shipped_critic_weights().critic()
