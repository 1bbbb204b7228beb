"""The outputs of a small net on sparse bits, in -> 100 -> 100 -> 2 with ReLU.

Only the rows of the first layer whose bits are set take part, so a river of ten tiles costs some forty rows of 5 476.
Loops run along the hidden units, which lie side by side in memory.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_kernel, allocating_part

Floats = NDArray[np.float32]


class Net(NamedTuple):
    """Weights of one net: ``first`` (inputs, hidden), ``second`` (hidden, hidden), ``third`` (hidden, 2), biases."""

    first: Array2[np.float32]
    first_bias: Floats
    second: Array2[np.float32]
    second_bias: Floats
    third: Array2[np.float32]
    third_bias: Floats


@allocating_part
def forward(net: Net, bits: NDArray[np.int64], hidden: Floats, above: Floats) -> float:
    """Fill ``hidden`` and ``above`` (after ReLU) for one input; the second output less the first."""
    size = hidden.shape[0]
    for j in range(size):
        hidden[j] = net.first_bias[j]
    for bit in bits:
        row = net.first[bit]
        for j in range(size):
            hidden[j] += row[j]
    for j in range(size):
        above[j] = net.second_bias[j]
    for i in range(size):
        value = hidden[i]
        if value > 0:
            row = net.second[i]
            for j in range(size):
                above[j] += value * row[j]
        else:
            hidden[i] = 0
    difference = net.third_bias[1] - net.third_bias[0]
    for j in range(size):
        if above[j] > 0:
            difference += above[j] * (net.third[j, 1] - net.third[j, 0])
        else:
            above[j] = 0
    return float(difference)


@allocating_kernel()
def logits(net: Net, starts: NDArray[np.int64], bits: NDArray[np.int64], out: Floats) -> None:
    """Logit of the second class of every input; input ``i`` has ``bits[starts[i] : starts[i + 1]]``."""
    hidden = np.empty(net.first_bias.shape[0], np.float32)
    above = np.empty_like(hidden)
    for i in range(out.shape[0]):
        out[i] = forward(net, bits[starts[i] : starts[i + 1]], hidden, above)


@allocating_kernel()
def kind_logits(
    nets: Net,
    codes: NDArray[np.int64],
    renames: NDArray[np.int64],
    net_of: NDArray[np.int64],
    seen: NDArray[np.int64],
    out: Floats,
) -> None:
    """Logit of every kind for one river, by nets that several kinds share, on ordered pairs of discards.

    Args:
        nets: weights with the net as first axis: ``first`` (nets, rows, hidden) and so on.
        codes: the river, see :mod:`engine.papers.waits.estimator`.
        renames: (kinds, 74) what each code becomes for the net of the kind.
        net_of: (kinds,) which net.
        seen: (74 * 74,) row of each pair in ``first``, -1 of those that are left out.
        out: (kinds,) filled.
    """
    width = renames.shape[1]
    size = nets.first_bias.shape[1]
    hidden = np.empty(size, np.float32)
    above = np.empty(size, np.float32)
    bits = np.empty(codes.shape[0] * codes.shape[0], np.int64)
    stamp = np.full(seen.shape[0], -1, np.int64)
    for kind in range(out.shape[0]):
        number = 0
        for i in range(codes.shape[0]):
            for j in range(i + 1, codes.shape[0]):
                pair = renames[kind, codes[i]] * width + renames[kind, codes[j]]
                if stamp[pair] != kind and seen[pair] >= 0:
                    stamp[pair] = kind
                    bits[number] = seen[pair]
                    number += 1
        own = net_of[kind]
        net = Net(
            nets.first[own],
            nets.first_bias[own],
            nets.second[own],
            nets.second_bias[own],
            nets.third[own],
            nets.third_bias[own],
        )
        out[kind] = forward(net, bits[:number], hidden, above)
