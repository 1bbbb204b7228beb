"""Recorded games, every fact worked out again after every event, for all four seats."""

from __future__ import annotations

import tarfile
from itertools import islice

import pytest

from engine.model.events import StartGame
from engine.state import GameState, visible_to
from protocol.logs import mjlog
from tests.oracles.naive_view import validate
from tests.tiers import mostly_slow

SHARDS = ("houou-hanchan-00", "houou-tonpu-00", "tokujou-hanchan-00", "other4-00")


def validated(corpus, shard, games, step=1):
    """How many events of so many games pass, each ``step``-th validated."""
    events = 0
    with tarfile.open(corpus / f"{shard}.tar.xz") as archive:
        for member in islice(archive, games):
            log = mjlog.read(archive.extractfile(member).read(), member.name)
            views = [GameState(seat) for seat in range(4)]
            for event in log.events:
                assert events or isinstance(event, StartGame)
                events += 1
                for view in views:
                    view.apply(visible_to(event, view.seat))
                    if events % step == 0:
                        validate(view)
    return events


@pytest.mark.corpus
@mostly_slow("shard", SHARDS)
def test_every_fact_stays_right(corpus, shard):
    assert validated(corpus, shard, games=2, step=3) > 200


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("shard", SHARDS)
def test_every_fact_stays_right_in_more_games(corpus, shard):
    assert validated(corpus, shard, games=30) > 5_000
