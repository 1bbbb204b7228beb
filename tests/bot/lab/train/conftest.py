from __future__ import annotations

import pytest

from engine.train import dataset


@pytest.fixture
def nothing_kept(monkeypatch, tmp_path):
    """Recordings read by a command are kept apart from those of other tests and of the user."""
    monkeypatch.setattr(dataset, "FOLDER", tmp_path / "kept")
