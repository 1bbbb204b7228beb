"""Two threads at one simulator, and Ctrl-C in the middle of a round."""

from __future__ import annotations

import copy
import pickle
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bot import api
from bot.api.simulator import Simulator
from engine.interrupts import interrupts_held
from engine.policy.batches import RandomPlayers
from tests.bot.api.simulated import chosen


def test_of_many_threads_each_call_is_whole_or_refused():
    tables = Simulator(200, seed=1, observe="none")
    tables.reset()
    refused, other = [], []

    def play(number):
        for at in range(200):
            try:
                if number % 2:
                    tables.step(tables.answers_of("random"))
                else:
                    tables.observe([at % 200], [number % 4])
                    tables.legal_actions(0)
            except api.InputError as error:
                refused.append(str(error))
            except Exception as error:  # noqa: BLE001 - any other is a find
                other.append(error)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, range(4)))
    assert not other
    said = {text for text in refused if "in use by another thread" not in text}
    assert all("not legal here" in text or "questions need as many" in text for text in said)  # an older round's
    tables.step(tables.answers_of("random"))
    one = np.asarray(tables._array)
    assert ((one["scores"].sum(axis=1) + 1000 * one["sticks"]) == 100_000).all()


def test_a_second_thread_is_refused_while_the_first_is_inside():
    tables = Simulator(2, seed=1)
    tables.reset()
    inside, leave = threading.Event(), threading.Event()

    class Slow(RandomPlayers):
        def answer_all(self, games, asked):
            inside.set()
            leave.wait(100)
            return super().answer_all(games, asked)

    tables._players["slow"] = tables._seated(Slow())
    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(tables.answers_of, "slow")
        inside.wait(100)
        for call in (
            lambda: tables.step([0, 0]),
            tables.reset,
            lambda: tables.observe([0], [0]),
            lambda: tables.view(0),
            lambda: tables.save(0),
            lambda: tables.answers_of("random"),
            lambda: tables.legal_actions(0),
            lambda: tables.keep([0]),
        ):
            with pytest.raises(api.InputError, match="this simulator is in use by another thread"):
                call()
        leave.set()
        tables.step(answers.result())


def test_an_interrupt_waits_until_the_round_is_whole(monkeypatch):
    """It comes after the tables have moved and before the round is shown."""
    tables, undisturbed = Simulator(8, seed=3), Simulator(8, seed=3)
    tables.reset()
    undisturbed.reset()
    tables.keep([0])
    show = Simulator._show

    def interrupted(self, *changes):
        if self is tables:
            signal.raise_signal(signal.SIGINT)
        return show(self, *changes)

    monkeypatch.setattr(Simulator, "_show", interrupted)
    for number in range(60):
        answers = chosen(tables.round, number)
        with pytest.raises(KeyboardInterrupt):
            tables.step(answers)
        undisturbed.step(answers)
        for name in ("tables", "seats", "mask", "planes", "rewards", "done"):
            assert (getattr(tables.round, name) == getattr(undisturbed.round, name)).all()
    position = tables.save(1)
    for call in (lambda: tables.load([0], position), lambda: tables.reset([2]), tables.reset):
        with pytest.raises(KeyboardInterrupt):
            call()
        monkeypatch.setattr(Simulator, "_show", show)
        tables.step(chosen(tables.round, 1))
        monkeypatch.setattr(Simulator, "_show", interrupted)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("call", ["step", "reset", "load"])
def test_an_error_that_breaks_off_a_round_is_said_until_all_tables_are_reset(monkeypatch, call):
    tables = Simulator(4, seed=3, observe="none")
    tables.reset()
    position = tables.save(0)

    def out_of_memory(*_):
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(Simulator, "_show", out_of_memory)
        with pytest.raises(MemoryError):
            {
                "step": lambda: tables.step(tables.answers_of("random")),
                "reset": lambda: tables.reset([1]),
                "load": lambda: tables.load([1], position),
            }[call]()
    for then in (
        lambda: tables.step([0]),
        lambda: tables.answers_of("random"),
        lambda: tables.view(0),
        lambda: tables.save(0),
        lambda: tables.reset([0]),
        lambda: tables.load([0], position),
    ):
        with pytest.raises(api.InputError, match=f"an earlier {call} broke off between two rounds; reset all tables"):
            then()
    assert tables.reset().tables.tolist() == [0, 1, 2, 3]
    for _ in range(80):
        tables.step(tables.answers_of("random"))


def test_interrupts_are_held_only_where_python_hears_them():
    for handler in (signal.SIG_IGN, signal.SIG_DFL):
        before = signal.signal(signal.SIGINT, handler)
        try:
            with interrupts_held():
                assert signal.getsignal(signal.SIGINT) is handler
        finally:
            signal.signal(signal.SIGINT, before)
    done = []
    thread = threading.Thread(target=lambda: done.append(enter()))

    def enter():
        with interrupts_held():
            return True

    thread.start()
    thread.join()
    assert done == [True]
    calls = []
    before = signal.signal(signal.SIGINT, lambda *given: calls.append(given[0]))
    try:
        with interrupts_held(), interrupts_held():
            signal.raise_signal(signal.SIGINT)
            assert not calls
        assert calls == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_copy_is_used_by_nobody_yet():
    tables = Simulator(2, seed=1)
    with tables._alone():
        twins = [copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))]  # noqa: S301 - our own
    with ThreadPoolExecutor(1) as pool:
        for twin in twins:
            assert pool.submit(twin.reset).result().tables.tolist() == [0, 1]
