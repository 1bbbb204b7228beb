"""The figures behind the policies' constants, counted on invented wins and on recordings."""

from __future__ import annotations

import tarfile
from itertools import islice

import pytest

from engine.model.events import Win, WinScore
from engine.policy.simple import points_kernels
from engine.train.constants import ConstantCounts
from protocol.logs import mjlog

CLOSED = tuple(range(0, 56, 4))
"""1m to 9m and 1p to 5p: no triplet, no pair."""


def win(yaku, points, *, tsumo=False):
    score = WinScore(30, points, 0, tuple(yaku))
    return Win(1, 1 if tsumo else 2, 0, (0, 0, 0, 0), concealed=CLOSED, dora_indicators=(120,), score=score)


def counted(wins):
    counts = ConstantCounts()
    for one in wins:
        counts.add_win(one, dealer=False)
    return {row.name: row for row in counts.rows()}


def test_a_riichi_counts_its_ippatsu_and_ura():
    rows = counted([win([(1, 1), (2, 1), (53, 2)], 8_000), win([(1, 1), (53, 0)], 1_300, tsumo=True)])
    assert rows["points_kernels.RIICHI_EXTRA"].counted == 1.5
    assert rows["points_kernels.TSUMO_EXTRA"].counted == 0.5
    assert rows["outlook_kernels.RON_SPEED_RIICHI"].counted == 1.0
    assert "outlook_kernels.RON_SPEED" not in rows


def test_points_are_counted_by_han_and_nearest_base():
    rows = counted([win([(8, 1), (52, 1)], 2_000)])
    assert rows["points_kernels.POINTS[1]"].counted == 2_000.0
    assert rows["currency.OTHERS_SHARES[1]"].counted == 1.0
    assert rows["currency.OTHERS_SHARES[0]"].counted == 0.0


def test_one_more_indicator_raises_a_win_and_more_so_in_riichi():
    silent = counted([win([(8, 1)], 1_000)])["attack.EXTRA_DORA[2]"].counted
    riichi = counted([win([(1, 1)], 1_000)])["attack.EXTRA_DORA[0]"].counted
    assert 0.2 < silent < riichi


@pytest.mark.corpus
def test_counted_constants_are_close_to_recordings(corpus):
    counts = ConstantCounts()
    with tarfile.open(corpus / "houou-hanchan-00.tar.xz") as archive:
        for member in islice(archive, 12):
            counts.observe(mjlog.read(archive.extractfile(member).read(), member.name).events)
    rows = {row.name: row for row in counts.rows()}
    assert rows["outlook_kernels.OTHERS_END"].counted == pytest.approx(0.05, abs=0.015)
    assert rows["points_kernels.RIICHI_EXTRA"].counted == pytest.approx(points_kernels.RIICHI_EXTRA, abs=0.2)
    assert rows["attack.EXTRA_DORA[1]"].counted == pytest.approx(0.21, abs=0.05)
