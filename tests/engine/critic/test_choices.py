"""What discards that may be chosen are worth: as when they are played, and a win where somebody wins on them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.critic.choices import DiscardValues
from engine.critic.network import shipped_critic
from engine.critic.outcomes import PLACE, expected_places
from engine.imitation.layout_kernels import A_KANS, A_RIICHI
from engine.imitation.network import shipped_network
from engine.model.rules import TONPU
from engine.rules.code_kernels import TYPE, WIN
from engine.simulator.tables import Tables
from engine.train.advantages import course_of, moments_of
from engine.train.played import play_on, recordings_of, what_follows
from engine.train.recordings import KyokuColumn
from engine.train.sampling import CANDIDATES, SampledPlayers, joined
from engine.train.worths import hands_to_come


@pytest.fixture(scope="module")
def played():
    """Decisions drawn at a high temperature, so that some discards deal in, and the tables as their hands ended."""
    players = SampledPlayers(shipped_network(), 1.2, 0.95, 3, DiscardValues(shipped_critic()))
    tables = Tables(24, TONPU, seed=4)
    kept, ended, numbers = [], [], []
    while sum(map(len, ended)) < 60:
        over = play_on(tables, [players], np.zeros((24, 4), np.int64))
        taken = players.taken()
        if taken is not None:
            kept.append(taken)
        if len(over):
            ended.append(np.asarray(tables.games)[over])
            numbers.append(players.numbers_of(over))
            tables.restart(over[np.asarray(tables.games)["over"][over] != 0])
    return joined(kept), np.concatenate(ended), np.concatenate(numbers)


def test_likely_discards_are_valued_the_one_drawn_among_them(played):
    choices, _, _ = played
    valued = choices.candidates[:, 0] >= 0
    discards = choices.own & (choices.answers < A_KANS)
    assert valued[discards].mean() > 0.9
    assert not valued[~discards].any()
    assert (choices.candidates[valued] == choices.answers[valued, None]).any(axis=1).all()
    assert (choices.candidates[valued] >= A_RIICHI).any(), "riichi too"
    assert choices.candidates.shape[1] == CANDIDATES
    for row in choices.candidates[valued][:200]:
        some = row[row >= 0]
        assert len(set(some.tolist())) == len(some) >= 2


def test_a_value_is_that_of_the_table_after_the_discard_or_of_the_win_on_it(played):
    choices, ended, numbers = played
    recordings, critic = recordings_of(ended), shipped_critic()
    course = course_of(recordings, critic)
    brought = expected_places(what_follows(ended)) - expected_places(hands_to_come(recordings.kyoku))
    place = {int(number): at for at, number in enumerate(numbers)}
    first = recordings.kyoku[:, KyokuColumn.FIRST_EVENT]
    passed, won, settled = [], [], []
    for at in np.flatnonzero(choices.candidates[:, 0] >= 0):
        hand = place.get(int(choices.hands[at]))
        if hand is None:
            continue
        seat, events = choices.seats[at], choices.events[at]
        slot = choices.candidates[at].tolist().index(choices.answers[at])
        value = choices.values[at, slot]
        row = moments_of(course, np.array([hand]), np.array([events]), np.array([True]))[0] + 1
        if recordings.events[first[hand] + events + 1] & TYPE == WIN:
            won.append(abs(value - brought[hand, seat]))
            settled.append(abs(course.values[row, seat] - brought[hand, seat]))
        else:
            passed.append(abs(value - course.values[row, seat]))
    assert len(passed) > 1_000
    assert np.quantile(passed, 0.9) < 1e-4, "but for red fives, which are played where a plain tile is valued"
    assert len(won) > 10
    assert np.median(won) < 0.02, "but for ura and a second winner"
    assert np.median(settled) > 5 * np.median(won), "which is not known without looking"


def test_worths_of_standings_are_forgotten_when_they_are_too_many(monkeypatch):
    monkeypatch.setattr("engine.critic.choices.MOST_WORTHS", 64)
    values = DiscardValues(shipped_critic())
    tables = Tables(40, TONPU, seed=4)
    tables.deal()
    asked = tables.questions()
    kinds = np.argmax(np.asarray(tables.games)["counts"][asked.tables, asked.seats] > 0, axis=1)
    zeros = np.zeros(40, np.int64)
    once = values.places(tables.games, asked.tables, asked.seats, kinds, zeros)
    scores = np.asarray(tables.games)["dealt_scores"]
    for _ in range(4):
        scores[:, 0] += 100
        scores[:, 1] -= 100
        values.places(tables.games, asked.tables, asked.seats, kinds, zeros)
    scores[:, 0] -= 400
    scores[:, 1] += 400
    assert np.array_equal(values.places(tables.games, asked.tables, asked.seats, kinds, zeros), once)
    assert once.shape == (40,)
    assert PLACE == 1
