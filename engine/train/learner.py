"""A policy improved on its own decisions by clipped ratios (PPO). Only this module and its network need torch.

The advantages come from a critic that sees all hands. The chances are those at the temperature at which the decisions
were drawn. The distance to the weights from which the run began is held down by its divergence, which counts as a loss.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.networks.imitation import ImitationWeights, legal_answers
from engine.networks.imitation_layout_kernels import Q_OFFERED
from engine.train.nets import Descent, PhoenixNet, TrunkNet, in_bfloat16, load_weights
from engine.train.played import Crew, Stock
from engine.train.sampling import MOST, Choices

UNIT: Final = 0.1
"""Final places that count as one: the advantages are in this unit."""
TOGETHER: Final = 256
"""Decisions of a step that are computed together on a CPU, whose cache they fit; a GPU takes all."""
MEAN: Final = 0.999
"""Factor on the running mean of the weights at each step."""
COMPARED: Final = 4
"""One in so many decisions is also asked of the first weights, for the divergence."""


@dataclass(frozen=True)
class LearnerSettings:
    """Settings of the learner."""

    temperature: float = 0.25  # at which answers are drawn
    rate: float = 5e-5  # learning rate
    batch: int = 2_048  # decisions in a step
    clip: float = 0.2  # by how much a chance may change, as a ratio, before a decision no longer counts
    distance: float = 0.005  # weight of the divergence from the first weights
    entropy: float = 0.003  # weight of the entropy


@dataclass
class Lesson:
    """Figures of a pass over decisions, means over its steps."""

    moved: float = 0.0  # divergence from the chances at which the answers were drawn
    apart: float = 0.0  # divergence from the first weights
    entropy: float = 0.0  # of the chances, in nats
    clipped: float = 0.0  # share of the decisions that no longer counted
    # final places by which a decision is better than one of the first weights in the same situation, in the mean, by
    # the advantages of answers that these would have chosen more often or less
    ahead: float = 0.0


class Learner:
    """Weights that learn from decisions."""

    def __init__(self, start: ImitationWeights, settings: LearnerSettings, seed: int, crew: Crew | None = None) -> None:
        """Begin with the weights ``start``, from which the distance is measured too; ``crew`` shares the work."""
        torch.manual_seed(seed)
        self.settings = settings
        self.shape = start.shape
        net = PhoenixNet(start.shape)
        load_weights(net, start)
        self._descent = Descent(net, settings.rate, mean=MEAN)
        self._first = deepcopy(net).requires_grad_(requires_grad=False)
        self._crew = crew if crew is not None and self._descent.device.type == "cpu" else Crew()
        self._nets = [net, *(_sharing(net) for _ in range(1, self._crew.threads))]

    def weights(self) -> ImitationWeights:
        """The weights now, which play and learn."""
        return ImitationWeights.of(self.shape, self._descent.arrays())

    def mean_weights(self) -> ImitationWeights:
        """The running mean of the weights, which is measured and kept: it follows what is learned, not each step."""
        return ImitationWeights.of(self.shape, self._descent.mean_arrays())

    def state(self) -> dict[str, Any]:
        """The state from which :meth:`restore` continues."""
        return self._descent.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._descent.restore(state)

    def learn(self, choices: Choices, advantages: NDArray[np.float32], random: np.random.Generator) -> Lesson:
        """One pass over decisions, each step on some of them.

        Args:
            choices: the decisions.
            advantages: (n,), by how much each lowered the final place.
            random: says in which order.
        """
        scaled = ((advantages - advantages.mean()) / UNIT).astype(np.float32)
        order = random.permutation(len(scaled))
        steps = max(len(order) // self.settings.batch, 1)
        found = Lesson()
        for some in np.array_split(order, steps):
            step = self._step(choices.where(some), scaled[some])
            for name, value in vars(step).items():
                setattr(found, name, getattr(found, name) + value / steps)
        return found

    def _step(self, choices: Choices, advantages: NDArray[np.float32]) -> Lesson:
        """One step; the gradients of its parts are added, so that each fits into a core's cache."""
        n = len(advantages)
        found = Lesson()
        for net in self._nets:
            net.zero_grad(set_to_none=True)
        parts = np.array_split(np.arange(n), 1 if self._descent.device.type == "cuda" else -(-n // TOGETHER))
        stock = Stock(len(parts))

        def learn_parts(thread: int) -> list[tuple[float, Lesson]]:
            seen = []
            while (at := stock.take()) >= 0:
                some = parts[at]
                loss, lesson = self._loss(self._nets[thread], choices.where(some), advantages[some])
                (loss * (len(some) / n)).backward()
                seen.append((len(some) / n, lesson))
            return seen

        for share, lesson in (each for seen in self._crew.each(learn_parts) for each in seen):
            for name, value in vars(lesson).items():
                setattr(found, name, getattr(found, name) + value * share)
        for net in self._nets[1:]:
            # the gradients of both are added; either may have none
            for mine, its in zip(self._nets[0].parameters(), net.parameters(), strict=True):
                if mine.grad is None:
                    mine.grad = its.grad
                elif its.grad is not None:
                    mine.grad += its.grad
        self._descent.step(self.settings.rate)
        return found

    def _loss(self, net: PhoenixNet, choices: Choices, advantages: NDArray[np.float32]) -> tuple[Tensor, Lesson]:
        """Mean loss of some decisions, and what they showed."""
        settings = self.settings
        planes, numbers = torch.from_numpy(choices.planes), torch.from_numpy(choices.numbers)
        offered = torch.from_numpy(np.maximum(choices.questions[:, Q_OFFERED], 0))
        legal = torch.from_numpy(legal_answers(choices.questions))
        answers, before = torch.from_numpy(choices.answers), torch.from_numpy(choices.logs)
        worth = torch.from_numpy(advantages)
        logs = self._logs(net, planes, numbers, offered, legal)
        chosen = logs.gather(1, answers[:, None])[:, 0]
        ratio = (chosen - before).exp()
        held = ratio.clamp(1.0 - settings.clip, 1.0 + settings.clip)
        gain = torch.minimum(ratio * worth, held * worth).mean()
        chances = logs.exp()
        entropy = -(chances * logs.masked_fill(~legal, 0.0)).sum(1).mean()
        few = slice(None, None, COMPARED)
        with torch.no_grad():
            first = self._logs(self._first, planes[few], numbers[few], offered[few], legal[few])
        apart = (chances[few] * (logs[few] - first).masked_fill(~legal[few], 0.0)).sum(1).mean()
        with torch.no_grad():
            moved = (before - chosen).mean()
            clipped = ((ratio - 1.0).abs() > settings.clip).float().mean()
            others = (first.gather(1, answers[few, None])[:, 0] - before[few]).exp().clamp(max=MOST)
            ahead = (UNIT * worth[few] * (1.0 - others)).mean()
        loss = settings.distance * apart - settings.entropy * entropy - gain
        return loss, Lesson(float(moved), float(apart.detach()), float(entropy.detach()), float(clipped), float(ahead))

    def _logs(self, net: TrunkNet, planes: Tensor, numbers: Tensor, offered: Tensor, legal: Tensor) -> Tensor:
        """(n, ANSWERS): logarithms of the chances at the temperature; very low where an answer is not legal."""
        device = self._descent.device
        with in_bfloat16(device):
            logits, _ = net(planes.to(device), numbers.to(device), offered.to(device))
        logits = logits.cpu().masked_fill(~legal, -1e9)
        return functional.log_softmax(logits / self.settings.temperature, 1)


def _sharing(net: PhoenixNet) -> PhoenixNet:
    """A network that shares another's weights in memory and has separate gradients."""
    other = deepcopy(net)
    for mine, its in zip(other.parameters(), net.parameters(), strict=True):
        mine.data = its.data
    return other
