"""Shared fixtures."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as bot.cli does, before numpy is loaded
os.environ["XDG_CONFIG_HOME"] = os.devnull  # no test reads the configuration of whoever runs it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell; tests interrupt programs
    signal.signal(signal.SIGINT, signal.default_int_handler)
# no test is timed, and each draws the same examples in every run, so that a failure comes from what has changed;
# `pytest --hypothesis-profile explore` draws others
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("oshihiki", settings.get_profile("explore"), derandomize=True)
settings.load_profile("oshihiki")


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores, because some tests wait for clocks; more of them only load more kernels."""
    return 1 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


LABORATORY = ("bench", "bot/lab", "engine/papers", "engine/train")
"""Folders whose tests ``make test`` leaves to ``make test-lab``."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the laboratory by their folder."""
    folders = [Path(__file__).parent / name for name in LABORATORY]
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in folders):
            item.add_marker("lab")


_BESIDE_THE_PROJECT = Path(__file__).resolve().parents[2] / "shared" / "corpus"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real recordings; the test is skipped, saying so, where there is none."""
    folder = Path(os.environ.get("OSHIHIKI_CORPUS", _BESIDE_THE_PROJECT))
    if not folder.is_dir():
        pytest.skip(f"no recordings at {folder}: set OSHIHIKI_CORPUS to their folder")
    return folder
