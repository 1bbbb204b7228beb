"""Finished games on disk: private, whole or not at all, and never an error at the table."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from structlog.testing import capture_logs

from bot.lobby.hall import WRITTEN, new_log_id, record
from engine.arena import play_game
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from protocol.logs.game_log import GameLog, LogInfo


def game():
    events = play_game([make_policy("tsumogiri") for _ in range(4)], TONPU, 1).events
    return GameLog(tuple(events), LogInfo(log_id=new_log_id(datetime(2026, 1, 2, 3, tzinfo=UTC), 1, "0")))


def test_the_files_are_for_their_owner_alone(tmp_path):
    files = record(game(), tmp_path)
    assert len(files) == len(WRITTEN)
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_a_full_disk_leaves_nothing_and_ends_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("bot.machine.files.os.write", full)
    with capture_logs() as lines:
        assert record(game(), tmp_path) == ()
    assert list(tmp_path.iterdir()) == []
    assert [line["reason"] for line in lines] == ["No space left on device"] * len(WRITTEN)
