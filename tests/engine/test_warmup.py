"""After getting ready nothing is compiled any more: a first decision is as quick as the next."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from engine._jit import KERNELS, name_of
from engine.policy.registry import POLICIES
from engine.search.registry import EVALUATORS
from engine.warmup import ALWAYS, NEEDS
from tests.tiers import mostly_slow

PROGRAM = """
import gc
from numba.core.registry import CPUDispatcher
from engine._jit import compile_kernel
from engine.arena.match import play_game
from engine.model.budget import Budget
from engine.model.tiles import allocate136, parse_tiles37
from engine.model.rules import TONPU
from engine.policy.registry import POLICIES, make_policy
from engine.search.registry import make_evaluator
from engine.search.position import Sketch
from engine.warmup import preparations

def compiled():
    kernels = [one for one in gc.get_objects() if isinstance(one, CPUDispatcher)]
    names = {one: (one.py_func.__module__, one.py_func.__name__) for one in kernels}  # numba's own share names
    return {name: len(one.signatures) for one, name in names.items() if name[0].startswith("engine.")}

name, options = {player!r}
for step in preparations({*POLICIES.needs(name, options), "simulator"}):
    for kernel in step.kernels:
        compile_kernel(kernel)
    step.load()
before = compiled()
if name == "value":
    search = make_evaluator("dag")
    for text, more in {
        "11223m1123789p55z": {"turn": 3},
        "2345m4067p34588s1z": {"turn": 9, "riichi_against": 1},
        "23m4456p112367s1z": {"offered": 3, "offered_by": 3},
        "1147m258p369s1234z": {},
        "1111222m34566p78s": {"turn": 6},
        "19m19p19s12345677z": {"turn": 2},
    }.items():
        search.evaluate(Sketch(allocate136(parse_tiles37(text)), **more).position(), budget=Budget(nodes=1_000))
play_game([make_policy(name, options=options), *(make_policy("tsumogiri") for _ in range(3))], TONPU, 5)
late = {name for name, number in compiled().items() if before.get(name, 0) != number}
assert before and not late, sorted(late)
"""
PLAYERS = (("value", {"nodes": 300, "call_nodes": 300}), ("dag", {"nodes": 300}), ("simple", {}), ("phoenix", {}))


@mostly_slow("player", PLAYERS, ids=lambda player: player[0])
def test_getting_ready_leaves_nothing_to_compile(player):
    program = PROGRAM.replace("{player!r}", repr(player))
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603
    assert run.returncode == 0, run.stderr


def test_the_estimates_of_simple_are_compiled_for_those_who_ask_it():
    quick = {name for name in POLICIES if "quick" in POLICIES.needs(name, {})}
    assert quick == {"dag", "flow", "simple"}


ENGINE = Path(__file__).parents[2] / "engine"
EVERY = {**ALWAYS, **NEEDS}


def all_kernels():
    """(name, needs) of every kernel of the engine."""
    found = set()
    for path in sorted(ENGINE.rglob("*_kernels.py")):
        module = import_module(".".join(path.relative_to(ENGINE.parent).with_suffix("").parts))
        found |= {id(each) for each in vars(module).values()}
    return [(name_of(kernel), effort.needs) for kernel, effort in KERNELS.items() if id(kernel) in found]


def brought_by(module, known):
    """Adds to ``known`` the modules of the engine that importing one brings."""
    path = ENGINE.parent / module.replace(".", "/")
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if module in known or not source.is_file():
        return
    known.add(module)
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("engine"):
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                brought_by(name, known)


@pytest.mark.parametrize("name", EVERY)
def test_the_homes_of_a_need_bring_all_its_kernels(name):
    wanted = {f"engine.{kernel.rpartition('.')[0]}" for kernel, needs in all_kernels() if name in needs}
    brought = set()
    for home in EVERY[name].homes:
        brought_by(home, brought)
    assert wanted <= brought


@pytest.mark.parametrize(("registry", "name"), [(each, row) for each in (POLICIES, EVALUATORS) for row in each])
def test_a_row_names_needs_that_exist(registry, name):
    assert set(registry.needs(name)) <= NEEDS.keys()


def test_every_kernel_that_plays_says_who_needs_it():
    kernels = all_kernels()
    assert {need for _, needs in kernels for need in needs} <= EVERY.keys()
    on_use = {name for name, needs in kernels if not needs}
    assert all(name.startswith(("train.", "papers.")) for name in on_use), sorted(on_use)
