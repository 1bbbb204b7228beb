"""``oshihiki train constants``: the table, the JSON, and an empty folder."""

from __future__ import annotations

from engine.policy.simple.outlook_kernels import OTHERS_END
from engine.rules.recordings import Split
from tests.engine.critic.games import simple_games, write_games


def test_figures_stand_beside_the_constants(figures, printed, tmp_path):
    """Of one game that may be counted, beside one that is held back."""
    games = write_games(tmp_path, zip((Split.TRAIN, Split.TEST), simple_games(2), strict=True))
    found = figures("train", "constants", games)
    assert found["card"]["games"] == 1
    (row,) = (row for row in found["figures"] if row["name"] == "outlook_kernels.OTHERS_END")
    assert row["constant"] == OTHERS_END
    assert 0 < row["counted"] < 1
    text = printed("train", "constants", games)
    assert text.splitlines()[0] == "1 game"
    assert "outlook_kernels.OTHERS_END" in text


def test_no_game_at_all(refused, tmp_path):
    assert "there is no game to count" in refused("train", "constants", tmp_path)
