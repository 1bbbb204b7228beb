"""The door for researchers: observations, rewards, episodes, positions, logs, bad input."""

from __future__ import annotations

import copy
import pickle
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot import api
from bot.api import simulator
from bot.api.simulator import DISCARD, PASS, THE_DRAWN, Position, Rules, Simulator, Standing
from bot.evaluate.log_place import find_decision, parse_place
from bot.replay.verify import verify_logs
from engine.arena import Referee, Shuffle
from engine.model.budget import Budget
from engine.model.events import EndGame, StartGame
from engine.model.melds import Meld
from engine.model.rules import TONPU
from engine.model.seats import absolute
from engine.networks.imitation import inputs_of
from engine.networks.imitation_layout_kernels import WHO_OTHER
from engine.policy.batches import SimplePlayers, ask
from engine.policy.registry import make_policy
from engine.policy.value.objective import make_objective
from engine.policy.value.utility import standing_worth
from engine.shanten import shanten
from engine.simulator import observation_kernels as layout
from engine.simulator.tables import Tables
from engine.state.seat_view import Phase
from protocol.logs.formats import LogFile, read_log
from protocol.logs.sources import open_logs

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
GAME = EXAMPLES / "game.xml"
ASKED = {Phase.DRAWN: 0, Phase.CALLED: 1, Phase.DISCARDED: 2, Phase.KAN: 3}


def chosen(questions, seed):
    """A random legal answer to each question; the same for a seed, whatever the observations."""
    return (np.random.default_rng(seed).random(questions.mask.shape) * questions.mask).argmax(axis=1)


def played(tables, rounds):
    for number in range(rounds):
        tables.step(chosen(tables.round, number))
    return tables


def as_bytes(tables):
    return tables._array.tobytes()


def as_values(tables):
    """What the fields hold, without what lies between them."""
    return [tables._array[name].tolist() for name in tables._array.dtype.names]


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


def test_simple_sits_among_others_at_many_tables():
    tables = Simulator(1_000, seed=1, observe="none")
    questions = tables.reset()
    for number in range(60):
        mine = np.flatnonzero(questions.seats == number % 4)
        answers = tables.answers_of("random")
        answers[mine] = tables.answers_of("simple", mine)
        assert questions.mask[np.arange(len(answers)), answers].all()
        questions = tables.step(answers)


def test_simple_at_a_loaded_position_has_not_folded():
    tables = Simulator(2, seed=5, observe="none")
    tables.reset()
    position = tables.save(0)
    first = tables.answers_of("simple")
    player = tables._players["simple"].player
    player._folded[:] = True
    tables.load([0, 1], position)
    assert tables.answers_of("simple").tolist() == [first[0], first[0]]
    assert not player._folded.any()


def test_every_copy_of_a_position_is_the_position():
    tables = played_from_start(4, 60)
    position = tables.save(0)
    for _ in range(20):
        position = pickle.loads(pickle.dumps(copy.deepcopy(position)))  # noqa: S301 - our own
        assert len(Simulator(3, seed=1).load([2], position).tables)


def test_what_is_written_into_a_round_changes_no_table():
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


def test_a_table_that_is_done_is_saved_and_loaded_as_it_is():
    tables = Simulator(1, seed=3, episode="hand", again=False, observe="none")
    questions = tables.reset()
    while len(questions.tables):
        questions = tables.step(tables.answers_of("tsumogiri"))
    position = tables.save(0)
    assert not len(Simulator(1).load([0], position).tables)
    planes, numbers = tables.observe([0, 0], [0, 3])
    assert planes.shape == (2, 34, 26)
    assert numbers[0, layout.SHANTEN] == shanten(
        tables._array["counts"][0, 0].tolist(), int(tables._array["melds"][0, 0])
    )


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


def test_a_copy_goes_on_by_itself():
    tables = played_from_start(4, 30)
    twin = copy.deepcopy(tables)
    answers = chosen(tables.round, 1)
    first = tables.step(answers)
    second = twin.step(answers)
    assert as_values(tables) == as_values(twin)
    assert (first.planes == second.planes).all()


def test_the_actions_of_a_question_are_those_of_its_view_and_of_its_mask():
    tables = played_from_start(30, 50)
    for row in range(len(tables.round.tables)):
        found = tables.legal_actions(row)
        assert list(found) == np.flatnonzero(tables.round.mask[row]).tolist()
        assert sorted(map(str, found.values())) == sorted(map(str, tables.view(row).legal_actions()))
        assert [tables.number(row, action) & 255 for action in found.values()] == list(found)


