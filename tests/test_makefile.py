"""The tests that the Makefile names are there: a moved one would end `make test-lowest`, which few people run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_tests_for_the_lowest_versions_are_there():
    make = shutil.which("make") or pytest.skip("make is not installed")
    show = "show: ; @echo $(LOWEST_SET) $(LOWEST_EXTRAS)"
    said = subprocess.run([make, "-s", f"--eval={show}", "show"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    named = said.stdout.split()
    assert len(named) > 10
    assert [path for path in named if not (ROOT / path).exists()] == []
