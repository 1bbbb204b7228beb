"""Over recorded games: sums hold to a point in every row, and sentences agree with them."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice

import pytest

from bot.deciding.players import PlayerSpec
from bot.logs.sources import open_logs
from bot.review.examine import examine
from bot.review.fields import audit_fields
from bot.review.recording import read_recording
from engine.rules.recordings import held_back
from protocol.logs.game_log import GameLog
from tests.bot.review.games import recording
from tests.bot.review.sums import faults_of
from tests.games import game_of
from tests.recordings import EVERY_RECORDING
from tests.tiers import mostly_slow

JUDGES = ("value:nodes=1000,call_nodes=500", "value:nodes=1000,call_nodes=500,utility=dan")


def judged(source, seat, judge=JUDGES[0]):
    return audit_fields(examine(source, seat, partial(PlayerSpec.parse(judge).make, 0)))


@pytest.fixture(scope="module")
def own():
    game = game_of("simple", 5)
    return judged(recording(GameLog(game.events, source="game.xml")), 1)


def test_a_game_adds_up(own):
    counts = Counter()
    assert faults_of(own, counts) == []
    assert counts["rows"] > 300
    assert counts["differences"] > 10
    assert counts["sentences"] == 2 * counts["differences"]


def held(corpus, shard, games):
    files = (file for file in open_logs([corpus / f"{shard}.tar.xz"]) if held_back(file.name.rsplit("/")[-1][:-4]))
    return islice(files, games)


@pytest.mark.corpus
@mostly_slow("judge", JUDGES)
def test_a_recorded_game_adds_up(corpus, judge):
    (file,) = held(corpus, "houou-tonpu-00", 1)
    counts = Counter()
    source = read_recording(file)
    assert [fault for seat in (0, 2) for fault in faults_of(judged(source, seat, judge), counts)] == []
    assert counts["sentences"] > 10


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("shard", ["houou-hanchan-00", "tokujou-hanchan-00", "houou-tonpu-01", "other4-00"])
@pytest.mark.parametrize("judge", JUDGES)
def test_recorded_games_add_up(corpus, shard, judge):
    counts = Counter()
    faults = []
    for file in held(corpus, shard, 3 if EVERY_RECORDING else 1):
        source = read_recording(file)
        for seat in range(4):
            faults += faults_of(judged(source, seat, judge), counts)
    assert faults == []
    sentences = counts["sentences"]  # two in a hundred at most, and two standard errors for some games alone
    assert counts["unnamed remainders"] <= 0.02 * sentences + 2.0 * (0.02 * 0.98 * sentences) ** 0.5
