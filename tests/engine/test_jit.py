"""How kernels and parts are compiled, kept and found again."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
from numba.core import codegen, types

from engine._jit import CACHE_DIR, Record, Records, compile_kernel, machine_code, part, signature
from engine._numba_parts import OVERRIDDEN, require_known
from engine.kept import DamagedError, read_kept, write_kept
from engine.model.rules import HANCHAN
from engine.opponents import danger_kernels
from engine.rules.tables import empty_view
from engine.rules.view_kernels import nagashi_mask
from engine.scoring import payment_kernels
from engine.warmup import preparations

KERNELS = [kernel for one in preparations() for kernel in one.kernels]
POINTS = "from engine.scoring.payment_kernels import total_points as points; assert points(2000, True, False) == 12000"
HITS = f"{POINTS}; print(sum(points.stats.cache_hits.values()))"


def started(program, cache, **variables):
    """A fresh process, whose kernels are kept in ``cache``."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), **variables}
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(program, cache, **variables):
    """What a fresh process prints, and what it says beside."""
    process = started(program, cache, **variables)
    printed, said = process.communicate()
    assert process.returncode == 0, said
    return printed.strip(), said.strip()


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
    taken = [given for one in danger_kernels.side.signatures for given in one]
    assert taken
    assert not [given for given in taken if isinstance(given, types.Literal)]


def test_kernels_are_kept_by_module_wherever_the_project_lies():
    assert Path(payment_kernels.total_points.stats.cache_path) == CACHE_DIR / "scoring.payment_kernels"


WITHOUT = "import sys; sys.modules['engine._numba_parts'] = None\n"
"""Begins a program in which the inner parts of numba cannot be overridden, as with a numba that has others."""


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A folder for kernels that are compiled as numba does by itself."""
    return tmp_path_factory.mktemp("plain")


@pytest.mark.slow
def test_without_the_inner_parts_of_numba_kernels_are_compiled_and_kept_as_well(plain):
    asks = "from engine._jit import OVERRIDES, has_to_be_compiled; assert not OVERRIDES; "
    asks += "from engine.scoring.payment_kernels import total_points; print(has_to_be_compiled(total_points))"
    assert run(WITHOUT + asks, plain) == ("True", "")
    assert run(WITHOUT + HITS, plain) == ("0", "")
    assert run(WITHOUT + HITS, plain) == ("1", "")
    assert run(WITHOUT + asks, plain) == ("False", "")
    assert run(HITS, plain) == ("0", "")  # neither takes the other's


@pytest.mark.slow
def test_without_the_inner_parts_of_numba_a_game_is_the_same(plain):
    plays = (
        "from engine.arena.match import play_game; from engine.model.rules import TONPU\n"
        "from engine.policy.registry import make_policy\n"
        "print(play_game([make_policy('simple') for _ in range(4)], TONPU, 5).events)"
    )
    with_them, _ = run(plays, CACHE_DIR.parents[2])
    assert run(WITHOUT + plays, plain) == (with_them, "")


def test_a_part_of_numba_that_is_missing_or_has_changed_is_noticed():
    require_known(OVERRIDDEN)
    with pytest.raises(ImportError, match=r"JITCodeLibrary\.finish of numba .* is not known: missing"):
        require_known({codegen.JITCodeLibrary: {"finish": "self"}})
    with pytest.raises(ImportError, match=r"JITCodeLibrary\.get_function of numba .* is not known: self name"):
        require_known({codegen.JITCodeLibrary: {"get_function": "self name more"}})


# -- damage --------------------------------------------------------------------------------------------------------


def flipped(at, number=3):
    """A damage: so many bytes inverted from a part of the file on."""

    def damaged(data):
        place = int(at * (len(data) - number))
        middle = bytes(255 - byte for byte in data[place : place + number])
        return data[:place] + middle + data[place + number :]

    return damaged


DAMAGES = {
    "empty": lambda _: b"",
    "other bytes": lambda _: b"no machine code",
    "random": lambda data: random.Random(1).randbytes(len(data)),
    "half": lambda data: data[: len(data) // 2],
    "one byte less": lambda data: data[:-1],
    "one byte more": lambda data: data + b"x",
    "without a checksum": lambda data: data[16:],  # as numba by itself writes it
    "nulls": lambda data: bytes(len(data)),
    "checksum flipped": flipped(0.0),
    "early flipped": flipped(0.05),
    "middle flipped": flipped(0.5),
    "late flipped": flipped(0.9),
    "last flipped": flipped(1.0, 1),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder with the compiled kernel of :data:`HITS`."""
    folder = tmp_path_factory.mktemp("kernels")
    assert run(HITS, folder) == ("0", "")
    assert run(HITS, folder) == ("1", "")
    return folder


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_not_believed(tmp_path, damage):
    file = tmp_path / "total_points.code"
    write_kept(file, random.Random(2).randbytes(10_000))
    read_kept(file)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    with pytest.raises(DamagedError):
        read_kept(file)


