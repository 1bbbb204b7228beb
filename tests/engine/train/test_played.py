"""Hands that were played at the simulator's tables are the recordings of their events."""

from __future__ import annotations

import numpy as np
import pytest

from engine.critic.luck import luck_of_hands
from engine.critic.worths import ends_of
from engine.model.rules import TONPU
from engine.policy.batches import SimplePlayers
from engine.rules.recordings import KyokuColumn, Recordings, open_game
from engine.simulator.tables import Tables
from engine.train.played import recordings_of
from tests.engine.critic.critics import random_critic
from tests.engine.critic.games import simple_games


def played(tables):
    """The tables of ``simple`` as they stood at the end of each hand, in order, each game to its end."""
    at_tables = Tables(tables, TONPU, seed=5)
    players = SimplePlayers()
    ended = []
    while True:
        players.start_kyoku(at_tables.deal())
        asked = at_tables.questions()
        if not len(asked.tables):
            return np.concatenate(ended)
        over = at_tables.answer(players.answer_all(at_tables.games, asked))
        if len(over):
            ended.append(np.asarray(at_tables.games)[over])


@pytest.fixture(scope="module")
def ended():
    return played(24)


def test_hands_of_the_simulator_are_the_recordings_of_their_events():
    """A game by its events and by its tables is the same recording."""
    game = simple_games(1)[0]
    expected, _ = open_game(game.events)
    tables = Tables(1, TONPU, walls=[walls_of(game)])
    players = SimplePlayers()
    ended = []
    while True:
        players.start_kyoku(tables.deal())
        asked = tables.questions()
        if not len(asked.tables):
            break
        if len(tables.answer(players.answer_all(tables.games, asked))):
            ended.append(np.asarray(tables.games).copy())
    found = recordings_of(np.concatenate(ended))
    assert (found.hands == expected.hands).all()
    columns = [column for column in KyokuColumn if column not in (KyokuColumn.GAME, KyokuColumn.FIRST_EVENT)]
    columns = [column for column in columns if column is not KyokuColumn.EVENTS]
    for column in columns:
        assert found.kyoku[:, column].tolist() == expected.kyoku[:, column].tolist(), column
    assert (found.kyoku[:, KyokuColumn.DELTA :] == expected.kyoku[:, KyokuColumn.DELTA :]).all()
    assert ends_of(found).ends.tolist() == ends_of(expected).ends.tolist()
    assert ends_of(found).gains.tolist() == ends_of(expected).gains.tolist()
    critic = random_critic(1)
    every = np.arange(len(found.kyoku))
    assert np.allclose(luck_of_hands(found, every, critic), luck_of_hands(expected, every, critic))


def walls_of(game):
    from tests.samples import shuffle_of  # noqa: PLC0415 - for this test alone

    return (wall.order() for wall in shuffle_of(game.shuffle))


def test_recordings_of_several_hands_lie_side_by_side(ended):
    recordings = recordings_of(ended)
    assert isinstance(recordings, Recordings)
    assert recordings.kyoku[:, KyokuColumn.EVENTS].sum() == len(recordings.events)
