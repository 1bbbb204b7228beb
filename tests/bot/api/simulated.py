"""Simulators as the tests play them: random legal answers, and what the tables hold."""

from __future__ import annotations

import numpy as np

from bot.api.simulator import Simulator


def chosen(questions, seed):
    """A random legal answer to each question; the same for a seed, whatever the observations."""
    return (np.random.default_rng(seed).random(questions.mask.shape) * questions.mask).argmax(axis=1)


def played(tables, rounds):
    for number in range(rounds):
        tables.step(chosen(tables.round, number))
    return tables


def played_from_start(number, rounds, **more):
    tables = Simulator(number, seed=4, **more)
    tables.reset()
    return played(tables, rounds)


def as_bytes(tables):
    return tables._array.tobytes()


def as_values(tables):
    """What the fields hold, without what lies between them."""
    return [tables._array[name].tolist() for name in tables._array.dtype.names]
