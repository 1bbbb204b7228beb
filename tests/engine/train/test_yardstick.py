"""The yardstick asks what there was to choose, knows the answers, and counts them as one would by hand."""

from __future__ import annotations

import math
import random
import tarfile

import numpy as np
import pytest

from engine._jit import new_records
from engine.model.tiles import KINDS
from engine.opponents.danger import Danger
from engine.rules.table_kernels import RIICHI
from engine.train.sample_kernels import Opposed
from engine.train.yardstick import Answers, Question, WonHand, ask, best_thresholds, f1_by_kind, wait_answers, won_hands
from protocol.logs import mjlog


@pytest.fixture(scope="module")
def events(corpus):
    with tarfile.open(corpus / "houou-hanchan-00.tar.xz") as archive:
        return mjlog.read(archive.extractfile(next(iter(archive))).read()).events


def danger(p, loss=3_000.0):
    chances = np.zeros((4, KINDS), np.float32)
    chances[1, :3] = p
    return Danger(np.ones(4, np.float32), chances, chances, np.full((4, KINDS), loss, np.float32))


def test_answers_are_rows_of_tile_and_opponent():
    answers = Answers()
    opponents = np.zeros(3, np.asarray(new_records(Opposed, 0)).dtype)
    opponents["seat"], opponents["stance"], opponents["rons"] = (1, 2, 3), (RIICHI, 2, 2), (0b010, 0, 0)
    question = Question(None, 1, np.arange(3), opponents, np.array([0, 3_900, 0, 0]))
    answers.add(question, danger((0.1, 0.5, 0.2)))
    discarded, could = (answers.scores(thrown=thrown) for thrown in (True, False))
    assert (discarded["riichi"].n, discarded["riichi"].events, discarded["all"].n, discarded["open"].n) == (1, 1, 3, 0)
    assert discarded["riichi"].log_loss == pytest.approx(math.log(2))
    assert len(answers.anyone) == 1
    assert (could["riichi"].n, could["closed"].n, could["all"].events) == (3, 6, 1)
    assert could["riichi"].auc == 1.0
    assert answers.losses() == {"deal_ins": 1, "mean_said": 3_000.0, "mean_paid": 3_900.0, "mean_error": 900.0}


def test_waits_are_judged_as_if_tenpai():
    said = np.zeros((4, KINDS), np.float32)
    said[2, 5] = 0.2
    flags = np.zeros(KINDS, bool)
    flags[5] = True
    danger = Danger(np.full(4, 0.5, np.float32), said, said, said)
    answers = wait_answers([WonHand(None, 2, flags)], lambda _: danger)
    assert answers["said"][0, 5] == pytest.approx(0.4)
    assert answers["true"][0, 5]


def test_thresholds_are_the_best_there_are():
    chance = np.random.default_rng(1)
    true = chance.random((60, KINDS)) < 0.3
    said = (chance.random((60, KINDS)) + true).astype(np.float32).round(1)
    best = f1_by_kind(said, true, best_thresholds(said, true))
    for cut in np.arange(0, 2.1, 0.1):
        other = f1_by_kind(said, true, np.full(KINDS, cut, np.float32))
        assert all(one >= two - 1e-9 for one, two in zip(best, other, strict=True))


def test_f1_by_hand():
    said = np.array([[0.9], [0.6], [0.4], [0.1]], np.float32).repeat(KINDS, 1)
    true = np.array([[True], [False], [True], [False]]).repeat(KINDS, 1)
    # over one half: one right of two said, one of two found
    assert f1_by_kind(said, true, np.full(KINDS, 0.5, np.float32))[0] == pytest.approx(0.5)


@pytest.mark.corpus
def test_questions_are_about_choices(events):
    asked = list(ask(events, 0.3, random.Random(0)))
    assert len(asked) > 50
    for question in asked:
        state = question.state
        assert not state.riichi[state.seat]
        assert question.discarded in question.kinds
        assert state.seat not in question.opponents["seat"]
        held = {tile >> 2 for tile in state.hand}
        assert set(question.kinds) <= held
        for opponent in question.opponents:
            assert not question.paid[opponent["seat"]] or opponent["rons"] >> question.discarded & 1
        assert not question.paid[state.seat]
    again = list(ask(events, 0.3, random.Random(0)))
    assert [each.state.digest() for each in asked] == [each.state.digest() for each in again]


@pytest.mark.corpus
def test_won_hands_are_seen_before_the_tile_that_won(events):
    found = list(won_hands(events))
    assert len(found) > 5
    for hand in found:
        assert hand.state.seat != hand.winner
        assert hand.state.rivers[hand.winner]
        assert 1 <= hand.waits.sum() <= 13
        assert hand.state.winners == ()
