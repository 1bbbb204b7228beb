"""Fitting the network that states the chances of the tiles to come. Only this module and its network need torch.

The loss is the logarithm of the likelihood of what happened: in each turn in which a kind was at risk, the chance that
it came or did not. The learning rate is constant and then falls to zero.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.networks.chances import (
    KNOTS,
    SCALES,
    Chances,
    ChanceShape,
    ChanceWeights,
    shares_of,
    turn_weights,
    with_choice,
)
from engine.networks.chances_layout_kernels import ACTORS, CALLS, ENDS, TURNS, WAITED
from engine.networks.exchanges import Exchange
from engine.networks.imitation_layout_kernels import ACCEPTED as IMPROVES
from engine.networks.imitation_layout_kernels import GLOBALS, PLANES, UNSEEN
from engine.rules.recordings import Recordings
from engine.train.chance_kernels import C_BEFORE, C_NEXT, C_TILE, CHANCE_INFO, MOST_ROWS, ChanceRows, collect_chances
from engine.train.fits import Columns, collected, empty
from engine.train.nets import Descent, RowsFit, TrunkNet, in_bfloat16, of_kinds
from engine.train.scores import Heap

STEADY: Final = 0.6
"""Share of the rows after which the learning rate starts to fall."""
AT_ONCE: Final = 24_576
"""Rows in memory at once."""
WANTED: Final = 4.0
"""Further weight of the kinds that bring the viewer's hand nearer, for which the search asks most."""
WON_ON: Final = 20.0
"""Further weight of those that complete it."""
ENDS_WEIGHT: Final = 3.0
"""Weight of the ends of hands beside all kinds of tiles."""
UNSAID: Final = 0.3
"""Share of the rows in which the network is not told which tile is discarded, so that it can be asked without one."""
COLUMNS: Final[Columns] = (
    (np.uint8, (34, PLANES)), (np.uint8, (GLOBALS,)), (np.int8, (34,)), (np.uint8, (ACTORS, 34)),
    (np.uint8, (ENDS, 2)), (np.int32, (CHANCE_INFO,)),
)  # fmt: skip
"""Those of :class:`engine.train.chance_kernels.ChanceRows`."""


class ChanceNet(TrunkNet):
    """The network of :class:`engine.networks.chances.Chances`."""

    scales = SCALES

    def __init__(self, shape: ChanceShape) -> None:
        super().__init__(shape)
        self.register_buffer("turns", torch.from_numpy(turn_weights()), persistent=False)

    def forward(self, planes: Tensor, numbers: Tensor, shares: Tensor) -> tuple[Tensor, Tensor]:
        """Logarithms of odds: (n, 34, ACTORS, TURNS) of each kind in each turn of each actor, (n, ENDS, TURNS) of ends.

        Args:
            planes: (n, 34, planes) uint8.
            numbers: (n, numbers) uint8.
            shares: (n, 34), of :func:`engine.networks.chances.shares_of`.
        """
        w = self.weights
        rows = self.rows(planes, numbers)
        knots = of_kinds(functional.linear(rows, w["kind"], w["kind_bias"]))
        summary = self.summary(rows)
        knots = knots + functional.linear(summary, w["whole"])[:, None]
        odds: Tensor = knots.float().reshape(len(planes), 34, ACTORS, len(KNOTS)) @ self.turns
        ends = functional.linear(summary, w["ends"], w["ends_bias"]).float().reshape(len(planes), ENDS, len(KNOTS))
        return odds + shares[:, :, None, None], ends @ self.turns


def row_chunks(
    recordings: Recordings, hands: NDArray[np.int64], share: float, seed: int, size: int = AT_ONCE
) -> Iterator[tuple[ChanceRows, int]]:
    """Yield rows of the hands in this order, about ``size`` at a time, and the number of hands done."""
    chosen = round(1_000_000 * share), seed
    return collected(collect_chances, chosen, lambda: empty(ChanceRows, size, COLUMNS), recordings, hands)


