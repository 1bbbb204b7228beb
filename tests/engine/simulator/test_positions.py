"""Positions whose unseen tiles change places: what was seen stays, and all that follows from the rest is right."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.events import StartGame
from engine.model.rules import TONPU
from engine.rules.answers import action_of, legal_numbers
from engine.rules.table_kernels import CALLED, DISCARDED, DRAWN
from engine.simulator.history import HandHistory
from engine.simulator.play_kernels import answer_randomly
from engine.simulator.tables import AnswerError, Tables
from engine.state import GameState, visible_to
from tests.engine.simulator.going_on import as_bytes, dealt, go_on
from tests.oracles.naive_view import validate

NAMES = ("", "", "", "")


def in_play(number=48, rounds=60, seed=3):
    tables = go_on(dealt(number, seed), rounds)
    tables.deal()
    return tables


def events_of(tables, at):
    return list(HandHistory(TONPU).news(tables.games[at]))


def asked_of(tables):
    asked = tables.questions()
    return list(zip(asked.tables.tolist(), asked.seats.tolist(), asked.legal.tolist(), strict=True))


def view_of(events, seat):
    state = GameState(seat, TONPU)
    for event in (StartGame(TONPU, NAMES), *events):
        state.apply(visible_to(event, seat))
    return state


def holds_each_tile_once(tables):
    return (np.sort(np.asarray(tables.games)["tiles"], axis=1) == np.arange(136)).all()


def test_tiles_that_nobody_has_seen_change_places_and_nothing_else_does():
    tables = in_play()
    before = np.asarray(tables.games).copy()
    events = [events_of(tables, at) for at in range(len(tables))]
    asked = asked_of(tables)
    tables.reshuffle(np.arange(len(tables)))
    after = np.asarray(tables.games)
    assert events == [events_of(tables, at) for at in range(len(tables))]
    assert asked == asked_of(tables)
    changed = [name for name in before.dtype.names if (before[name] != after[name]).any()]
    assert changed == ["tiles", "random"]
    assert holds_each_tile_once(tables)
    for old, new in zip(before, after, strict=True):
        moved = np.flatnonzero(old["tiles"] != new["tiles"])
        assert len(moved) > old["wall"]
        assert max(moved) <= 83 - old["live_drawn"]
        turned = 5 + 2 * np.arange(old["indicators"])
        drawn = np.array([1, 0, 3, 2])[: old["dead_drawn"]]
        assert not set(moved) & {*turned, *drawn}


def test_tiles_that_a_seat_has_seen_stay_and_the_other_hands_change():
    tables = in_play(rounds=70)
    array = np.asarray(tables.games)
    for at, seat, legal in asked_of(tables):
        if not int(array["asked"][at]) >> seat & 1:
            continue  # its own hand was exchanged
        seen, own = [visible_to(event, seat) for event in events_of(tables, at)], array[at].copy()
        tables.reshuffle(np.array([at]), seat)
        new = array[at]
        assert [visible_to(event, seat) for event in events_of(tables, at)] == seen
        assert (at, seat, legal) in asked_of(tables)
        assert (new["copies"][seat] == own["copies"][seat]).all()
        others = [other for other in range(4) if other != seat]
        assert (new["copies"][others] != own["copies"][others]).any()
        assert (new["counts"].sum(axis=1) == own["counts"].sum(axis=1)).all()
    assert holds_each_tile_once(tables)


def test_waits_furiten_and_questions_are_those_of_the_new_hands():
    """Four states that follow the changed deal and draws know the same."""
    tables = in_play(160, 75)
    phases, asked_others = set(), 0
    for at, seat, _ in asked_of(tables):
        table = tables.games[at]
        if not (table.asked >> seat & 1) or any(table.riichi) or table.declared >= 0:
            continue  # no other hand is tenpai for certain, which a state requires of its own riichi
        tables.reshuffle(np.array([at]), seat)
        phases.add(int(table.phase))
        legal = {(where, who): words for where, who, words in asked_of(tables)}
        events = events_of(tables, at)
        for other in range(4):
            state = view_of(events, other)
            validate(state)
            words = legal.get((at, other), (0, 0, 0, 0))
            actions = sorted(str(action_of(table, other, number)) for number in legal_numbers(words))
            assert actions == sorted(map(str, state.legal_actions()))
            asked_others += bool(actions) and other != seat
            assert bool(table.missed[other]) == state.missed
            if table.phase != CALLED or other != table.turn:
                assert table.waits[other] == state.waits_mask
            if other != seat:
                assert bool(table.furiten_turn[other]) == state.furiten_turn
    assert {DRAWN, DISCARDED} <= phases
    assert asked_others


def test_furiten_follows_from_what_has_passed():
    """Short hands wait for something in any case, so that some wait for what was discarded."""
    tables = in_play(300, 70)
    found = 0
    for at, seat, _ in asked_of(tables):
        table = tables.games[at]
        short = max(table.melds[other] for other in range(4) if other != seat) >= 3
        if not short or any(table.riichi) or table.declared >= 0 or not table.asked >> seat & 1:
            continue
        for _ in range(10):
            tables.reshuffle(np.array([at]), seat)
            for other in range(4):
                if other != seat and table.waits[other]:
                    found += int(table.furiten_turn[other])
                    assert view_of(events_of(tables, at), other).furiten_turn == bool(table.furiten_turn[other])
    assert found


def test_exchanged_tiles_are_even():
    one = in_play(1, 30, seed=5)
    at, seat, _ = asked_of(one)[0]
    number = 20_000
    tables = Tables(number, TONPU, seed=1)
    array = np.asarray(tables.games)
    generators = array["random"].copy()
    array[:] = np.asarray(one.games)[at]
    array["random"] = generators
    tables.look_again()
    tables.reshuffle(np.arange(number), seat)
    next_drawn = array["tiles"][np.arange(number), 83 - array["live_drawn"]]
    seen = {*np.flatnonzero(np.unpackbits(np.asarray(one.games)[at]["copies"][seat][:, None], axis=1)[:, :3:-1])}
    counts = np.bincount(next_drawn, minlength=136)
    possible = np.flatnonzero(counts)
    assert not set(possible) & seen
    unseen = 136 - int(np.asarray(one.games)[at]["counts"][seat].sum()) - int(array["open_tiles"][0].sum())
    assert len(possible) == unseen
    expected = number / unseen
    assert ((counts[possible] - expected) ** 2 / expected).sum() < unseen + 5 * np.sqrt(2 * unseen)


def test_hands_with_exchanged_tiles_are_played_to_their_ends():
    tables = in_play(64, 50)
    viewers = {}
    for at, seat, _ in asked_of(tables):
        if not any(tables.games[at].riichi) and tables.games[at].declared < 0 and at not in viewers:
            tables.reshuffle(np.array([at]), seat)
            viewers[at] = seat
    number = 0
    while len((asked := tables.questions()).tables):
        answers = np.empty(len(asked.tables), np.int64)
        answer_randomly(asked, number, answers)
        tables.answer(answers)
        number += 1
    for at, seat in viewers.items():
        validate(view_of(events_of(tables, at), seat))
    assert len(viewers) > 30


@pytest.mark.parametrize(("where", "viewer", "words"), [([3], 4, "seat 4 is not asked"), ([0, 3], None, "no hand")])
def test_a_table_that_cannot_be_shuffled_is_named_and_refused(where, viewer, words):
    tables = dealt()
    if viewer is None:
        tables.restart(np.array([3]))
    before = as_bytes(tables)
    with pytest.raises(AnswerError, match=f"table 3: {words}"):
        tables.reshuffle(np.array(where), *(() if viewer is None else (viewer,)))
    assert as_bytes(tables) == before
