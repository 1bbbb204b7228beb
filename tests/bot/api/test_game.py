"""A game that is stepped from Python."""

from __future__ import annotations

import contextlib
import random
import re
import signal

import pytest

from bot import api
from bot.api.simulator import Simulator
from bot.replay.verify import verify_logs
from engine.rules.answers import number_of
from protocol.logs.formats import LogFile, read_log


def played(game, choose):
    while not game.over:
        game.step(choose(game))
    return game


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


def test_policies_play_it_as_they_would_in_its_log(tmp_path):
    game = played(api.Game(seed=7), lambda game: game.choice("simple"))
    game.export(tmp_path / "game.xml", ("a", "b", "c", "d"))
    rows = list(api.decisions(tmp_path / "game.xml", policy="simple"))
    assert all(row.agrees for row in rows if row.played)
    read = read_log(LogFile("game", "mjlog", (tmp_path / "game.xml").read_bytes()))
    assert read.start.names == ("a", "b", "c", "d")


def test_what_cannot_be_answered_is_refused_and_nothing_changes():
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


def test_what_is_written_into_a_games_state_or_mask_changes_no_answer():
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
