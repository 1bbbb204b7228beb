"""Getting ready: what is missing is compiled once, whoever asks first, and what is ready is only loaded."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
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
    print(*(step.name for step in preparation.warm_up(Console(stderr=True))), sep=", ")
"""
KERNELS = {
    "opponents.danger_kernels.classify",
    "opponents.danger_kernels.facts_of_seat",
    "policy.pushfold_kernels.attacks",
    "policy.pushfold_kernels.deals_again",
}


def start(cache):
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(process):
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    return out.splitlines(), errors


@pytest.mark.slow
def test_two_programs_at_once_compile_each_kernel_once(tmp_path):
    programs = [start(tmp_path), start(tmp_path)]
    compiled = [line for process in programs for line in lines(process)[0] if line in KERNELS]
    assert sorted(compiled) == sorted(KERNELS)


@pytest.mark.slow
def test_people_hear_why_it_takes_long_the_first_time_alone(tmp_path):
    out, errors = lines(start(tmp_path))
    assert set(out[:-1]) == KERNELS
    assert out[-1] == "kernels, danger by suji, push or fold"
    assert errors == "getting ready, the first time takes a while …\n"
    out, errors = lines(start(tmp_path))
    assert out == ["danger by suji, push or fold"]
    assert not errors
