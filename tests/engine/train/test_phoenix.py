"""Fitting the network that imitates; needs torch, and is skipped, saying so, without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.model.events import StartGame
from engine.networks.exchanges import Exchange
from engine.networks.imitation import Shape, shipped_network
from engine.networks.imitation_layout_kernels import A_CALLS, CALL_HIGH, WHO_OTHER, WHO_PROGRAM, WHO_TOKUJOU
from engine.rules.recordings import Recordings, encode_game
from engine.train.fits import NothingToLearnError, decision_chunks, who_of
from engine.train.scores import HEADS, measure
from tests.games import game_of

torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
fitting = pytest.importorskip("engine.train.phoenix")

SETTINGS = {"keep": ((1.0, 1.0),) * 4, "batch": 64, "shape": Shape(16, 2, 16)}


@pytest.fixture(scope="module")
def recordings():
    games = [game_of("simple", seed) for seed in range(3)]
    return Recordings.concatenate([encode_game(str(number), game.events) for number, game in enumerate(games)])


def hands(recordings):
    return np.arange(len(recordings.kyoku))


def test_torch_and_numpy_answer_alike(recordings):
    fit = fitting.Fit(fitting.PhoenixFitSettings(**SETTINGS))
    rows, _ = next(decision_chunks(recordings, hands(recordings), size=2_000))
    weights = fit.weights()
    logs, _ = weights.network().log_chances(rows.planes[:64], rows.numbers[:64], rows.questions[:64])
    net = fitting.PhoenixNet(SETTINGS["shape"])
    net.load_state_dict({f"weights.{name}": torch.from_numpy(array) for name, array in weights.arrays().items()})
    offered = np.maximum(rows.questions[:64, 1], 0)
    with torch.no_grad():
        logits, _ = net(*(torch.from_numpy(array) for array in (rows.planes[:64], rows.numbers[:64], offered)))
    legal = np.isfinite(logs)
    theirs = np.where(legal, logits.numpy(), -np.inf)
    theirs -= np.log(np.exp(theirs).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(np.exp(theirs), np.exp(logs), atol=1e-5)


@pytest.mark.parametrize("shape", [Shape(16, 4, 16), Shape(24, 2, 16), Shape(40, 3, 32)])
def test_a_larger_network_begins_as_the_same_function_and_learns(recordings, shape):
    small = fitting.Fit(fitting.PhoenixFitSettings(**SETTINGS)).weights()
    fit = fitting.Fit(fitting.PhoenixFitSettings(**SETTINGS | {"shape": shape, "decisions": 640}), small)
    assert fit.settings.start == small.digest()
    rows, _ = next(decision_chunks(recordings, hands(recordings), size=500))
    inputs = rows.planes, rows.numbers, rows.questions
    first = fit.weights()
    np.testing.assert_allclose(
        first.network().log_chances(*inputs)[0], small.network().log_chances(*inputs)[0], atol=1e-3
    )
    fit.run(recordings, hands(recordings), print)
    learned, grown = fit.weights().arrays(), first.arrays()
    width = SETTINGS["shape"].channels
    if shape.channels > width:  # what is new is read by what was there, and by the outputs
        assert (grown["answer"][:, width:] == 0).all()
        assert (learned["answer"][:, width:] != 0).any(axis=0).all()
        assert (learned["back0"][:width, width:] != 0).any()
    if shape.blocks > SETTINGS["shape"].blocks:
        assert (grown["back2"] == 0).all()
        assert (learned["back2"] != 0).any()


def test_too_few_decisions_for_one_step_are_refused(recordings):
    fit = fitting.Fit(fitting.PhoenixFitSettings(**SETTINGS | {"batch": 100_000}))
    with pytest.raises(NothingToLearnError, match="100000 decisions"):
        fit.run(recordings, hands(recordings), print)


def test_it_learns_and_goes_on_where_it_stopped(recordings, tmp_path):
    before = measure(
        fitting.Fit(fitting.PhoenixFitSettings(**SETTINGS)).weights().network(),
        recordings,
        hands(recordings),
        WHO_OTHER,
    )
    fit = fitting.Fit(fitting.PhoenixFitSettings(**SETTINGS, decisions=8_000))
    reports = []
    fit.run(recordings, hands(recordings), lambda _: reports.append(fit.done))
    after = measure(fit.weights().network(), recordings, hands(recordings), WHO_OTHER)
    assert set(after) == set(HEADS)
    assert after["discard"]["log_loss"] < 0.7 * before["discard"]["log_loss"]
    assert reports == [6_400]
    fit.save(tmp_path / "checkpoint")
    more = fitting.Fit.resumed(tmp_path / "checkpoint", 9_000)
    assert more.done == fit.done
    assert more.weights().digest() == fit.weights().digest()
    assert fitting.Fit.resumed(tmp_path / "checkpoint", 9_000, 1e-4).settings.rate == 1e-4
    more.run(recordings, hands(recordings), print)
    assert more.done >= 9_000
    again = fitting.Fit(fitting.PhoenixFitSettings(**SETTINGS), fit.weights())
    assert again.weights().digest() == fit.weights().digest()


class StoppedError(Exception):
    pass


def test_a_fit_that_was_stopped_goes_on_as_if_it_had_not_been(recordings, tmp_path):
    settings = fitting.PhoenixFitSettings(**SETTINGS, decisions=9_000)
    whole = fitting.Fit(settings)
    whole.run(recordings, hands(recordings), lambda _: None)
    fit = fitting.Fit(settings)

    def stop(_):
        fit.save(tmp_path / "checkpoint")
        raise StoppedError

    with pytest.raises(StoppedError):
        fit.run(recordings, hands(recordings), stop)
    assert fit.taken > 0, "stopped amid a chunk"
    more = fitting.Fit.resumed(tmp_path / "checkpoint", 9_000)
    assert (more.done, more.place, more.taken) == (fit.done, fit.place, fit.taken)
    more.run(recordings, hands(recordings), lambda _: None)
    assert (more.done, more.epochs) == (whole.done, whole.epochs)
    assert more.weights().digest() == whole.weights().digest()


def test_a_fit_to_the_chances_of_other_weights_is_not_gone_on_with(tmp_path):
    fit = fitting.Fit(fitting.PhoenixFitSettings(**SETTINGS))
    fit.save(tmp_path / "checkpoint")
    kept = torch.load(tmp_path / "checkpoint", weights_only=True)
    for taught, goes_on in (("", True), ("0123456789abcdef", False)):
        kept["settings"]["teacher"] = taught
        torch.save(kept, tmp_path / "earlier")
        if goes_on:
            assert fitting.Fit.resumed(tmp_path / "earlier", 9_000).weights().digest() == fit.weights().digest()
        else:
            with pytest.raises(fitting.CheckpointError, match="commit 22671543"):
                fitting.Fit.resumed(tmp_path / "earlier", 9_000)


@pytest.mark.parametrize("seed", range(4))
def test_exchanged_suits_and_ranks_leave_the_answers_what_they_are(recordings, seed):
    rows, _ = next(decision_chunks(recordings, hands(recordings), size=2_000))
    some = np.arange(200)
    exchange = Exchange.drawn(np.random.default_rng(seed))
    planes, _, legal, answers, offered, _ = fitting.prepared(rows, some, exchange)
    assert legal[some, answers].all()
    held = rows.planes[:200, :, :4].sum(axis=(1, 2))
    assert (planes[:, :, :4].sum(axis=(1, 2)) == held).all()
    asked = rows.questions[:200, 1] >= 0
    assert (planes[asked, offered[asked], 6] == 1).all()


def test_the_network_takes_a_mirrored_hand_for_what_it_is(recordings):
    rows, _ = next(decision_chunks(recordings, hands(recordings), size=1_000))
    mirror = Exchange(mirrored=True)
    plain, mirrored = (
        shipped_network().log_chances(*inputs)[0].argmax(axis=1) for inputs in (rows[:3], mirror.inputs(*rows[:3]))
    )
    back = mirror.answers[mirrored]  # to mirror is its own reverse
    assert (plain == back).mean() > 0.9
    chi = (plain >= A_CALLS) & (plain <= A_CALLS + CALL_HIGH)
    assert chi.any()
    assert (plain == back)[chi].mean() > 0.6


def test_programs_are_known_by_their_accounts():
    names = ("a", "ⓝSuphx", "ⓝLuckyJ", "b")
    events = game_of("tsumogiri", 1).events
    started = [replace(event, names=names) if isinstance(event, StartGame) else event for event in events]
    found = who_of(encode_game("1", started, WHO_TOKUJOU))
    assert (found == [WHO_TOKUJOU, WHO_OTHER, WHO_PROGRAM, WHO_TOKUJOU]).all()
