"""The training and evaluation of the wait networks, condition by condition. Only this module needs torch."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from engine.model.tiles import HONOURS
from engine.papers.waits.estimator import CODES, NET_OF, PAIRS, RENAMES
from engine.papers.waits.net_kernels import Net
from engine.papers.waits.samples import (
    Condition,
    SparseRows,
    WaitSamples,
    grouped_samples,
    net_logits,
    only_common,
    sparse_rows,
)
from engine.rules.recordings import Split
from engine.train.yardstick import KindScore, score_kind

HIDDEN: Final = 100
PAPER_EPOCHS: Final = 50
EPOCHS: Final = 1
"""Number of epochs. The paper trains for 50, but from the second on the log loss of other games rises: the networks
have then memorised their samples, and their scores mean less and less."""
BATCH: Final = 16
RATE: Final = 0.001
"""Learning rate of Adam, the default of the framework that the paper used."""
LEARNT: Final = 0.005
"""Mean loss (nats) below which a network has memorised its samples and training stops."""
NUMBER_SAMPLES: Final = 40_000
HONOUR_SAMPLES: Final = 10_000
"""Maximum number of positive samples of an honour, and of negative ones."""


class WaitNet(nn.Module):  # type: ignore[misc]
    """The network in torch. Its weights share their memory with the arrays that it begins with."""

    def __init__(self, net: Net, *, lazy: bool) -> None:
        super().__init__()
        self.lazy = lazy
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(torch.from_numpy(part)) for name, part in net._asdict().items()}
        )

    def forward(self, bits: Tensor, starts: Tensor) -> Tensor:
        """(n,) score of each input, as log-odds; input ``i`` has the bits from ``starts[i]`` on."""
        w = self.weights
        first = functional.embedding_bag(bits, w["first"], starts, mode="sum", sparse=self.lazy)
        hidden = functional.relu(first + w["first_bias"])
        above = functional.relu(hidden @ w["second"] + w["second_bias"])
        classes = above @ w["third"] + w["third_bias"]
        return classes[:, 1] - classes[:, 0]

    def optimisers(self) -> list[torch.optim.Optimizer]:
        """Adam for every weight; if lazy, one for the first layer that moves only the rows that a batch touches."""
        if not self.lazy:
            return [torch.optim.Adam(self.parameters(), RATE, fused=True)]
        others = [part for name, part in self.weights.items() if name != "first"]
        return [torch.optim.SparseAdam([self.weights["first"]], RATE), torch.optim.Adam(others, RATE, fused=True)]


def new_net(inputs: int, rng: np.random.Generator) -> Net:
    """An untrained network, initialised as by the paper's framework: normal weights of variance 1 / inputs, no bias."""

    def normal(rows: int, columns: int) -> NDArray[np.float32]:
        weights: NDArray[np.float32] = (rng.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)
        return weights

    zero = np.zeros(HIDDEN, np.float32)
    return Net(
        normal(inputs, HIDDEN), zero, normal(HIDDEN, HIDDEN), zero.copy(), normal(HIDDEN, 2), np.zeros(2, np.float32)
    )


def train_net(
    rows: SparseRows, labels: NDArray[np.bool_], inputs: int, epochs: int, rng: np.random.Generator, *, lazy: bool
) -> Net:
    """Train one network on all rows for that many epochs, or until it has memorised them.

    With ``lazy``, Adam leaves alone those rows of the first layer that a batch does not touch.
    """
    torch.set_num_threads(1)  # a batch is too small to share
    found = new_net(inputs, rng)
    net = WaitNet(found, lazy=lazy)
    optimisers = net.optimisers()
    for _ in range(epochs):
        order = rng.permutation(len(labels))
        total = 0.0
        for begin in range(0, len(order), BATCH):
            chosen = order[begin : begin + BATCH]
            bits, starts = _batch(rows, chosen)
            truth = torch.from_numpy(labels[chosen].astype(np.float32))
            loss = functional.binary_cross_entropy_with_logits(net(bits, starts), truth)
            for each in optimisers:
                each.zero_grad()
            loss.backward()
            for each in optimisers:
                each.step()
            total += len(chosen) * loss.item()
        if total < LEARNT * len(order):
            break
    return found


def _batch(rows: SparseRows, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
    """The bits of some inputs, one after another, and where each input begins among them."""
    begins, lengths = rows.starts[chosen], np.diff(rows.starts)[chosen]
    starts = np.cumsum(lengths) - lengths
    at = np.arange(lengths.sum()) + np.repeat(begins - starts, lengths)
    return torch.from_numpy(rows.bits[at]), torch.from_numpy(starts)


class Trained(NamedTuple):
    """One kind under one condition: its scores, and the number of samples (both classes) its network was trained on."""

    condition: str
    kind: int
    score: KindScore
    samples: int


def run_kinds(
    samples: WaitSamples, condition: Condition, kinds: Sequence[int], epochs: int, seed: int
) -> list[Trained]:
    """Train one network for some kinds (in the paper always one) and evaluate it on each. Deterministic."""
    rng = np.random.default_rng([seed, ord(condition.name), *kinds])
    fit = samples.chosen((Split.TRAIN, Split.VALIDATION), condition.discards)
    test = samples.chosen((Split.TEST,), condition.discards)
    most = HONOUR_SAMPLES if min(kinds) >= HONOURS else NUMBER_SAMPLES
    rivers, labels = grouped_samples(samples, fit, kinds, most, rng)
    inputs = PAIRS if condition.pairs else CODES
    net = train_net(sparse_rows(rivers, condition.pairs), labels, inputs, epochs, rng, lazy=condition.pairs)
    done = []
    for kind in kinds:
        rows = sparse_rows([RENAMES[kind][samples.codes[i]] for i in test], condition.pairs)
        truth = np.array([samples.waits[i][kind] for i in test], bool)
        done.append(Trained(condition.name, kind, score_kind(net_logits(net, rows) > 0, truth), len(labels)))
    return done


def fit_net(samples: WaitSamples, which: int, rows_of: NDArray[np.int64], seed: int) -> Net:
    """Train one shared network on the games of the training split."""
    rng = np.random.default_rng([seed, which])
    kinds = np.flatnonzero(which == NET_OF).tolist()
    rivers, labels = grouped_samples(samples, samples.chosen((Split.TRAIN,)), kinds, NUMBER_SAMPLES, rng)
    rows = only_common(sparse_rows(rivers, pairs=True), rows_of)
    return train_net(rows, labels, int(rows_of.max()) + 1, EPOCHS, rng, lazy=True)
