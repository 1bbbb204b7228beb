"""The decoders against damaged text: a little of it here, as much as one likes with ``run.py``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from run import FOUND, fuzz  # beside this file
from targets import TARGETS


@pytest.mark.parametrize(("runs", "seed"), [(250, 1), pytest.param(4_000, 2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_input_is_taken_in_or_refused(name: str, runs: int, seed: int) -> None:
    target = TARGETS[name]
    assert fuzz(target, runs * target.share // 1000, seed) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_good_input_is_taken_in(name: str) -> None:
    for seed in TARGETS[name].seeds():
        if name != "frame-client":  # its seeds are the server's words, which are no client's
            TARGETS[name].run(seed)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_input_that_broke_a_decoder_once_does_not_again(path: Path) -> None:
    target = TARGETS[path.parent.name]
    try:
        target.run(path.read_bytes())
    except target.refuses:
        return
