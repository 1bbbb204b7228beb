"""A game that is stepped from Python."""

from __future__ import annotations

import contextlib
import copy
import pickle
import random
import re
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace

import pytest

from bot import api
from bot.api import game as game_module
from bot.api.simulator import Simulator
from bot.machine.errors import InputError
from bot.replay.verify import verify_logs
from engine.model.rules import TONPU, Rules
from engine.rules.answers import number_of
from protocol.logs.formats import LogFile, read_log
from tests.tiers import mostly_slow


def played(game, choose):
    while not game.over:
        game.step(choose(game))
    return game


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["tonpu", "hanchan"])
def test_a_game_of_chance_is_what_the_rules_allow(rules):
    chance = random.Random(1)
    rewards = [0.0] * 4

    def choose(game):
        assert {number_of(each, game.state.drawn) & 255 for each in game.legal} == {*game.mask.nonzero()[0].tolist()}
        assert {*game.state.legal_actions()} == {*game.legal}
        assert game.state.seat == game.seat
        rewards[:] = [before + now for before, now in zip(rewards, game.rewards, strict=True)]
        answer = chance.choice(game.legal)
        return answer if chance.random() < 0.5 else number_of(answer, game.state.drawn) & 255

    game = played(api.Game(rules, seed=3), choose)
    found = verify_logs([LogFile("game", "mjlog", game.mjlog().encode())])
    assert (found.games, found.errors) == (1, [])
    assert found.results_exact == found.results == 1
    assert re.search(r'owari="(-?\d+),', game.mjlog()).group(1) == str(game.scores[0] // 100)
    assert sum(rewards) + sum(game.rewards) == pytest.approx(0.0, abs=1e-9)


OTHER_RULES = {
    **{field.name: not field.default for field in fields(Rules) if isinstance(field.default, bool)},
    "honba_points": 1_500,
    "start_points": 30_000,
    "return_points": 35_000,
    "uma": (15, 5, -5, -15),
}


@mostly_slow("name", [field.name for field in fields(Rules)], quick=3)
def test_a_log_of_other_rules_is_right_or_refused(name):
    rules = replace(TONPU, **{name: OTHER_RULES[name]} if name != "hanchan" else {})
    game = played(api.Game(rules, seed=4), lambda game: game.choice("simple"))
    if name in {"ippatsu", "ura_dora", "return_points", "uma"}:
        with pytest.raises(InputError, match=f"does not state {name} {re.escape(str(OTHER_RULES[name]))}"):
            game.mjlog()
        return
    log = LogFile("game", "mjlog", game.mjlog().encode())
    assert read_log(log).start.rules == rules
    found = verify_logs([log])
    assert (found.games, found.errors, found.results_exact) == (1, [], 1)


def test_policies_play_it_as_they_would_in_its_log(tmp_path):
    game = played(api.Game(seed=7), lambda game: game.choice("simple"))
    game.export(tmp_path / "game.xml", ("a", "b", "c", "d"))
    rows = list(api.decisions(tmp_path / "game.xml", policy="simple"))
    assert all(row.agrees for row in rows if row.played)
    read = read_log(LogFile("game", "mjlog", (tmp_path / "game.xml").read_bytes()))
    assert read.start.names == ("a", "b", "c", "d")


def test_an_answer_that_cannot_be_is_refused_and_nothing_changes():
    game = api.Game(seed=7)
    before = repr(game)
    for wrong in (120, -1, 500, True, None, "discard 3m", api.Action(api.ActionKind.PASS), 3.0):
        with pytest.raises(api.InputError, match=r"seat 0: answer .* is not legal here; legal are 2 discard 3m, "):
            game.step(wrong)
    for call in (game.mjlog, lambda: game.export("nowhere.xml")):
        with pytest.raises(api.InputError, match="the game is not over"):
            call()
    with pytest.raises(api.InputError, match="no policy is named 'oracle'"):
        game.choice("oracle")
    assert repr(game) == before
    assert "<img " in game._repr_html_()
    played(game, lambda game: game.choice("tsumogiri"))
    assert repr(game).startswith("the game is over: seat 0 ")
    assert game._repr_html_() == f"<p>{game!r}</p>"
    for ask in (lambda: game.state, lambda: game.seat, lambda: game.legal, lambda: game.mask, lambda: game.step(0)):
        with pytest.raises(api.InputError, match="nobody is asked"):
            ask()


def test_writing_into_a_games_state_or_mask_changes_no_answer():
    game, other = api.Game(seed=4), api.Game(seed=4)
    game.state.hand[:] = [0] * 14
    game.mask[:] = True
    assert game.choice("simple") == other.choice("simple")
    with pytest.raises(api.InputError, match="is not legal here"):
        game.step(120)
    for each in (game, other):
        each.step(each.choice("simple"))
    assert repr(game) == repr(other)


def test_an_interrupt_within_an_answer_waits_until_it_is_given(monkeypatch):
    game, other = api.Game(seed=4), api.Game(seed=4)
    step = Simulator.step

    def interrupted(self, answers):
        if self is game._table:
            signal.raise_signal(signal.SIGINT)
        return step(self, answers)

    monkeypatch.setattr(Simulator, "step", interrupted)
    for _ in range(20):
        other.step(other.choice("tsumogiri"))
        with contextlib.suppress(KeyboardInterrupt):
            game.step(game.choice("tsumogiri"))
        assert repr(game) == repr(other)


def test_threads_that_look_are_told_of_one_moment_and_disturb_no_answer():
    game = api.Game(seed=5)
    wrong, looked = [], 0
    over = threading.Event()

    def look():
        nonlocal looked
        while not over.is_set():
            try:
                if game.over:
                    continue
                legal, mask, seat, state = game.legal, game.mask, game.seat, game.state
                repr(game)
                game._repr_html_()
                assert legal
                assert mask.any()
                assert state.legal_actions()
                assert seat in range(4)
                assert sum(game.scores) <= 100_000
                looked += 1
            except api.InputError as error:
                if not game.over:
                    wrong.append(str(error))
            except Exception as error:  # noqa: BLE001 - any other is a find
                wrong.append(repr(error))

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        while not game.over:
            game.step(game.choice("simple"))
    finally:
        over.set()
        for reader in readers:
            reader.join()
    assert not wrong
    assert looked > 100
    other = played(api.Game(seed=5), lambda game: game.choice("simple"))
    assert (game.scores, game.mjlog()) == (other.scores, other.mjlog())


def test_of_threads_that_answer_each_answer_is_taken_whole_or_refused():
    game = api.Game(seed=6)
    wrong = []

    def answer(number):
        chance = random.Random(number)
        while not game.over:
            try:
                game.step(chance.choice(game.legal))
            except api.InputError as error:
                known = ("is not legal here", "the game is over: nobody is asked")
                if not any(text in str(error) for text in known):
                    wrong.append(str(error))
                if "nobody is asked" in str(error) and not game.over:
                    wrong.append("it goes on")

    threads = [threading.Thread(target=answer, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    found = verify_logs([LogFile("game", "mjlog", game.mjlog().encode())])
    assert (found.games, found.errors) == (1, [])


def test_while_a_policy_thinks_others_may_look_ask_and_answer(monkeypatch):
    game = api.Game(seed=6)
    inside, leave = threading.Event(), threading.Event()
    think = game_module.decision_of

    def slow(decider, state):
        if not inside.is_set():
            inside.set()
            leave.wait(100)
        return think(decider, state)

    monkeypatch.setattr(game_module, "decision_of", slow)
    with ThreadPoolExecutor(1) as pool:
        chosen = pool.submit(game.choice, "tsumogiri")
        inside.wait(100)
        assert game.seat == game.state.seat == 0
        assert game.mask.any()
        twin, same = copy.copy(game), game.choice("tsumogiri")
        game.step(same)
        leave.set()
        assert chosen.result() == same == twin.choice("tsumogiri")


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])  # noqa: S301
def test_a_copy_is_a_game_of_its_own(twin):
    game = api.Game(seed=3)
    for _ in range(30):
        game.step(game.choice("simple"))
    before, other = repr(game), twin(game)
    for _ in range(30):
        other.step(other.choice("simple"))
    assert repr(game) == before
    for _ in range(30):
        game.step(game.choice("simple"))
    assert repr(game) == repr(other)
    state = game.state
    seen = repr(state)
    view = copy.copy(state)
    view.hand[0] += 1
    view.rivers[0].clear()
    assert repr(state) == seen


def test_attributes_of_a_game_cannot_be_assigned():
    game = api.Game(seed=3)
    for name in ("scores", "rewards", "over", "seat", "legal", "mask", "state"):
        with pytest.raises(AttributeError):
            setattr(game, name, None)
