"""Networks with made-up weights."""

from __future__ import annotations

import numpy as np

from engine.networks.imitation import Shape
from engine.networks.imitation_layout_kernels import (
    GLOBALS,
    PLANES,
    Q_CALLS,
    Q_DISCARDS,
    Q_OFFERED,
    Q_RIICHI,
    QUESTION,
)

SHAPE = Shape(8, 2, 5)


def made_up(seed=1, rows=3):
    random = np.random.default_rng(seed)
    arrays = {name: random.normal(0, 0.3, dims).astype(np.float32) for name, dims in SHAPE.parameters().items()}
    planes = random.integers(0, 5, (rows, 34, PLANES), dtype=np.uint8)
    numbers = random.integers(0, 9, (rows, GLOBALS), dtype=np.uint8)
    questions = np.zeros((rows, QUESTION), np.int64)
    questions[:, Q_OFFERED] = -1
    questions[:, Q_DISCARDS] = random.integers(1, 1 << 34, rows)
    questions[:, Q_RIICHI] = questions[:, Q_DISCARDS] & random.integers(1, 1 << 34, rows)
    questions[-1, :] = 0
    questions[-1, Q_OFFERED] = 12
    questions[-1, Q_CALLS] = 0b01010
    return arrays, planes, numbers, questions
