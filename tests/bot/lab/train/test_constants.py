"""``oshihiki train constants``: the table, the JSON, and an empty folder."""

from __future__ import annotations

import json

import pytest

from engine.policy.simple.outlook_kernels import OTHERS_END
from engine.rules.recordings import Split
from tests.bot.commands.program import oshihiki
from tests.engine.critic.games import simple_games, write_games


@pytest.fixture
def games(tmp_path):
    """A folder with one game that may be counted and one that is held back."""
    return write_games(tmp_path, zip((Split.TRAIN, Split.TEST), simple_games(2), strict=True))


def test_figures_stand_beside_the_constants(capsys, monkeypatch, games):
    code, out, _ = oshihiki(monkeypatch, capsys, "train", "constants", games, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["card"]["games"] == 1
    rows = {row["name"]: row for row in found["figures"]}
    assert rows["outlook_kernels.OTHERS_END"]["constant"] == OTHERS_END
    assert 0 < rows["outlook_kernels.OTHERS_END"]["counted"] < 1
    code, out, _ = oshihiki(monkeypatch, capsys, "train", "constants", games)
    assert (code, out.splitlines()[0]) == (0, "1 game")
    assert "outlook_kernels.OTHERS_END" in out


def test_no_game_at_all(capsys, monkeypatch, tmp_path):
    code, out, err = oshihiki(monkeypatch, capsys, "train", "constants", tmp_path)
    assert (code, out) == (2, "")
    assert "there is no game to count" in err
