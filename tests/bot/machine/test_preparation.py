"""Getting ready: kernels are compiled aside and once, whoever asks first, and Ctrl-C stops it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import nullcontext

import pytest
from rich.console import Console

from bot.machine.preparation import Doing, Step, compile_aside, only_one, warm_up
from engine._jit import name_of
from engine.scoring.payment_kernels import base_points, total_points
from engine.search.dag.meld_kernels import kan_kinds
from engine.warmup import Preparation

SMALL = [
    "scoring.payment_kernels.base_points",
    "search.dag.meld_kernels.kan_kinds",
    "scoring.payment_kernels.total_points",
]
LISTS = f"""
from bot.machine.preparation import compile_aside
from engine._jit import name_of
from engine.warmup import preparations, uncompiled

small = {SMALL}
if __name__ == "__main__":
    assert set(small) <= set(uncompiled(preparations()))
    print(sorted(compile_aside(small)))
    assert not set(small) & set(uncompiled(preparations()))
"""

STOPS = f"""
import signal, sys
from bot.machine.preparation import compile_aside

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background would hand down that it is ignored
    try:
        for name in compile_aside(["search.dag.search_kernels.solve_graph", "{SMALL[0]}"]):
            print(name, flush=True)
    except KeyboardInterrupt:
        sys.exit(130)
"""

GETS_READY = """
from rich.console import Console

import engine.warmup
from bot.machine import preparation

aside = preparation.compile_aside

def noted(names):
    for name in aside(names):
        print(name, flush=True)
        yield name

preparation.compile_aside = noted
wanted = [one for one in engine.warmup.preparations(['push or fold']) if one.name in {'danger by suji', 'push or fold'}]
engine.warmup.preparations = lambda needs=None: wanted
if __name__ == "__main__":
    print(*preparation.warm_up(Console(stderr=True)), sep=", ")
"""
KERNELS = {
    "opponents.danger_kernels.classify",
    "opponents.danger_kernels.facts_of_seat",
    "opponents.danger_kernels.loss_group",
    "opponents.danger_kernels.loss_row",
    "opponents.danger_kernels.losses_to_seat",
    "policy.pushfold_kernels.attacks",
    "policy.pushfold_kernels.deals_again",
}


def program(cache, *arguments):
    return subprocess.Popen(  # noqa: S603
        [sys.executable, *arguments],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def lines(process):
    """What a program has written to its two outputs: lines, and text."""
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    return out.splitlines(), errors


@pytest.mark.slow
def test_each_kernel_is_compiled_and_found_on_disk(tmp_path):
    assert lines(program(tmp_path, "-c", LISTS))[0] == [str(sorted(SMALL))]


def test_nothing_to_compile_starts_no_process():
    assert list(compile_aside([])) == []


def test_a_kernel_that_cannot_be_compiled_is_left_out(capfd):
    assert list(compile_aside(["there.is.none"])) == []
    assert "there.is.none was not compiled ahead: No module named 'engine.there'" in capfd.readouterr().err


def test_a_process_that_dies_is_made_up_for_where_the_kernel_is_called(monkeypatch, capfd):
    monkeypatch.setattr("bot.machine.preparation._compiled", os._exit)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert list(compile_aside([5, 5, 5])) == []
    assert "has ended {EXIT(5)} twice" in capfd.readouterr().err


def test_one_program_at_a_time(tmp_path):
    with only_one(tmp_path / "kernels") as first, only_one(tmp_path / "kernels") as second:
        assert (first, second) == (True, False)
    with only_one(tmp_path / "kernels") as later:
        assert later


def test_a_folder_that_cannot_be_written_locks_nobody_out(tmp_path):
    (tmp_path / "file").touch()
    with only_one(tmp_path / "file") as alone:
        assert alone


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals a group of processes")
def test_ctrl_c_while_compiling_ends_all_processes_quietly(tmp_path):
    process = program(tmp_path, "-c", STOPS)
    assert process.stdout.readline()  # the other kernel takes much longer
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()  # returns when all who could write to the pipe have ended
    assert process.returncode == 130
    assert not errors


@pytest.mark.slow
def test_two_programs_at_once_compile_each_kernel_once(tmp_path):
    programs = [program(tmp_path, "-c", GETS_READY), program(tmp_path, "-c", GETS_READY)]
    compiled = [line for process in programs for line in lines(process)[0] if line in KERNELS]
    assert sorted(compiled) == sorted(KERNELS)


@pytest.mark.slow
def test_people_hear_why_it_takes_long_the_first_time_alone(tmp_path):
    out, errors = lines(program(tmp_path, "-c", GETS_READY))
    assert set(out[:-1]) == KERNELS
    assert out[-1] == "kernels, danger by suji, push or fold"
    assert errors == "getting ready, the first time takes a while …\n"
    out, errors = lines(program(tmp_path, "-c", GETS_READY))
    assert out == ["danger by suji, push or fold"]
    assert not errors


def test_each_step_is_told_as_it_begins(monkeypatch):
    """What is compiled and for what, what another program compiles meanwhile, and what is loaded."""
    wanted = [
        Preparation("scores", {base_points: 2.0, total_points: 3.0}, lambda: None),
        Preparation("search", {kan_kinds: 5.0}, lambda: None),
    ]
    base, kan, total = (name_of(kernel) for kernel in (base_points, kan_kinds, total_points))
    every, rest = {kan: 5.0, total: 3.0, base: 2.0}, {total: 3.0, base: 2.0}
    looks, alone = iter((every, every, rest)), iter((False, True))
    monkeypatch.setattr("engine.warmup.preparations", lambda _needs: wanted)
    monkeypatch.setattr("engine.warmup.uncompiled", lambda _wanted: next(looks))
    monkeypatch.setattr("bot.machine.preparation.only_one", lambda _folder: nullcontext(next(alone)))
    monkeypatch.setattr("bot.machine.preparation.compile_aside", lambda names: (name for name in names))
    monkeypatch.setattr("bot.machine.preparation.LOOK", 0.0)
    steps = []
    warm_up(Console(quiet=True), on_step=steps.append)
    assert steps == [
        Step(Doing.LOADING),
        Step(Doing.COMPILING, "search", kan, 3, 0.0, 10.0),
        Step(Doing.WAITING, "search", kan, 3, 0.0, 10.0),
        Step(Doing.COMPILING, "scores", total, 2, 5.0, 10.0),
        Step(Doing.COMPILING, "scores", base, 1, 8.0, 10.0),
        Step(Doing.LOADING, "scores", at=0, of=2),
        Step(Doing.LOADING, "search", at=1, of=2),
    ]
    assert list(map(str, steps)) == [
        "loading",
        "compiling, 3 kernels left",
        "waiting for another program that compiles",
        "compiling, 2 kernels left",
        "compiling the last kernel, base_points",
        "scores",
        "search",
    ]