@dataclass(frozen=True)
class Settings:
    """Settings of a fit.

    Attributes:
        shape: shape of the network.
        rows: number of rows to fit on.
        share: share of a hand's moments that are used in one pass, so that a step sees many hands.
        batch: number of rows in a step.
        rate: highest learning rate.
        decay: weight decay, relative to the learning rate.
        seed: seed of everything random.
    """

    shape: ChanceShape = field(default_factory=ChanceShape)
    rows: int = 3_000_000
    share: float = 0.08
    batch: int = 256
    rate: float = 1.5e-3
    decay: float = 1e-2
    seed: int = 1


class ChanceFit(RowsFit):
    """A network being fitted."""

    def __init__(self, settings: Settings, recordings: Recordings) -> None:
        torch.manual_seed(settings.seed)
        net = ChanceNet(settings.shape)
        super().__init__(Descent(net, settings.rate, settings.decay, steady=STEADY), settings.rows, settings.seed)
        self.settings = settings
        self._recordings, self._share = recordings, settings.share

    def weights(self) -> ChanceWeights:
        """The running mean of the weights so far."""
        return ChanceWeights.of(self.settings.shape, self._descent.mean_arrays())

    def _chunks(self, hands: NDArray[np.int64], random: np.random.Generator) -> Iterator[ChanceRows]:
        for rows, _ in row_chunks(self._recordings, hands, self._share, int(random.integers(1 << 40))):
            yield rows

    def _nothing_done(self) -> None:
        """Take all moments from now on, unless they were taken: of a few hands a small share may be none."""
        if self._share == 1.0:
            super()._nothing_done()
        self._share = 1.0

    def _losses(self, chunk: ChanceRows, random: np.random.Generator) -> Iterator[Tensor]:
        order = random.permutation(len(chunk.planes))
        batch = min(self.settings.batch, len(order))
        for at in range(0, len(order) - batch + 1, batch) if batch else ():
            some = order[at : at + batch]
            planes, numbers, events, risks = lesson(chunk, some, random)
            nearer, won = planes[:, :, IMPROVES], planes[:, :, WAITED]
            weight = (planes[:, :, UNSEEN] > 0) * (1.0 + WANTED * nearer + WON_ON * won)
            shares = torch.from_numpy(shares_of(planes))
            with in_bfloat16(self._descent.device):
                odds, ends = self._descent.net(torch.from_numpy(planes), torch.from_numpy(numbers), shares)
            loss = loss_of(odds, events, risks, weight).sum() + ENDS_WEIGHT * loss_of_ends(ends, chunk.ends[some]).sum()
            yield self._follow(loss / len(planes), len(planes))


