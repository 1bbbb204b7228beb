"""Fitting and measuring the critic on hands with all tiles known. Only this module and its network need torch.

The outputs for the kind that was drawn are fitted to how the hand ended, and to what the critic says before the draws
that follow, which spreads less (:class:`Lookahead`). The learning rate is constant and then falls
to zero. The weights that are measured and shipped are a running mean.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.critic.luck import luck_of_hands
from engine.critic.network import UNIT, USUAL, Critic, CriticShape, CriticWeights, inputs_of
from engine.critic.outcomes import ENDS, NO_WIN, seen_from, turned, turned_back
from engine.critic.worths import Ends, ends_of, known_later, place_changes
from engine.rules.code_kernels import DRAW
from engine.rules.moments import moments, next_kinds
from engine.rules.recordings import KyokuColumn, Recordings
from engine.train.nets import CriticNet, Descent, RowsFit, TorchCritic, in_bfloat16, load_weights
from engine.train.scores import Heap

STEADY: Final = 0.5
"""Share of the draws after which the learning rate starts to fall."""
ALONE: Final = 500_000
"""Draws that are fitted to how their hands ended alone, where there are no weights to begin with."""
STAGES: Final = {"56 and more": 56, "42 to 55": 42, "28 to 41": 28, "14 to 27": 14, "fewer than 14": 0}
"""Tiles in the wall: at least so many."""


class Draws(NamedTuple):
    """Draws to fit on; seats are counted from the one that draws."""

    # planes, numbers: see :class:`engine.critic.network.CriticInputs`
    planes: NDArray[np.uint8]
    numbers: NDArray[np.uint8]
    kinds: NDArray[np.int64]  # (n,), the kind drawn
    ends: NDArray[np.float32]  # (n, ENDS), how likely each end of the hand was, as was known later
    winners: NDArray[np.int64]  # (n,), who won; any seat if nobody or two did
    gains: NDArray[np.float32]  # (n,), what the winner got, in units beside the usual; NaN where there is none

    def where(self, rows: NDArray[np.int64]) -> "Draws":
        """Some of them."""
        return Draws._make(each[rows] for each in self)


class Lookahead(NamedTuple):
    """Where the ends of draws come from."""

    critic: Critic  # says before each draw how the hand will end
    decay: float  # how much the following draw counts less than the one before it; 1: only how the hand ended counts


def draws_of(
    recordings: Recordings,
    hands: NDArray[np.int64],
    ends: Ends,
    ahead: Callable[[], Lookahead],
    share: float,
    random: np.random.Generator,
) -> Iterator[Draws]:
    """Yield a share of the draws of some hands, a few thousand at a time; ``ahead`` is called for each part."""
    for found in moments(recordings, hands, before=(DRAW,)):
        taken = np.flatnonzero(random.random(len(found)) < share)
        if len(taken):
            yield _draws(found, taken, ends, ahead())


def _draws(found: NDArray[Any], taken: NDArray[np.int64], ends: Ends, ahead: Lookahead) -> Draws:
    end, gain = ends.ends[found["row"]], ends.gains[found["row"]]
    if ahead.decay < 1.0:
        inputs = inputs_of(found)
        known = known_later(turned(ahead.critic.ends_before(inputs), inputs.seats), end, found["row"], ahead.decay)
        inputs, known = inputs.where(taken), known[taken]
    else:
        inputs, known = inputs_of(found[taken]), np.eye(ENDS, dtype=np.float32)[end[taken]]
    gains = np.where(gain >= 0, (gain - USUAL) / UNIT, np.nan).astype(np.float32)[taken]
    relative = seen_from(end[taken], inputs.seats)
    winners = np.where(relative == NO_WIN, 0, relative // 4)
    kinds = next_kinds(found)[taken]
    return Draws(inputs.planes, inputs.numbers, kinds, turned_back(known, inputs.seats), winners, gains)


@dataclass(frozen=True)
class CriticSettings:
    """Settings of a fit."""

    shape: CriticShape = field(default_factory=CriticShape)  # shape of the network
    draws: int = 1_500_000  # number of draws to fit on
    share: float = 0.2  # share of a hand's draws that are used in one pass, so that a step sees many hands
    batch: int = 512  # number of draws in a step
    decay: float = 0.9  # lambda of the ends that draws are fitted to, see :class:`Lookahead`
    rate: float = 2e-3  # highest learning rate
    weight_decay: float = 1e-2  # relative to the learning rate
    seed: int = 1  # seed of everything random


class CriticFit(RowsFit):
    """A critic being fitted."""

    def __init__(
        self, settings: CriticSettings, recordings: Recordings, ends: Ends, start: CriticWeights | None = None
    ) -> None:
        """Start from initial weights or from those of ``start``, which has the shape of the settings."""
        torch.manual_seed(settings.seed)
        net = CriticNet(settings.shape)
        if start is not None:
            load_weights(net, start)
        descent = Descent(net, settings.rate, settings.weight_decay, steady=STEADY)
        super().__init__(descent, settings.draws, settings.seed)
        self.settings = settings
        self._recordings, self._ends = recordings, ends
        self._knows = start is not None

    def weights(self) -> CriticWeights:
        """The running mean of the weights so far."""
        return CriticWeights.of(self.settings.shape, self._descent.mean_arrays())

    def _ahead(self) -> Lookahead:
        """The weights so far look ahead, once there are some."""
        decay = self.settings.decay if self._knows or self.done > ALONE else 1.0
        return Lookahead(TorchCritic(self.weights()), decay)

    def _chunks(self, hands: NDArray[np.int64], random: np.random.Generator) -> Iterator[Draws]:
        return draws_of(self._recordings, hands, self._ends, self._ahead, self.settings.share, random)

    def _losses(self, chunk: Draws, random: np.random.Generator) -> Iterator[Tensor]:
        order = random.permutation(len(chunk.kinds))
        for at in range(0, len(order), self.settings.batch):
            draws = chunk.where(order[at : at + self.settings.batch])
            yield self._follow(self._loss(draws), len(draws.kinds))

    def _loss(self, draws: Draws) -> Tensor:
        """The mean loss of some draws."""
        device = self._descent.device
        planes, numbers, kinds, ends, winners, gains = (torch.from_numpy(each).to(device) for each in draws)
        with in_bfloat16(device):
            every: Tensor = self._descent.net(planes, numbers)
        outputs = every[torch.arange(len(kinds)), kinds]
        won = ~gains.isnan()
        errors = outputs[:, ENDS:].gather(1, winners[:, None])[:, 0] - gains.nan_to_num()
        return functional.cross_entropy(outputs[:, :ENDS], ends) + (errors * errors * won).mean()


def measure(critic: Critic, recordings: Recordings, hands: NDArray[np.int64]) -> dict[str, Any]:
    """The figures of a critic on recorded hands, rows of ``recordings.kyoku``."""
    return {"hands": len(hands), "ends": _log_losses(critic, recordings, hands), **_spread(critic, recordings, hands)}


def _log_losses(critic: Critic, recordings: Recordings, hands: NDArray[np.int64]) -> dict[str, Any]:
    """Log loss of how the hand ends, after the draw, by the tiles left in the wall; and that of the bare shares."""
    ends = ends_of(recordings).ends
    heap = Heap()
    for drawn in moments(recordings, hands, before=(DRAW,)):
        inputs = inputs_of(drawn)
        end = ends[drawn["row"]]
        relative, kinds = seen_from(end, inputs.seats), next_kinds(drawn)
        rows = np.arange(len(drawn))
        loss = -np.log(np.maximum(critic.forecast(inputs).ends[rows, kinds, relative], 1e-6))
        heap.add(wall=drawn["wall"].copy(), loss=loss, relative=relative)
    wall, loss, relative = heap["wall"], heap["loss"], heap["relative"]
    shares = np.bincount(relative, minlength=ENDS) / len(relative)
    bare = -np.log(np.maximum(shares, 1e-6))[relative]
    found: dict[str, Any] = {}
    below = np.inf
    for name, least in STAGES.items():
        here = (wall >= least) & (wall < below)
        below = least
        if here.any():
            means = {"log_loss": loss[here].mean(), "bare": bare[here].mean()}
            found[name] = {"n": int(here.sum()), **{key: round(float(mean), 4) for key, mean in means.items()}}
    return found


def _spread(critic: Critic, recordings: Recordings, hands: NDArray[np.int64]) -> dict[str, Any]:
    """Standard deviation of what hands bring a player, with luck and without, and the mean luck with its error."""
    luck = luck_of_hands(recordings, hands, critic)
    places, known = place_changes(recordings)
    points = recordings.kyoku[:, KyokuColumn.DELTA : KyokuColumn.DELTA + 4]
    rows = known[hands]
    found: dict[str, Any] = {}
    brought: dict[str, tuple[NDArray[Any], int]] = {"points": (points, 0), "places": (places, 4)}
    for at, (name, (each, digits)) in enumerate(brought.items()):
        came, chance = each[hands][rows].ravel(), luck[rows, :, at].ravel()
        plain, without = float(came.std()), float((came - chance).std())
        found[name] = {
            "spread": round(plain, digits),
            "without_luck": round(without, digits),
            "width": round(without / plain, 4),
            "mean_luck": round(float(chance.mean()), digits + 1),
            "correlation": round(float(np.corrcoef(came, chance)[0, 1]), 4),
        }
    return found
