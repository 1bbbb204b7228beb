"""Files that are written whole or not at all, and locks that programs have in turn."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time

import pytest

from bot.machine import files
from bot.machine.files import locked, locked_folder, replace_file
from tests.side_by_side import side_by_side

WRITING = """
import os, sys, time
from pathlib import Path
from bot.machine import files
os.fsync = lambda file: (print("writing", flush=True), time.sleep(60))
files.replace_file(Path(sys.argv[1]), b"new")
"""


@pytest.fixture
def writing(tmp_path):
    """A program that has written half of a file."""
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", WRITING, str(tmp_path / "file")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "writing\n"
    yield process
    process.kill()
    process.communicate()


def parts(folder):
    return list(folder.glob(".oshihiki-*"))


def test_parts_that_a_killed_program_left_are_removed_by_the_next(tmp_path, writing):
    (tmp_path / "file").write_bytes(b"old")
    assert len(parts(tmp_path)) == 1
    writing.send_signal(signal.SIGKILL)
    writing.wait()
    assert len(parts(tmp_path)) == 1
    replace_file(tmp_path / "other", b"1")
    assert parts(tmp_path) == []
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.usefixtures("writing")
def test_a_part_that_another_program_is_writing_stays(tmp_path):
    before = parts(tmp_path)
    replace_file(tmp_path / "other", b"1")
    assert parts(tmp_path) == before != []


def test_a_folder_link_or_pipe_named_like_a_part_is_no_obstacle(tmp_path):
    (tmp_path / ".oshihiki-folder.part").mkdir()
    (tmp_path / ".oshihiki-link.part").symlink_to(tmp_path / "none")
    os.mkfifo(tmp_path / ".oshihiki-pipe.part")
    (tmp_path / ".oshihiki-0.part").write_bytes(b"")
    (tmp_path / "mine.part").write_bytes(b"")
    replace_file(tmp_path / "file", b"1")
    assert (tmp_path / "file").read_bytes() == b"1"
    assert (tmp_path / "mine.part").exists()
    assert not (tmp_path / ".oshihiki-0.part").exists()


def test_a_disk_without_locks_loses_nothing(tmp_path, monkeypatch):
    def none(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    (tmp_path / ".oshihiki-0.part").write_bytes(b"")
    monkeypatch.setattr(files.fcntl, "flock", none)
    replace_file(tmp_path / "file", b"1")
    with locked_folder(tmp_path):
        assert (tmp_path / ".oshihiki-0.part").exists()  # nobody can know whether it is being written
    assert (tmp_path / "file").read_bytes() == b"1"


def test_a_lock_is_waited_for_and_given_up(tmp_path):
    with locked_folder(tmp_path):
        began = time.monotonic()
        with (
            pytest.raises(OSError, match=r"another program has kept it locked for 0\.2 s"),
            locked_folder(tmp_path, 0.2),
        ):
            pass
        assert time.monotonic() - began > 0.15
    with locked_folder(tmp_path, 0.0):
        pass
    file = os.open(tmp_path, os.O_RDONLY)
    try:
        with locked(file), pytest.raises(ValueError, match="inside"):
            raise ValueError("inside")
    finally:
        os.close(file)


def _replace(path, number):
    for _ in range(50):
        replace_file(path, bytes([number]) * 10_000)


def test_programs_that_replace_one_file_leave_it_whole(tmp_path):
    side_by_side(_replace, [(tmp_path / "file", number) for number in range(3)])
    found = (tmp_path / "file").read_bytes()
    assert (len(found), len(set(found))) == (10_000, 1)
    assert parts(tmp_path) == []
    (tmp_path / "file").chmod(0o640)
    replace_file(tmp_path / "file", b"")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