def lesson(
    rows: ChanceRows, some: NDArray[np.int64], random: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Planes, numbers, events and risks of some rows, with suits, dragons and ranks exchanged at random."""
    exchange = Exchange.drawn(random)
    kinds, info = exchange.kinds, rows.info[some]
    # a call is always of the tile on offer; a discard is not always said
    said = (info[:, C_TILE] >= 0) & ((info[:, C_NEXT] == CALLS) | (random.random(len(some)) >= UNSAID))
    tile34 = np.where(said, exchange.becomes[info[:, C_TILE]], -1)
    planes, numbers = with_choice(
        rows.planes[some][:, kinds], rows.numbers[some], info[:, C_NEXT], tile34, info[:, C_BEFORE]
    )
    return planes, numbers, rows.events[some][:, kinds], rows.risks[some][:, :, kinds]


def loss_of(odds: Tensor, events: NDArray[np.int8], risks: NDArray[np.uint8], weight: NDArray[Any]) -> Tensor:
    """(n, 34): minus the logarithm of the likelihood of what came.

    Args:
        odds: (n, 34, ACTORS, TURNS) logarithms of odds.
        events: (n, 34), the actor, -1 if the kind did not come.
        risks: (n, ACTORS, 34) number of turns at risk.
        weight: (n, 34) of each kind.
    """
    turns = torch.arange(TURNS)
    risk = torch.from_numpy(risks.astype(np.int64)).transpose(1, 2)
    at_risk = turns < risk[..., None]
    who = torch.from_numpy(events.astype(np.int64))
    came = (torch.arange(ACTORS) == who[..., None])[..., None] & (turns == risk[..., None] - 1)
    # log(1 + e^x) for every turn at risk, less x where the kind came
    each = functional.softplus(odds) * at_risk - odds * came
    found: Tensor = each.sum((2, 3)) * torch.from_numpy(weight)
    return found


def loss_of_ends(odds: Tensor, ends: NDArray[np.uint8]) -> Tensor:
    """(n,): minus the logarithm of the likelihood of how the hand ended.

    Args:
        odds: (n, ENDS, TURNS) logarithms of the odds of each.
        ends: (n, ENDS, 2), of :class:`engine.train.chance_kernels.ChanceRows`.
    """
    risk, ended = torch.from_numpy(ends.astype(np.int64)).unbind(2)
    turns = torch.arange(TURNS)
    came = (turns == risk[..., None] - 1) & (ended[..., None] > 0)
    found: Tensor = (functional.softplus(odds) * (turns < risk[..., None]) - odds * came).sum((1, 2))
    return found


def measure(network: Chances, recordings: Recordings, hands: NDArray[np.int64], rows: int) -> dict[str, Any]:
    """Figures of a network on the hands, from a bounded number of rows.

    ``loss``: minus the logarithm of the likelihood of the kinds that came, for a row; ``loss_of_shares``: of the tiles'
    shares of the unseen tiles; ``loss_of_ends``: of how the hand ended. ``bins``: for each actor, by the stated chance
    of a kind in a turn at risk, how often it was so stated, the mean of what was stated, and how often the kind came.
    """
    order = np.random.default_rng(0).permutation(hands)
    found = next(row_chunks(recordings, order, _SHARE, 1, rows + MOST_ROWS))[0]
    losses, heap = np.zeros(3), Heap()
    for at in range(0, len(found.planes), _AT_A_TIME):
        some = slice(at, at + _AT_A_TIME)
        info = found.info[some]
        planes, numbers = with_choice(
            found.planes[some], found.numbers[some], info[:, C_NEXT], info[:, C_TILE], info[:, C_BEFORE]
        )
        kinds, ends = network.chances(planes, numbers)
        chances = np.clip(kinds, 1e-7, 1 - 1e-7)
        counted = planes[:, :, UNSEEN] > 0
        shares = np.broadcast_to(shares_of(planes)[:, :, None, None], (*counted.shape, ACTORS, TURNS))
        for which, odds in enumerate((np.log(chances / (1 - chances)).transpose(0, 3, 1, 2), shares)):
            loss = loss_of(torch.from_numpy(odds.copy()), found.events[some], found.risks[some], counted)
            losses[which] += float(loss.sum())
        log_odds = torch.from_numpy(np.log(ends / (1 - ends)))
        losses[2] += float(loss_of_ends(log_odds, found.ends[some]).sum())
        risks = np.where(counted[:, None], found.risks[some], 0)
        turns = np.arange(TURNS)[None, None, :, None]
        last = turns == risks[:, :, None].astype(np.int64) - 1
        came = last & (found.events[some][:, None, None] == np.arange(ACTORS)[None, :, None, None])
        heap.add(stated=chances, at_risk=turns < risks[:, :, None], came=came)
    n = len(found.planes)
    return {
        "rows": n,
        "loss": round(float(losses[0]) / n, 4),
        "loss_of_shares": round(float(losses[1]) / n, 4),
        "loss_of_ends": round(float(losses[2]) / n, 4),
        "bins": {name: _bins(heap, actor) for actor, name in enumerate(("right", "across", "left", "own draw"))},
    }


_SHARE: Final = 0.05
_AT_A_TIME: Final = 512
BOUNDS: Final = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 1.0)
"""Upper bounds of the stated chances in the bins."""


def _bins(heap: Heap, actor: int) -> list[dict[str, float]]:
    """Of one actor: how often chances were stated in each bin, their mean, and how often the kind came."""
    at_risk = heap["at_risk"][:, actor]
    stated, came = heap["stated"][:, actor][at_risk], heap["came"][:, actor][at_risk]
    found = []
    for below, bound in pairwise((0.0, *BOUNDS)):
        some = (stated > below) & (stated <= bound)
        if some.any():
            means = {"stated": stated[some].mean(), "came": came[some].mean()}
            rounded = {name: round(float(mean), 5) for name, mean in means.items()}
            found.append({"to": bound, "n": int(some.sum()), **rounded})
    return found
