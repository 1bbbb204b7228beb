"""The paper's wait models: its own example of the inputs, the net against a plain one, training, and the measure."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.events import Discard, Draw, StartKyoku, Win
from engine.model.tiles import EAST, HAKU, HONOURS, KINDS, KINDS37, allocate136, parse_tiles37
from engine.papers.waits.estimator import CODES, NET_OF, brought_first, pair_bits, renamed_codes, river_codes, set_bits
from engine.papers.waits.net_kernels import Net
from engine.papers.waits.samples import (
    CONDITIONS,
    WaitSamples,
    balanced,
    net_logits,
    only_common,
    sparse_rows,
)
from engine.rules.recordings import Split
from engine.state import RiverTile
from engine.train.fits import logistic
from engine.train.yardstick import score_kind
from tests.samples import parse_tile37

FIRST_OF = (*range(9), EAST, HAKU)
"""The kind whose name a network uses for all the kinds it serves."""


@pytest.fixture(scope="module")
def fitting():
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    return pytest.importorskip("engine.papers.waits.training")


def river(text, tsumogiri=True):
    return [RiverTile(tile, tsumogiri) for tile in allocate136(parse_tiles37(text))]


def test_the_papers_example():
    codes = river_codes(river("5m3p6s1z"))
    assert codes.tolist() == [4, 11, 23, 27]
    assert set_bits(codes).tolist() == [4, 11, 23, 27]
    assert pair_bits(codes).tolist() == [307, 319, 323, 837, 841, 1729]


def test_red_fives_and_tiles_from_the_hand_are_other_codes():
    assert river_codes(river("0p5p")).tolist() == [35, 13]
    assert river_codes(river("0p5p"), red_fives=False).tolist() == [13, 13]
    assert river_codes(river("1m7z0s", tsumogiri=False)).tolist() == [37, 70, 73]


def test_kinds_alike_by_the_rules_are_brought_to_one():
    for kind in range(KINDS):
        names = brought_first(kind)
        assert sorted(names) == list(range(KINDS))
        assert names[kind] == FIRST_OF[NET_OF[kind]]
    names = brought_first(parse_tile37("3s"))
    assert (names[parse_tile37("7s")], names[parse_tile37("7m")]) == (parse_tile37("7m"), parse_tile37("7s"))
    codes = renamed_codes(names)
    assert codes[36] == 34  # red 5s becomes red 5m
    assert codes[36 + KINDS37] == 34 + KINDS37
    assert renamed_codes(brought_first(30))[30] == EAST
    assert renamed_codes(brought_first(33))[33] == HAKU


def plain_logit(net, bits):
    hidden = np.maximum(net.first[bits].sum(axis=0) + net.first_bias, 0)
    above = np.maximum(hidden @ net.second + net.second_bias, 0)
    out = above @ net.third + net.third_bias
    return out[1] - out[0]


def torch_logits(fitting, net, rows):
    torch = pytest.importorskip("torch")

    bits, starts = (torch.from_numpy(part) for part in (rows.bits, rows.starts[:-1]))
    return fitting.WaitNet(net, lazy=True)(bits, starts).detach().numpy()


def test_the_net_is_the_plain_one(fitting):
    chance = np.random.default_rng(0)
    net = fitting.new_net(CODES, chance)
    rows = sparse_rows([chance.integers(0, CODES, 8) for _ in range(5)], pairs=False)
    expected = [plain_logit(net, rows.bits[a:b]) for a, b in zip(rows.starts, rows.starts[1:], strict=False)]
    assert net_logits(net, rows) == pytest.approx(expected, abs=1e-5)
    own = torch_logits(fitting, net, rows)
    assert own == pytest.approx(expected, abs=1e-5)


def plain_adam_step(net, rows, labels, rate=0.001):
    """One batch by numeric differences and the textbook's Adam, for a few weights of each array."""

    def loss(weights):
        logits = [plain_logit(weights, rows.bits[a:b]) for a, b in zip(rows.starts, rows.starts[1:], strict=False)]
        return float(np.mean([np.log1p(np.exp(-x if y else x)) for x, y in zip(logits, labels, strict=True)]))

    exact = Net(*(part.astype(np.float64) for part in net))
    steps = {}
    for name, part in exact._asdict().items():
        places = [(rows.bits[0], 3), (rows.bits[-1], 50)] if name == "first" else [(0,) * part.ndim, (1,) * part.ndim]
        for place in places:
            size = 1e-5
            part[place] += size
            above = loss(exact)
            part[place] -= 2 * size
            below = loss(exact)
            part[place] += size
            gradient = (above - below) / (2 * size)
            # the first step of Adam is the rate in the gradient's direction, but for epsilon
            steps[name, place] = -rate * gradient / (abs(gradient) + 1e-8)
    return steps


