"""``oshihiki train critic``: what it answers, and what becomes of bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bot.commands.train import critic
from bot.machine.errors import InputError
from engine.critic.network import CriticInputs, read_critic
from engine.train.recordings import Split, encode_game, split_of
from engine.train.worths import ends_of
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog, LogInfo
from tests.bot.commands.program import oshihiki
from tests.engine.critic.games import simple_games

pytestmark = pytest.mark.usefixtures("nothing_kept")


@pytest.fixture
def games(tmp_path):
    """A folder with games to learn from and one that is held back."""
    folder = tmp_path / "games"
    folder.mkdir()
    ids = [f"2020010100gm-00e1-0000-{number:08x}" for number in range(99)]
    chosen = [text for text in ids if split_of(text) is Split.TRAIN][:4]
    chosen += [text for text in ids if split_of(text) is Split.TEST][:2]
    for log_id, game in zip(chosen, simple_games(6), strict=True):
        log = GameLog(game.events, LogInfo(log_id=log_id, game_type=0xE1))
        (folder / f"{log_id}.xml").write_text(write_log(log, "mjlog"))
    return folder


def test_weights_go_into_a_file_of_arrays(monkeypatch, capsys, tmp_path):
    code, _, err = oshihiki(monkeypatch, capsys, "train", "critic", tmp_path, "--out", tmp_path / "weights.pt")
    assert code == 2
    assert ".npz" in err


def test_without_torch_it_says_what_to_install(monkeypatch, capsys, games):
    def missing():
        raise InputError("training needs torch (not here); install it with: pip install 'oshihiki[train]'")

    monkeypatch.setattr(critic, "_fitting", missing)
    code, _, err = oshihiki(monkeypatch, capsys, "train", "critic", games)
    assert code == 2
    assert "oshihiki[train]" in err


def test_it_fits_and_measures(monkeypatch, capsys, games, tmp_path):
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    out = tmp_path / "critic.npz"
    arguments = ("--jobs", 1, "--out", out, "--channels", 8, "--blocks", 1, "--draws", 1_500)
    code, text, err = oshihiki(monkeypatch, capsys, "train", "critic", games, *arguments, "--json")
    assert code == 0, err
    card = json.loads(text)
    assert card["games"]["test"] == 2
    assert card["metrics"]["points"]["width"] > 0
    assert set(card["metrics"]["ends"]) >= {"56 and more", "42 to 55"}
    assert read_critic(out.read_bytes(), "it").digest() == card["digest"]
    code, text, err = oshihiki(monkeypatch, capsys, "train", "critic", games, *arguments)
    assert code == 0, err
    assert "without luck" in text


def test_the_passes_in_torch_and_in_numpy_are_the_same():
    torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train import critic as fitting  # noqa: PLC0415 - it needs torch
    from engine.train.nets import CriticNet  # noqa: PLC0415

    recordings = encode_game("game", simple_games(1)[0].events)
    hands = np.arange(len(recordings.kyoku))
    draws = next(fitting.draws_of(recordings, hands, ends_of(recordings), 0.5, np.random.default_rng(1)))
    torch.manual_seed(1)
    net = CriticNet(fitting.CriticShape(8, 2, 8))
    arrays = {name: value.detach().numpy() for name, value in net.weights.items()}
    weights = fitting.CriticWeights.of(net.shape, arrays)
    net.load_state_dict({f"weights.{name}": torch.from_numpy(array) for name, array in weights.arrays().items()})
    with torch.no_grad():
        outputs = net(torch.from_numpy(draws.planes), torch.from_numpy(draws.numbers)).numpy()
    chances = torch.softmax(torch.from_numpy(outputs[:, :, : fitting.ENDS]), 2).numpy()
    forecast = weights.critic().forecast(
        CriticInputs(draws.planes, draws.numbers, np.zeros(len(draws.kinds), np.int64))
    )
    uncertain = forecast.ends.max(axis=2) < 1.0
    assert uncertain.mean() > 0.5
    assert np.allclose(chances[uncertain], forecast.ends[uncertain], atol=1e-4)
