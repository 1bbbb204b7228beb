"""A small net on sparse bits, in -> 100 -> 100 -> 2 with ReLU: its outputs, and its training by Adam.

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


@allocating_part
def adam(weights: Floats, gradient: Floats, mean: Floats, square: Floats, rate: float, epsilon: float) -> None:
    """One step on a vector, which clears the gradient; ``rate`` and ``epsilon`` with bias correction in them."""
    for j in range(weights.shape[0]):
        g = gradient[j]
        m = np.float32(0.9) * mean[j] + np.float32(0.1) * g
        v = np.float32(0.999) * square[j] + np.float32(0.001) * g * g
        mean[j] = m
        square[j] = v
        # the operator / would check for zero and keep the loop from being vectorised
        weights[j] -= np.true_divide(np.float32(rate) * m, np.sqrt(v) + np.float32(epsilon))
        gradient[j] = 0


@allocating_kernel()
def train_epoch(
    net: Net,
    gradient: Net,
    mean: Net,
    square: Net,
    starts: NDArray[np.int64],
    bits: NDArray[np.int64],
    labels: NDArray[np.uint8],
    order: NDArray[np.int64],
    batch: int,
    step: int,
    rate: float,
    every_row: bool,
) -> tuple[int, float]:
    """One pass over ``order`` in batches, mean cross-entropy, Adam (0.9, 0.999, 1e-8).

    Rows of the first layer that a batch does not touch stay as they are unless ``every_row`` (lazy Adam).

    Returns:
        ``step`` after it, and the mean loss.
    """
    size = net.first_bias.shape[0]
    hidden = np.empty(size, np.float32)
    above = np.empty(size, np.float32)
    d_hidden = np.empty(size, np.float32)
    d_above = np.empty(size, np.float32)
    turned = np.empty((size, size), np.float32)
    touched = np.zeros(net.first.shape[0], np.uint8)
    rows = np.empty(net.first.shape[0], np.int64)
    total = 0.0
    for begin in range(0, order.shape[0], batch):
        end = min(begin + batch, order.shape[0])
        share = np.float32(1.0 / (end - begin))
        number = 0
        for i in range(size):
            for j in range(size):
                turned[j, i] = net.second[i, j]
        for place in range(begin, end):
            sample = order[place]
            own = bits[starts[sample] : starts[sample + 1]]
            logit = forward(net, own, hidden, above)
            label = labels[sample]
            p = 1.0 / (1.0 + np.exp(-logit))
            total -= np.log(max(p if label == 1 else 1.0 - p, 1e-12))
            d = np.float32(p - label) * share
            gradient.third_bias[1] += d
            gradient.third_bias[0] -= d
            for j in range(size):
                d_hidden[j] = 0
            for j in range(size):
                gradient.third[j, 1] += above[j] * d
                gradient.third[j, 0] -= above[j] * d
                d_above[j] = d * (net.third[j, 1] - net.third[j, 0]) if above[j] > 0 else np.float32(0)
            for j in range(size):
                gradient.second_bias[j] += d_above[j]
            for j in range(size):
                value = d_above[j]
                if value != 0:
                    row = turned[j]
                    for i in range(size):
                        d_hidden[i] += value * row[i]
            for i in range(size):
                value = hidden[i]
                if value > 0:
                    row = gradient.second[i]
                    for j in range(size):
                        row[j] += value * d_above[j]
                else:
                    d_hidden[i] = 0
            for j in range(size):
                gradient.first_bias[j] += d_hidden[j]
            for bit in own:
                if touched[bit] == 0:
                    touched[bit] = 1
                    rows[number] = bit
                    number += 1
                row = gradient.first[bit]
                for j in range(size):
                    row[j] += d_hidden[j]
        step += 1
        correction = np.sqrt(1.0 - 0.999**step)
        scaled = rate * correction / (1.0 - 0.9**step)
        epsilon = 1e-8 * correction
        if every_row:
            for bit in range(net.first.shape[0]):
                adam(net.first[bit], gradient.first[bit], mean.first[bit], square.first[bit], scaled, epsilon)
        else:
            for at in range(number):
                bit = rows[at]
                adam(net.first[bit], gradient.first[bit], mean.first[bit], square.first[bit], scaled, epsilon)
        for at in range(number):
            touched[rows[at]] = 0
        adam(net.first_bias, gradient.first_bias, mean.first_bias, square.first_bias, scaled, epsilon)
        for i in range(size):
            adam(net.second[i], gradient.second[i], mean.second[i], square.second[i], scaled, epsilon)
            adam(net.third[i], gradient.third[i], mean.third[i], square.third[i], scaled, epsilon)
        adam(net.second_bias, gradient.second_bias, mean.second_bias, square.second_bias, scaled, epsilon)
        adam(net.third_bias, gradient.third_bias, mean.third_bias, square.third_bias, scaled, epsilon)
    return step, total / max(order.shape[0], 1)
