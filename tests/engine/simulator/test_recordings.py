"""Recorded games driven through the simulator: the same questions, legal actions, events, wins, payments and ends."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.logs.sources import open_logs
from protocol.logs.formats import read_log
from tests.engine.simulator.driving import follow
from tests.recordings import recorded_games

pytestmark = pytest.mark.corpus

SHARDS = (
    "houou-hanchan-00",
    "houou-tonpu-00",
    "houou-tonpu-01",
    "houou-tonpu-02",
    "houou-tonpu-03",
    "tokujou-hanchan-00",
)
OTHERWISE = {
    "noid-a67e03f180c225b2": "composed by people: it goes on although its game is over",
    "2009030821gm-00e1-0000-b6b68d37": "in 2009 two games went on when the leading dealer was tenpai in the last hand",
    "noid-87147d6884b8eeed": "a table with house rules, which turns the dora of every kan at once",
}
"""Games that Tenhou's rules of today do not give, and why."""


def driven(files):
    """Drive games: at least one, with the questions of a game."""
    games = questions = 0
    for file in files:
        name = file.name.rpartition("/")[2].removesuffix(".xml")
        log = read_log(file)
        if name in OTHERWISE:
            with pytest.raises(AssertionError):
                follow(log.events)
            continue
        try:
            questions += follow(log.events, log.restarts)[1]
        except AssertionError as error:
            raise AssertionError(f"{file.name}: {error}") from error
        games += 1
    assert questions > 100 * games > 0


@pytest.mark.parametrize(("shard", "games"), [("houou-tonpu-03", 12), ("tokujou-hanchan-00", 6), ("other4-00", 12)])
def test_a_sample_of_recordings(corpus, shard, games):
    driven(islice(open_logs([corpus / f"{shard}.tar.xz"]), games))


@pytest.mark.slow
@pytest.mark.parametrize("shard", SHARDS)
def test_many_recordings(corpus, shard):
    driven(recorded_games(corpus, shard))


@pytest.mark.slow
def test_every_odd_recording(corpus):
    driven(open_logs([corpus / "other4-00.tar.xz"]))
