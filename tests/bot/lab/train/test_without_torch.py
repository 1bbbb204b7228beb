"""Every command that fits a network says without torch what to install, before it reads anything."""

from __future__ import annotations

import sys

import pytest

FITTED = ("chances", "critic", "danger", "outcomes", "phoenix", "placement")
NEEDING = (*(f"engine.train.{name}" for name in (*FITTED, "nets")), "engine.papers.waits.training")
"""Modules that need torch, which tests before may have imported."""


@pytest.mark.parametrize("command", [*FITTED, "waits"])
def test_without_torch_it_says_what_to_install(monkeypatch, refused, tmp_path, command):
    for name in NEEDING:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "broken.xml").write_text("no log")
    said = refused("train", command, tmp_path)
    assert "training needs torch" in said
    assert "pip install 'oshihiki[train]'" in said
    assert "broken.xml" not in said
