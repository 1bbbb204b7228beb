"""Coverage-guided fuzzing by atheris, one target at a time: ``python tests/fuzz/guided.py mjlog -runs=100000``.

Needs ``pip install atheris`` (CPython on Linux). Other options are libFuzzer's. An input that breaks the target is
written to the current folder as ``crash-…``: move it to ``tests/fuzz/found/TARGET/`` once it is understood.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

with atheris.instrument_imports(include=["bot", "protocol"]):
    from targets import TARGETS

from mutate import damage  # noqa: E402  beside this file


def main() -> None:
    """Run libFuzzer on the target named first."""
    target = TARGETS[sys.argv.pop(1)]
    seeds = target.seeds()

    def one_input(data: bytes) -> None:
        try:
            target.run(data)
        except target.refuses:
            return

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        """Half of the time damage that keeps the structure, half of the time libFuzzer's own."""
        rng = random.Random(seed)
        if len(data) < 2:
            return rng.choice(seeds)[:max_size]
        return damage(data, rng, seeds)[:max_size] if rng.random() < 0.5 else bytes(atheris.Mutate(data, max_size))

    atheris.Setup([*sys.argv, "-max_len=65536"], one_input, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
