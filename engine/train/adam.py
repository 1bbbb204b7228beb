"""The optimiser Adam, in plain numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass
class Adam:
    """Adam (Kingma and Ba, 2015; 0.9, 0.999, 1e-8) on one array, with a rate that falls along half a cosine.

    Attributes:
        weights: the array, changed in place.
        rate: the highest rate, reached after ``warm`` steps.
        warm: number of steps over which the rate rises from 0.
        least: the rate at the last step, as a fraction of the highest.
        decay: weight decay, as a fraction of the rate.
    """

    weights: Floats
    rate: float = 1e-3
    warm: int = 200
    least: float = 0.0
    decay: float = 1e-2

    def __post_init__(self) -> None:
        self._mean = np.zeros_like(self.weights)
        self._square = np.zeros_like(self.weights)
        self._done = 0

    def step(self, gradient: Floats, progress: float) -> None:
        """Update the weights once; ``progress`` goes from 0 at the first step to 1 at the last."""
        self._done += 1
        done = self._done
        falling = self.least + (1.0 - self.least) * 0.5 * (1.0 + np.cos(np.pi * progress))
        rate = self.rate * min(1.0, done / self.warm) * falling
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.001 * (gradient * gradient - self._square)
        mean = self._mean / (1 - 0.9**done)
        square = self._square / (1 - 0.999**done)
        move = mean / (np.sqrt(square) + 1e-8) + self.decay * self.weights
        self.weights -= np.asarray(rate * move, np.float32)