@pytest.mark.parametrize("lazy", [True, False])
def test_a_step_goes_down_the_gradient(fitting, lazy):
    chance = np.random.default_rng(3)
    rows = sparse_rows([chance.integers(0, CODES, 6) for _ in range(4)], pairs=False)
    labels = np.array([True, False, True, True])
    before = fitting.new_net(CODES, np.random.default_rng(4))
    net = fitting.train_net(rows, labels, CODES, 1, np.random.default_rng(4), lazy=lazy)
    for (name, place), moved in plain_adam_step(before, rows, labels).items():
        now = getattr(net, name)[place] - getattr(before, name)[place]
        if abs(moved) > 5e-4:  # where the gradient is all but nothing its sign is noise
            assert now == pytest.approx(moved, abs=5e-5), (name, place)
    untouched = np.setdiff1d(np.arange(CODES), rows.bits)
    assert (net.first[untouched] == before.first[untouched]).all()


def farthest_move_of_a_rare_bit(fitting, lazy, seed):
    """One of two batches has a river with bit 0: how far the weights of that bit move in an epoch, in steps."""
    rows = sparse_rows([np.array([int(at > 0)]) for at in range(2 * fitting.BATCH)], pairs=False)
    labels = np.arange(2 * fitting.BATCH) == 0
    before = fitting.new_net(CODES, np.random.default_rng(seed))
    net = fitting.train_net(rows, labels, CODES, 1, np.random.default_rng(seed), lazy=lazy)
    return np.abs(net.first - before.first)[0].max() / fitting.RATE


def test_only_adam_that_is_not_lazy_moves_on_what_a_batch_does_not_touch(fitting):
    assert max(farthest_move_of_a_rare_bit(fitting, True, seed) for seed in range(4)) < 1.01
    assert max(farthest_move_of_a_rare_bit(fitting, False, seed) for seed in range(4)) > 1.2


def test_a_net_learns_an_order_that_a_set_cannot_tell(fitting):
    chance = np.random.default_rng(5)
    rivers = [np.array([1, 2, 9] if i % 2 else [2, 1, 9]) for i in range(200)]
    labels = np.arange(200) % 2 == 1
    pairs = sparse_rows(rivers, pairs=True)
    predicted = net_logits(fitting.train_net(pairs, labels, CODES * CODES, 5, chance, lazy=True), pairs) > 0
    assert score_kind(predicted, labels).f1 == 1.0
    sets = sparse_rows(rivers, pairs=False)
    predicted = net_logits(fitting.train_net(sets, labels, CODES, 5, chance, lazy=False), sets) > 0
    assert predicted.all() or not predicted.any()


def test_scores_and_balance_by_hand():
    found = score_kind(np.array([1, 1, 1, 0, 0], bool), np.array([1, 0, 0, 1, 0], bool))
    assert (found.precision, found.recall, found.f1) == pytest.approx((1 / 3, 1 / 2, 0.4))
    labels = np.array([True] * 30 + [False] * 300)
    chosen = balanced(labels, 20, np.random.default_rng(0))
    assert (labels[chosen].sum(), len(set(chosen)), len(chosen)) == (20, 40, 40)
    assert len(balanced(labels, 1_000, np.random.default_rng(0))) == 60