def played_from_start(number, rounds, **more):
    tables = Simulator(number, seed=4, **more)
    tables.reset()
    return played(tables, rounds)


@pytest.mark.parametrize("rules", ["tonpu", "hanchan"])
def test_rewards_add_up_to_the_final_result_and_points_to_the_final_scores(rules):
    tables = Simulator(24, rules, seed=6, observe="none")
    tables.keep(range(24))
    questions = tables.reset()
    rewards, points, over = np.zeros((24, 4)), np.zeros((24, 4), int), 0
    while over < 30:
        questions = tables.step(chosen(questions, over))
        rewards += questions.rewards
        points += questions.points
        assert not questions.rewards[~questions.ended].any()
        for table in np.flatnonzero(questions.done).tolist():
            end = read_log(LogFile("x", "mjlog", tables.mjlog(table).encode())).events[-1]
            assert isinstance(end, EndGame)
            assert rewards[table] == pytest.approx(end.results, abs=1e-9)
            assert (points[table] + 25_000).tolist() == list(end.scores)
            rewards[table], points[table], over = 0, 0, over + 1


def test_a_standing_is_where_episodes_begin_and_a_hand_is_worth_what_it_changes():
    standing = Standing(6, 2, 3, (31_000, 4_000, 40_000, 22_000))
    tables = Simulator(16, "hanchan", seed=1, episode="hand", again=False)
    worths = [standing_worth(make_objective("placement", tables.rules), tables.rules, seat) for seat in range(4)]
    questions = tables.reset(standing=standing)
    assert set(questions.numbers[:, layout.KYOKU].tolist()) == {6}
    assert set(questions.numbers[:, layout.STICKS].tolist()) == {3}
    ways = set()
    while len(questions.tables):
        questions = tables.step(chosen(questions, len(ways)))
        for table in np.flatnonzero(questions.done).tolist():
            game = tables._array[table]
            ways.add(bool(game["results"].any()))
            names = ("next_kyoku", "next_honba", "sticks", "scores")
            after = Standing(*(game[name].tolist() for name in names))
            now = game["results"] / 10 if game["results"].any() else [worth(after) for worth in worths]
            changes = [end - worth(standing) for end, worth in zip(now, worths, strict=True)]
            assert questions.rewards[table] == pytest.approx(changes, abs=1e-4)
            assert abs(questions.rewards[table]).sum() > 0.1
    assert False in ways


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


def test_the_same_seed_gives_the_same_rounds():
    first, again = played_from_start(8, 200), played_from_start(8, 200)
    assert as_bytes(first) == as_bytes(again)
    for name in ("tables", "seats", "mask", "planes", "numbers", "rewards"):
        assert (getattr(first.round, name) == getattr(again.round, name)).all()


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


def test_a_table_that_is_done_may_wait():
    tables = Simulator(6, seed=3, episode="hand", again=False)
    questions = tables.reset()
    done = np.zeros(6, bool)
    while len(questions.tables):
        questions = tables.step(chosen(questions, 0))
        assert not done[questions.tables].any()
        done |= questions.done
        assert set(questions.tables.tolist()) == set(np.flatnonzero(~done).tolist())
    assert done.all()
    assert tables.reset([2, 4]).tables.tolist() == [2, 4]


def test_a_position_goes_on_as_it_would_have_and_can_be_kept_in_a_file():
    tables = played_from_start(4, 90)
    position = pickle.loads(pickle.dumps(tables.save(2)))  # noqa: S301 - our own
    others = Simulator(3, seed=99)
    others.reset()
    others.load([1], position)
    for number in range(300):
        answers = [{}, {}]
        for at, (each, table) in enumerate(((tables, 2), (others, 1))):
            every = chosen(each.round, number)
            rows = np.flatnonzero(each.round.tables == table)
            mine = each.round.mask[rows]
            assert len(rows)
            every[rows] = [np.flatnonzero(row)[(7 * number) % row.sum()] for row in mine]
            answers[at] = every, each.round.planes[rows].tobytes(), mine.tobytes()
        assert answers[0][1:] == answers[1][1:]
        assert (tables.round.rewards[2] == others.round.rewards[1]).all() or number == 0
        tables.step(answers[0][0])
        others.step(answers[1][0])


