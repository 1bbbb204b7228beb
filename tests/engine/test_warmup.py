"""After getting ready nothing is compiled any more: a first decision is as quick as the next."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import gc
from numba.core.registry import CPUDispatcher
from engine._jit import compile_kernel
from engine.arena.match import play_game
from engine.model.budget import Budget
from engine.model.tiles import allocate136, parse_tiles37
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from engine.search.registry import make_evaluator
from engine.search.position import Sketch
from engine.warmup import preparations

def compiled():
    kernels = [one for one in gc.get_objects() if isinstance(one, CPUDispatcher)]
    names = {one: (one.py_func.__module__, one.py_func.__name__) for one in kernels}  # numba's own share names
    return {name: len(one.signatures) for one, name in names.items() if name[0].startswith("engine.")}

for step in preparations(["dag"]):
    for kernel in step.kernels:
        compile_kernel(kernel)
    step.load()
before = compiled()
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
play_game([make_policy("simple") for _ in range(4)], TONPU, 5)
late = {name for name, number in compiled().items() if before.get(name, 0) != number}
assert before and not late, sorted(late)
"""


def test_getting_ready_leaves_nothing_to_compile() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)  # noqa: S603
    assert run.returncode == 0, run.stderr
