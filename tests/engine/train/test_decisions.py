"""Decisions that the kernels take from recordings against the same decisions as the rules and the state tell them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from bot.logs.sources import open_logs
from bot.replay.steps import decision_points
from engine.model.actions import ActionKind
from engine.networks import imitation_layout_kernels as kernels
from engine.networks.imitation import NUMBERS, PLANES, answer_of, inputs_of
from engine.rules.recordings import encode_game
from engine.train.decision_kernels import D_ANSWER, D_HAND, D_RED, D_SEAT
from engine.train.fits import decision_chunks
from protocol.logs.formats import read_log

WINS = {ActionKind.TSUMO, ActionKind.RON}
RIVERS = [kernels.SEATS_AT + kernels.SEAT_PLANES * away + kernels.IN_RIVER for away in range(4)]


def place(planes, numbers, question, hand, seat):
    """What no two decisions of a game share."""
    own = question[kernels.Q_OFFERED] < 0
    return hand, seat, bool(own), int(planes[:, RIVERS].sum()), int(numbers[kernels.G_WALL])


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("shard", "skip", "games"),
    [("houou-hanchan-00.tar.xz", 60, 6), ("houou-tonpu-03.tar.xz", 700, 3)],
)
@pytest.mark.slow
def test_rows_are_what_the_state_tells(corpus, shard, skip, games):
    seen = answers = 0
    for file in islice(open_logs([corpus / shard]), skip, skip + games):
        log = read_log(file)
        recordings = encode_game(log.info.log_id, log.events, kernels.WHO_PHOENIX)
        rows = {}
        for chunk, _ in decision_chunks(recordings, np.arange(len(recordings.kyoku)), size=8_000):
            for at in range(len(chunk.planes)):
                planes, numbers, question, info = (array[at] for array in chunk)
                rows[place(planes, numbers, question, info[D_HAND], info[D_SEAT])] = planes, numbers, question, info
        for seat in range(4):
            for point in decision_points(log, seat):
                kinds = {action.kind for action in point.legal}
                if point.played is None or kinds & WINS or len({answer_of(action) for action in point.legal}) == 1:
                    continue
                if point.state.pending_dora:
                    continue  # the rows are taken when the answer comes, and the indicator is turned before that
                planes, numbers, question = inputs_of(point.state, point.legal, kernels.WHO_PHOENIX)
                key = place(planes, numbers, question, point.place.hand, seat)
                assert key in rows, f"{log.source} seat {seat} {point.place}: {point.legal} is missing"
                found = rows.pop(key)
                where = f"{log.source} seat {seat} {point.place}"
                assert question.tolist() == found[2].tolist(), where
                differ = [(kind, PLANES[plane]) for kind, plane in np.argwhere(planes != found[0])]
                assert not differ, f"{where}: {differ}"
                differ = [NUMBERS[number] for number in np.flatnonzero(numbers != found[1])]
                assert not differ, f"{where}: {differ}"
                assert answer_of(point.played) == found[3][D_ANSWER], where
                if found[3][D_RED] >= 0:
                    assert (point.played.tile in {16, 52, 88}) == found[3][D_RED], where
                seen += 1
                answers += not point.own_turn
        assert len(rows) < 20, [(key, row[3]) for key, row in rows.items()]
    assert seen > 200 * games
    assert answers > 40 * games
