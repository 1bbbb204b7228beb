"""Standard streams that fail: the game goes on, it is said once, and the exit code is that of the games."""

from __future__ import annotations

import errno
import io
import json
import os
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot.machine.outlet import Outlet, console
from bot.store import played
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.games import game_of
from tests.tiers import mostly_slow

ROOT = Path(__file__).parents[3]
RUN = (sys.executable, "-c", "from bot.cli import program; program()")


def gone():
    """A stream whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "w", buffering=1)


def full():
    """A stream on a disk without room."""
    return os.fdopen(os.open("/dev/full", os.O_WRONLY), "w", buffering=1)


def test_lines_are_not_broken_where_no_terminal_shows_them(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    stream = io.StringIO()
    console(Outlet(stream)).print("word " * 60)
    assert stream.getvalue().count("\n") == 1


SAID = "oshihiki: standard output: No space left on device; what cannot be shown is dropped\n"


@pytest.mark.parametrize(("stream", "said"), [(gone, ""), (full, SAID)])
def test_text_that_cannot_be_shown_is_dropped_and_said_once_if_anybody_could_have_read_it(stream, said, capsys):
    with stream() as opened:
        outlet = Outlet(opened, "standard output")
        for _ in range(3):
            outlet.write("one line\n")
            console(outlet).print("[bold]another")
            outlet.flush()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, outlet.fileno())  # else closing it fails
        os.close(nowhere)
    assert capsys.readouterr() == ("", said)


def test_text_written_after_a_full_disk_has_room_again_arrives():
    class Disk(io.StringIO):
        full = True

        def write(self, text):
            if self.full:
                raise OSError(errno.ENOSPC, "full")
            return super().write(text)

    disk = Disk()
    outlet = Outlet(disk)
    outlet.write("lost")
    disk.full = False
    outlet.write("arrived")
    assert disk.getvalue() == "arrived"


def test_a_stream_that_is_not_there_takes_everything():
    outlet = Outlet(None)
    outlet.write("text")
    outlet.flush()
    assert not outlet.isatty()
    with pytest.raises(OSError, match="fileno"):
        outlet.fileno()


def test_a_command_started_without_its_streams_ends_as_usual():
    command = shlex.join([*RUN, "--version"]) + " 0>&- 1>&- 2>&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=ROOT)  # noqa: S602
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@mostly_slow("broken", ["stdout", "stderr"])
def test_a_game_ends_though_nobody_reads(tmp_path, broken):
    """Its reader has gone before the first line; the result is stored all the same."""
    config = tmp_path / "my.toml"
    config.write_text('[policy]\nname = "tsumogiri"\n[game]\nlength = "tonpu"\n[log]\nlevel = "debug"\n')
    command = [*RUN, "play", "--config", str(config), "--record", str(tmp_path), *["--json"] * (broken == "stderr")]
    with gone() as pipe:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        streams |= {broken: pipe}
        ended = subprocess.run(command, **streams, text=True, check=False, timeout=300)  # noqa: S603
    assert ended.returncode == 0, ended.stderr
    assert len(list(played.read(tmp_path))) == 1
    if broken == "stdout":
        assert "roken" not in ended.stderr
    if broken == "stderr":
        assert json.loads(ended.stdout)["games"] == 1


def test_a_command_ends_in_silence_when_its_reader_has_gone(tmp_path):
    with gone() as pipe:
        done = subprocess.run(  # noqa: S603, PLW1510
            [*RUN, "export", "docs/examples/game.xml", "--to", "mjai"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
            text=True,
            cwd=ROOT,
        )
    assert (done.returncode, done.stderr) == (141, "")


def test_errors_keep_their_code_when_nobody_reads_them():
    with gone() as pipe:
        done = subprocess.run([*RUN, "evaluate", "12x"], stdout=pipe, stderr=pipe)  # noqa: S603, PLW1510
    assert done.returncode == 2


def encoded(encoding, *arguments):
    """Standard output of the program with this encoding."""
    done = subprocess.run(  # noqa: S603 - our own program
        [*RUN, *map(str, arguments)],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def test_characters_that_the_encoding_does_not_have_are_replaced():
    assert "?" in encoded("ascii", "evaluate", "123m456p78sEE中中中", "--dora", "9s").decode("ascii")


def test_a_log_is_printed_as_utf_8_whatever_the_terminal_uses(tmp_path):
    game = GameLog(game_of("tsumogiri", 3).events)
    named = replace(game.start, names=("押し引き", "b", "c", "d"))
    log = tmp_path / "game.xml"
    log.write_text(write_log(replace(game, events=(named, *game.events[1:])), "mjlog"), encoding="utf-8")
    said = encoded("cp1252", "export", log, "--to", "tenhou6")
    assert json.loads(said.decode("utf-8"))["name"][0] == "押し引き"


LEAVES = """
import atexit, os, signal, sys, threading, time
from bot import cli
from tests.games import game_of

def run(**_):
    {leaves}
    print("the last line", flush=True)
    sys.exit(7)

cli.app = run
cli.program()
"""
WAYS = {
    "a thread": "threading.Thread(target=time.sleep, args=(600,)).start()",
    "a pool": "from concurrent.futures import ThreadPoolExecutor as P; P(1).submit(time.sleep, 600)",
    "a farewell": "atexit.register(time.sleep, 600)",
}


def left(leaves):
    """How a process ends in which code from outside leaves something, with its two outputs."""
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", LEAVES.format(leaves=leaves)], capture_output=True, timeout=300, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_the_process_ends_whatever_code_from_outside_has_left():
    assert left("; ".join(WAYS.values())) == (7, b"the last line\n", b"")


@mostly_slow(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_at_once_without_a_traceback(number, code):
    # while it waits for the thread; a signal that comes just before it waits is only heard with the next
    kill = f"threading.main_thread().join()\nwhile True: os.kill(os.getpid(), {int(number)}); time.sleep(0.1)"
    killed = f"threading.Thread(target=exec, args=({kill!r}, globals())).start()"
    patient = "cli.LAST = 600.0"
    assert left(f"{WAYS['a thread']}; {killed}; {patient}") == (code, b"the last line\n", b"")


@pytest.mark.slow
def test_text_that_others_write_to_the_descriptor_goes_to_standard_error():
    said = left("os.write(1, b'raw\\n'); os.system('echo child')")
    assert said == (7, b"the last line\n", b"raw\nchild\n")
