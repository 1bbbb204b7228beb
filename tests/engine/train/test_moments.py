"""Recorded hands played by the kernels against the same hands played by views of the rules, fact by fact."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from engine.model.seats import others
from engine.opponents.facts import genbutsu_masks
from engine.opponents.network import features_of
from engine.rules.recordings import encode_game
from engine.train.fits import row_chunks
from engine.train.sample_kernels import RIICHI
from tests.oracles.naive_truth import discard_points, held_by

GAMES = 12


def mask(kinds):
    return sum(1 << kind for kind in kinds)


def games(corpus, shard, skip=0):
    from bot.logs.sources import open_logs  # noqa: PLC0415
    from protocol.logs.formats import read_log  # noqa: PLC0415

    for file in islice(open_logs([corpus / shard]), skip, skip + GAMES):
        log = read_log(file)
        if log.start.rules.red_fives and log.start.rules.open_tanyao:
            yield log


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("shard", "skip"),
    [pytest.param("houou-hanchan-00.tar.xz", 40, marks=pytest.mark.slow), ("houou-tonpu-03.tar.xz", 900)],
)
def test_features_and_truth_are_those_of_the_rules(corpus, shard, skip):
    rows_seen = 0
    for log in games(corpus, shard, skip):
        recordings = encode_game(log.info.log_id, log.events)
        rows = iter(
            (rows, at)
            for rows, _ in row_chunks(recordings, np.arange(len(recordings.kyoku)), size=4_000)
            for at in range(len(rows.safe))
        )
        for point in discard_points(log.events):
            state = point.state
            if state.riichi[point.seat]:
                continue
            by_seat = dict(zip(others(point.seat), features_of(state.as_table()).features, strict=True))
            safe = genbutsu_masks(state)
            for away in (1, 2, 3):
                seat = (point.seat + away) % 4
                chunk, at = next(rows)
                assert chunk.info[at, 2:4].tolist() == [point.seat, seat]
                differ = np.flatnonzero(by_seat[seat] != chunk.features[at])
                assert not len(differ), f"{log.source} {state.place()} features {differ}"
                held = held_by(point.views[seat], state)
                assert chunk.waits[at] == mask(held.waits)
                assert chunk.safe[at] == safe[seat]
                assert chunk.deals[at] == mask(held.rons), f"{log.source} {state.place()} seat {seat}"
                if chunk.info[at, 4] != RIICHI:  # in riichi ura is drawn
                    points = [int(chunk.points[at, kind]) + 300 * state.honba for kind in held.rons]
                    assert points == list(held.points)
                rows_seen += 1
        assert next(rows, None) is None
    assert rows_seen > 5_000
