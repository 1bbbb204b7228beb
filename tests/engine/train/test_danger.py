"""Fitting the danger network: gradients, recordings kept on disk, and a fit that finds what is there to find."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.events import Draw, StartGame, StartKyoku
from engine.model.rules import Rules
from engine.opponents import network
from engine.opponents.layout_kernels import FEATURES
from engine.opponents.network import Blocks, Shape, blocks_of, forward
from engine.rules.codes import HiddenTileError
from engine.rules.recordings import GameColumn, HouseRulesError, Recordings, Split, encode_game, held_back, split_of
from engine.rules.table_kernels import IS_CHI
from engine.train import dataset
from engine.train.danger import DangerSettings, Truth, calibrate, fit, gradients, measure, mirror, start
from engine.train.dataset import Archive
from engine.train.outcomes import fit_outcomes, measure_outcomes, moments_of

SMALL = Shape(16, 12, 8, 8, 16, 16)
GAMES = 60


def test_gradients_are_those_of_the_loss():
    random = np.random.default_rng(3)
    n = 6
    flat = start(SMALL, 1)
    weights = SMALL.named(flat)
    blocks = blocks_of(random.random((n, FEATURES)).astype(np.float32))
    chances = [(random.random((n, 34)) < share).astype(np.float32) for share in (0.8, 0.1, 0.1)]
    points = (chances[2] * random.random((n, 34)) * 8).astype(np.float32)
    truth = Truth(chances[0], chances[1], chances[2], points, (random.random(n) < 0.5).astype(np.float32))
    gradient = np.zeros_like(flat)
    gradients(weights, SMALL.named(gradient), blocks, truth)
    spare = SMALL.named(np.zeros_like(flat))
    for direction in range(6):
        step = random.standard_normal(len(flat)).astype(np.float32) * (np.abs(gradient) > 0)
        step *= 3e-3 / np.linalg.norm(step)
        up = gradients(SMALL.named(flat + step), spare, blocks, truth)
        down = gradients(SMALL.named(flat - step), spare, blocks, truth)
        assert up - down == pytest.approx(2 * float(gradient @ step), rel=0.05, abs=2e-5), direction


def test_suits_are_treated_alike():
    flat = start(SMALL, 1)
    blocks = blocks_of(np.random.default_rng(5).random((2, FEATURES)).astype(np.float32))
    turned = Blocks(blocks.suits.reshape(2, 3, -1)[:, [1, 2, 0]].reshape(6, -1).copy(), blocks.honours, blocks.globals)
    plain = forward(SMALL.named(flat), blocks)
    again = forward(SMALL.named(flat), turned)
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
    truth = Truth(*(np.tile(np.arange(34, dtype=np.float32), (3, 1)) for _ in range(4)), np.zeros(3, np.float32))
    mirror(blocks, truth, np.array([[True, False, False]] * 3))
    expected = network.features_of(mirrored_view(views)).features
    for one, other in zip(blocks, blocks_of(expected), strict=True):
        assert np.array_equal(one, other)
    assert truth.waits[0].tolist() == [*range(8, -1, -1), *range(9, 34)]


def test_a_game_held_back_is_for_the_test_and_all_parts_are_there():
    ids = [f"2017010100gm-00a9-0000-{number:08x}" for number in range(4_000)]
    parts = [split_of(name) for name in ids]
    assert all((part is Split.TEST) == held_back(name) for name, part in zip(ids, parts, strict=True))
    assert 0.03 < parts.count(Split.VALIDATION) / len(ids) < 0.06


def deal(hands):
    return StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, hands)


def test_games_with_hidden_hands_or_rules_of_their_own_are_refused():
    hands = tuple(tuple(range(13 * seat, 13 * seat + 13)) for seat in range(4))
    with pytest.raises(HiddenTileError):
        encode_game("a", [StartGame(Rules()), deal((hands[0], None, None, None))])
    with pytest.raises(HiddenTileError):
        encode_game("a", [StartGame(Rules()), deal(hands), Draw(0, None)])
    with pytest.raises(HouseRulesError):
        encode_game("a", [StartGame(Rules(red_fives=False)), deal(hands)])
    assert len(encode_game("a", [StartGame(Rules()), deal(hands), Draw(0, 60)]).kyoku) == 0  # it does not end


@pytest.fixture(scope="module")
def recordings(corpus):
    from itertools import islice  # noqa: PLC0415

    from protocol.logs.formats import read_log  # noqa: PLC0415
    from protocol.logs.sources import open_logs  # noqa: PLC0415

    logs = [read_log(file) for file in islice(open_logs([corpus / "houou-hanchan-00.tar.xz"]), 60, 60 + GAMES)]
    return Recordings.concatenate([encode_game(log.info.log_id, log.events) for log in logs])


@pytest.mark.corpus
def test_recordings_come_back_from_disk_and_a_double_is_kept_once(recordings, tmp_path):
    archive = Archive(recordings, ("one.xml: broken",))
    dataset.keep("some", archive, tmp_path)
    again = dataset.load("some", tmp_path)
    assert again is not None
    assert again.skipped == archive.skipped
    for one, other in zip(vars(recordings).values(), vars(again.recordings).values(), strict=True):
        assert np.array_equal(one, other)
    twice = dataset.concatenate([archive, again])
    parts = twice.recordings.games[:, GameColumn.SPLIT]
    assert (parts[: len(recordings.ids)] >= 0).all()
    assert (parts[len(recordings.ids) :] < 0).all()
    (tmp_path / "some.npz").write_bytes(b"PK\x03\x04")
    assert dataset.load("some", tmp_path) is None
    assert dataset.load("other", tmp_path) is None


def test_the_name_of_a_folder_changes_with_what_is_in_it(tmp_path):
    (tmp_path / "a.xml").write_text("one")
    first = dataset.digest_of(tmp_path)
    assert dataset.digest_of(tmp_path) == first
    assert dataset.digest_of(tmp_path, games=5) != first
    (tmp_path / "a.xml").write_text("two")
    assert dataset.digest_of(tmp_path) != first
    with pytest.raises(OSError, match="missing"):
        dataset.digest_of(tmp_path / "missing")


@pytest.mark.corpus
@pytest.mark.slow
def test_a_small_fit_learns_and_is_the_same_again(recordings):
    hands = np.arange(len(recordings.kyoku))
    settings = DangerSettings(SMALL, epochs=2, keep=(0.6, 0.2, 0.05), batch=128, rate=4e-3)
    seen = []
    weights, log = fit(recordings, hands[:-80], settings, seen.append)
    assert log[-1]["loss"] < 0.9 * log[0]["loss"]
    assert seen[-1].hands == seen[-1].of == 2 * (len(hands) - 80)
    once, again = (fit(recordings, hands[:60], settings)[0].digest() for _ in range(2))
    assert once == again
    fitted = calibrate(weights, recordings, hands[:-80], (0.5, 0.2, 0.1))
    assert fitted.calibration[0, 4] == 1.0  # tenpai in riichi is no question
    found = measure(fitted, recordings, hands[-80:], 0.5)
    assert found["held"]["all"]["auc"] > 0.8
    assert found["held"]["all"]["n"] > 10_000
    assert found["discarded"]["riichi"]["log_loss"] < 0.3
    assert 3_000 < found["points"]["riichi"]["said"] < 10_000
    moments = moments_of(recordings, hands[:-80], fitted, 0.3)
    tables = fit_outcomes(moments)
    assert tables.win[0].mean() > tables.win[2].mean()  # a riichi wins more often
    assert (tables.tsumo > 0.2).all()
    ends = measure_outcomes(tables, moments)
    assert ends["log_loss"] < ends["log_loss_of_the_mean"]
