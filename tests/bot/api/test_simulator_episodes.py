"""The simulator's episodes: rewards, where they begin and end, and the games that they leave."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from bot.api.simulator import Simulator, Standing
from bot.logs.sources import open_logs
from bot.replay.verify import verify_logs
from engine.model.events import EndGame
from engine.simulator import observation_kernels as layout
from engine.worth.currency import standing_worth
from engine.worth.objective import make_objective
from protocol.logs.formats import LogFile, read_log
from tests.bot.api.simulated import chosen
from tests.tiers import mostly_slow

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


@mostly_slow("rules", ["tonpu", "hanchan"])
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
