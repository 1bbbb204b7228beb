"""The notebook stands in the repository with its outputs, which are those of this version."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"


@pytest.mark.slow
def test_the_notebook_says_what_it_shows():
    spec = importlib.util.spec_from_file_location("notebook", Path(__file__).with_name("notebook.py"))
    notebook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebook)
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    found = notebook.run(NOTEBOOK)
    assert found["cells"] == stored["cells"], "run python tests/docs/notebook.py docs/notebook.ipynb"
    assert NOTEBOOK.read_text(encoding="utf-8") == notebook.text(stored)
    pictures = [output for cell in stored["cells"] for output in cell.get("outputs", ()) if "<img " in str(output)]
    assert len(pictures) >= 4
