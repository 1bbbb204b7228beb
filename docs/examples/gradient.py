"""A small policy fitted by policy gradient in the simulator: nine weights for discards and a bias for each answer.

python gradient.py [ROUNDS]
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from oshihiki.simulator import ANSWERS, KAN, NUMBERS, PLANES, RIICHI, THE_DRAWN, Round, Simulator

HELD, DRAWN, DORA = (PLANES.index(name) for name in ("held", "just drawn", "times dora"))
SHANTEN = NUMBERS.index("shanten")
KINDS = np.array([*range(34), 4, 13, 22, 0])  # of the tiles that discards name: reds are fives, the last is the drawn
FEATURES = 9


def features(asked: Round) -> NDArray[np.float64]:
    """(questions, ANSWERS, FEATURES): for each discard, with or without riichi, how its tile fits; 0 for the rest."""
    held = asked.planes[:, :, HELD]
    suits = np.pad(held[:, :27].reshape(-1, 3, 9), ((0, 0), (0, 0), (2, 2)))
    near = [np.pad(suits[:, :, at : at + 9].reshape(-1, 27), ((0, 0), (0, 7))) > 0 for at in (0, 1, 3, 4)]
    honour = np.broadcast_to(np.arange(34) >= 27, held.shape)
    fits = np.stack([held == 1, held == 2, held > 2, *near, honour, asked.planes[:, :, DORA] > 0], axis=2)
    kinds = np.tile(KINDS, (len(held), 1))
    kinds[:, THE_DRAWN] = asked.planes[:, :, DRAWN].argmax(axis=1)
    found = np.zeros((len(held), ANSWERS, FEATURES))
    found[:, :RIICHI] = found[:, RIICHI:KAN] = np.take_along_axis(fits, kinds[:, :, None], axis=1)
    return found


class Policy:
    """Answers at random, with logits of ``weights``: of the features, then of each answer; all 0 is even chances."""

    def __init__(self, seed: int = 1) -> None:
        self.weights = np.zeros(FEATURES + ANSWERS)
        self._random = np.random.default_rng(seed)

    def choose(self, asked: Round) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """An answer to each question, and the slope of the logarithm of its chance, (questions, weights)."""
        seen = features(asked)
        logits = np.where(asked.mask, seen @ self.weights[:FEATURES] + self.weights[FEATURES:], -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        answers = (chances.cumsum(axis=1) > self._random.random((len(seen), 1))).argmax(axis=1)
        slopes = (np.arange(ANSWERS) == answers[:, None]) - chances
        return answers, np.concatenate([np.einsum("qa,qaf->qf", slopes, seen), slopes], axis=1)


def fit(rounds: int, tables: int = 256, step: float = 0.02) -> Policy:
    """Play hands against itself: a hand is worth its points, in thousands, less the shanten that it came to."""
    policy, simulator, usual = Policy(), Simulator(tables, episode="hand", seed=1), 0.0
    slopes, worth = np.zeros((tables, 4, FEATURES + ANSWERS)), np.zeros((tables, 4, 2))
    asked = simulator.reset()
    for _ in range(rounds):
        answers, slope = policy.choose(asked)
        slopes[asked.tables, asked.seats] += slope
        worth[asked.tables, asked.seats, 0] = -asked.numbers[:, SHANTEN]
        asked = simulator.step(answers)
        worth[:, :, 1] += asked.points / 1000
        if asked.done.any():
            gained = worth[asked.done].sum(axis=2)
            usual += 0.05 * (gained.mean() - usual)
            change = np.einsum("ts,tsw->w", gained - usual, slopes[asked.done])
            policy.weights += step * change / gained.size**0.5
            slopes[asked.done], worth[asked.done] = 0.0, 0.0
    return policy


def compare(policy: Policy, rounds: int = 600, tables: int = 256) -> tuple[float, float, float]:
    """Points a hand of the policy against three that answer at random, and the shares of hands that got to tenpai."""
    simulator, others, all_tables = Simulator(tables, episode="hand", seed=2), Policy(seed=2), np.arange(tables)
    points, ready, hands, tenpai = 0, np.zeros((tables, 4)), 0, np.zeros(4)
    asked = simulator.reset()
    for _ in range(rounds):
        mine = asked.seats == asked.tables % 4
        answers = np.where(mine, policy.choose(asked)[0], others.choose(asked)[0])
        ready[asked.tables, (asked.seats - asked.tables) % 4] = asked.numbers[:, SHANTEN] <= 0
        asked = simulator.step(answers)
        points += int(asked.points[all_tables, all_tables % 4].sum())
        hands += int(asked.done.sum())
        tenpai += ready[asked.done].sum(axis=0)
        ready[asked.done] = 0
    return points / hands, tenpai[0] / hands, tenpai[1:].mean() / hands


def main() -> None:
    """Fit, and print how well it plays before and after."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    for name, policy in (("before", Policy()), (f"after {rounds} rounds", fit(rounds))):
        points, own, others = compare(policy)
        print(f"{name}: {points:+,.0f} points a hand; tenpai in {own:.0%} of them, the others in {others:.0%}")


if __name__ == "__main__":
    main()
