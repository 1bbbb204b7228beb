"""Work in other processes: its results, its faults, and processes that end before it is done."""

from __future__ import annotations

import math
import os
import shutil
import time
from pathlib import Path

import pytest

from bot.machine.errors import RunError
from bot.machine.outside import FAULTS, FaultKind, OutsideError
from bot.machine.parallel import Backend, each
from tests.bot.commands.program import oshihiki

GAME = Path(__file__).parents[3] / "docs" / "examples" / "game.xml"


@pytest.fixture
def folder(tmp_path):
    for number in range(3):
        (tmp_path / "games").mkdir(exist_ok=True)
        shutil.copy(GAME, tmp_path / "games" / f"{number}.xml")
    return tmp_path / "games"


def test_work_is_done_by_processes():
    assert sorted(each(math.factorial, iter(range(9)), 2)) == [math.factorial(n) for n in range(9)]
    assert list(each(math.factorial, range(3), 8)) == [1, 1, 2]


def at_fault(number):
    FAULTS.note(OutsideError(FaultKind("policy a:B", "decide", "raised ValueError"), "boom"))
    return number


def gone(number):
    os._exit(5)
    return number


def test_faults_in_other_processes_come_back_and_are_reported_once(capsys):
    FAULTS.take()
    assert sorted(each(at_fault, iter(range(9)), 2)) == list(range(9))
    assert FAULTS.lines() == ["policy a:B: decide raised ValueError (9 times)"]
    assert capsys.readouterr().err.count("policy a:B: decide raised ValueError: boom") == 1
    FAULTS.take()


def test_a_process_that_ends_twice_with_a_piece_is_named(capsys):
    words = r"a process that worked for this one has ended \{EXIT\(5\)\} twice"
    with pytest.raises(RunError, match=words):
        list(each(gone, iter(range(9)), 2))
    assert "its share is tried again" in capsys.readouterr().err


def gone_once(piece):
    number, flag = piece
    if number == 4 and not flag.exists():
        flag.touch()
        os._exit(5)
    return number


@pytest.mark.slow
def test_a_process_that_ends_costs_its_share_a_second_try(tmp_path, capsys):
    work = [(number, tmp_path / "flag") for number in range(40)]
    assert list(each(gone_once, iter(work), 2, in_order=True)) == list(range(40))
    assert capsys.readouterr().err.count("its share is tried again") == 1


def held_up(piece):
    """The first piece of work waits until the others are done, as a file says."""
    number, done = piece
    while number == 0 and not done.exists():
        time.sleep(0.01)
    return number


def test_results_come_as_they_are_finished(tmp_path):
    done = tmp_path / "done"
    coming = each(held_up, ((number, done) for number in range(6)), 2)
    assert sorted(next(coming) for _ in range(5)) == [1, 2, 3, 4, 5]
    done.touch()
    assert list(coming) == [0]


def last_lets_first_go(piece):
    number, done = piece
    if number == 5:
        done.touch()
    return held_up(piece)


def test_results_come_in_the_order_of_the_work_where_that_is_asked(tmp_path):
    work = ((number, tmp_path / "done") for number in range(6))
    assert list(each(last_lets_first_go, work, 2, in_order=True)) == list(range(6))


def wrong(number):
    raise ValueError(number)


def test_work_that_fails_or_is_left_ends_the_rest():
    with pytest.raises(ValueError, match=r"^[0-9]$"):
        list(each(wrong, iter(range(9)), 2))
    read = []

    def work():
        for number in range(1000):
            read.append(number)
            yield number

    some = each(math.factorial, work(), 2)
    next(some)
    some.close()
    assert len(read) < 20
    assert sorted(each(math.factorial, iter(range(4)), 2)) == [1, 1, 2, 6]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_work_is_done_by_a_cluster_also_if_a_worker_ends(tmp_path):
    pytest.importorskip("distributed")
    work = [(number, tmp_path / "flag") for number in range(40)]
    assert list(each(gone_once, iter(work), 2, Backend.DASK, in_order=True)) == list(range(40))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "command", ["verify {} --json", "audit {} --seat 0 --policy simple --json", "export {} --to mjai -o OUT"]
)
def test_commands_say_the_same_on_a_cluster(command, folder, monkeypatch, capsys, tmp_path):
    pytest.importorskip("distributed")
    words = command.format(folder).split()
    found = []
    for spread in (["--jobs", "1"], ["--jobs", "2", "--backend", "dask"]):
        out = tmp_path / f"{len(found)}"
        code, said, _ = oshihiki(monkeypatch, capsys, *(str(out) if word == "OUT" else word for word in words), *spread)
        assert code == 0
        found.append((said, {path.name: path.read_bytes() for path in out.glob("*")}))
    assert found[0] == found[1]
