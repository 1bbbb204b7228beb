"""Fitting the perceptron: its rows against the state, its learning rule against a plain one."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.events import Discard
from engine.model.tiles import DORA_AFTER, HAKU, RED_FIVES
from engine.networks.imitation_layout_kernels import WHO_OTHER, WHO_PHOENIX
from engine.papers.che import training as fitting
from engine.papers.che.perceptron import PerceptronWeights
from engine.papers.che.perceptron_kernels import WEIGHTS
from engine.rules.recordings import Recordings, encode_game
from engine.state import GameState, visible_to
from tests.games import game_of
from tests.oracles.naive_perceptron import active


@pytest.fixture(scope="module")
def games():
    return [game_of("simple", seed) for seed in range(2)]


@pytest.fixture(scope="module")
def recordings(games):
    parts = [encode_game(str(number), game.events, WHO_PHOENIX) for number, game in enumerate(games)]
    return Recordings.concatenate(parts)


def hands(recordings):
    return np.arange(len(recordings.kyoku))


def seen_by_the_states(games):
    """(row, quiet) of every discard that is not in riichi, as the state of the seat knows it."""
    for game in games:
        states = [GameState(seat) for seat in range(4)]
        for event in game.events:
            if isinstance(event, Discard) and not states[event.seat].riichi[event.seat]:
                state = states[event.seat]
                dora = [DORA_AFTER[tile >> 2] for tile in state.dora_indicators]
                row = (
                    list(state.counts),
                    [dora.count(kind) for kind in range(34)],
                    [int(any(tile in state.hand for tile in RED_FIVES if tile >> 2 == kind)) for kind in range(34)],
                    [(kind >= HAKU) + (kind == state.seat_wind) + (kind == state.round_wind) for kind in range(34)],
                    len(state.melds[event.seat]),
                    event.tile >> 2,
                )
                yield row, not any(state.riichi) and not state.melds[event.seat]
            for seat in range(4):
                states[seat].apply(visible_to(event, seat))


def as_tuples(rows):
    return [tuple(array[at].tolist() for array in rows) for at in range(len(rows.discards))]


def test_rows_are_what_the_state_holds(games, recordings):
    expected = list(seen_by_the_states(games))
    assert as_tuples(fitting.all_rows(recordings, hands(recordings))) == [row for row, _ in expected]
    assert as_tuples(fitting.quiet_rows(recordings, hands(recordings))) == [row for row, quiet in expected if quiet]


def test_the_papers_sampling_is_a_part_of_them(recordings):
    paper = as_tuples(fitting.paper_rows(recordings, hands(recordings)))
    quiet = as_tuples(fitting.quiet_rows(recordings, hands(recordings)))
    assert 0 < len(paper) < len(quiet)
    assert [row for row in quiet if row in paper] == paper


def test_only_players_of_the_phoenix_room_are_learned_from(games):
    other = encode_game("1", games[0].events, WHO_OTHER)
    assert not len(fitting.all_rows(other, hands(other)).discards)


def test_it_learns_as_a_plain_perceptron_does(recordings):
    rows = fitting.paper_rows(recordings, hands(recordings))
    rows = type(rows)(*(array[:60] for array in rows))
    reports = []
    found = fitting.fit(rows, fitting.PerceptronSettings(epochs=2, seed=3), lambda *report: reports.append(report))
    weights, totals = np.zeros(WEIGHTS), np.zeros(WEIGHTS)
    random, steps = np.random.default_rng(3), 0
    for _ in range(2):
        for row in random.permutation(60):
            hand = {kind: list(hand_after(rows, row, kind)) for kind in range(34) if rows.counts[row, kind]}
            best = max(hand, key=lambda kind: weights[hand[kind]].sum())
            if best != rows.discards[row]:
                for place in hand[rows.discards[row]]:
                    weights[place] += 1
                for place in hand[best]:
                    weights[place] -= 1
            totals += weights
            steps += 1
    np.testing.assert_allclose(found.flat, totals / steps, atol=2e-2)
    assert [report[:2] for report in reports] == [(60, 120), (120, 120)]


def hand_after(rows, row, discard):
    counts = rows.counts[row].astype(int)
    counts[discard] -= 1
    bonus = (counts * rows.dora[row]).sum() + (rows.reds[row] * (counts > 0)).sum()
    return active(counts.tolist(), rows.yakuhai[row].tolist(), int(bonus), int(rows.melds[row]))


def test_agreement_grows_by_rank_and_with_learning(recordings):
    rows = fitting.quiet_rows(recordings, hands(recordings))
    before = fitting.measure(PerceptronWeights(np.zeros(WEIGHTS, np.float16)), rows)
    after = fitting.measure(fitting.fit(rows, fitting.PerceptronSettings(epochs=3), lambda *_: None), rows)
    assert before["n"] == after["n"] == len(rows.discards)
    assert before["top1"] + 0.2 < after["top1"] < after["top3"] < after["top5"] <= 1.0
