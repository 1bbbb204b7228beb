"""Self-play: hands as recordings, advantages without luck, answers drawn from chances, and a learner that learns."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from engine.critic.luck import luck_of_hands
from engine.critic.outcomes import PLACE, expected_places
from engine.critic.worths import ends_of, hands_to_come, place_changes
from engine.model.rules import TONPU
from engine.networks.imitation import ImitationWeights, legal_answers, shipped_network, shipped_weights
from engine.networks.imitation_layout_kernels import A_CALLS, A_PASS, ANSWERS
from engine.policy.batches import PhoenixPlayers, SimplePlayers
from engine.rules.code_kernels import DISCARD, DRAW, WIN
from engine.rules.recordings import KyokuColumn, Recordings, open_game
from engine.simulator.tables import Tables
from engine.train.advantages import advantages_of, course_of, moments_of
from engine.train.played import recordings_of, what_follows
from engine.train.sampling import SampledPlayers, joined, tempered
from engine.train.selfplay_scores import ahead_of
from tests.engine.critic.games import simple_games
from tests.engine.critic.test_critic import random_critic


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
    brought = expected_places(what_follows(np.concatenate(ended))) - expected_places(hands_to_come(found.kyoku))
    changes, known = place_changes(expected)
    assert known.all()
    assert np.allclose(brought, changes, atol=1e-5)
    critic = random_critic(1)
    every = np.arange(len(found.kyoku))
    assert np.allclose(luck_of_hands(found, every, critic), luck_of_hands(expected, every, critic))


def walls_of(game):
    from tests.samples import shuffle_of  # noqa: PLC0415 - for this test alone

    return (wall.order() for wall in shuffle_of(game.shuffle))


def test_advantages_are_what_came_less_what_was_expected_and_luck(ended):
    recordings = recordings_of(ended)
    critic = random_critic(7)
    course = course_of(recordings, critic)
    brought = expected_places(what_follows(ended)) - expected_places(hands_to_come(recordings.kyoku))
    whole = advantages_of(course, brought, 1.0)
    short = advantages_of(course, brought, 0.0)
    for hand in (0, 3, len(recordings.kyoku) - 1):
        rows = np.flatnonzero(course.keys >> 10 == hand)
        assert (np.diff(course.keys[rows]) > 0).all()
        for place, row in enumerate(rows):
            luck = course.luck[rows[place:]].sum(axis=0)
            assert np.allclose(whole[row], brought[hand] - course.values[row] - luck, atol=1e-3)
        following = [*course.values[rows[1:]], brought[hand]]
        assert np.allclose(short[rows], following - course.values[rows] - course.luck[rows], atol=1e-4)
    deal = luck_of_hands(recordings, np.arange(len(recordings.kyoku)), critic)[:, :, PLACE]
    in_play = np.zeros_like(deal)
    np.add.at(in_play, course.keys >> 10, course.luck)
    assert np.corrcoef(deal.ravel(), in_play.ravel())[0, 1] > 0.5, "the same luck, the deal apart"


def test_a_decision_is_judged_from_the_draw_or_the_discard_before_it(ended):
    recordings = recordings_of(ended)
    course = course_of(recordings, random_critic(7))
    types = recordings.events & 15
    first = recordings.kyoku[:, KyokuColumn.FIRST_EVENT]
    hand = 2
    codes = types[first[hand] : first[hand] + recordings.kyoku[hand, KyokuColumn.EVENTS]].tolist()
    for events in range(1, len(codes)):
        if codes[events - 1] == DRAW:
            row = moments_of(course, np.array([hand]), np.array([events]), np.array([True]))
            assert course.keys[row] == 1_024 * hand + events - 1
            assert course.luck[row].any()
        elif codes[events - 1] == DISCARD:
            row = moments_of(course, np.array([hand]), np.array([events]), np.array([False]))
            if events < len(codes) and codes[events] == WIN:
                assert row == -1, "whoever else was asked, the hand was over"
            else:
                assert course.keys[row] == 1_024 * hand + events


def test_answers_are_drawn_as_often_as_their_chances_say():
    players = SampledPlayers(shipped_network(), 0.7, 0.9, 3)
    tables = Tables(64, TONPU, seed=9)
    kept = []
    hands = set()
    for _ in range(60):
        players.start_kyoku(tables.deal())
        asked = tables.questions()
        tables.answer(players.answer_all(tables.games, asked))
        taken = players.taken()
        if taken is not None:
            kept.append(taken)
            hands |= set(taken.hands.tolist())
    choices = joined(kept)
    assert players.taken() is None
    assert len(choices.answers) > 1_500
    assert len(hands) >= 60
    logs, _ = shipped_network().log_chances(choices.planes, choices.numbers, choices.questions)
    logs = tempered(logs, 0.7)
    rows = np.arange(len(logs))
    assert np.allclose(logs[rows, choices.answers], choices.logs, atol=1e-4)
    assert legal_answers(choices.questions)[rows, choices.answers].all()
    assert logs.max() < np.log(0.9)
    likeliest = (choices.answers == logs.argmax(axis=1)).mean()
    error = np.sqrt(0.25 / len(logs))
    assert abs(likeliest - np.exp(logs.max(axis=1)).mean()) < 4 * error
    assert ((choices.answers >= A_CALLS) <= ~choices.own | (choices.answers > A_PASS)).all()
    assert players.asked > len(choices.answers)


def test_temperatures_sharpen():
    logs = np.log(np.array([[0.6, 0.3, 0.1]], np.float32))
    assert np.exp(tempered(logs, 1.0)) == pytest.approx(np.array([[0.6, 0.3, 0.1]]), abs=1e-6)
    assert np.exp(tempered(logs, 0.5)) == pytest.approx(np.array([[0.36, 0.09, 0.01]]) / 0.46, abs=1e-6)


def test_the_learner_prefers_what_pays():
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train.learner import Learner, LearnerSettings  # noqa: PLC0415 - it needs torch

    players = SampledPlayers(shipped_network(), 1.0, 0.95, 3)
    tables = Tables(64, TONPU, seed=9)
    for _ in range(40):
        players.start_kyoku(tables.deal())
        asked = tables.questions()
        tables.answer(players.answer_all(tables.games, asked))
    choices = players.taken()
    passes = choices.answers == A_PASS
    assert passes.any()
    learner = Learner(shipped_weights(), LearnerSettings(temperature=1.0, rate=3e-4, batch=128), 1)
    random = np.random.default_rng(1)
    asked_calls = choices.where(~choices.own)

    def calls(network):
        logs, _ = network.log_chances(asked_calls.planes, asked_calls.numbers, asked_calls.questions)
        return 1.0 - np.exp(logs[:, A_PASS]).mean()

    before = calls(shipped_network())
    worth = np.where(passes, -1.0, 0.2).astype(np.float32)
    for _ in range(3):
        lesson = learner.learn(choices, worth, random)
    assert calls(learner.weights().network()) > 1.3 * before
    assert lesson.apart > 0
    assert 0 < lesson.clipped < 1
    assert choices.answers.max() < ANSWERS


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.critic.network import shipped_critic_weights  # noqa: PLC0415
    from engine.train.phoenix import CheckpointError  # noqa: PLC0415
    from engine.train.selfplay import SelfPlay, SelfPlaySettings  # noqa: PLC0415 - it needs torch

    settings = SelfPlaySettings(tables=24, decisions=600)
    run = SelfPlay(shipped_weights(), shipped_critic_weights(), settings)
    seen = run.round(count().__next__)
    assert seen["learned"] > 0
    assert set(seen["explained"]) >= {"56", "42"}
    run.save(tmp_path / "it")
    again = SelfPlay(shipped_weights(), shipped_critic_weights(), settings)
    again.restore(tmp_path / "it")
    assert (again.done, again.rounds) == (run.done, 1)
    assert again.learner.weights().digest() == run.learner.weights().digest() != shipped_weights().digest()
    assert again.round(count().__next__)["round"] == 2
    other = SelfPlay(shipped_weights(), shipped_critic_weights(), SelfPlaySettings(tables=24, decisions=600, seed=2))
    with pytest.raises(CheckpointError, match="other settings"):
        other.restore(tmp_path / "it")
    (tmp_path / "bad").write_bytes(b"no checkpoint")
    with pytest.raises(CheckpointError, match="bad"):
        again.restore(tmp_path / "bad")


def test_phoenix_can_be_given_another_network():
    players = PhoenixPlayers()
    players.renew(shipped_network())
    tables = Tables(2, TONPU, seed=1)
    players.start_kyoku(tables.deal())
    assert len(players.answer_all(tables.games, tables.questions())) == 2


def test_recordings_of_several_hands_lie_side_by_side(ended):
    recordings = recordings_of(ended)
    assert isinstance(recordings, Recordings)
    assert recordings.kyoku[:, KyokuColumn.EVENTS].sum() == len(recordings.events)


def test_a_learner_is_ahead_by_the_answers_that_it_would_draw_more_often():
    first = shipped_network()
    none = ahead_of(first, first, random_critic(7), 500, 0.7, 3)
    assert none["decisions"] >= 500
    assert abs(none["all"]["mean"]) < 1e-3, "but for the rounding of logarithms"
    arrays = shipped_weights().arrays()
    arrays["answer"] = arrays["answer"] * np.float32(0.8)
    found = ahead_of(
        first, ImitationWeights.of(shipped_weights().shape, arrays).network(), random_critic(7), 500, 0.7, 3
    )
    parts = [found[name]["mean"] for name in ("discards", "riichi", "calls")]
    assert sum(parts) == pytest.approx(found["all"]["mean"], abs=2e-4)
    assert found["all"]["within"] > found["riichi"]["within"] >= 0
