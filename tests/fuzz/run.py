"""Fuzz for as long as one likes: ``python tests/fuzz/run.py --runs 100000 [--seed N] [--target NAME]``.

Damages good inputs by a seed and checks that each is taken in or refused with a clear error. An input that is neither
is written to ``tests/fuzz/found/TARGET/``, where the test suite runs it for ever after. Exit code 1 when there was one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import random
import sys
import time
import traceback
from pathlib import Path
from typing import Final

import structlog

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from mutate import damage  # noqa: E402  beside this file
from targets import TARGETS, Target  # noqa: E402

FOUND: Final = Path(__file__).parent / "found"


def fuzz(target: Target, runs: int, seed: int) -> dict[str, bytes]:
    """Inputs that broke it: at most one for each place in the code, by a name made of it."""
    rng = random.Random(seed)
    seeds = target.seeds()
    broken: dict[str, bytes] = {}
    for _ in range(runs):
        data = damage(rng.choice(seeds), rng, seeds)
        try:
            target.run(data)
        except target.refuses:
            continue
        except Exception as error:  # noqa: BLE001  whatever else comes out is a find
            place = traceback.extract_tb(error.__traceback__)[-1]
            name = f"{type(error).__name__}-{Path(place.filename).stem}-{place.lineno}"
            kept = broken.get(name)
            if kept is None or len(data) < len(kept):
                broken[name] = data
    return broken


def main() -> int:
    """Run what the command line says; prints one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200_000, help="inputs in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", choices=list(TARGETS), action="append", help="only these")
    options = parser.parse_args()
    report: dict[str, dict[str, object]] = {}
    chosen = options.target or list(TARGETS)
    shares = sum(TARGETS[name].share for name in chosen)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    for name in chosen:
        runs = -(-options.runs * TARGETS[name].share // shares)
        began = time.perf_counter()
        broken = fuzz(TARGETS[name], runs, options.seed)
        rate = runs / (time.perf_counter() - began)
        report[name] = {"inputs": runs, "per_second": round(rate), "found": sorted(broken)}
        sys.stderr.write(f"{name}: {runs:,} inputs, {rate:,.0f}/s, {len(broken)} found\n")
        for data in broken.values():
            folder = FOUND / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
    sys.stdout.write(json.dumps(report) + "\n")
    return int(any(row["found"] for row in report.values()))


if __name__ == "__main__":
    sys.exit(main())
