"""Fitting the critic on hands with all tiles known. Only this module and its network need torch.

The outputs for the kind that was drawn are fitted to how the hand ended. The learning rate is constant and then falls
to zero. The weights that are measured and shipped are a running mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.critic.network import UNIT, USUAL, CriticShape, CriticWeights, inputs_of
from engine.critic.outcomes import ENDS, NO_WIN, seen_from
from engine.rules.code_kernels import DRAW
from engine.train.moments import drawn_kinds, moments
from engine.train.nets import CriticNet, arrays_of, has_bfloat16
from engine.train.recordings import Recordings
from engine.train.worths import Ends, ends_of

STEADY: Final = 0.5
"""Share of the draws after which the learning rate starts to fall."""
WARM: Final = 200
"""Number of steps in which the learning rate rises from zero."""
MEAN: Final = 0.999
"""Factor on the running mean of the weights at each step."""


class Draws(NamedTuple):
    """Draws to fit on.

    Attributes:
        planes, numbers: see :class:`engine.critic.network.CriticInputs`.
        kinds: (n,), the kind drawn.
        ends: (n,), how the hand ended, seats counted from the one that drew.
        gains: (n,), what the winner got, in units beside the usual; NaN where there is none.
    """

    planes: NDArray[np.uint8]
    numbers: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    ends: NDArray[np.int64]
    gains: NDArray[np.float32]


def draws_of(
    recordings: Recordings, hands: NDArray[np.int64], ends: Ends, share: float, random: np.random.Generator
) -> Iterator[Draws]:
    """Yield a share of the draws of some hands, a few thousand at a time."""
    for found in moments(recordings, hands, before=(DRAW,)):
        taken = found[random.random(len(found)) < share]
        if len(taken):
            yield _draws(taken, ends)


def _draws(taken: NDArray[Any], ends: Ends) -> Draws:
    inputs = inputs_of(taken)
    end, gain = ends.ends[taken["row"]], ends.gains[taken["row"]]
    gains = np.where(gain >= 0, (gain - USUAL) / UNIT, np.nan).astype(np.float32)
    return Draws(inputs.planes, inputs.numbers, drawn_kinds(taken), seen_from(end, inputs.seats), gains)


@dataclass(frozen=True)
class Settings:
    """Settings of a fit.

    Attributes:
        shape: shape of the network.
        draws: number of draws to fit on.
        share: share of a hand's draws that are used in one pass, so that a step sees many hands.
        batch: number of draws in a step.
        rate: highest learning rate.
        decay: weight decay, relative to the learning rate.
        seed: seed of everything random.
    """

    shape: CriticShape = field(default_factory=CriticShape)
    draws: int = 1_500_000
    share: float = 0.2
    batch: int = 512
    rate: float = 2e-3
    decay: float = 1e-2
    seed: int = 1


class CriticFit:
    """A critic being fitted.

    Attributes:
        done: number of draws done.
    """

    def __init__(self, settings: Settings, start: CriticWeights | None = None) -> None:
        """Start from initial weights or from those of ``start``, which has the shape of the settings."""
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.done = 0
        self._steps = 0
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._net = CriticNet(settings.shape)
        if start is not None:
            self._net.load_state_dict(
                self._net.state_dict()
                | {f"weights.{name}": torch.from_numpy(array.copy()) for name, array in start.arrays().items()}
            )
        self._net.to(self._device)
        self._mean = {name: value.detach().clone() for name, value in self._net.state_dict().items()}
        self._optimiser = torch.optim.AdamW(
            self._net.parameters(), settings.rate, weight_decay=settings.decay, fused=True
        )

    def weights(self) -> CriticWeights:
        """The running mean of the weights so far."""
        return CriticWeights.of(self.settings.shape, arrays_of(self._mean))

    def run(
        self,
        recordings: Recordings,
        hands: NDArray[np.int64],
        ends: Ends,
        report: Callable[[int, float], None],
    ) -> None:
        """Fit on the hands until all draws are done; ``report`` gets their number and the recent mean loss."""
        random = np.random.default_rng(self.settings.seed)
        recent = 3.0
        while self.done < self.settings.draws:
            order = random.permutation(hands)
            for draws in draws_of(recordings, order, ends, self.settings.share, random):
                for loss in self._learn_all(draws, random):
                    recent += 0.01 * (loss - recent)
                report(self.done, recent)
                if self.done >= self.settings.draws:
                    return

    def follow(self, recordings: Recordings, share: float, random: np.random.Generator) -> None:
        """Learn from a share of the draws of all hands of the recordings, once."""
        hands = random.permutation(len(recordings.kyoku))
        for draws in draws_of(recordings, hands, ends_of(recordings), share, random):
            for _ in self._learn_all(draws, random):
                pass

    def state(self) -> dict[str, Any]:
        """What :meth:`restore` takes to go on from here."""
        return {
            "net": self._net.state_dict(),
            "mean": self._mean,
            "optimiser": self._optimiser.state_dict(),
            "done": self.done,
            "steps": self._steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._net.load_state_dict(state["net"])
        self._mean = {name: value.to(self._device) for name, value in state["mean"].items()}
        self._optimiser.load_state_dict(state["optimiser"])
        self.done, self._steps = state["done"], state["steps"]

    def _learn_all(self, draws: Draws, random: np.random.Generator) -> Iterator[float]:
        order = random.permutation(len(draws.kinds))
        for at in range(0, len(order), self.settings.batch):
            yield self.learn(draws, order[at : at + self.settings.batch])

    def learn(self, draws: Draws, some: NDArray[np.int64]) -> float:
        """One step on some of the draws; the mean loss."""
        settings = self.settings
        self._steps += 1
        falling = min(1.0, max(0.0, (1.0 - self.done / settings.draws) / (1.0 - STEADY)))
        for group in self._optimiser.param_groups:
            group["lr"] = settings.rate * min(1.0, self._steps / WARM) * falling
        planes, numbers, kinds, ends, gains = (torch.from_numpy(each[some]).to(self._device) for each in draws)
        self._optimiser.zero_grad(set_to_none=True)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=has_bfloat16(self._device)):
            every: Tensor = self._net(planes, numbers)
        outputs = every[torch.arange(len(some)), kinds]
        won = ~gains.isnan()
        winners = torch.where(ends == NO_WIN, 0, ends // 4)
        errors = outputs[:, ENDS:].gather(1, winners[:, None])[:, 0] - gains.nan_to_num()
        loss = functional.cross_entropy(outputs[:, :ENDS], ends) + (errors * errors * won).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), 1.0)
        self._optimiser.step()
        share = min(MEAN, self._steps / (self._steps + 20))
        with torch.no_grad():
            now = self._net.state_dict()
            torch._foreach_lerp_(list(self._mean.values()), [now[name] for name in self._mean], 1.0 - share)
        self.done += len(some)
        return float(loss.detach())