@pytest.mark.slow
def test_a_damaged_file_is_compiled_again_and_said_in_one_line(filled, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    (file,) = cache.rglob("total_points.code")
    file.write_bytes(DAMAGES["middle flipped"](file.read_bytes()))
    hits, said = run(HITS, cache)
    assert hits == "0"
    assert len(said.splitlines()) == 1
    assert said == f"oshihiki: {file} is damaged; it is made again, as all that is damaged"
    assert run(HITS, cache) == ("1", "")


@pytest.mark.slow
def test_the_code_of_another_kernel_is_not_taken_for_this_ones(filled, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    (file,) = cache.rglob("total_points.code")
    other = file.with_name(file.name.replace("total_points", "other_points"))
    file.rename(other)
    other.replace(file)
    assert run(HITS, cache) == ("1", "")
    twin = file.read_bytes()
    file.with_name("total_points-x.code").write_bytes(twin)
    with pytest.raises(DamagedError):
        read_kept(file.with_name("total_points-x.code"))


@pytest.mark.slow
def test_before_play_a_damaged_kernel_counts_as_missing(filled, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    asks = (
        "from engine._jit import has_to_be_compiled; from engine.scoring.payment_kernels import total_points; "
        "print(has_to_be_compiled(total_points))"
    )
    assert run(asks, cache) == ("False", "")
    (file,) = cache.rglob("total_points.code")
    file.write_bytes(flipped(0.7)(file.read_bytes()))
    missing, said = run(asks, cache)
    assert missing == "True"
    assert f"{file} is damaged" in said
    assert run(asks, cache) == ("True", "")


@pytest.mark.slow
def test_many_damaged_files_are_said_in_one_line_and_a_closed_output_is_none(filled, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    more = "from engine.scoring.payment_kernels import total_points as a, result_tenths as b; "
    both = f"{more}from engine._jit import compile_kernel as c; c(a); c(b); print(len(a.signatures + b.signatures))"
    assert run(both, cache) == ("2", "")
    for file in cache.rglob("*.code"):
        file.write_bytes(b"")
    closed = f"import sys; sys.stderr.close(); sys.stderr = None; {both}"
    copied = tmp_path / "copied"
    shutil.copytree(cache, copied)
    assert run(closed, copied) == ("2", "")
    found, said = run(both, cache)
    assert found == "2"
    assert len(said.splitlines()) == 1


@pytest.mark.slow
def test_processes_that_find_the_damage_together_all_go_on(filled, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    (file,) = cache.rglob("total_points.code")
    file.write_bytes(flipped(0.5)(file.read_bytes()))
    together = [started(POINTS, cache) for _ in range(3)]
    for process in together:
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0, said
    assert run(HITS, cache) == ("1", "")
    assert not list(cache.rglob("*.part"))


@pytest.mark.slow
def test_a_damaged_folder_that_cannot_be_written_only_costs_time(filled, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    (file,) = cache.rglob("total_points.code")
    file.write_bytes(b"")
    program = f"from engine import _numba_parts as inner; inner.write_kept = lambda *_: 1 / 0; {HITS}"
    program = program.replace("1 / 0", "(_ for _ in ()).throw(PermissionError())")
    assert run(program, cache)[0] == "0"
    assert run(HITS, cache)[0] == "0"


# -- errors that are no damage -------------------------------------------------------------------------------------


def disturbed(function, error, program=HITS):
    """The program, in which a function that loads kernels fails before it does its work."""
    owner, name = function.split(".")
    return (
        "import pickle, signal; from types import SimpleNamespace; from engine import _numba_parts as _jit\n"
        "_jit.pickle = SimpleNamespace(loads=pickle.loads)\n"
        f"owner = _jit.{owner}\nplain = owner.{name}\n"
        f"def failing(*given):\n    {error}\n    return plain(*given)\n"
        f"owner.{name} = failing\n{program}"
    )


def contents(cache):
    return {file.name: file.read_bytes() for file in cache.rglob("*.code")}


@pytest.mark.parametrize("method", ["pickle.loads", pytest.param("CompileResult._rebuild", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "error",
    [
        "raise RuntimeError('LLVM')",
        *(
            pytest.param(error, marks=pytest.mark.slow)
            for error in ("raise MemoryError", "raise OSError(24, 'Too many open files')", "raise KeyError(1)")
        ),
    ],
)
def test_an_error_that_is_no_damage_costs_a_compilation_and_no_file(filled, tmp_path, method, error):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    once = f"if not hasattr(_jit, 'failed'): _jit.failed = True; {error}"
    assert run(disturbed(method, once), cache) == ("0", "")
    assert run(HITS, cache) == ("1", "")
    assert [*contents(cache)] == [*contents(filled)]


@pytest.mark.parametrize("method", ["pickle.loads", pytest.param("CompileResult._rebuild", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "handler", ["signal.default_int_handler", pytest.param("lambda *_: 1 // 0", marks=pytest.mark.slow)]
)
def test_ctrl_c_while_a_kernel_is_loaded_is_heard_and_costs_no_file(filled, tmp_path, method, handler):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    program = (
        f"signal.signal(signal.SIGINT, {handler})\n"
        f"try:\n    {POINTS}\n    print('not heard')\n"
        "except (KeyboardInterrupt, ArithmeticError): print('heard')"
    )
    assert run(disturbed(method, "signal.raise_signal(signal.SIGINT)", program), cache) == ("heard", "")
    assert contents(cache) == contents(filled)


@pytest.mark.slow
def test_ctrl_c_at_any_moment_of_the_first_load_costs_no_file(filled, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    chance = random.Random(1)
    for _ in range(12):
        process = started(f"print(0, flush=True); {POINTS}", cache)
        process.stdout.readline()
        time.sleep(chance.random() * 1.5)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
        assert "is made again" not in said  # a traceback may well show a line of code with "damaged"
        assert contents(cache) == contents(filled)
    assert not list(cache.rglob("*.part"))


def test_kernels_that_check_their_indices_lie_apart(tmp_path):
    where = "from engine._jit import CACHE_DIR; print(CACHE_DIR)"
    plain = run(where, tmp_path)
    assert run(where, tmp_path, NUMBA_BOUNDSCHECK="1") != plain
    assert run(where, tmp_path, NUMBA_BOUNDSCHECK="0") == plain


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


def test_the_machine_code_of_a_kernel_answers_as_the_kernel_and_refuses_other_arguments():
    assert machine_code(nagashi_mask)(empty_view(HANCHAN, 0)) == nagashi_mask(empty_view(HANCHAN, 0)) == 0
    with pytest.raises(TypeError):
        machine_code(nagashi_mask)(np.zeros(1))