@pytest.mark.parametrize("walls", ["fast", "tenhou"])
def test_a_position_needs_no_reset_and_other_tables_stay_silent(walls):
    position = played_from_start(2, 50).save(1)
    tables = Simulator(3, seed=3, walls=walls, again=False)
    questions = tables.load([1], position)
    hands = 0
    while len(questions.tables):
        assert set(questions.tables.tolist()) == {1}
        questions = tables.step(tables.answers_of("random", range(len(questions.tables))))
        hands += questions.ended[1]
    assert hands > 1
    assert tables.answers_of("random", []).shape == (0,)


def test_playouts_differ_in_what_was_not_seen():
    tables = played_from_start(4, 60)
    position = tables.save(1)
    viewer = position.asked[0]
    playouts = Simulator(32, seed=5, episode="hand", again=False, observe="none")
    questions = playouts.load(range(32), position, viewer=viewer)
    mine = questions.seats == viewer
    assert mine.sum() == 32
    assert len(np.unique(questions.mask[mine], axis=0)) == 1
    planes, numbers = playouts.observe(questions.tables[mine], questions.seats[mine])
    assert len(np.unique(planes, axis=0)) == len(np.unique(numbers, axis=0)) == 1
    assert len(np.unique(playouts._array["tiles"], axis=0)) == 32
    total = np.zeros((32, 4))
    while len(questions.tables):
        questions = playouts.step(chosen(questions, 0))
        total += questions.rewards
    assert len(np.unique(total, axis=0)) > 4


@pytest.mark.parametrize("place", ["E3-1/turn9/seat2", "E1-2/turn3/seat0", "E1/turn4/seat1"])
def test_a_position_of_a_log_is_continued(place):
    text = f"{GAME}#{place}"
    point = find_decision(parse_place(text))
    position = simulator.position(text)
    tables = Simulator(3, position.rules)
    questions = tables.load([0, 1, 2], position, shuffled=True)
    row = questions.seats.tolist().index(point.state.seat)
    assert tables.view(row).hand == point.state.hand
    assert sorted(map(str, tables.legal_actions(row).values())) == sorted(map(str, point.legal))
    assert len(np.unique(tables._array["tiles"], axis=0)) == 3
    while not questions.ended[0]:
        questions = tables.step(chosen(questions, 0))


def test_exported_games_verify(tmp_path):
    tables = Simulator(2, seed=8)
    tables.keep([1])
    questions = tables.reset()
    while not questions.done[1]:
        questions = tables.step(chosen(questions, 1))
    tables.export(1, tmp_path / "game.xml", ["A", "B", "C", "<D>"])
    counts = verify_logs(open_logs([tmp_path / "game.xml"]), round_trip=True)
    assert counts.files == counts.round_trips_exact == 1
    assert not counts.errors
    assert not counts.unreadable
    log = read_log(LogFile("x", "mjlog", (tmp_path / "game.xml").read_bytes()))
    assert log.complete
    assert log.start.names == ("A", "B", "C", "<D>")


def test_the_example_learns():
    example = runpy.run_path(str(EXAMPLES / "gradient.py"))
    before, after = (example["compare"](policy, 150, 128) for policy in (example["Policy"](), example["fit"](160, 128)))
    assert before[1] < 0.1
    assert after[1] > 0.25
    assert after[2] < 0.1
    assert after[0] > before[0] + 200


WALL = next(Shuffle.from_seed(1)).order()
NAN = float("nan")