def test_rare_pairs_are_left_out_and_the_others_renumbered():
    rows = sparse_rows([np.array([1, 2, 3]), np.array([3, 2])], pairs=True)
    rows_of = np.full(CODES * CODES, -1)
    rows_of[1 * CODES + 3], rows_of[3 * CODES + 2] = 0, 1
    kept = only_common(rows, rows_of)
    assert (kept.starts.tolist(), kept.bits.tolist()) == ([0, 1, 2], [0, 1])


def test_a_curve_finds_the_chances():
    chance = np.random.default_rng(2)
    scores = chance.normal(size=20_000)
    truth = chance.random(20_000) < 1 / (1 + np.exp(-(0.7 * scores - 2.0)))
    slope, offset = logistic(scores, truth)
    assert (slope, offset) == pytest.approx((0.7, -2.0), abs=0.07)


def win(seat, hand, tile, from_seat):
    return Win(seat, from_seat, tile, (0, 0, 0, 0), concealed=tuple(sorted((*hand, tile))))


def test_samples_are_rivers_of_winners_with_waits_worked_out_again():
    hand = allocate136(parse_tiles37("123456m345p22s68s"))
    samples = WaitSamples()
    start = StartKyoku(0, 0, 0, 0, 130, (25_000,) * 4, (hand,) * 4)
    seven = allocate136(parse_tiles37("7s"))[0]
    for split in (Split.TRAIN, Split.TEST):
        events = [start, Draw(1, 120), Discard(1, 120, True), Draw(1, 0), Discard(1, 3, False), win(1, hand, seven, 2)]
        samples.observe(events, split)
    samples.observe([start, win(0, hand, seven, 0)], Split.TRAIN)  # no river to read
    assert len(samples.codes) == 2
    assert samples.codes[0].tolist() == [30, 37]
    assert np.flatnonzero(samples.waits[0]).tolist() == [seven // 4]
    assert samples.chosen((Split.TEST,)).tolist() == [1]
    assert samples.chosen((Split.TEST,), discards=3).tolist() == []


def test_a_kind_is_trained_on_one_part_and_judged_on_the_other(fitting):
    chance = np.random.default_rng(7)
    samples = WaitSamples()
    for _ in range(400):
        waits = np.zeros(KINDS, bool)
        waits[HONOURS] = chance.random() < 0.3
        rest = chance.integers(0, 20, 6)
        samples.codes.append(np.array([*rest, 40 if waits[HONOURS] else 41]))
        samples.waits.append(waits)
        samples.splits.append(Split.TEST if chance.random() < 0.3 else Split.TRAIN)
    for condition in CONDITIONS[:2]:
        (done,) = fitting.run_kinds(samples, condition, [HONOURS], epochs=12, seed=0)
        assert done.score.f1 > 0.8
        assert done.score.tested == len(samples.chosen((Split.TEST,)))
        assert [done] == fitting.run_kinds(samples, condition, [HONOURS], epochs=12, seed=0)


def test_kinds_that_share_a_net_learn_from_each_other(fitting):
    """A player who discards a 2 waits on the 1 of that suit; in training only manzu and pinzu were seen."""
    samples = WaitSamples()
    chance = np.random.default_rng(11)
    for i in range(600):
        suit, waits = i % 3, np.zeros(KINDS, bool)
        waits[9 * suit] = chance.random() < 0.5
        samples.codes.append(np.array([9 * suit + (1 if waits[9 * suit] else 7), *chance.integers(27, 34, 5)]))
        samples.waits.append(waits)
        samples.splits.append(Split.TEST if suit == 2 else Split.TRAIN)
    done = fitting.run_kinds(samples, CONDITIONS[0], [0, 9, 18], epochs=12, seed=0)
    assert [each.kind for each in done] == [0, 9, 18]
    assert done[2].score.f1 > 0.8
    assert done[2].samples == done[0].samples > len(samples.chosen((Split.TRAIN,)))
