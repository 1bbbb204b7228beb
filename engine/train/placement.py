"""Fitting :mod:`engine.worth.placement`: final ranks from the tables between hands. Only this needs torch.

A tenth of all games is held back (:mod:`engine.rules.recordings`) for evaluation; a twentieth of the others decides
which pass was the best.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from engine.train.final_ranks import Floats, Numbers, log_loss
from engine.train.nets import Descent
from engine.worth.placement import INPUTS, RANKS, Layers, features_hash, rank_chances

HIDDEN: Final = (64, 32)
"""Widths of the hidden layers."""
BATCHES: Final = 100
"""Number of steps in a pass over the rows, within the bounds on a step."""
LEAST_BATCH, MOST_BATCH = 128, 4_096
RATE: Final = 2e-3
"""Highest learning rate."""
STEADY: Final = 0.3
"""Share of the steps after which the learning rate starts to fall."""
DECAY: Final = 1e-4
"""Weight decay, relative to the learning rate."""
DIGITS: Final = 5


def new_net() -> nn.Sequential:
    """The network before it is fitted."""
    wide, narrow = HIDDEN
    return nn.Sequential(
        nn.Linear(INPUTS, wide), nn.ReLU(), nn.Linear(wide, narrow), nn.ReLU(), nn.Linear(narrow, RANKS)
    )


def layers_in(arrays: dict[str, Floats]) -> Layers:
    """Copies of the weights and biases of a network, from its arrays by name."""
    return [(arrays[f"{at}.weight"].T.copy(), arrays[f"{at}.bias"].copy()) for at in (0, 2, 4)]


def fit(
    inputs: Floats,
    ranks: Numbers,
    check_inputs: Floats,
    check_ranks: Numbers,
    epochs: int = 40,
    seed: int = 1,
    progress: Callable[[int, float, float], None] | None = None,
) -> Layers:
    """The layers with the lowest loss on the check rows among the running means of the weights after each pass.

    Args:
        inputs: float32[n, INPUTS].
        ranks: int64[n].
        check_inputs: rows that decide which pass was the best.
        check_ranks: their ranks.
        epochs: number of passes over the rows.
        seed: seed of the initial weights and the order.
        progress: called with (epoch, log loss of the last pass, log loss of the check rows).
    """
    torch.manual_seed(seed)
    descent = Descent(new_net(), RATE, DECAY, steady=STEADY)
    known, was = torch.from_numpy(inputs).to(descent.device), torch.from_numpy(ranks).to(descent.device)
    size = min(max(len(inputs) // BATCHES, LEAST_BATCH), MOST_BATCH)
    steps = epochs * -(-len(inputs) // size)
    found: list[tuple[float, Layers]] = []
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(inputs)).split(size):
            loss = functional.cross_entropy(descent.net(known[rows]), was[rows])
            total += float(descent.follow(loss, descent.steps / steps)) * len(rows)
        layers = layers_in(descent.mean_arrays())
        judged = log_loss(rank_chances(layers, check_inputs), check_ranks)
        found.append((judged, layers))
        if progress is not None:
            progress(epoch + 1, total / len(inputs), judged)
    return min(found, key=lambda each: each[0])[1]


def document(layers: Layers, card: dict[str, Any]) -> dict[str, Any]:
    """The content of the file."""
    return {
        "card": {**card, "features": features_hash()},
        "weights": [np.round(weight, DIGITS).tolist() for weight, _ in layers],
        "biases": [np.round(bias, DIGITS).tolist() for _, bias in layers],
    }
