"""Verification on one core, every check on: 200 kyoku a second is the bar, five milliseconds each."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.logs.sources import open_logs
from bot.replay.verify import verify_files
from engine.state import FourViews, GameState
from protocol.logs.formats import read_log


@pytest.fixture(scope="module")
def files(corpus):
    return list(islice(open_logs([corpus / "houou-hanchan-00.tar.xz"]), 20))


@pytest.mark.corpus
def test_verify_games(benchmark, files):
    tally = benchmark(verify_files, files)
    benchmark.extra_info["kyoku"] = tally.kyoku
    benchmark.extra_info["kyoku_per_second"] = round(tally.kyoku / benchmark.stats.stats.min)
    assert tally.errors == []


@pytest.mark.corpus
def test_four_views_of_one_game(benchmark, files):
    log = read_log(files[0])

    def replay():
        views = FourViews()
        for event in log.events:
            views.apply(event)
        return views

    assert benchmark(replay)[0].phase.name == "IDLE"


@pytest.mark.corpus
def test_copy_and_digest(benchmark, files):
    state = GameState(0)
    for event in read_log(files[0]).events[:60]:
        state.apply(event)
    assert benchmark(lambda: state.copy().digest()) == state.digest()
