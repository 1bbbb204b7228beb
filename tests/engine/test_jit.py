"""How kernels and parts are compiled, kept and found again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest

from engine._jit import CACHE_DIR, Record, Records, compile_kernel, part, signature
from engine.opponents import danger_kernels
from engine.scoring import payment_kernels
from engine.warmup import preparations

KERNELS = [kernel for one in preparations() for kernel in one.kernels]
POINTS = "from engine.scoring.payment_kernels import total_points as points; assert points(2000, True, False) == 12000"
HITS = f"{POINTS}; print(sum(points.stats.cache_hits.values()))"


def run(program, cache):
    """What a fresh process prints, whose kernels are kept in ``cache``."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return process.stdout.strip()


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_every_kernel_is_compiled_once_for_the_types_of_its_annotations(kernel):
    compile_kernel(kernel)
    assert kernel.signatures == [signature(kernel.py_func)]


def test_a_part_cannot_be_called_from_python():
    with pytest.raises(TypeError, match=r"payment_kernels\.up is a part of kernels"):
        payment_kernels.up(7)


def test_a_constant_has_no_machine_code_of_its_own():
    classify = danger_kernels.classify.py_func  # which asks for both sides of a tile, -3 and 3
    part(classify).compile(signature(classify))
    assert len(danger_kernels.side.signatures) == 1


def test_kernels_are_kept_by_module_wherever_the_project_lies():
    assert Path(payment_kernels.total_points.stats.cache_path) == CACHE_DIR / "scoring.payment_kernels"


@pytest.mark.parametrize("damaged", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize(
    "left",
    [pytest.param(b"", marks=pytest.mark.slow), b"neither an index nor machine code"],
    ids=["empty", "other bytes"],
)
def test_a_damaged_file_is_compiled_again(tmp_path, damaged, left):
    assert run(HITS, tmp_path) == "0"
    assert run(HITS, tmp_path) == "1"
    (file,) = tmp_path.rglob(f"payment_kernels.total_points{damaged}")
    file.write_bytes(left)
    assert run(HITS, tmp_path) == "0"
    assert run(HITS, tmp_path) == "1"


class Short(Record):
    """A record, with which another begins."""

    first: Annotated[int, np.int64]


class Long(Short):
    """The record that begins with it."""

    second: Annotated[int, np.int64]


def test_records_that_begin_alike_have_machine_code_of_their_own():
    first = part(lambda record: record.first)

    def both(short: Records[Short], long: Records[Long]) -> int:
        return first(short[0]) + first(long[0])

    part(both).compile(signature(both))  # numba warns where it takes one for the other
    assert len(first.signatures) == 2
