"""Standard streams that fail: the game goes on, it is said once, and the exit code is that of the games."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from bot.outlet import Outlet, console

RUN = (sys.executable, "-c", "from bot.cli import main; main()")


def gone():
    """A stream whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "w", buffering=1)


def full():
    """A stream on a disk without room."""
    return os.fdopen(os.open("/dev/full", os.O_WRONLY), "w", buffering=1)


@pytest.mark.parametrize(("stream", "reason"), [(gone, "Broken pipe"), (full, "No space left on device")])
def test_what_cannot_be_shown_is_dropped_and_said_once(stream, reason):
    other = io.StringIO()
    with stream() as opened:
        outlet = Outlet(opened, "standard output", Outlet(other))
        for _ in range(3):
            outlet.write("one line\n")
            console(outlet).print("[bold]another")
            outlet.flush()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, outlet.fileno())  # else closing it fails
        os.close(nowhere)
    assert outlet.lost == reason
    assert other.getvalue() == f"oshihiki: standard output: {reason}; what cannot be shown is dropped\n"


def test_a_stream_that_is_not_there_takes_everything():
    outlet = Outlet(None)
    outlet.write("text")
    outlet.flush()
    assert (outlet.isatty(), outlet.lost) == (False, "")
    with pytest.raises(OSError, match="Bad file descriptor"):
        outlet.fileno()


@pytest.mark.parametrize("broken", ["stdout", "stderr", "both"])
def test_a_game_ends_though_nobody_reads(tmp_path, broken):
    """Everybody has gone before the first line; the result is stored all the same."""
    config = tmp_path / "my.toml"
    config.write_text('[policy]\nname = "tsumogiri"\n[game]\nlength = "tonpu"\n[log]\nlevel = "debug"\n')
    command = [*RUN, "play", "--config", str(config), "--record", str(tmp_path), *["--json"] * (broken == "stderr")]
    with gone() as pipe:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        streams |= dict.fromkeys(streams if broken == "both" else [broken], pipe)
        ended = subprocess.run(command, **streams, text=True, check=False, timeout=300)  # noqa: S603
    assert ended.returncode == 0, ended.stderr
    assert len((tmp_path / "results.ndjson").read_text().splitlines()) == 1
    if broken == "stdout":
        assert ended.stderr.count("Broken pipe") == 1
    if broken == "stderr":
        assert json.loads(ended.stdout)["games"] == 1
