"""``oshihiki train constants``: the table, the JSON, and an empty folder."""

from __future__ import annotations

import json
import sys

import pytest

from bot.cli import main
from engine.arena import play_game
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from engine.policy.simple.outlook_kernels import OTHERS_END
from engine.rules.recordings import Split, split_of
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog, LogInfo


def run(capsys, monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["oshihiki", "train", "constants", *map(str, words)])
    code = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code or 0
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def games(tmp_path):
    """A folder with one game that may be counted and one that is held back."""
    events = play_game([make_policy("simple") for _ in range(4)], TONPU, 1).events
    for split in (Split.TRAIN, Split.TEST):
        log_id = next(
            text for text in (f"2020010100gm-00e1-0000-{n:08x}" for n in range(99)) if split_of(text) is split
        )
        log = GameLog(events, LogInfo(log_id=log_id, game_type=0xE1))
        (tmp_path / f"{log_id}.xml").write_text(write_log(log, "mjlog"))
    return tmp_path


def test_figures_stand_beside_the_constants(capsys, monkeypatch, games):
    code, out, _ = run(capsys, monkeypatch, games, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["card"]["games"] == 1
    rows = {row["name"]: row for row in found["figures"]}
    assert rows["outlook_kernels.OTHERS_END"]["constant"] == OTHERS_END
    assert 0 < rows["outlook_kernels.OTHERS_END"]["counted"] < 1
    code, out, _ = run(capsys, monkeypatch, games)
    assert (code, out.splitlines()[0]) == (0, "1 game")
    assert "outlook_kernels.OTHERS_END" in out


def test_no_game_at_all(capsys, monkeypatch, tmp_path):
    code, out, err = run(capsys, monkeypatch, tmp_path)
    assert (code, out) == (2, "")
    assert "there is no game to count" in err
