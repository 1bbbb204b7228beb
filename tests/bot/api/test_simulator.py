"""The simulator's rounds: what a seat is asked and sees, who answers, and what the seed and the walls decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot import api
from bot.api import simulator
from bot.api.simulator import DISCARD, PASS, THE_DRAWN, Rules, Simulator
from engine.arena import Referee, Shuffle
from engine.model.budget import Budget
from engine.model.events import StartGame
from engine.model.melds import Meld
from engine.model.rules import TONPU
from engine.model.seats import absolute
from engine.networks.imitation import inputs_of
from engine.networks.imitation_layout_kernels import WHO_OTHER
from engine.policy.batches import SimplePlayers, ask
from engine.policy.registry import make_policy
from engine.shanten import shanten
from engine.simulator import observation_kernels as layout
from engine.simulator.tables import Tables
from engine.state import Phase
from protocol.logs.formats import LogFile, read_log
from tests.bot.api.simulated import as_bytes, chosen, played_from_start

ASKED = {Phase.DRAWN: 0, Phase.CALLED: 1, Phase.DISCARDED: 2, Phase.KAN: 3}


def test_a_line_says_what_a_simulator_its_round_and_a_position_are():
    tables = Simulator(2, seed=2)
    assert repr(tables) == "<Simulator: 2 tables, no round yet>"
    tables.reset()
    assert repr(tables) == "<Simulator: 2 tables, 2 questions>"
    assert repr(tables.round) == "<Round: 2 questions of 2 tables, 0 hands and 0 episodes ended>"
    position = tables.save(1)
    assert repr(position) == "<Position: E1, asked: 0, scores [25000, 25000, 25000, 25000]>"
    forged = replace(position, record=np.zeros(3))
    assert repr(forged) == "<Position: not as save(table) or position(place) made it>"


def test_the_columns_are_those_of_the_kernels():
    assert len(simulator.PLANES) == layout.PLANES
    assert len(simulator.NUMBERS) == layout.NUMBERS
    assert simulator.PLANES[layout.OF_SEATS + layout.OF_A_SEAT + layout.IN_MELDS] == "right: in its melds"
    assert simulator.NUMBERS[layout.RIICHIS + 3] == "left: riichi, 2 for double"
    assert simulator.NUMBERS[layout.SHANTEN] == "shanten"


def test_observations_say_what_the_seat_sees():
    tables = Simulator(40, "hanchan", seed=2)
    tables.reset()
    phases = set()
    for number in range(60):
        questions = tables.step(chosen(tables.round, number))
        for row in range(0, len(questions.tables), 7):
            state = tables.view(row)
            phases.add(state.phase)
            assert_seen(state, questions.planes[row], questions.numbers[row])
    assert phases >= {Phase.DRAWN, Phase.CALLED, Phase.DISCARDED}


def assert_seen(state, planes, numbers):
    side = [absolute(away, state.seat) for away in range(4)]
    assert planes[:, layout.HELD].tolist() == list(state.counts)
    assert planes[:, layout.VISIBLE].tolist() == list(state.visible)
    assert np.flatnonzero(planes[:, layout.RED]).tolist() == [t >> 2 for t in state.hand if t in {16, 52, 88}]
    assert np.flatnonzero(planes[:, layout.JUST_DRAWN]).tolist() == [t >> 2 for t in [state.drawn] if t is not None]
    assert np.flatnonzero(planes[:, layout.ON_OFFER]).tolist() == [t >> 2 for t in [state.offered] if t >= 0]
    for away, seat in enumerate(side):
        first = layout.OF_SEATS + layout.OF_A_SEAT * away
        river = np.zeros((34, 4), int)
        for at, each in enumerate(state.rivers[seat]):
            row = river[each.tile >> 2]
            row += [1, not each.tsumogiri, at + 1 - row[2], each.riichi]
        assert planes[:, first : first + 4].tolist() == river.tolist()
        melds: list[Meld] = state.melds[seat]
        laid = np.bincount([tile >> 2 for meld in melds for tile in meld.tiles], minlength=34)
        assert planes[:, first + layout.IN_MELDS].tolist() == laid.tolist()
    said = numbers.tolist()
    assert said[: layout.DEALER] == [state.kyoku, state.honba, state.riichi_sticks, state.wall_left, 7]
    assert said[layout.DEALER] == side.index(state.dealer)
    assert said[layout.ASKED] == ASKED[state.phase]
    assert said[layout.GIVER] == side.index(state.turn)
    assert said[layout.FURITEN] == state.furiten
    assert said[layout.SHANTEN] == shanten(state.counts, len(state.melds[state.seat]))
    assert said[layout.SCORES : layout.RIICHIS] == [state.scores[seat] for seat in side]
    assert said[layout.RIICHIS : layout.IPPATSU] == [state.riichi[seat] for seat in side]
    assert said[layout.IPPATSU : layout.MELDS] == [state.ippatsu[seat] for seat in side]
    assert said[layout.MELDS : layout.CLOSED_HANDS] == [len(state.melds[seat]) for seat in side]


def test_the_inputs_of_the_network_are_those_of_the_view():
    tables = Simulator(30, seed=4, observe="network")
    tables.reset()
    for number in range(45):
        questions = tables.step(tables.answers_of("random"))
        for row in range(number % 5, len(questions.tables), 9):
            state = tables.view(row)
            expected = inputs_of(state, state.legal_actions(), WHO_OTHER)
            assert (questions.planes[row] == expected.planes).all()
            assert (questions.numbers[row] == expected.numbers).all()


def test_the_actions_of_a_question_are_those_of_its_view_and_of_its_mask():
    tables = played_from_start(30, 50)
    for row in range(len(tables.round.tables)):
        found = tables.legal_actions(row)
        assert list(found) == np.flatnonzero(tables.round.mask[row]).tolist()
        assert sorted(map(str, found.values())) == sorted(map(str, tables.view(row).legal_actions()))
        assert [tables.number(row, action) & 255 for action in found.values()] == list(found)


def test_single_tables_and_all_sorts_of_whole_numbers_are_taken():
    tables = Simulator(np.int32(3), seed=np.uint8(4), observe="table")
    questions = tables.reset()
    planes, numbers = tables.observe(range(3), np.array([0, 0, 0], ">i2"))
    assert (planes == questions.planes).all()
    assert (numbers == questions.numbers).all()
    assert (tables.observe(1, 0)[0] == planes[1:2]).all()
    assert tables.answers_of("tsumogiri", 1).shape == (1,)
    assert tables.step(questions.mask.argmax(axis=1).astype(">u4")).tables.size == 3
    assert tables.reset([]).tables.size == 3
    assert tables.reset(2).tables.size == 3


def test_writing_into_a_round_changes_no_table():
    tables, others = played_from_start(6, 40), played_from_start(6, 40)
    questions = tables.round
    for name in ("tables", "seats", "mask", "planes", "numbers", "points", "rewards", "ended", "done"):
        getattr(questions, name)[...] = 99
    for row in range(len(others.round.tables)):
        assert tables.legal_actions(row) == others.legal_actions(row)
        assert repr(tables.view(row)) == repr(others.view(row))
    answers = chosen(others.round, 1)
    first, second = tables.step(answers), others.step(answers)
    for name in ("tables", "seats", "mask", "planes", "numbers", "points", "rewards", "ended", "done"):
        assert (getattr(first, name) == getattr(second, name)).all()
    position = tables.save(0)
    with pytest.raises(ValueError, match="read-only"):
        position.record["turn"] = 9
    with pytest.raises(AttributeError):
        tables.round = None


def test_policies_answer_some_of_the_questions():
    tables = played_from_start(30, 40)
    rows = np.arange(0, len(tables.round.tables), 2)
    answers = tables.answers_of("phoenix", rows)
    policy = make_policy("phoenix")
    for row, answer in zip(rows.tolist(), answers.tolist(), strict=True):
        state = tables.view(row)
        chosen_there = policy.decide(state, state.legal_actions(), Budget()).action
        assert str(tables.legal_actions(row)[answer]) == str(chosen_there)
    assert tables.answers_of("tsumogiri").shape == tables.round.tables.shape
    one, other = tables.answers_of("random"), tables.answers_of("random")
    assert tables.round.mask[np.arange(len(one)), one].all()
    assert (one != other).any()


def test_simple_has_the_memory_of_every_table_and_forgets_with_each_hand():
    """Answered through the simulator, games of ``simple`` are those that its players play by themselves."""
    tables = Simulator(30, seed=5, observe="none", again=False)
    questions = tables.reset()
    alone, player = Tables(30, TONPU, seed=5), SimplePlayers()
    for _ in range(250):
        answers = tables.answers_of("simple")
        assert (answers == tables.answers_of("simple")).all()
        asked, expected = ask(alone, [player], np.zeros((30, 4), np.int64))
        here, there = (np.lexsort((each.seats, each.tables)) for each in (questions, asked))
        assert (questions.tables[here] == asked.tables[there]).all()
        assert (answers[here] == expected[there]).all()
        questions = tables.step(answers)
        alone.answer(expected)
    assert questions.tables.size
    assert tables._array["hands"].max() > 2


def test_the_same_seed_gives_the_same_rounds():
    first, again = played_from_start(8, 200), played_from_start(8, 200)
    assert as_bytes(first) == as_bytes(again)
    for name in ("tables", "seats", "mask", "planes", "numbers", "rewards"):
        assert (getattr(first.round, name) == getattr(again.round, name)).all()


def test_a_seed_gives_the_same_game_as_the_referee():
    """Everybody discards what was drawn and passes; the seeds are those that the documentation names."""
    tables = Simulator(2, seed=11, walls="tenhou")
    tables.keep([0, 1])
    questions = tables.reset()
    for expected in ((11, 12), (13, 14)):
        done = np.zeros(2, bool)
        while not done.all():
            drawn = questions.mask[:, DISCARD + THE_DRAWN]
            questions = tables.step(np.where(drawn, DISCARD + THE_DRAWN, PASS))
            done |= questions.done
        for table, seed in enumerate(expected):
            log = read_log(LogFile("x", "mjlog", tables.mjlog(table).encode()))
            assert log.info.shuffle == Shuffle.from_seed(seed).text
            assert list(log.events[1:]) == tsumogiri_game(seed)


def tsumogiri_game(seed):
    referee = Referee(Rules(hanchan=False), seed)
    step = referee.start()
    events = list(step.events)
    while not step.over:
        answers = {}
        for seat, legal in step.prompts.items():
            tile = referee.tile_in_question(seat)
            answers[seat] = next(
                action for action in legal if str(action) == "pass" or (action.kind == 0 and action.tile == tile)
            )
        step = referee.answer(answers)
        events += step.events
    return [event for event in events if not isinstance(event, StartGame)]


def test_walls_that_are_given_are_played_in_order_and_then_the_table_is_done():
    walls = [[next(Shuffle.from_seed(10 * table + hand)).order() for hand in range(2)] for table in range(3)]
    tables = Simulator(3, seed=1, walls=walls)
    questions = tables.reset()
    hands = np.zeros(3, int)
    while len(questions.tables):
        for table in set(questions.tables.tolist()):
            assert tables._array["tiles"][table].tolist() == walls[table][hands[table]]
        questions = tables.step(chosen(questions, 0))
        hands += questions.ended
        assert (questions.done == (questions.ended & (hands == 2))).all()
    assert hands.tolist() == [2, 2, 2]
    with pytest.raises(api.InputError, match="table 0: its walls have run out"):
        tables.reset()
