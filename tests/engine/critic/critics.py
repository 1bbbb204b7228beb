"""Critics with random weights, and how the hands of games ended."""

from __future__ import annotations

import numpy as np

from engine.critic.network import Critic, CriticShape
from engine.critic.outcomes import NO_WIN
from engine.model.events import StartKyoku, Win


def random_critic(seed, channels=8):
    shape = CriticShape(channels, 1, 8)
    random = np.random.default_rng(seed)
    arrays = {name: random.normal(0, 0.5, dims) for name, dims in shape.parameters().items()}
    return Critic(shape, arrays)


def ends_by_hand(game):
    ends = []
    for event in game.events:
        if isinstance(event, StartKyoku):
            ends.append(NO_WIN)
        elif isinstance(event, Win) and ends[-1] == NO_WIN:
            ends[-1] = 4 * event.seat + event.from_seat
    return ends
