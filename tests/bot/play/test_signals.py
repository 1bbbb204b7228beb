"""SIGTERM and SIGINT stop the command in every state; a game that runs is played to its end after one SIGTERM."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import signal
import sys

import pytest

from tests.bot.machine.processes import alive, wait_until
from tests.bot.play.scripted import LOGIN, START, follow, listening

MAIN = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "signal.signal(signal.SIGHUP, signal.SIG_DFL); from bot.cli import program; program()"
)
"""Tests in the background of a shell have these signals ignored, and programs that they start would inherit that."""
RUN = (sys.executable, "-c", MAIN, "play", "--games", "0", "--json", "--config")
ENOUGH = 100.0
"""Seconds after which a process that still runs has failed; every wait of the client here is longer."""
FLOOD = ["<Z/>"] * 100
STATES = {
    "queueing under a flood": (LOGIN, FLOOD),
    "in a game": ([*START, {"tag": "T120"}], []),
    "in a game under a flood": ([*START, {"tag": "T120"}], FLOOD),
}


@contextlib.asynccontextmanager
async def server(script, words):
    """Follows the script, sets the event, then says the words for ever."""
    there = asyncio.Event()

    async def talk(client):
        for step in script:
            await follow(client, step, [])
        there.set()
        while words:
            for word in words:
                await client.send(word)
            await asyncio.sleep(0)
        await client.wait_closed()

    async with listening(talk) as url:
        yield url, there


async def stopped(tmp_path, url, there, signals, policy="tsumogiri", ready=lambda: True):
    """Exit code and figures of a process that gets these signals once it is where it should be.

    Each signal but the first waits until the process has reported the one before, because two equal signals that a busy
    machine delivers at the same time count as one.
    """
    config = tmp_path / "my.toml"
    config.write_text(f'[server]\nurl = "{url}"\n[policy]\nname = {json.dumps(policy)}\n')
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*RUN, config, "--record", tmp_path, stdout=pipe, stderr=pipe)
    async with asyncio.timeout(ENOUGH):
        await there.wait()
        while not ready():  # noqa: ASYNC110 - another process does it
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        *earlier, last = signals
        err = b""
        for number in earlier:
            process.send_signal(number)
            err += await process.stderr.readuntil(b"SIGTERM")
        process.send_signal(last)
        out, rest = await process.communicate()
    return process.returncode, json.loads(out), (err + rest).decode()


@pytest.mark.slow
async def test_a_closed_terminal_stops_at_once(tmp_path):
    async with server(*STATES["in a game"]) as (url, there):
        code, figures, err = await stopped(tmp_path, url, there, [signal.SIGHUP])
    assert (code, figures["games"]) == (130, 0), err


async def test_sigterm_stops_at_once_before_a_game(tmp_path):
    async with server(*STATES["queueing under a flood"]) as (url, there):
        code, figures, err = await stopped(tmp_path, url, there, [signal.SIGTERM])
    assert (code, figures["games"], figures["lost_games"]) == (0, 0, 0), err


@pytest.mark.slow
async def test_a_second_sigterm_stops_a_game(tmp_path):
    async with server(*STATES["in a game under a flood"]) as (url, there):
        code, figures, err = await stopped(tmp_path, url, there, [signal.SIGTERM, signal.SIGTERM])
    assert (code, figures["games"]) == (143, 0), err


@pytest.mark.slow
async def test_sigint_stops_at_once_and_a_hung_program_does_not_outlive_us(tmp_path):
    """It ignores signals and its closed input, and has not answered its first question, for which it has a minute."""
    pid = tmp_path / "pid"
    source = (
        "import os, signal, sys, time\n"
        "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)\n"
        f"open({str(pid)!r}, 'w').write(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    program = tmp_path / "hangs.py"
    program.write_text(source)
    policy = f"mjai:{shlex.join((sys.executable, str(program)))}"
    async with server(*STATES["in a game under a flood"]) as (url, there):
        code, figures, err = await stopped(
            tmp_path, url, there, [signal.SIGINT], policy, ready=lambda: pid.exists() and pid.read_text()
        )
    assert (code, figures["games"]) == (130, 0), err
    wait_until(lambda: not alive(int(pid.read_text())))


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
async def test_the_first_compilation_stops_at_once(tmp_path, number, code):
    """With an empty cache it takes minutes, in processes of its own, none of which is left."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *RUN[:4], env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)}, stderr=pipe, start_new_session=True
    )
    async with asyncio.timeout(ENOUGH):
        assert b"getting ready" in await process.stderr.readline()
        process.send_signal(number)
        await process.communicate()
        assert process.returncode == code
        with contextlib.suppress(ProcessLookupError):
            while True:  # those that were killed are gone once the system has noticed
                os.killpg(process.pid, 0)
                await asyncio.sleep(0.1)
