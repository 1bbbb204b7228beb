"""Fitting the danger network; needs torch, and is skipped, saying so, without it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.opponents import network
from engine.opponents.layout_kernels import FEATURES
from engine.opponents.network import Blocks, Shape, blocks_of, forward, shipped_weights
from engine.rules.recordings import Recordings, encode_game
from engine.rules.table_kernels import IS_CHI
from tests.engine.critic.games import simple_games

torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
fitting = pytest.importorskip("engine.train.danger")
outcomes = pytest.importorskip("engine.train.outcomes")

SMALL = Shape(16, 12, 8, 8, 16, 16)
GAMES = 60


def rows_of(n, seed=3):
    """Made-up rows: blocks and their truth."""
    random = np.random.default_rng(seed)
    blocks = blocks_of(random.random((n, FEATURES)).astype(np.float32))
    passable, waits, deals = ((random.random((n, 34)) < share).astype(np.float32) for share in (0.8, 0.1, 0.1))
    points = (deals * random.random((n, 34)) * 8).astype(np.float32)
    return blocks, fitting.Truth(passable, waits, deals, points, (random.random(n) < 0.5).astype(np.float32))


def weights_in(net):
    return {name: value.detach().numpy() for name, value in net.weights.items()}


@pytest.mark.parametrize("fitted", [False, True])
def test_the_passes_in_torch_and_in_numpy_are_the_same(fitted):
    torch.manual_seed(1)
    weights = shipped_weights()
    net = fitting.DangerNet(weights.shape if fitted else SMALL)
    if fitted:
        net.load_state_dict({f"weights.{name}": torch.from_numpy(each) for name, each in weights.arrays().items()})
    blocks, _ = rows_of(20)
    with torch.no_grad():
        kinds, tenpai = net(*(torch.from_numpy(each) for each in blocks))
    expected = forward(weights_in(net), blocks)
    np.testing.assert_allclose(kinds.numpy(), expected.kinds, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(tenpai.numpy(), expected.tenpai, rtol=1e-4, atol=1e-4)


def test_the_loss_is_that_of_the_definition():
    """Log losses of deal-ins, waits and tenpai, and the gamma deviance of points, each with its weight."""
    _, truth = rows_of(6)
    random = np.random.default_rng(5)
    kinds, tenpai = random.normal(0, 1, (6, 34, 3)), random.normal(0, 1, 6)
    expected = 0.0
    for row in range(6):
        for kind in range(34):
            wait, deal, value = kinds[row, kind]
            p, q = 1 / (1 + np.exp(-deal)), 1 / (1 + np.exp(-wait))
            if truth.open[row, kind]:
                expected -= np.log(p if truth.deals[row, kind] else 1 - p)
            expected -= 0.3 * np.log(q if truth.waits[row, kind] else 1 - q)
            if truth.deals[row, kind]:
                expected += 0.1 * (truth.points[row, kind] / np.exp(value) + value)
        p = 1 / (1 + np.exp(-tenpai[row]))
        expected -= np.log(p if truth.tenpai[row] else 1 - p)
    loss = fitting.loss_of(torch.tensor(kinds).float(), torch.tensor(tenpai).float(), truth)
    assert float(loss) == pytest.approx(expected / 6, rel=1e-4)


def test_a_first_network_says_what_is_usual():
    torch.manual_seed(1)
    blocks, _ = rows_of(200)
    said = forward(weights_in(fitting.DangerNet(Shape())), blocks)
    assert said.kinds.mean(axis=(0, 1)) == pytest.approx([-4.0, -4.0, 1.5], abs=0.2)
    assert said.tenpai.mean() == pytest.approx(-1.5, abs=0.3)
    assert 0 < said.kinds.std(axis=0).mean() < 0.5


def test_a_fit_goes_down_and_is_the_same_again():
    games = [encode_game(f"game{at}", game.events) for at, game in enumerate(simple_games(3))]
    recordings = Recordings.concatenate(games)
    hands = np.arange(len(recordings.kyoku))
    settings = fitting.DangerSettings(SMALL, epochs=6, keep=(1.0, 1.0, 1.0), batch=32, rate=4e-3)
    seen = []
    weights, log = fitting.fit(recordings, hands, settings, lambda *told: seen.append(told))
    assert [entry["epoch"] for entry in log] == [1, 2, 3, 4, 5, 6]
    assert log[-1]["loss"] < 0.9 * log[0]["loss"]
    assert seen[-1][:2] == (6 * len(hands), log[-1]["rows"])
    short = [fitting.DangerSettings(SMALL, epochs=1, keep=(0.5, 0.5, 0.5), seed=seed) for seed in (1, 1, 2)]
    digests = [fitting.fit(recordings, hands, each)[0].digest() for each in short]
    assert digests[0] == digests[1] != digests[2]
    again = network.read_weights(weights.to_bytes(), "it")
    assert again.digest() == weights.digest()


def test_suits_are_treated_alike():
    weights = weights_in(fitting.DangerNet(SMALL))
    blocks = blocks_of(np.random.default_rng(5).random((2, FEATURES)).astype(np.float32))
    turned = Blocks(blocks.suits.reshape(2, 3, -1)[:, [1, 2, 0]].reshape(6, -1).copy(), blocks.honours, blocks.globals)
    plain = forward(weights, blocks)
    again = forward(weights, turned)
    assert again.kinds[:, :9] == pytest.approx(plain.kinds[:, 9:18], abs=1e-5)
    assert again.tenpai == pytest.approx(plain.tenpai, abs=1e-5)


def mirrored_view(views):
    """The table on which man are counted from 9 down to 1."""

    def turn(kind):
        return 8 - kind if 0 <= kind < 9 else kind

    twins = views.copy()
    view, twin = views[0], twins[0]
    for seat in range(4):
        for at in range(view.lengths[seat]):
            twin.river_kinds[seat, at] = turn(view.river_kinds[seat, at])
        for at in range(view.melds[seat]):
            low = view.meld_lows[seat, at]
            twin.meld_lows[seat, at] = turn(low) - 2 * (view.meld_kinds[seat, at] == IS_CHI and low < 9)
            twin.meld_called[seat, at] = turn(view.meld_called[seat, at])
    for array in (twin.visible, twin.hand, twin.dora):
        array[:9] = array[8::-1].copy()
    return twins


@pytest.mark.parametrize("number", range(4))
def test_a_mirrored_row_is_that_of_the_mirrored_table(number):
    views = network._made_up(number)
    blocks = blocks_of(network.features_of(views).features)
    truth = fitting.Truth(
        *(np.tile(np.arange(34, dtype=np.float32), (3, 1)) for _ in range(4)), np.zeros(3, np.float32)
    )
    fitting.mirror(blocks, truth, np.array([[True, False, False]] * 3))
    expected = network.features_of(mirrored_view(views)).features
    for one, other in zip(blocks, blocks_of(expected), strict=True):
        assert np.array_equal(one, other)
    assert truth.waits[0].tolist() == [*range(8, -1, -1), *range(9, 34)]


@pytest.fixture(scope="module")
def recordings(corpus):
    from itertools import islice  # noqa: PLC0415

    from bot.logs.sources import open_logs  # noqa: PLC0415
    from protocol.logs.formats import read_log  # noqa: PLC0415

    logs = [read_log(file) for file in islice(open_logs([corpus / "houou-hanchan-00.tar.xz"]), 60, 60 + GAMES)]
    return Recordings.concatenate([encode_game(log.info.log_id, log.events) for log in logs])


@pytest.mark.corpus
@pytest.mark.slow
def test_a_small_fit_finds_what_is_there_to_find(recordings):
    hands = np.arange(len(recordings.kyoku))
    settings = fitting.DangerSettings(SMALL, epochs=2, keep=(0.6, 0.2, 0.05), batch=128, rate=4e-3)
    weights, log = fitting.fit(recordings, hands[:-80], settings)
    assert log[-1]["loss"] < 0.9 * log[0]["loss"]
    fitted = fitting.calibrate(weights, recordings, hands[:-80], (0.5, 0.2, 0.1))
    assert fitted.calibration[0, 4] == 1.0  # tenpai in riichi is no question
    found = fitting.measure(fitted, recordings, hands[-80:], 0.5)
    assert found["held"]["all"]["auc"] > 0.8
    assert found["held"]["all"]["n"] > 10_000
    assert found["discarded"]["riichi"]["log_loss"] < 0.3
    assert 3_000 < found["points"]["riichi"]["said"] < 10_000
    moments = outcomes.moments_of(recordings, hands[:-80], fitted, 0.3)
    tables = outcomes.fit_outcomes(moments)
    assert tables.win[0].mean() > tables.win[2].mean()  # a riichi wins more often
    assert (tables.tsumo > 0.2).all()
    ends = outcomes.measure_outcomes(tables, moments)
    assert ends["log_loss"] < ends["log_loss_of_the_mean"]
