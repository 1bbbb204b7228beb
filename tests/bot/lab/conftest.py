"""Commands of the laboratory run within the tests' process, and what those need that fit networks."""

from __future__ import annotations

import json

import pytest

from bot.lab import recordings
from engine.rules.recordings import Split
from tests.bot.commands.program import oshihiki
from tests.engine.critic.games import simple_games, write_games


@pytest.fixture
def printed(monkeypatch, capsys):
    """What a command that succeeds prints."""

    def run(*arguments):
        code, out, err = oshihiki(monkeypatch, capsys, *arguments)
        assert code == 0, err
        return out

    return run


@pytest.fixture
def figures(printed):
    """The figures that a command prints as JSON."""
    return lambda *arguments: json.loads(printed(*arguments, "--json"))


@pytest.fixture
def refused(monkeypatch, capsys):
    """What a command says that refuses bad input; it prints nothing else."""

    def run(*arguments):
        code, out, err = oshihiki(monkeypatch, capsys, *arguments)
        assert (code, out) == (2, "")
        return " ".join(err.split())

    return run


@pytest.fixture
def nothing_kept(monkeypatch, tmp_path):
    """Recordings read by a command are kept apart from those of other tests and of the user."""
    monkeypatch.setattr(recordings, "FOLDER", tmp_path / "kept")


@pytest.fixture
def learned_from(tmp_path):
    """A folder with four games to learn from and two that are held back."""
    splits = [Split.TRAIN] * 4 + [Split.TEST] * 2
    return write_games(tmp_path / "games", zip(splits, simple_games(6), strict=True))


@pytest.fixture
def torch_there():
    """Skips where torch is not installed."""
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
