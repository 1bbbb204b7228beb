"""Worlds: what the seat sees is in all of them, the rest is a deal that could be, and they can be played on."""

from __future__ import annotations

import numpy as np
import pytest

from engine._jit import new_records
from engine.imitation.network import shipped_network, view_inputs
from engine.model.rules import TONPU
from engine.policy.batches import LearnedPlayers
from engine.rules.answers import action_of, legal_numbers
from engine.rules.table_kernels import CALLED, DISCARDED, DRAWN, Table
from engine.shanten import shanten
from engine.simulator.tables import Tables
from engine.worlds.network import OTHERS, shipped_hidden, with_known
from engine.worlds.worlds import can_be_drawn, copies, draw_worlds, play_out
from tests.engine.simulator.test_positions import asked_of, events_of, view_of

NUMBER = 2
HIDDEN = {"counts", "copies", "waits", "missed", "furiten_turn", "furiten_riichi"}
"""Fields by seat, of which the seat knows its own."""
OF_THE_VIEWER = {"viewer", "hand", "visible", "reds_seen", "own_reds"}


def played(number, rounds, seed):
    """Tables at which the network of phoenix has played, so that there are riichi and calls."""
    tables = Tables(number, TONPU, seed=seed)
    tables.deal()
    player = LearnedPlayers(shipped_network())
    for _ in range(rounds):
        asked = tables.questions()
        tables.answer(player.answer_all(tables.games, asked))
        tables.deal()
    return tables


@pytest.fixture(scope="module")
def questions():
    """(table, seat, state) of many questions, with riichi among them."""
    tables = played(80, 60, 5)
    found = []
    for at, seat, _ in asked_of(tables):
        state = view_of(events_of(tables, at), seat)
        found.append((tables.games[at], seat, state))
    return found


def worlds_of(state, number=NUMBER, seed=1):
    return draw_worlds(state, shipped_hidden(), number, seed)


def test_a_seat_sees_in_every_world_what_it_sees(questions):
    """The simulator's own table is the oracle: all that is open is the same there."""
    phases = set()
    names = set(new_records(Table).dtype.names) - HIDDEN - OF_THE_VIEWER
    for table, seat, state in questions[::3]:
        phases.add(int(table.phase))
        worlds = worlds_of(state)
        for world in np.asarray(worlds.games):
            for name in names:
                assert np.array_equal(_used(name, world), _used(name, table)), name
            for name in HIDDEN:
                assert np.array_equal(world[name][seat], np.asarray(table[name])[seat]), name
            for name in ("live_drawn", "dead_drawn", "wall", "phase"):
                assert world[name] == table[name]
    assert {DRAWN, CALLED, DISCARDED} <= phases


def _used(name, table):
    """A field, without places that hold what an earlier hand left."""
    rows = np.asarray(table[name])
    if rows.ndim < 2 or not name.startswith(("river_", "meld_")):
        return rows
    until = table["lengths" if name.startswith("river_") else "melds"]
    return np.concatenate([row[:length] for row, length in zip(rows, until, strict=True)])


def test_the_question_to_the_seat_is_the_same(questions):
    for _, seat, state in questions[::3]:
        worlds = worlds_of(state)
        mine = [(at, legal) for at, who, legal in asked_of(worlds) if who == seat]
        assert [at for at, _ in mine] == list(range(len(worlds)))
        for at, legal in mine:
            actions = sorted(str(action_of(worlds.games[at], seat, number)) for number in legal_numbers(legal))
            assert actions == sorted(map(str, state.legal_actions()))


def test_every_tile_is_somewhere_once(questions):
    for table, _, state in questions[::4]:
        sizes = np.asarray(table["counts"]).sum(axis=1)
        for world in np.asarray(worlds_of(state).games):
            held = [4 * kind + copy for at in range(4) for kind in range(34) for copy in range(4)
                    if world["copies"][at][kind] >> copy & 1]  # fmt: skip
            covered = [int(world["tiles"][place]) for place in _covered(world)]
            unseen = [tile for tile in range(136) if not state.seen[tile]]
            others = [tile for tile in held if tile not in state.hand]
            assert sorted(covered + others) == unseen
            assert (world["counts"].sum(axis=1) == sizes).all()


def _covered(world):
    dead = [place for place in range(4) if (place ^ 1) >= world["dead_drawn"]]
    ura = [place for place in range(4, 14) if place % 2 == 0 or (place - 5) >> 1 >= world["indicators"]]
    return [*dead, *ura, *range(14, 84 - int(world["live_drawn"]))]


def test_who_declared_riichi_is_tenpai(questions):
    found = 0
    for table, seat, state in questions:
        declared = [at for at in range(4) if at != seat and (table["riichi"][at] or table["declared"] == at)]
        for world in np.asarray(worlds_of(state, 3).games) if declared else ():
            for at in declared:
                found += 1
                assert shanten(world["counts"][at].tolist(), int(world["melds"][at])) == 0
                assert not world["furiten_riichi"][at]
    assert found > 10


def test_the_same_seed_draws_the_same_worlds(questions):
    _, _, state = questions[0]
    one, again, other = (np.asarray(worlds_of(state, seed=seed).games) for seed in (1, 1, 2))
    assert one.tobytes() == again.tobytes()
    assert (one["copies"] != other["copies"]).any()
    assert (one["copies"][0] != one["copies"][1]).any()


def test_worlds_are_played_on_to_the_end_of_the_hand(questions):
    _, seat, state = questions[0]
    legal = state.legal_actions()[:2]
    worlds = worlds_of(state)
    tables = copies(worlds, len(legal))
    assert len(tables) == len(legal) * len(worlds)
    play_out(tables, [{seat: action} for action in legal for _ in range(len(worlds))], LearnedPlayers())
    games = np.asarray(tables.games)
    assert (games["ending"] > 0).all()
    assert (games["scores"].sum(axis=1) + 1000 * games["sticks"] == 100_000).all()


def test_a_hand_that_was_joined_in_progress_is_not_drawn(questions):
    _, _, state = questions[0]
    assert can_be_drawn(state)
    state = state.copy()
    state.history_known = False
    assert not can_be_drawn(state)


def test_the_network_says_a_chance_for_each_kind(questions):
    planes, numbers = view_inputs(questions[0][2])
    known = np.zeros((1, OTHERS, 34), np.uint8)
    found = shipped_hidden().next_kinds(*with_known(planes[None], numbers[None], known, np.full((1, OTHERS), 13)))
    assert found.shape == (1, OTHERS, 34)
    assert np.isfinite(found).all()