def forged(tables, **written):
    """The position at the first table, with other values in its record."""
    record = tables.save(0).record.copy()
    for name, value in written.items():
        record[name] = value
    return replace(tables.save(0), record=record)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: Simulator(0), "tables 0: it is a whole number from 1"),
        (lambda: Simulator(1, "sanma"), "rules 'sanma': they are 'tonpu', 'hanchan', or Rules"),
        (lambda: Simulator(1, seed=-1), "seed -1"),
        (lambda: Simulator(1, episode="day"), "episode 'day': it is one of game, hand"),
        (lambda: Simulator(1, observe=True), "observe True: it is one of table, network, none"),
        (lambda: Simulator(1, walls="slow"), "walls 'slow'"),
        (lambda: Simulator(2, walls=[[WALL]]), "walls for 1 table; there are 2"),
        (lambda: Simulator(2, walls=[[WALL], [WALL, [4] * 136]]), "table 1: wall 1 must hold each of the tiles"),
        (lambda: Simulator(1, walls=[[["x"]]]), "table 0: wall 0"),
        (lambda: Simulator(1).step([0]), "reset the tables"),
        (lambda: Simulator(None), "tables None: it is a whole number from 1"),
        (lambda: Simulator(NAN), "tables nan: it is a whole number"),
        (lambda: Simulator(True), "tables True: it is a whole number"),
        (lambda: Simulator(2.0), "tables 2.0: it is a whole number"),
        (lambda: Simulator("3"), "tables '3': it is a whole number"),
        (lambda: Simulator([3]), "tables [3]: it is a whole number"),
        (lambda: Simulator(2**40), "and this machine has"),
        (lambda: Simulator(2**63), "tables 9223372036854775808: it is a whole number from 1"),
        (lambda: Simulator(1, None), "rules None: they are 'tonpu', 'hanchan', or Rules"),
        (lambda: Simulator(1, ["tonpu"]), "rules ['tonpu']: they are"),
        (lambda: Simulator(1, Rules(red_fives=2)), "rules: red_fives 2: it is True or False"),
        (lambda: Simulator(1, Rules(start_points=NAN)), "rules: start_points nan: it is a whole number from 0"),
        (lambda: Simulator(1, Rules(start_points=2**62)), "from 0 to 10000000"),
        (lambda: Simulator(1, Rules(return_points=30_050)), "points are in hundreds"),
        (lambda: Simulator(1, Rules(uma=(20, 10))), "rules: uma (20, 10): four whole numbers"),
        (lambda: Simulator(1, Rules(uma=(20, 10, NAN, 0))), "rules: uma nan: it is a whole number"),
        (lambda: Simulator(1, seed="x"), "seed 'x': it is a whole number from 0"),
        (lambda: Simulator(1, seed=None), "seed None"),
        (lambda: Simulator(1, seed=True), "seed True"),
        (lambda: Simulator(1, seed=2**63), "seed 9223372036854775808"),
        (lambda: Simulator(1, episode=["game"]), "episode ['game']: it is one of game, hand"),
        (lambda: Simulator(1, again="no"), "again 'no': it is True or False"),
        (lambda: Simulator(1, again=None), "again None: it is True or False"),
        (lambda: Simulator(1, observe=np.zeros(2)), "it is one of table, network, none"),
        (lambda: Simulator(1, walls=10), "walls 10: they are 'fast', 'tenhou', or for each table a list of walls"),
        (lambda: Simulator(1, walls=None), "walls None"),
        (lambda: Simulator(1, walls=[10]), "table 0: its walls are 10; they are a list of walls"),
        (lambda: Simulator(1, walls=[[10]]), "table 0: wall 0 must hold each of the tiles"),
        (lambda: Simulator(1, walls=[[[tile + 0.4 for tile in WALL]]]), "table 0: wall 0 must hold each"),
        (lambda: Simulator(1, walls=[[[NAN] * 136]]), "table 0: wall 0 must hold each"),
        (lambda: Simulator(1).answers_of("random"), "there is no round yet; reset the tables first"),
        (lambda: Simulator(1).legal_actions(0), "there is no round yet"),
        (lambda: Simulator(1).observe([0], [0]), "table 0: no hand has been dealt there"),
        (lambda: Simulator(1).load([0], Simulator(1).save(0)), "its table was never reset"),
        (lambda: simulator.position(None), "place None: it is text"),
        (lambda: simulator.position("E1/turn9"), "is not a position; write LOG#E3-1/turn9/seat2"),
        (lambda: simulator.position(f"{GAME}#E1/turn40/seat1"), "E1 has no decision at turn 40"),
    ],
)
def test_a_simulator_that_cannot_be_made_is_refused(wrong, words):
    with pytest.raises(api.InputError) as refused:
        wrong()
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda tables: tables.step([0]), "questions need as many whole numbers"),
        (lambda tables: tables.step([[1], [1, 2]]), "no array of whole numbers"),
        (lambda tables: tables.step(chosen(tables.round, 0) * 0 - 1), "seat 0: answer -1 is not legal here"),
        (lambda tables: tables.step(chosen(tables.round, 0) * 1.0), "whole numbers"),
        (lambda tables: tables.reset([4]), "table 4: there are tables 0 to 3"),
        (lambda tables: tables.reset([1, 1]), "different whole numbers"),
        (lambda tables: tables.reset([0.5]), "different whole numbers"),
        (lambda tables: tables.reset(standing=Standing(8, 0, 0, (25_000,) * 4)), "hands go from 0 to 7"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 0, (25_050,) * 4)), "scores are in hundreds"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 0, (25_000,) * 3)), "four scores"),
        (lambda tables: tables.reset(standing=Standing(0, -1, 0, (25_000,) * 4)), "whole numbers from 0"),
        (lambda tables: tables.view(9), "question 9: this round has 4"),
        (lambda tables: tables.save(7), "table 7"),
        (lambda tables: tables.answers_of("value"), "these answer in batches: random, phoenix, "),
        (lambda tables: tables.answers_of("oracle"), "no policy is named 'oracle'"),
        (lambda tables: tables.answers_of("random", [4]), "question 4: this round has 4"),
        (lambda tables: tables.answers_of("random", [0.0]), "rows of type float64"),
        (lambda tables: tables.load([0], Simulator(1, "hanchan").save(0)), "other rules"),
        (lambda tables: tables.load([0], Simulator(1).save(0), shuffled=True), "no hand in play"),
        (lambda tables: tables.load([0], tables.save(0), viewer=3), "seat 3 is not asked"),
        (lambda tables: tables.mjlog(0), "no episode has been kept; call keep([0])"),
        (lambda tables: tables.mjlog([0]), "table [0]: it is a whole number from 0 to 3"),
        (lambda tables: tables.mjlog(NAN), "table nan"),
        (lambda tables: tables.step(None), "answers of type object"),
        (lambda tables: tables.step(["a"] * 4), "answers of type <U1"),
        (lambda tables: tables.step([True] * 4), "answers of type bool"),
        (lambda tables: tables.step(np.full(4, 2**64 - 1, np.uint64)), "they go to 9223372036854775807"),
        (lambda tables: tables.step([2**70] * 4), "answers of type object"),
        (lambda tables: tables.step(chosen(tables.round, 0)[:, None]), "shape (4, 1)"),
        (lambda tables: tables.step(chosen(tables.round, 0) | 3 << 24), "is not legal here"),
        (lambda tables: tables.reset(NAN), "different whole numbers"),
        (lambda tables: tables.reset("all"), "different whole numbers"),
        (lambda tables: tables.reset([2**63]), "they go to 9223372036854775807"),
        (lambda tables: tables.reset([-1]), "table -1: there are tables 0 to 3"),
        (lambda tables: tables.reset(standing=(0, 0, 0, (25_000,) * 4)), "it is a Standing(kyoku"),
        (lambda tables: tables.reset(standing=Standing(NAN, 0, 0, (25_000,) * 4)), "whole numbers from 0"),
        (lambda tables: tables.reset(standing=Standing(None, 0, 0, (25_000,) * 4)), "whole numbers from 0"),
        (lambda tables: tables.reset(standing=Standing(0, 0, True, (25_000,) * 4)), "whole numbers from 0"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 0, (NAN,) * 4)), "whole numbers from 0"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 0, None)), "four scores"),
        (lambda tables: tables.reset(standing=Standing(0, 2**62, 0, (25_000,) * 4)), "at most 1000 honba"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 0, (2**40 * 100,) * 4)), "10000000 points each"),
        (lambda tables: tables.observe([99], [0]), "table 99: there are tables 0 to 3"),
        (lambda tables: tables.observe([2**40], [0]), "table 1099511627776: there are tables 0 to 3"),
        (lambda tables: tables.observe([-1], [0]), "table -1"),
        (lambda tables: tables.observe([0], [4]), "seat 4: seats are 0 to 3"),
        (lambda tables: tables.observe([0, 1], [0, 9]), "seat 9"),
        (lambda tables: tables.observe([0], [-1]), "seat -1"),
        (lambda tables: tables.observe([0, 1], [0]), "2 tables and 1 seat; there is a seat for each table"),
        (lambda tables: tables.observe([0.0], [0]), "tables of type float64"),
        (lambda tables: tables.observe([0], [0.0]), "seats of type float64"),
        (lambda tables: tables.observe([[0]], [0]), "tables of type int64 and shape (1, 1)"),
        (lambda tables: tables.observe(None, None), "tables of type object"),
        (lambda tables: tables.observe([True], [0]), "tables of type bool"),
        (lambda tables: tables.answers_of(None), "policy None: it is text"),
        (lambda tables: tables.answers_of(["simple"]), "policy ['simple']: it is text"),
        (lambda tables: tables.answers_of("simple", [-1]), "question -1"),
        (lambda tables: tables.answers_of("simple", [2**40]), "question 1099511627776"),
        (lambda tables: tables.answers_of("simple", [[0]]), "rows of type int64 and shape (1, 1)"),
        (lambda tables: tables.answers_of("simple", tables.round.seats == 0), "rows of type bool"),
        (lambda tables: tables.legal_actions(NAN), "question nan"),
        (lambda tables: tables.legal_actions("x"), "question 'x'"),
        (lambda tables: tables.view(None), "question None"),
        (lambda tables: tables.view(True), "question True"),
        (lambda tables: tables.number(0, 5), "action 5: it is an Action"),
        (lambda tables: tables.number(0, api.Action(0, 5)), "it has an ActionKind and tiles from 0 to 135"),
        (lambda tables: tables.number(0, api.Action(api.ActionKind.DISCARD, 999)), "tiles from 0 to 135"),
        (lambda tables: tables.number(0, api.Action(api.ActionKind.CHI, 4, (1,))), "a CHI or PON two of the hand"),
        (lambda tables: tables.number(0, api.Action(api.ActionKind.RON)), "a RON names its tile"),
        (lambda tables: tables.keep([7]), "table 7"),
        (lambda tables: tables.load([0], None), "position None: it comes from save(table) or position(place)"),
        (lambda tables: tables.load([0], "x"), "position 'x'"),
        (lambda tables: tables.load([0], forged(tables, turn=9)), "not as save(table) or position(place) made it"),
        (lambda tables: tables.load([0], forged(tables, live_drawn=2**40)), "not as save(table)"),
        (lambda tables: tables.load([0], forged(tables, tiles=255)), "not as save(table)"),
        (lambda tables: tables.load([0], Position(tables.rules, np.zeros(1), np.zeros(4))), "not as save(table)"),
        (lambda tables: tables.load([0], Position(None, None, None)), "not as save(table)"),
        (lambda tables: tables.load([0], replace(tables.save(0), expected=np.full(4, NAN))), "not as save(table)"),
        (lambda tables: tables.load([0], replace(tables.save(0), rules=Rules())), "not as save(table)"),
        (lambda tables: tables.load([9], tables.save(0)), "table 9"),
        (lambda tables: tables.load([0], tables.save(0), viewer="x"), "viewer 'x': it is a whole number from 0 to 3"),
        (lambda tables: tables.load([0], tables.save(0), viewer=2**70), "viewer 1180591620717411303424"),
        (lambda tables: tables.load([0], tables.save(0), shuffled=1), "shuffled 1: it is True or False"),
        (lambda tables: tables.export(0, None), "path None: it is a text or a Path"),
        (lambda tables: tables.export(0, "x", None), "no episode has been kept"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(wrong, words):
    tables = Simulator(4, seed=1)
    questions = tables.reset()
    before = as_bytes(tables)
    with pytest.raises(api.InputError) as refused:
        wrong(tables)
    assert words in str(refused.value)
    assert as_bytes(tables) == before
    assert tables.round is questions
    tables.step(chosen(questions, 0))


def test_the_rules_of_a_simulator_cannot_be_assigned():
    tables = Simulator(2)
    for name in ("rules", "round"):
        with pytest.raises(AttributeError):
            setattr(tables, name, None)
    assert tables.rules == TONPU


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda tables: pickle.loads(pickle.dumps(tables))])  # noqa: S301
@pytest.mark.parametrize("walls", ["fast", "tenhou"])
def test_a_copy_has_tables_of_its_own(twin, walls):
    tables = Simulator(3, seed=2, walls=walls)
    tables.reset()
    tables.keep([0])
    tables.answers_of("simple")
    played(tables, 40)
    before = as_values(tables)
    other = twin(tables)
    assert other.step(other.answers_of("simple")).tables is other.round.tables
    played(other, 40)
    assert as_values(tables) == before
    tables.step(tables.answers_of("simple"))
    played(tables, 40)
    assert as_values(tables) == as_values(other)


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


@pytest.mark.parametrize("call", ["answers_of", "load", "reset", "observe", "keep", "step"])
def test_a_mask_in_place_of_numbers_is_told_how_to_become_them(call):
    tables = Simulator(2, seed=2)
    mask = tables.reset().tables == 0
    with pytest.raises(api.InputError, match=r"of type bool: they are .*np\.flatnonzero\(mask\) gives the places"):
        {
            "answers_of": lambda: tables.answers_of("simple", mask),
            "load": lambda: tables.load(mask, tables.save(0)),
            "reset": lambda: tables.reset(mask),
            "observe": lambda: tables.observe(mask, mask),
            "keep": lambda: tables.keep([True, False]),
            "step": lambda: tables.step(mask),
        }[call]()
