"""Reviews by a quick judge."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def quick_judge(tmp_path_factory, monkeypatch):
    """The configuration at its default place names the policy ``simple``, also for other processes."""
    home = tmp_path_factory.mktemp("settings")
    (home / "oshihiki").mkdir()
    (home / "oshihiki" / "config.toml").write_text('[policy]\nname = "simple"\n', encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
